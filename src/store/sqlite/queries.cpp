// Reading rows; see queries.h. Rows may come from a damaged or hostile file: whatever is
// used as an index, an enumerator or a size is checked here, once.
#include "store/sqlite/queries.h"

#include <algorithm>
#include <utility>

#include "store/packed_note.h"

namespace lectern::store {

namespace {

uint32_t u32(const Statement& row, int column) {
  return static_cast<uint32_t>(row.integer_at(column));
}

bool read_hash(const Statement& row, int column, Hash128& hash) {
  const std::string_view bytes = row.bytes_at(column);
  if (bytes.size() != 16) return false;
  hash = hash_from_bytes(bytes.data());
  return true;
}

// Four columns: first day, end day, precision, source.
bool read_date(const Statement& row, int column, DateStamp& date) {
  const int64_t first = row.integer_at(column);
  const int64_t end = row.integer_at(column + 1);
  const int64_t precision = row.integer_at(column + 2);
  const int64_t source = row.integer_at(column + 3);
  if (first < INT32_MIN || first > INT32_MAX || end < INT32_MIN || end > INT32_MAX ||
      precision < 0 || precision > static_cast<int64_t>(DatePrecision::kDay) || source < 0 ||
      source > static_cast<int64_t>(DateSource::kFrontmatter)) {
    return false;
  }
  date.day_first = static_cast<int32_t>(first);
  date.day_end = static_cast<int32_t>(end);
  date.precision = static_cast<DatePrecision>(precision);
  date.source = static_cast<DateSource>(source);
  return true;
}

FileStat read_stat(const Statement& row, int column) {
  FileStat stat;
  stat.size = static_cast<uint64_t>(row.integer_at(column));
  stat.mtime_ns = row.integer_at(column + 1);
  stat.ctime_ns = row.integer_at(column + 2);
  stat.inode = static_cast<uint64_t>(row.integer_at(column + 3));
  stat.device = static_cast<uint64_t>(row.integer_at(column + 4));
  return stat;
}

#define NOTE_META_COLUMNS                                                                     \
  "id, path, title, facts, day_first, day_end, date_precision, date_source, size, mtime_ns, " \
  "ctime_ns, inode, device, hash"

bool read_note_meta(const Statement& row, NoteMeta& meta) {
  meta.id = row.integer_at(0);
  meta.path = row.bytes_at(1);
  meta.title = row.bytes_at(2);
  Facts facts;
  if (!unpack_facts(row.bytes_at(3), facts)) return false;
  meta.aliases = std::move(facts.aliases);
  meta.tags = std::move(facts.tags);
  meta.properties = std::move(facts.properties);
  meta.stat = read_stat(row, 8);
  return read_date(row, 4, meta.date) && read_hash(row, 13, meta.hash);
}

#define CHUNK_COLUMNS                                                                      \
  "SELECT c.id, c.note, c.seq, c.hash, c.kind, c.heading, c.day_first, c.day_end, "        \
  "c.date_precision, c.date_source, c.line_first, c.line_last, c.byte_first, c.byte_end, " \
  "c.tokens, c.block_first, c.block_count, c.lang, n.blocks, n.headings, n.text_bytes "    \
  "FROM chunk c JOIN note n ON n.id = c.note WHERE "

// The bounds of the note come with the chunk, so that no caller can be led outside it.
bool read_chunk(const Statement& row, ChunkRow& out) {
  out.rowid = row.integer_at(0);
  out.note = row.integer_at(1);
  out.seq = u32(row, 2);
  chunk::Chunk& chunk = out.chunk;
  const int64_t kind = row.integer_at(4);
  const int64_t heading = row.integer_at(5);
  const int64_t block_first = row.integer_at(15);
  const int64_t block_count = row.integer_at(16);
  const int64_t lang = row.integer_at(17);
  const int64_t blocks = row.integer_at(18);
  chunk.span = {u32(row, 10), u32(row, 11), u32(row, 12), u32(row, 13)};
  const bool canvas = kind == static_cast<int64_t>(BlockKind::kCanvasText);
  if (kind < 0 || kind > static_cast<int64_t>(BlockKind::kCanvasText) || heading < -1 ||
      heading >= row.integer_at(19) || block_first < 0 || block_count < 0 || block_first > blocks ||
      block_count > blocks - block_first || lang < 0 ||
      lang >= static_cast<int64_t>(text::Lang::kCount) ||
      chunk.span.line_first > chunk.span.line_last || chunk.span.byte_first > chunk.span.byte_end ||
      (!canvas && chunk.span.byte_end > row.integer_at(20))) {
    return false;
  }
  chunk.kind = static_cast<BlockKind>(kind);
  chunk.heading = static_cast<int32_t>(heading);
  chunk.tokens = u32(row, 14);
  chunk.block_first = static_cast<uint32_t>(block_first);
  chunk.block_count = static_cast<uint32_t>(block_count);
  chunk.lang = static_cast<text::Lang>(lang);
  return read_hash(row, 3, chunk.id) && read_date(row, 6, chunk.date);
}

#define LINK_COLUMNS                                                                        \
  "SELECT l.note, l.seq, l.target, l.heading, l.block, l.alias, l.line, l.syntax, "         \
  "l.embed, l.state, l.destination, coalesce(n.path, l.path) FROM link l LEFT JOIN note n " \
  "ON n.id = l.destination WHERE "

bool read_link(const Statement& row, LinkRow& out) {
  const int64_t syntax = row.integer_at(7);
  const int64_t state = row.integer_at(9);
  if (syntax < 0 || syntax > static_cast<int64_t>(LinkSyntax::kCanvas) || state < 0 ||
      state > static_cast<int64_t>(vault::LinkState::kAlias)) {
    return false;
  }
  out.note = row.integer_at(0);
  out.seq = u32(row, 1);
  out.link.target = row.bytes_at(2);
  out.link.heading = row.bytes_at(3);
  out.link.block = row.bytes_at(4);
  out.link.alias = row.bytes_at(5);
  out.link.line = u32(row, 6);
  out.link.syntax = static_cast<LinkSyntax>(syntax);
  out.link.embed = row.integer_at(8) != 0;
  out.state = static_cast<vault::LinkState>(state);
  out.destination = row.null_at(10) ? -1 : row.integer_at(10);
  out.path = row.bytes_at(11);
  return true;
}

}  // namespace

Result<bool> Queries::postings(uint32_t segment, std::string_view term, std::string& blob) {
  TRY(auto row, db_.prepare("SELECT postings FROM term WHERE segment = ? AND term = ?"));
  TRY(const bool found, row.integer(segment).text(term).row());
  if (found) blob = row.bytes_at(0);
  return found;
}

Result<std::optional<std::string>> Queries::meta(std::string_view key) {
  TRY(auto row, db_.prepare("SELECT value FROM meta WHERE key = ?"));
  TRY(const bool found, row.text(key).row());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(row.bytes_at(0));
}

Result<Counts> Queries::counts() {
  Counts counts;
  const auto count = [&](std::string_view sql, uint64_t& value) -> Status {
    TRY(const int64_t number, db_.number(sql));
    value = static_cast<uint64_t>(number);
    return {};
  };
  TRY_STATUS(count("SELECT count(*) FROM note", counts.notes));
  TRY_STATUS(count("SELECT count(*) FROM chunk", counts.chunks));
  TRY_STATUS(count("SELECT count(*) FROM segment", counts.segments));
  TRY_STATUS(count("SELECT count(*) FROM warning", counts.warnings));
  // Kept up to date by the writer: counting links takes longer than a small run.
  TRY(auto row, db_.prepare("SELECT links, links_unresolved, links_ambiguous FROM state"));
  TRY(const bool found, row.row());
  if (!found) return bad("its counters are missing");
  counts.links.total = static_cast<uint64_t>(row.integer_at(0));
  counts.links.unresolved = static_cast<uint64_t>(row.integer_at(1));
  counts.links.ambiguous = static_cast<uint64_t>(row.integer_at(2));
  counts.links.resolved = counts.links.total - counts.links.unresolved - counts.links.ambiguous;
  return counts;
}

Result<std::vector<FileState>> Queries::files() {
  // In table order and sorted here: by the index on paths it takes three times as long.
  TRY(auto rows, db_.prepare("SELECT id, path, size, mtime_ns, ctime_ns, inode, device, racy, "
                             "hash FROM note"));
  std::vector<FileState> files;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) break;
    FileState& file = files.emplace_back();
    file.note = rows.integer_at(0);
    file.path = rows.bytes_at(1);
    file.stat = read_stat(rows, 2);
    file.racy = rows.integer_at(7) != 0;
    if (!read_hash(rows, 8, file.hash)) return bad("a note's row");
  }
  std::sort(files.begin(), files.end(),
            [](const FileState& a, const FileState& b) { return a.path < b.path; });
  return files;
}

Result<std::optional<NoteMeta>> Queries::note_meta(int64_t id) {
  TRY(auto row, db_.prepare("SELECT " NOTE_META_COLUMNS " FROM note WHERE id = ?"));
  TRY(const bool found, row.integer(id).row());
  if (!found) return std::optional<NoteMeta>();
  NoteMeta meta;
  if (!read_note_meta(row, meta)) return bad("a note's row");
  return std::optional<NoteMeta>(std::move(meta));
}

Result<std::optional<int64_t>> Queries::find_note(std::string_view path) {
  TRY(auto row, db_.prepare("SELECT id FROM note WHERE path = ?"));
  TRY(const bool found, row.text(path).row());
  if (!found) return std::optional<int64_t>();
  return std::optional<int64_t>(row.integer_at(0));
}

Result<std::vector<NoteMeta>> Queries::all_note_meta() {
  TRY(auto rows, db_.prepare("SELECT " NOTE_META_COLUMNS " FROM note ORDER BY id"));
  std::vector<NoteMeta> notes;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return notes;
    if (!read_note_meta(rows, notes.emplace_back())) return bad("a note's row");
  }
}

Result<std::optional<Note>> Queries::load_note(int64_t id) {
  TRY(auto row, db_.prepare("SELECT n.path, n.title, n.facts, n.day_first, n.day_end, "
                            "n.date_precision, n.date_source, n.hash, n.text_bytes, n.blocks, "
                            "n.headings, b.packed FROM note n JOIN body b ON b.note = n.id "
                            "WHERE n.id = ?"));
  TRY(const bool found, row.integer(id).row());
  if (!found) return std::optional<Note>();
  Note note;
  note.path = row.bytes_at(0);
  note.title = row.bytes_at(1);
  Facts facts;
  const bool sound = unpack_facts(row.bytes_at(2), facts) && read_date(row, 3, note.date) &&
                     read_hash(row, 7, note.hash) && unpack_body(row.bytes_at(11), note) &&
                     std::cmp_equal(note.text.size(), row.integer_at(8)) &&
                     std::cmp_equal(note.blocks.size(), row.integer_at(9)) &&
                     std::cmp_equal(note.headings.size(), row.integer_at(10));
  if (!sound) return bad("the stored form of " + note.path);
  note.aliases = std::move(facts.aliases);
  note.tags = std::move(facts.tags);
  note.properties = std::move(facts.properties);
  return std::optional<Note>(std::move(note));
}

Result<std::vector<Warning>> Queries::warnings() {
  TRY(auto rows, db_.prepare("SELECT coalesce(n.path, w.path), w.line, w.message FROM warning w "
                             "LEFT JOIN note n ON n.id = w.note ORDER BY 1, w.line, w.id"));
  std::vector<Warning> warnings;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return warnings;
    warnings.push_back(
        {std::string(rows.bytes_at(0)), u32(rows, 1), std::string(rows.bytes_at(2))});
  }
}

Result<std::vector<ChunkRow>> Queries::read_chunks(Statement& rows) {
  std::vector<ChunkRow> chunks;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return chunks;
    if (!read_chunk(rows, chunks.emplace_back())) return bad("a chunk's row");
  }
}

Result<std::optional<ChunkRow>> Queries::chunk(int64_t rowid) {
  TRY(auto rows, db_.prepare(CHUNK_COLUMNS "c.id = ?"));
  TRY(auto found, read_chunks(rows.integer(rowid)));
  if (found.empty()) return std::optional<ChunkRow>();
  return std::optional<ChunkRow>(std::move(found.front()));
}

Result<std::vector<ChunkRow>> Queries::chunks_of(int64_t note) {
  TRY(auto rows, db_.prepare(CHUNK_COLUMNS "c.note = ? ORDER BY c.seq"));
  return read_chunks(rows.integer(note));
}

Result<std::vector<std::pair<int64_t, int32_t>>> Queries::chunk_days() {
  TRY(auto rows, db_.prepare("SELECT id, day_first FROM chunk WHERE date_precision > 0"));
  std::vector<std::pair<int64_t, int32_t>> days;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return days;
    const int64_t day = rows.integer_at(1);
    if (day < INT32_MIN || day > INT32_MAX) return bad("a chunk's date");
    days.emplace_back(rows.integer_at(0), static_cast<int32_t>(day));
  }
}

Result<std::vector<SegmentRow>> Queries::segments() {
  TRY(auto rows, db_.prepare("SELECT id, docs, deleted_version FROM segment ORDER BY id"));
  std::vector<SegmentRow> segments;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return segments;
    const int64_t id = rows.integer_at(0);
    const int64_t docs = rows.integer_at(1);
    if (id < 0 || id > UINT32_MAX || docs < 0 || docs > UINT32_MAX) return bad("a segment's row");
    segments.push_back({static_cast<uint32_t>(id), static_cast<uint32_t>(docs),
                        static_cast<uint64_t>(rows.integer_at(2))});
  }
}

Result<lexical::DocColumns> Queries::segment_columns(uint32_t id) {
  TRY(auto row, db_.prepare("SELECT d.columns, s.docs FROM segment_data d JOIN segment s "
                            "ON s.id = d.id WHERE d.id = ?"));
  TRY(const bool found, row.integer(id).row());
  if (!found) return bad("a segment without columns");
  auto columns = lexical::decode_columns(row.bytes_at(0));
  if (!columns || !std::cmp_equal(columns->size(), row.integer_at(1))) {
    return bad("a segment's columns");
  }
  return *std::move(columns);
}

Result<std::string> Queries::segment_names(uint32_t id) {
  TRY(auto row, db_.prepare("SELECT names FROM segment_data WHERE id = ?"));
  TRY(const bool found, row.integer(id).row());
  if (!found) return bad("a segment without names");
  return std::string(row.bytes_at(0));
}

Result<lexical::DeletedBits> Queries::segment_deleted(uint32_t id) {
  TRY(auto row, db_.prepare("SELECT deleted, docs FROM segment WHERE id = ?"));
  TRY(const bool found, row.integer(id).row());
  lexical::DeletedBits bits;
  if (!found || row.null_at(0)) return bits;
  if (!unpack_bits(row.bytes_at(0), static_cast<uint64_t>(row.integer_at(1)), bits)) {
    return bad("a segment's deletions");
  }
  return bits;
}

Result<std::vector<LinkRow>> Queries::read_links(Statement& rows) {
  std::vector<LinkRow> links;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return links;
    if (!read_link(rows, links.emplace_back())) return bad("a link's row");
  }
}

Result<std::vector<LinkRow>> Queries::outgoing(int64_t note) {
  TRY(auto rows, db_.prepare(LINK_COLUMNS "l.note = ? ORDER BY l.seq"));
  return read_links(rows.integer(note));
}

Result<std::vector<LinkRow>> Queries::incoming(int64_t note) {
  TRY(auto rows, db_.prepare(LINK_COLUMNS "l.destination = ? ORDER BY l.note, l.seq"));
  return read_links(rows.integer(note));
}

Result<std::vector<LinkRow>> Queries::links_with_key(std::string_view key) {
  TRY(auto rows, db_.prepare(LINK_COLUMNS "l.key = ? ORDER BY l.note, l.seq"));
  return read_links(rows.text(key));
}

Result<std::vector<std::string>> Queries::attachments() {
  TRY(auto rows, db_.prepare("SELECT path FROM attachment ORDER BY path"));
  std::vector<std::string> paths;
  while (true) {
    TRY(const bool found, rows.row());
    if (!found) return paths;
    paths.emplace_back(rows.bytes_at(0));
  }
}

}  // namespace lectern::store
