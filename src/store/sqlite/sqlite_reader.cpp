// Readers and their pool; see sqlite_reader.h.
#include "store/sqlite/sqlite_reader.h"

#include <utility>

#include "store/sqlite/schema.h"

namespace lectern::store {

namespace {

constexpr size_t kMaxIdle = 16;

// Opens the transaction and reads something in it: only then does SQLite fix the snapshot.
Result<uint64_t> begin_read(Connection& connection) {
  TRY_STATUS(connection.execute("BEGIN"));
  TRY(const int64_t generation, connection.number("SELECT generation FROM state"));
  TRY_STATUS(check_version(connection));
  return static_cast<uint64_t>(generation);
}

}  // namespace

Result<PooledConnection> ReaderPool::take() {
  const auto file = stat_file(path_);
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      PooledConnection pooled = std::move(idle_.back());
      idle_.pop_back();
      if (file && pooled.inode == file->inode && pooled.device == file->device) return pooled;
    }
  }
  PooledConnection pooled;
  if (file) {
    pooled.inode = file->inode;
    pooled.device = file->device;
  }
  TRY(pooled.connection, open_index(path_, Access::kRead, vfs_));
  return pooled;
}

void ReaderPool::give_back(PooledConnection idle) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(idle));
}

Result<std::unique_ptr<Reader>> SqliteReader::begin(std::shared_ptr<ReaderPool> pool) {
  TRY(auto pooled, pool->take());
  TRY(const uint64_t generation, begin_read(*pooled.connection));
  return std::unique_ptr<Reader>(new SqliteReader(std::move(pool), std::move(pooled), generation));
}

SqliteReader::~SqliteReader() {
  // A connection that cannot end its transaction is closed, which ends it for sure.
  if (pooled_.connection->execute("ROLLBACK")) pool_->give_back(std::move(pooled_));
}

}  // namespace lectern::store
