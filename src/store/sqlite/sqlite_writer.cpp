// Writing rows; see sqlite_writer.h. A statement that fails leaves its transaction to be
// rolled back by the destructor: nothing half-done is ever committed.
#include "store/sqlite/sqlite_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "store/packed_note.h"
#include "store/sqlite/schema.h"

namespace lectern::store {

namespace {

// Below this a log is left to SQLite's own checkpoints; above, it is written back and
// cut off when the writer ends.
constexpr uint64_t kMaxLogBytes = 4u << 20;

// Free pages are kept for the next run unless they are many and a large part of the file.
constexpr int64_t kMaxFreePages = 256;
constexpr int64_t kMaxFreeShare = 16;

void bind_hash(Statement& row, const std::array<char, 16>& bytes) {
  row.blob(std::string_view(bytes.data(), bytes.size()));
}

void bind_date(Statement& row, const DateStamp& date) {
  row.integer(date.day_first)
      .integer(date.day_end)
      .integer(static_cast<int64_t>(date.precision))
      .integer(static_cast<int64_t>(date.source));
}

void bind_stat(Statement& row, const FileStat& stat) {
  row.integer(static_cast<int64_t>(stat.size))
      .integer(stat.mtime_ns)
      .integer(stat.ctime_ns)
      .integer(static_cast<int64_t>(stat.inode))
      .integer(static_cast<int64_t>(stat.device));
}

// The terms of a segment, fetched some hundred at a time: an open cursor would have to
// find its place again after every row that the same merge inserts.
class SqliteTerms final : public lexical::TermStream {
 public:
  SqliteTerms(Connection& connection, uint32_t segment) : db_(connection), segment_(segment) {}

  Result<bool> next(std::string_view& term, std::string_view& postings) override {
    if (at_ == rows_.size() && !ended_) TRY_STATUS(fetch());
    if (at_ == rows_.size()) return false;
    term = rows_[at_].first;
    postings = rows_[at_].second;
    ++at_;
    return true;
  }

 private:
  static constexpr size_t kRows = 256;
  static constexpr size_t kBytes = 1u << 20;

  Status fetch() {
    const bool first = rows_.empty();
    const std::string last = first ? std::string() : std::move(rows_.back().first);
    rows_.clear();
    at_ = 0;
    TRY(auto rows, first ? db_.prepare("SELECT term, postings FROM term WHERE segment = ? "
                                       "ORDER BY term")
                         : db_.prepare("SELECT term, postings FROM term WHERE segment = ? "
                                       "AND term > ? ORDER BY term"));
    rows.integer(segment_);
    if (!first) rows.text(last);
    size_t bytes = 0;
    while (rows_.size() < kRows && bytes < kBytes) {
      TRY(const bool found, rows.row());
      if (!found) {
        ended_ = true;
        break;
      }
      rows_.emplace_back(rows.bytes_at(0), rows.bytes_at(1));
      bytes += rows_.back().second.size();
    }
    return {};
  }

  Connection& db_;
  uint32_t segment_;
  std::vector<std::pair<std::string, std::string>> rows_;
  size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<Writer>> SqliteWriter::begin(std::unique_ptr<Connection> connection,
                                                    bool fresh) {
  std::unique_ptr<SqliteWriter> writer(new SqliteWriter(std::move(connection)));
  TRY_STATUS(writer->begin_transaction());
  if (fresh) TRY_STATUS(clear_tables(*writer->db_));
  TRY_STATUS(writer->load_state());
  return std::unique_ptr<Writer>(std::move(writer));
}

SqliteWriter::~SqliteWriter() {
  if (db_->in_transaction()) (void)db_->execute("ROLLBACK");
  shrink();
}

Status SqliteWriter::begin_transaction() { return db_->execute("BEGIN IMMEDIATE"); }

Status SqliteWriter::load_state() {
  TRY(auto row, db_->prepare("SELECT generation, next_note, next_chunk, next_segment, "
                             "next_version, links, links_unresolved, links_ambiguous FROM state"));
  TRY(const bool found, row.row());
  if (!found) return damaged(db_->path(), "its counters are missing");
  state_.generation = static_cast<uint64_t>(row.integer_at(0));
  state_.next_note = row.integer_at(1);
  state_.next_chunk = row.integer_at(2);
  state_.next_segment = row.integer_at(3);
  state_.next_version = row.integer_at(4);
  state_.links = row.integer_at(5);
  state_.links_unresolved = row.integer_at(6);
  state_.links_ambiguous = row.integer_at(7);
  if (state_.next_note < 1 || state_.next_chunk < 1 || state_.next_segment < 1 ||
      state_.next_segment >= INT64_C(0xFFFF0000)) {
    return damaged(db_->path(), "its counters are out of range");
  }
  return {};
}

Status SqliteWriter::save_state() {
  TRY(auto row, db_->prepare("UPDATE state SET generation = ?, next_note = ?, next_chunk = ?, "
                             "next_segment = ?, next_version = ?, links = ?, links_unresolved = ?, "
                             "links_ambiguous = ?"));
  return row.integer(static_cast<int64_t>(state_.generation))
      .integer(state_.next_note)
      .integer(state_.next_chunk)
      .integer(state_.next_segment)
      .integer(state_.next_version)
      .integer(state_.links)
      .integer(state_.links_unresolved)
      .integer(state_.links_ambiguous)
      .run();
}

Status SqliteWriter::commit() {
  if (!db_->in_transaction()) {
    return fail(ErrorCode::kInternal, "an earlier write failed", db_->path());
  }
  ++state_.generation;
  TRY_STATUS(save_state());
  TRY_STATUS(db_->execute("COMMIT"));
  return begin_transaction();
}

// Best effort: another process may be reading, and then the next run does it.
void SqliteWriter::shrink() {
  db_->busy_timeout(0);
  const auto pages = db_->number("PRAGMA page_count");
  const auto unused = db_->number("PRAGMA freelist_count");
  if (pages && unused && *unused > kMaxFreePages && *unused > *pages / kMaxFreeShare) {
    (void)db_->execute("PRAGMA incremental_vacuum");
  }
  const auto log = stat_file(db_->path() + "-wal");
  if (log && log->size > kMaxLogBytes) (void)db_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

Status SqliteWriter::run_with(std::string_view sql, int64_t id) {
  TRY(auto statement, db_->prepare(sql));
  return statement.integer(id).run();
}

void SqliteWriter::count_link(vault::LinkState state, int64_t by) {
  state_.links += by;
  if (state == vault::LinkState::kAmbiguous) state_.links_ambiguous += by;
  // A bare alias does not lead anywhere in Obsidian either.
  if (state == vault::LinkState::kUnresolved || state == vault::LinkState::kAlias) {
    state_.links_unresolved += by;
  }
}

Status SqliteWriter::uncount_links(std::string_view sql, int64_t parameter) {
  TRY(auto rows, db_->prepare(sql));
  rows.integer(parameter);
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return {};
    count_link(static_cast<vault::LinkState>(rows.integer_at(0)), -1);
  }
}

Status SqliteWriter::delete_parts(int64_t note) {
  TRY_STATUS(uncount_links("SELECT state FROM link WHERE note = ?", note));
  TRY_STATUS(run_with("DELETE FROM chunk WHERE note = ?", note));
  TRY_STATUS(run_with("DELETE FROM link WHERE note = ?", note));
  return run_with("DELETE FROM warning WHERE note = ?", note);
}

Status SqliteWriter::put_note(FileState& file, const Note& note,
                              const std::vector<chunk::Chunk>& chunks,
                              std::vector<int64_t>& chunk_rowids) {
  if (file.note == 0) {
    file.note = state_.next_note++;
  } else {
    TRY_STATUS(delete_parts(file.note));
  }
  TRY_STATUS(put_row(file, note));
  TRY_STATUS(put_body(file.note, note));
  TRY_STATUS(put_chunks(file.note, chunks, chunk_rowids));
  TRY_STATUS(put_links(file.note, note.links));
  return put_warnings(file.note, note.warnings);
}

Status SqliteWriter::put_row(const FileState& file, const Note& note) {
  const auto hash = to_bytes(file.hash);
  const std::string facts = pack_facts({note.aliases, note.tags, note.properties});
  TRY(auto row,
      db_->prepare(
          "INSERT INTO note(id, path, size, mtime_ns, ctime_ns, inode, device, racy, hash, title, "
          "day_first, day_end, date_precision, date_source, text_bytes, blocks, headings, facts) "
          "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET "
          "path = excluded.path, size = excluded.size, mtime_ns = excluded.mtime_ns, "
          "ctime_ns = excluded.ctime_ns, inode = excluded.inode, device = excluded.device, "
          "racy = excluded.racy, hash = excluded.hash, title = excluded.title, "
          "day_first = excluded.day_first, day_end = excluded.day_end, "
          "date_precision = excluded.date_precision, date_source = excluded.date_source, "
          "text_bytes = excluded.text_bytes, blocks = excluded.blocks, "
          "headings = excluded.headings, facts = excluded.facts"));
  row.integer(file.note).text(file.path);
  bind_stat(row, file.stat);
  row.integer(file.racy ? 1 : 0);
  bind_hash(row, hash);
  row.text(note.title);
  bind_date(row, note.date);
  return row.integer(static_cast<int64_t>(note.text.size()))
      .integer(static_cast<int64_t>(note.blocks.size()))
      .integer(static_cast<int64_t>(note.headings.size()))
      .blob(facts)
      .run();
}

Status SqliteWriter::put_body(int64_t id, const Note& note) {
  const std::string packed = pack_body(note);
  TRY(auto row, db_->prepare("INSERT OR REPLACE INTO body(note, packed) VALUES(?,?)"));
  return row.integer(id).blob(packed).run();
}

Status SqliteWriter::put_chunks(int64_t id, const std::vector<chunk::Chunk>& chunks,
                                std::vector<int64_t>& rowids) {
  rowids.clear();
  for (const chunk::Chunk& chunk : chunks) {
    const auto hash = to_bytes(chunk.id);
    const int64_t rowid = state_.next_chunk++;
    TRY(auto row, db_->prepare("INSERT INTO chunk VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    row.integer(rowid).integer(id).integer(static_cast<int64_t>(rowids.size()));
    bind_hash(row, hash);
    row.integer(static_cast<int64_t>(chunk.kind)).integer(chunk.heading);
    bind_date(row, chunk.date);
    TRY_STATUS(row.integer(chunk.span.line_first)
                   .integer(chunk.span.line_last)
                   .integer(chunk.span.byte_first)
                   .integer(chunk.span.byte_end)
                   .integer(chunk.tokens)
                   .integer(chunk.block_first)
                   .integer(chunk.block_count)
                   .integer(static_cast<int64_t>(chunk.lang))
                   .run());
    rowids.push_back(rowid);
  }
  return {};
}

Status SqliteWriter::put_links(int64_t id, const std::vector<Link>& links) {
  int64_t seq = 0;
  for (const Link& link : links) {
    const std::string key = vault::LinkIndex::link_key(link.target);
    TRY(auto row, db_->prepare("INSERT INTO link VALUES(?,?,?,?,?,?,?,?,?,?,?,NULL,NULL)"));
    TRY_STATUS(row.integer(id)
                   .integer(seq++)
                   .text(key)
                   .text(link.target)
                   .text(link.heading)
                   .text(link.block)
                   .text(link.alias)
                   .integer(link.line)
                   .integer(static_cast<int64_t>(link.syntax))
                   .integer(link.embed ? 1 : 0)
                   .integer(static_cast<int64_t>(vault::LinkState::kUnresolved))
                   .run());
    count_link(vault::LinkState::kUnresolved, 1);
  }
  return {};
}

Status SqliteWriter::put_warnings(int64_t id, const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    TRY(auto row, db_->prepare("INSERT INTO warning(note, path, line, message) VALUES(?,?,?,?)"));
    TRY_STATUS(
        row.integer(id).text(warning.path).integer(warning.line).text(warning.message).run());
  }
  return {};
}

Status SqliteWriter::touch_file(const FileState& file) {
  const auto hash = to_bytes(file.hash);
  TRY(auto row, db_->prepare("UPDATE note SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, "
                             "device = ?, racy = ?, hash = ? WHERE id = ?"));
  bind_stat(row, file.stat);
  row.integer(file.racy ? 1 : 0);
  bind_hash(row, hash);
  return row.integer(file.note).run();
}

Status SqliteWriter::remove_note(int64_t id) {
  TRY_STATUS(delete_parts(id));
  TRY_STATUS(unresolve_links_to(id));
  TRY_STATUS(run_with("DELETE FROM body WHERE note = ?", id));
  return run_with("DELETE FROM note WHERE id = ?", id);
}

Status SqliteWriter::unresolve_links_to(int64_t note) {
  TRY_STATUS(uncount_links("SELECT state FROM link WHERE destination = ?", note));
  TRY(auto links, db_->prepare("UPDATE link SET state = ?, destination = NULL, path = NULL "
                               "WHERE destination = ?"));
  TRY_STATUS(
      links.integer(static_cast<int64_t>(vault::LinkState::kUnresolved)).integer(note).run());
  count_link(vault::LinkState::kUnresolved, db_->changes());
  return {};
}

Result<uint32_t> SqliteWriter::put_segment(const lexical::EncodedSegment& segment) {
  TRY(const uint32_t id, begin_segment());
  for (const auto& [term, blob] : segment.terms) TRY_STATUS(add_term(id, term, blob));
  TRY_STATUS(finish_segment(id, {segment.columns, segment.names, segment.docs}));
  return id;
}

Result<uint32_t> SqliteWriter::begin_segment() {
  return static_cast<uint32_t>(state_.next_segment++);
}

Status SqliteWriter::add_term(uint32_t segment, std::string_view term, std::string_view blob) {
  TRY(auto row, db_->prepare("INSERT INTO term(segment, term, postings) VALUES(?,?,?)"));
  return row.integer(segment).text(term).blob(blob).run();
}

Status SqliteWriter::finish_segment(uint32_t segment, const lexical::MergedHeader& header) {
  TRY(auto data, db_->prepare("INSERT INTO segment_data(id, columns, names) VALUES(?,?,?)"));
  TRY_STATUS(data.integer(segment).blob(header.columns).blob(header.names).run());
  TRY(auto row, db_->prepare("INSERT INTO segment(id, docs, deleted_version, deleted) "
                             "VALUES(?,?,?,NULL)"));
  return row.integer(segment).integer(header.docs).integer(state_.next_version++).run();
}

Status SqliteWriter::drop_segment(uint32_t id) {
  TRY_STATUS(run_with("DELETE FROM segment WHERE id = ?", id));
  TRY_STATUS(run_with("DELETE FROM segment_data WHERE id = ?", id));
  return run_with("DELETE FROM term WHERE segment = ?", id);
}

Status SqliteWriter::set_deleted(uint32_t segment, const lexical::DeletedBits& bits) {
  const std::string packed = pack_bits(bits);
  TRY(auto row, db_->prepare("UPDATE segment SET deleted = ?, deleted_version = ? WHERE id = ?"));
  if (bits.empty()) {
    row.null();
  } else {
    row.blob(packed);
  }
  return row.integer(state_.next_version++).integer(segment).run();
}

Result<std::unique_ptr<lexical::TermStream>> SqliteWriter::terms(uint32_t segment) {
  return std::unique_ptr<lexical::TermStream>(std::make_unique<SqliteTerms>(*db_, segment));
}

Status SqliteWriter::set_resolution(const LinkRow& link) {
  {
    TRY(auto before, db_->prepare("SELECT state FROM link WHERE note = ? AND seq = ?"));
    TRY(const bool found, before.integer(link.note).integer(link.seq).row());
    if (!found) return fail(ErrorCode::kInternal, "no such link", db_->path());
    count_link(static_cast<vault::LinkState>(before.integer_at(0)), -1);
    count_link(link.state, 1);
  }
  TRY(auto row, db_->prepare("UPDATE link SET state = ?, destination = ?, path = ? "
                             "WHERE note = ? AND seq = ?"));
  row.integer(static_cast<int64_t>(link.state));
  if (link.destination >= 0) {
    row.integer(link.destination).null();  // the path is that of the note
  } else if (link.path.empty()) {
    row.null().null();
  } else {
    row.null().text(link.path);
  }
  return row.integer(link.note).integer(link.seq).run();
}

Status SqliteWriter::set_attachments(const std::vector<std::string>& paths) {
  std::vector<std::string> wanted = paths;
  std::sort(wanted.begin(), wanted.end());
  TRY(const auto known, queries_.attachments());
  for (const std::string& path : known) {
    if (std::binary_search(wanted.begin(), wanted.end(), path)) continue;
    TRY(auto row, db_->prepare("DELETE FROM attachment WHERE path = ?"));
    TRY_STATUS(row.text(path).run());
  }
  for (const std::string& path : wanted) {
    if (std::binary_search(known.begin(), known.end(), path)) continue;
    TRY(auto row, db_->prepare("INSERT OR IGNORE INTO attachment(path) VALUES(?)"));
    TRY_STATUS(row.text(path).run());
  }
  return {};
}

Status SqliteWriter::set_meta(std::string_view key, std::string_view value) {
  TRY(auto row, db_->prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?,?)"));
  return row.text(key).text(value).run();
}

Status SqliteWriter::set_run_warnings(const std::vector<Warning>& warnings) {
  TRY_STATUS(run_with("DELETE FROM warning WHERE note = ?", 0));
  return put_warnings(0, warnings);
}

}  // namespace lectern::store
