// Schema, recognition and creation of the index file; see schema.h.
#include "store/sqlite/schema.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "store/store.h"

namespace lectern::store {

namespace {

constexpr uint32_t kApplicationId = 0x4C454354;  // "LECT"
constexpr std::string_view kMagic("SQLite format 3\0", 16);
// Places in the header: SQLite file format, section 1.3.
constexpr size_t kUserVersionAt = 60;
constexpr size_t kApplicationIdAt = 68;

// Exactly as SQLite keeps it in sqlite_schema, so that a file whose schema is anything
// else (a view or trigger in place of a table, too) is recognised as damaged.
constexpr std::array kSchema = {
    std::string_view("CREATE TABLE state(generation INTEGER, next_note INTEGER, "
                     "next_chunk INTEGER, next_segment INTEGER, next_version INTEGER, "
                     "links INTEGER, links_unresolved INTEGER, links_ambiguous INTEGER)"),
    std::string_view("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"),
    std::string_view("CREATE TABLE note(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, "
                     "size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, "
                     "device INTEGER, racy INTEGER, hash BLOB, title TEXT, day_first INTEGER, "
                     "day_end INTEGER, date_precision INTEGER, date_source INTEGER, "
                     "text_bytes INTEGER, blocks INTEGER, headings INTEGER, facts BLOB)"),
    std::string_view("CREATE TABLE body(note INTEGER PRIMARY KEY, packed BLOB)"),
    std::string_view("CREATE TABLE chunk(id INTEGER PRIMARY KEY, note INTEGER, seq INTEGER, "
                     "hash BLOB, kind INTEGER, heading INTEGER, day_first INTEGER, "
                     "day_end INTEGER, date_precision INTEGER, date_source INTEGER, "
                     "line_first INTEGER, line_last INTEGER, byte_first INTEGER, "
                     "byte_end INTEGER, tokens INTEGER, block_first INTEGER, "
                     "block_count INTEGER, lang INTEGER)"),
    std::string_view("CREATE INDEX chunk_by_note ON chunk(note, seq)"),
    std::string_view("CREATE INDEX chunk_by_day ON chunk(day_first) WHERE date_precision > 0"),
    std::string_view("CREATE TABLE link(note INTEGER, seq INTEGER, key TEXT, target TEXT, "
                     "heading TEXT, block TEXT, alias TEXT, line INTEGER, syntax INTEGER, "
                     "embed INTEGER, state INTEGER, destination INTEGER, path TEXT, "
                     "PRIMARY KEY(note, seq)) WITHOUT ROWID"),
    std::string_view("CREATE INDEX link_by_key ON link(key)"),
    std::string_view("CREATE INDEX link_by_destination ON link(destination) "
                     "WHERE destination IS NOT NULL"),
    std::string_view("CREATE TABLE segment(id INTEGER PRIMARY KEY, docs INTEGER, "
                     "deleted_version INTEGER, deleted BLOB)"),
    std::string_view("CREATE TABLE segment_data(id INTEGER PRIMARY KEY, columns BLOB, "
                     "names BLOB)"),
    std::string_view("CREATE TABLE term(segment INTEGER, term TEXT, postings BLOB, "
                     "PRIMARY KEY(segment, term)) WITHOUT ROWID"),
    std::string_view("CREATE TABLE attachment(path TEXT PRIMARY KEY) WITHOUT ROWID"),
    std::string_view("CREATE TABLE warning(id INTEGER PRIMARY KEY, note INTEGER, path TEXT, "
                     "line INTEGER, message TEXT)"),
    std::string_view("CREATE INDEX warning_by_note ON warning(note)"),
};

constexpr std::array kTables = {"meta",    "note",         "body", "chunk",      "link",
                                "segment", "segment_data", "term", "attachment", "warning"};

uint32_t big_endian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

Status check_schema(Connection& connection) {
  std::set<std::string_view> missing(kSchema.begin(), kSchema.end());
  TRY(auto rows, connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"));
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) break;
    if (missing.erase(rows.bytes_at(0)) == 0) return damaged(connection.path(), "unknown table");
  }
  if (!missing.empty()) return damaged(connection.path(), "a table is missing");
  return {};
}

// SQLite in WAL mode needs a shared-memory file beside the index. Where none can be made
// (read-only media), a file without a log can be read as it stands.
Result<std::unique_ptr<Connection>> open_readable(const std::string& path, Access access,
                                                  const std::string& vfs) {
  auto connection = Connection::open(path, access, vfs);
  if (access != Access::kRead) return connection;
  Status readable;
  if (connection) {
    const auto pages = (*connection)->number("PRAGMA schema_version");
    if (pages) return connection;
    readable = tl::unexpected(pages.error());
  } else {
    readable = tl::unexpected(connection.error());
  }
  if (readable.error().code != ErrorCode::kIo) return tl::unexpected(readable.error());
  const auto log = stat_file(path + "-wal");
  if (log && log->size > 0) return tl::unexpected(readable.error());
  return Connection::open(path, Access::kReadImmutable, vfs);
}

Status system_failure(const std::string& what, const std::string& path) {
  return fail(ErrorCode::kIo, what + ": " + std::strerror(errno), path);
}

void remove_file(const std::string& path) { ::unlink(path.c_str()); }

// A log or journal left by a former file of this name would be applied to the new one.
void remove_companions(const std::string& path) {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) remove_file(path + suffix);
}

// Notes are private, so the index is its owner's only; SQLite gives its log the same mode.
Status make_private_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_failure("cannot make the index", path);
  ::close(descriptor);
  return {};
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

Status fill_blank(const std::string& path, const std::string& vfs) {
  TRY(auto connection, Connection::open(path, Access::kCreate, vfs));
  // These two only take effect before the first table. Free pages can then be given back.
  TRY_STATUS(connection->execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=INCREMENTAL;"));
  std::string sql = fmt::format("BEGIN; PRAGMA application_id={}; PRAGMA user_version={};",
                                kApplicationId, kSchemaVersion);
  for (const std::string_view table : kSchema) sql.append(table).append(";");
  // Generations, segments and versions count on from the time of making, so that a file
  // that takes this one's place never repeats a number a running process has seen.
  const int64_t start = unix_now();
  sql += fmt::format("INSERT INTO state VALUES({0}, 1, 1, {0}, {0}, 0, 0, 0); COMMIT;", start);
  TRY_STATUS(connection->execute(sql));
  return connection->execute("PRAGMA journal_mode=WAL;");
}

}  // namespace

Result<FileHead> identify(const std::string& path) {
  const auto head = read_file(path, 100);
  if (!head) {
    if (head.error().code == ErrorCode::kNotFound) return FileHead{};
    return tl::unexpected(head.error());
  }
  const std::string_view bytes = head->bytes;
  if (bytes.empty()) return FileHead{};
  if (bytes.size() < 100 || !bytes.starts_with(kMagic) ||
      big_endian(bytes, kApplicationIdAt) != kApplicationId) {
    return FileHead{Identity::kForeign, 0};
  }
  return FileHead{Identity::kOurs, big_endian(bytes, kUserVersionAt)};
}

tl::unexpected<Error> not_ours(const std::string& path) {
  return fail(ErrorCode::kBadIndex, "is not a Lectern index", path,
              "name another file with --index");
}

Status check_version(Connection& connection) {
  TRY(const int64_t version, connection.number("PRAGMA user_version"));
  if (version == kSchemaVersion) return {};
  if (version > kSchemaVersion) {
    return fail(ErrorCode::kBadIndex,
                fmt::format("the index has format {}, this Lectern reads format {}", version,
                            kSchemaVersion),
                connection.path(), "update Lectern, or name another file with --index");
  }
  return fail(ErrorCode::kBadIndex,
              fmt::format("the index has the older format {}, this Lectern reads format {}",
                          version, kSchemaVersion),
              connection.path(), "run `lectern index` to build it anew");
}

Result<std::unique_ptr<Connection>> open_index(const std::string& path, Access access,
                                               const std::string& vfs) {
  TRY(const FileHead head, identify(path));
  if (head.identity == Identity::kForeign) return not_ours(path);
  if (head.identity == Identity::kAbsent) {
    return fail(ErrorCode::kNoIndex, "there is no index yet", path, "run `lectern index` first");
  }
  TRY(auto connection, open_readable(path, access, vfs));
  TRY_STATUS(check_version(*connection));
  TRY_STATUS(check_schema(*connection));
  return connection;
}

Status place_blank(const std::string& path, const std::string& vfs) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorCode::kIo, "cannot make the folder: " + error.message(), folder);
  const std::string beside = path + ".new";
  remove_file(beside);
  remove_companions(beside);
  TRY_STATUS(make_private_file(beside));
  TRY_STATUS(fill_blank(beside, vfs));
  remove_companions(beside);
  remove_companions(path);
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    return system_failure("cannot put the index in place", path);
  }
  sync_folder(folder.empty() ? "." : folder);
  return {};
}

Status clear_tables(Connection& connection) {
  for (const char* table : kTables) {
    TRY_STATUS(connection.execute(std::string("DELETE FROM ") + table));
  }
  return connection.execute(
      "UPDATE state SET links = 0, links_unresolved = 0, links_ambiguous = 0");
}

}  // namespace lectern::store
