// Connection and Statement: SQLite's C interface as values. Every return code becomes a
// Status here; nothing above sees a code. Statements stay prepared for the life of their
// connection, because a lookup takes a few microseconds and preparing takes as many tens.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lectern/result.h"

namespace lectern::store {

class Connection;

// One use of a prepared statement: bind in order, then step. Goes back to its connection
// when it ends. Text and blobs are not copied: they must live until then.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& integer(int64_t value);
  Statement& text(std::string_view value);
  Statement& blob(std::string_view value);
  Statement& null();

  // True when there is a row; false at the end.
  Result<bool> row();
  // Runs a statement that gives no rows.
  Status run();

  // Columns of the current row, valid until the next row().
  int64_t integer_at(int column) const;
  std::string_view bytes_at(int column) const;
  bool null_at(int column) const;

 private:
  friend class Connection;
  Statement(const Connection& connection, sqlite3_stmt* raw)
      : connection_(&connection), raw_(raw) {}
  void bound(int code);

  const Connection* connection_;
  sqlite3_stmt* raw_;
  int next_ = 1;
  int bind_code_ = SQLITE_OK;
};

enum class Access {
  kRead,
  kReadImmutable,  // as kRead, for media where SQLite cannot make its shared-memory file
  kWrite,
  kCreate,
};

class Connection {
 public:
  static Result<std::unique_ptr<Connection>> open(const std::string& path, Access access,
                                                  const std::string& vfs);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // `sql` must outlive the connection (a literal). One use at a time.
  Result<Statement> prepare(std::string_view sql);
  // Runs any number of statements to their end, their rows thrown away.
  Status execute(const std::string& sql);
  // The single integer of a query such as a PRAGMA.
  Result<int64_t> number(std::string_view sql);
  // Rows changed by the last insert, update or delete.
  int64_t changes() const { return sqlite3_changes64(raw_); }
  bool in_transaction() const { return sqlite3_get_autocommit(raw_) == 0; }
  void busy_timeout(int ms) { sqlite3_busy_timeout(raw_, ms); }

  const std::string& path() const { return path_; }
  // What went wrong in the last call, in words a person can act on.
  tl::unexpected<Error> error(int code) const;

 private:
  Connection(std::string path, sqlite3* raw) : path_(std::move(path)), raw_(raw) {}
  Status settle(Access access);

  std::string path_;
  sqlite3* raw_;
  std::unordered_map<std::string_view, sqlite3_stmt*> statements_;
};

// The index is ours but its contents are not what we wrote.
tl::unexpected<Error> damaged(const std::string& path, std::string_view what);

}  // namespace lectern::store
