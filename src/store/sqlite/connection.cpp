// SQLite behind values; see connection.h.
#include "store/sqlite/connection.h"

#include <cstring>
#include <utility>

namespace lectern::store {

namespace {

constexpr int kBusyTimeoutMs = 5000;

// SQLite's URI form of a path: everything but unreserved characters and '/' escaped.
std::string immutable_uri(const std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::strchr("/-_.~", c) != nullptr;
    if (plain && c != '\0') {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 15]);
    }
  }
  return out + "?immutable=1";
}

int open_flags(Access access) {
  switch (access) {
    case Access::kRead:
      return SQLITE_OPEN_READONLY;
    case Access::kReadImmutable:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Access::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Access::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return SQLITE_OPEN_READONLY;
}

// One meaning for each of SQLite's codes, whoever met it.
Error explain(int code, const char* detail, const std::string& path) {
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // the schema was checked at open, so SQL that fails is damage
    case SQLITE_SCHEMA:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
      return damaged(path, detail).value();
    case SQLITE_FULL:
      return {ErrorCode::kIo, "the disk is full", path, "free some space and run it again"};
    case SQLITE_READONLY:
      return {ErrorCode::kIo, "the index cannot be written", path,
              "check the permissions of the file and its folder"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kBusy, "another process keeps the index locked", path,
              "try again in a moment"};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ErrorCode::kIo, "the index cannot be opened", path,
              "check the permissions of the file and its folder"};
    case SQLITE_NOMEM:
      return {ErrorCode::kIo, "not enough memory", path, {}};
    case SQLITE_IOERR:
      return {ErrorCode::kIo, std::string("reading or writing failed: ") + detail, path, {}};
    default:
      return {
          ErrorCode::kInternal, std::string("unexpected answer of SQLite: ") + detail, path, {}};
  }
}

}  // namespace

tl::unexpected<Error> damaged(const std::string& path, std::string_view what) {
  return fail(ErrorCode::kBadIndex, "the index is damaged (" + std::string(what) + ")", path,
              "run `lectern index --full` to build it anew");
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      raw_(std::exchange(other.raw_, nullptr)),
      next_(other.next_),
      bind_code_(other.bind_code_) {}

Statement::~Statement() {
  if (raw_ == nullptr) return;
  sqlite3_reset(raw_);
  sqlite3_clear_bindings(raw_);
}

void Statement::bound(int code) {
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
  ++next_;
}

Statement& Statement::integer(int64_t value) {
  bound(sqlite3_bind_int64(raw_, next_, value));
  return *this;
}

Statement& Statement::text(std::string_view value) {
  // An empty view may hold a null pointer, which SQLite would take for NULL.
  const char* data = value.empty() ? "" : value.data();
  bound(sqlite3_bind_text64(raw_, next_, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::blob(std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  bound(sqlite3_bind_blob64(raw_, next_, data, value.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::null() {
  bound(sqlite3_bind_null(raw_, next_));
  return *this;
}

Result<bool> Statement::row() {
  if (bind_code_ != SQLITE_OK) return connection_->error(bind_code_);
  const int code = sqlite3_step(raw_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return connection_->error(code);
}

Status Statement::run() {
  TRY([[maybe_unused]] const bool row_given, row());
  return {};
}

int64_t Statement::integer_at(int column) const { return sqlite3_column_int64(raw_, column); }

std::string_view Statement::bytes_at(int column) const {
  const void* data = sqlite3_column_blob(raw_, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(raw_, column))};
}

bool Statement::null_at(int column) const {
  return sqlite3_column_type(raw_, column) == SQLITE_NULL;
}

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path, Access access,
                                                     const std::string& vfs) {
  const std::string name = access == Access::kReadImmutable ? immutable_uri(path) : path;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, open_flags(access) | SQLITE_OPEN_NOMUTEX,
                                   vfs.empty() ? nullptr : vfs.c_str());
  std::unique_ptr<Connection> connection(new Connection(path, raw));
  if (code != SQLITE_OK) return connection->error(code);
  TRY_STATUS(connection->settle(access));
  return connection;
}

Status Connection::settle(Access access) {
  sqlite3_extended_result_codes(raw_, 1);
  sqlite3_busy_timeout(raw_, kBusyTimeoutMs);
  // The file may have been made by someone who means harm: no functions or virtual tables
  // from its schema, cells checked as pages are read.
  sqlite3_db_config(raw_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(raw_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  TRY_STATUS(execute("PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"));
  if (access == Access::kRead || access == Access::kReadImmutable) {
    return execute("PRAGMA cache_size=-8192;");
  }
  // secure_delete is on in Debian's build and would write every freed page.
  return execute(
      "PRAGMA cache_size=-32768; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=OFF;"
      "PRAGMA wal_autocheckpoint=4000; PRAGMA journal_size_limit=4194304;");
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(raw_);
}

Result<Statement> Connection::prepare(std::string_view sql) {
  if (const auto known = statements_.find(sql); known != statements_.end()) {
    return Statement(*this, known->second);
  }
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(raw_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return error(code);
  statements_.emplace(sql, raw);
  return Statement(*this, raw);
}

Status Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(raw_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<int64_t> Connection::number(std::string_view sql) {
  TRY(auto statement, prepare(sql));
  TRY(const bool found, statement.row());
  return found ? statement.integer_at(0) : 0;
}

tl::unexpected<Error> Connection::error(int code) const {
  return tl::unexpected<Error>(explain(code, raw_ != nullptr ? sqlite3_errmsg(raw_) : "", path_));
}

}  // namespace lectern::store
