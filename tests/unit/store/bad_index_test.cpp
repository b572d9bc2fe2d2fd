// Index files that are not what they should be: refused with the right words, never
// overwritten when they are not ours, and never a crash.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <random>

#include "scratch_folder.h"
#include "store/store.h"

namespace lectern::store {
namespace {

chunk::Chunk chunk_of(uint32_t number) {
  chunk::Chunk chunk;
  chunk.id = {number, number};
  chunk.block_count = 1;
  chunk.span = {1, 1, 0, 5};
  chunk.date = {int32_t(number), int32_t(number) + 1, DatePrecision::kDay, DateSource::kFileName};
  return chunk;
}

// An index with something in every table and more than one page in most trees.
void make_index(const std::string& path, int notes = 30) {
  auto store = open_sqlite({path, ""});
  auto writer = store->write(false);
  ASSERT_TRUE(writer) << to_line(writer.error());
  for (int i = 0; i < notes; ++i) {
    Note note;
    note.path = "note " + std::to_string(i) + ".md";
    note.title = note.path;
    note.text = std::string(100 + size_t(i) * 90, 'x');
    note.tags = {"tag"};
    Block block;
    block.span = {1, 1, 0, 5};
    note.blocks = {block};
    Link link;
    link.target = "note " + std::to_string(i + 1);
    note.links = {link};
    note.warnings = {{note.path, 1, "warned"}};
    FileState file;
    file.path = note.path;
    std::vector<int64_t> rowids;
    ASSERT_TRUE((*writer)->put_note(file, note, {chunk_of(uint32_t(i))}, rowids));
  }
  lexical::DocColumns columns;
  for (int i = 0; i < notes; ++i) {
    columns.note.push_back(i + 1);
    columns.chunk.push_back(i + 1);
    columns.length.push_back(1);
    columns.id.push_back({uint64_t(i), uint64_t(i)});
    columns.lang.push_back(0);
  }
  lexical::EncodedSegment segment{lexical::encode_columns(columns), "names", {}, uint32_t(notes)};
  for (int i = 1000; i < 1400; ++i) {
    segment.terms.emplace_back("term" + std::to_string(i), std::string(40, 'p'));
  }
  const auto id = (*writer)->put_segment(segment);
  ASSERT_TRUE(id);
  ASSERT_TRUE((*writer)->set_deleted(*id, lexical::DeletedBits(size_t(notes), true)));
  ASSERT_TRUE((*writer)->set_attachments({"a.png"}));
  ASSERT_TRUE((*writer)->set_meta("vault", "/v"));
  ASSERT_TRUE((*writer)->commit());
}

// Asks everything there is to ask; only has to come back.
void read_everything(Reader& reader) {
  (void)reader.meta("vault");
  (void)reader.counts();
  (void)reader.files();
  (void)reader.warnings();
  (void)reader.chunk_days();
  (void)reader.attachments();
  (void)reader.find_note("note 1.md");
  if (const auto notes = reader.all_note_meta()) {
    for (const NoteMeta& note : *notes) {
      (void)reader.note_meta(note.id);
      (void)reader.outgoing(note.id);
      (void)reader.incoming(note.id);
      const auto chunks = reader.chunks_of(note.id);
      const auto body = reader.load_note(note.id);
      if (!chunks || !body || !*body) continue;
      for (const ChunkRow& row : *chunks) {
        EXPECT_LE(row.chunk.block_first + row.chunk.block_count, (*body)->blocks.size());
        (void)chunk::chunk_text(**body, row.chunk);
      }
    }
  }
  if (const auto segments = reader.segments()) {
    std::string blob;
    for (const SegmentRow& segment : *segments) {
      (void)reader.segment_columns(segment.id);
      (void)reader.segment_names(segment.id);
      (void)reader.segment_deleted(segment.id);
      (void)reader.postings(segment.id, "term1200", blob);
    }
  }
}

Error read_error(const std::string& path) {
  const auto reader = open_sqlite({path, ""})->read();
  if (reader) {
    ADD_FAILURE() << "was opened";
    return {};
  }
  return reader.error();
}

void execute(const std::string& path, const std::string& sql) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &raw), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(raw);
  sqlite3_close(raw);
}

TEST(BadIndex, ForeignFilesAreRefusedAndLeftAsTheyAre) {
  const ScratchFolder folder;
  execute(folder / "other.db", "CREATE TABLE t(x); INSERT INTO t VALUES('mine');");
  write_bytes(folder / "text",
              "Dear diary, this is no database but it is longer than a hundred "
              "bytes, which is all that is looked at in the first place.\n");
  write_bytes(folder / "short", "SQLite format 3");
  std::mt19937 random(1);
  std::string noise(50000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  write_bytes(folder / "noise", noise);
  for (const char* name : {"other.db", "text", "short", "noise"}) {
    const std::string path = folder / name;
    const std::string before = file_bytes(path);
    const Error error = read_error(path);
    EXPECT_EQ(error.code, ErrorCode::kBadIndex) << name;
    EXPECT_NE(error.message.find("is not a Lectern index"), std::string::npos) << error.message;
    for (const bool fresh : {false, true}) {
      const auto writer = open_sqlite({path, ""})->write(fresh);
      ASSERT_FALSE(writer) << name;
      EXPECT_EQ(writer.error().code, ErrorCode::kBadIndex);
    }
    EXPECT_EQ(file_bytes(path), before) << name;
  }
}

TEST(BadIndex, AFolderOrNothingInItsPlace) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(read_error(folder / "folder").code, ErrorCode::kIo);
  EXPECT_FALSE(open_sqlite({folder / "folder", ""})->write(true));
  EXPECT_EQ(read_error(folder / "absent").code, ErrorCode::kNoIndex);
  write_bytes(folder / "empty", "");
  EXPECT_EQ(read_error(folder / "empty").code, ErrorCode::kNoIndex);
  EXPECT_TRUE(open_sqlite({folder / "empty", ""})->write(false));
}

TEST(BadIndex, AnotherFormatVersion) {
  const ScratchFolder folder;
  const std::string path = folder / "i.db";
  make_index(path);
  execute(path, "PRAGMA user_version=99");
  const Error newer = read_error(path);
  EXPECT_EQ(newer.code, ErrorCode::kBadIndex);
  EXPECT_NE(newer.message.find("99"), std::string::npos);
  EXPECT_NE(newer.message.find("format " + std::to_string(kSchemaVersion)), std::string::npos);
  EXPECT_FALSE(open_sqlite({path, ""})->write(false));
  EXPECT_FALSE(open_sqlite({path, ""})->write(true));
  execute(path, "PRAGMA user_version=0");
  const Error older = read_error(path);
  EXPECT_EQ(older.code, ErrorCode::kBadIndex);
  EXPECT_NE(older.hint.find("lectern index"), std::string::npos);
  EXPECT_EQ(older.hint.find("--full"), std::string::npos);
  auto store = open_sqlite({path, ""});
  {
    const auto writer = store->write(false);
    ASSERT_TRUE(writer) << to_line(writer.error());
    EXPECT_TRUE((*writer)->files()->empty());
  }
  EXPECT_TRUE(store->read());
}

TEST(BadIndex, CutShort) {
  const ScratchFolder folder;
  make_index(folder / "good.db");
  const std::string good = file_bytes(folder / "good.db");
  ASSERT_GT(good.size(), 12U * 4096);
  for (const size_t size : {size_t{100}, size_t{4096}, size_t{4097}, good.size() / 2,
                            good.size() - 4096, good.size() - 1}) {
    const std::string path = folder / ("cut" + std::to_string(size));
    write_bytes(path, std::string_view(good).substr(0, size));
    auto store = open_sqlite({path, ""});
    bool seen = false;
    if (const auto reader = store->read()) {
      read_everything(**reader);
      const auto notes = (*reader)->all_note_meta();
      seen = !notes && notes.error().code == ErrorCode::kBadIndex;
    } else {
      EXPECT_EQ(reader.error().code, ErrorCode::kBadIndex) << size;
      EXPECT_NE(reader.error().hint.find("lectern index --full"), std::string::npos);
      seen = true;
    }
    EXPECT_TRUE(seen || size > 4097) << size;
    // A full rebuild takes its place, whatever is left of it.
    {
      auto writer = store->write(true);
      ASSERT_TRUE(writer) << size << ": " << to_line(writer.error());
      EXPECT_TRUE((*writer)->files()->empty());
      ASSERT_TRUE((*writer)->commit());
    }
    const auto reader = store->read();
    ASSERT_TRUE(reader) << size;
    EXPECT_TRUE((*reader)->files()->empty());
  }
}

TEST(BadIndex, BitsFlippedInEveryPageHeader) {
  const ScratchFolder folder;
  make_index(folder / "good.db");
  const std::string good = file_bytes(folder / "good.db");
  const std::string path = folder / "i.db";
  std::mt19937 random(3);
  for (size_t page = 0; page < good.size(); page += 4096) {
    for (size_t at = 0; at < 8; ++at) {
      std::string bad = good;
      bad[page + at + (page == 0 ? 100 : 0)] ^= static_cast<char>(1U << random() % 8);
      write_bytes(path, bad);
      if (const auto reader = open_sqlite({path, ""})->read()) read_everything(**reader);
    }
  }
}

TEST(BadIndex, BytesChangedAnywhere) {
  const ScratchFolder folder;
  make_index(folder / "good.db");
  const std::string good = file_bytes(folder / "good.db");
  const std::string path = folder / "i.db";
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (int i = 0; i < 20; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    write_bytes(path, bad);
    if (const auto reader = open_sqlite({path, ""})->read()) read_everything(**reader);
  }
}

TEST(BadIndex, ATableSwappedForAViewIsDamage) {
  const ScratchFolder folder;
  const std::string path = folder / "i.db";
  make_index(path);
  execute(path,
          "DROP TABLE attachment; CREATE VIEW attachment AS WITH RECURSIVE "
          "n(path) AS (SELECT 1 UNION ALL SELECT path + 1 FROM n) SELECT path FROM n;");
  const Error error = read_error(path);
  EXPECT_EQ(error.code, ErrorCode::kBadIndex);
  EXPECT_NE(error.hint.find("--full"), std::string::npos);
  EXPECT_TRUE(open_sqlite({path, ""})->write(true));
}

TEST(BadIndex, RowsThatLieAreRefused) {
  const ScratchFolder folder;
  const std::string path = folder / "i.db";
  make_index(path, 3);
  auto store = open_sqlite({path, ""});
  for (const char* sql : {
           "UPDATE chunk SET block_count = 2 WHERE note = 1",
           "UPDATE chunk SET block_count = 1, heading = 0 WHERE note = 1",
           "UPDATE chunk SET heading = -1, byte_end = 1000000 WHERE note = 1",
           "UPDATE chunk SET byte_end = 5, hash = x'00' WHERE note = 1",
           "UPDATE chunk SET kind = 250 WHERE note = 1",
       }) {
    execute(path, sql);
    const auto chunks = (*store->read())->chunks_of(1);
    ASSERT_FALSE(chunks) << sql;
    EXPECT_EQ(chunks.error().code, ErrorCode::kBadIndex);
  }
  for (const char* sql : {
           "UPDATE note SET blocks = 5 WHERE id = 2",
           "UPDATE note SET blocks = 1, date_precision = 9 WHERE id = 2",
           "UPDATE body SET packed = x'01' WHERE note = 2",
       }) {
    execute(path, sql);
    const auto note = (*store->read())->load_note(2);
    ASSERT_FALSE(note) << sql;
    EXPECT_EQ(note.error().code, ErrorCode::kBadIndex);
  }
}

TEST(BadIndex, AFreshRebuildOverADamagedOneKeepsNoOldLog) {
  // The log of the damaged file must not be applied to the new one.
  const ScratchFolder folder;
  const std::string path = folder / "i.db";
  make_index(path);
  std::string bytes = file_bytes(path);
  bytes.resize(5000);
  write_bytes(path, bytes);
  write_bytes(path + "-wal", std::string(9000, 'w'));
  write_bytes(path + "-journal", std::string(9000, 'j'));
  auto store = open_sqlite({path, ""});
  {
    auto writer = store->write(true);
    ASSERT_TRUE(writer) << to_line(writer.error());
    ASSERT_TRUE((*writer)->commit());
  }
  EXPECT_TRUE(store->read());
}

TEST(BadIndex, AReaderSeesAFileThatTookTheOldOnesPlace) {
  const ScratchFolder folder;
  const std::string path = folder / "i.db";
  make_index(path, 3);
  auto store = open_sqlite({path, ""});
  EXPECT_EQ((*store->read())->files()->size(), 3U);
  make_index(folder / "other.db", 5);
  std::filesystem::rename(folder / "other.db", path);
  const auto reader = store->read();
  ASSERT_TRUE(reader) << to_line(reader.error());
  EXPECT_EQ((*reader)->files()->size(), 5U);
}

TEST(BadIndex, TheFileIsItsOwnersOnly) {
  const ScratchFolder folder;
  make_index(folder / "i.db", 1);
  struct stat file {};
  ASSERT_EQ(::stat((folder / "i.db").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
}

TEST(BadIndex, OddFileNames) {
  const ScratchFolder folder;
  for (const char* name : {"a?b#c%20.db", "file:x?mode=memory", "\u00fc \xff.db"}) {
    make_index(folder / name, 1);
    const auto reader = open_sqlite({folder / name, ""})->read();
    ASSERT_TRUE(reader) << name;
    EXPECT_EQ((*reader)->files()->size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(folder / name));
  }
}

}  // namespace
}  // namespace lectern::store
