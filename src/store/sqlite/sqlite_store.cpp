// The Store over an SQLite file: which connection is opened how, and when an old file may
// be replaced.
#include <memory>
#include <utility>

#include "base/file.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_reader.h"
#include "store/sqlite/sqlite_writer.h"
#include "store/store.h"

namespace lectern::store {

namespace {

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(OpenOptions options)
      : options_(std::move(options)),
        pool_(std::make_shared<ReaderPool>(options_.path, options_.vfs)) {}

  Result<std::unique_ptr<Reader>> read() override { return SqliteReader::begin(pool_); }

  Result<std::unique_ptr<Writer>> write(bool fresh) override {
    TRY(const FileHead head, identify(options_.path));
    if (head.identity == Identity::kForeign) return not_ours(options_.path);
    // An older format holds nothing that is worth more than reading the notes again.
    const bool older = head.identity == Identity::kOurs && head.version < kSchemaVersion;
    if (head.identity == Identity::kAbsent || older) return begin_blank();
    auto writer = begin_existing(fresh);
    const bool broken = !writer && writer.error().code == ErrorCode::kBadIndex;
    // Of the newer format, which this program must not touch, or damaged?
    if (broken && fresh && head.version == kSchemaVersion) return begin_blank();
    return writer;
  }

  uint64_t bytes() const override {
    uint64_t total = 0;
    for (const char* suffix : {"", "-wal"}) {
      if (const auto file = stat_file(options_.path + suffix)) total += file->size;
    }
    return total;
  }

 private:
  Result<std::unique_ptr<Writer>> begin_blank() {
    TRY_STATUS(place_blank(options_.path, options_.vfs));
    return begin_existing(false);
  }

  Result<std::unique_ptr<Writer>> begin_existing(bool fresh) {
    TRY(auto connection, open_index(options_.path, Access::kWrite, options_.vfs));
    // Emptied tables give their pages to the new ones: only sound pages may be given.
    if (fresh) TRY_STATUS(check_pages(*connection));
    return SqliteWriter::begin(std::move(connection), fresh);
  }

  static Status check_pages(Connection& connection) {
    TRY(auto row, connection.prepare("PRAGMA quick_check(1)"));
    TRY(const bool found, row.row());
    if (!found || row.bytes_at(0) != "ok") return damaged(connection.path(), "its pages");
    return {};
  }

  OpenOptions options_;
  std::shared_ptr<ReaderPool> pool_;
};

}  // namespace

std::unique_ptr<Store> open_sqlite(OpenOptions options) {
  return std::make_unique<SqliteStore>(std::move(options));
}

}  // namespace lectern::store
