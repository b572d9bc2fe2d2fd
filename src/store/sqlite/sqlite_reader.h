// SqliteReader: one read transaction on a pooled connection.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/file.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/queries.h"
#include "store/store.h"

namespace lectern::store {

// A connection and which file it has open: the file may be replaced under its name.
struct PooledConnection {
  std::unique_ptr<Connection> connection;
  uint64_t inode = 0, device = 0;
};

// Idle connections, with their statements prepared and their pages cached. Thread-safe.
class ReaderPool {
 public:
  ReaderPool(std::string path, std::string vfs) : path_(std::move(path)), vfs_(std::move(vfs)) {}
  // A connection to the file that is at the path now.
  Result<PooledConnection> take();
  void give_back(PooledConnection idle);

 private:
  std::string path_, vfs_;
  std::mutex mutex_;
  std::vector<PooledConnection> idle_;
};

class SqliteReader final : public WithQueries<Reader> {
 public:
  static Result<std::unique_ptr<Reader>> begin(std::shared_ptr<ReaderPool> pool);
  ~SqliteReader() override;
  uint64_t generation() const override { return generation_; }

 private:
  SqliteReader(std::shared_ptr<ReaderPool> pool, PooledConnection pooled, uint64_t generation)
      : WithQueries<Reader>(*pooled.connection),
        pool_(std::move(pool)),
        pooled_(std::move(pooled)),
        generation_(generation) {}

  std::shared_ptr<ReaderPool> pool_;
  PooledConnection pooled_;
  uint64_t generation_;
};

}  // namespace lectern::store
