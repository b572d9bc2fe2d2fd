// What every store must do: give back what was put, show a reader one generation for its
// whole life, and forget what was never committed.
#include "store_contract.h"

#include <unistd.h>

#include <algorithm>
#include <map>

namespace lectern::store {

void StoreContract::SetUp() {
  std::string pattern = testing::TempDir() + "lectern-store-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  store_ = open();
}

void StoreContract::TearDown() {
  store_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

namespace {

template <typename T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << to_line(result.error());
    std::abort();
  }
  return *std::move(result);
}

void must(const Status& status) { ASSERT_TRUE(status) << to_line(status.error()); }

constexpr char kText[] = "# Tea\nGreen tea.\n";

Note tea_note() {
  Note note;
  note.path = "Drinks/Tea.md";
  note.title = "Tea";
  note.aliases = {"Cha", "Thé"};
  note.tags = {"drink", "hot/brew"};
  note.properties = {{"origin", {"China", "India"}, 2}, {"empty", {}, 3}};
  note.text = kText;
  note.headings = {{1, -1, 1, "Tea"}};
  Block heading;
  heading.kind = BlockKind::kHeading;
  heading.span = {1, 1, 0, 5};
  heading.heading = 0;
  Block paragraph;
  paragraph.span = {2, 2, 6, 16};
  paragraph.heading = 0;
  paragraph.anchor = "green";
  paragraph.hidden = {{8, 9}};
  paragraph.date = {20000, 20001, DatePrecision::kDay, DateSource::kHeading};
  note.blocks = {heading, paragraph};
  note.skips = {{SkipKind::kThematicBreak, 3, 3}};
  note.date = {19000, 19365, DatePrecision::kYear, DateSource::kFrontmatter};
  Link link;
  link.target = "Coffee";
  link.heading = "A#B";
  link.block = "id";
  link.alias = "the other";
  link.line = 2;
  link.embed = true;
  Link markdown;
  markdown.syntax = LinkSyntax::kMarkdown;
  markdown.target = "img/leaf.png";
  markdown.line = 3;
  note.links = {link, markdown};
  note.warnings = {{note.path, 2, "odd"}};
  note.hash = hash128(kText);
  return note;
}

std::vector<chunk::Chunk> tea_chunks() {
  chunk::Chunk dated;
  dated.id = {1, 2};
  dated.kind = BlockKind::kHeading;
  dated.heading = 0;
  dated.span = {1, 2, 0, 16};
  dated.tokens = 7;
  dated.block_first = 0;
  dated.block_count = 2;
  dated.lang = text::Lang::kEn;
  dated.date = {20000, 20001, DatePrecision::kDay, DateSource::kHeading};
  chunk::Chunk undated = dated;
  undated.id = {3, 4};
  undated.date = {};
  undated.span = {2, 2, 6, 16};
  undated.block_first = 1;
  undated.block_count = 1;
  return {dated, undated};
}

FileState file_of(const Note& note) {
  FileState file;
  file.path = note.path;
  file.stat = {note.text.size(), 1'700'000'000'123'456'789, 1'700'000'001'000'000'000,
               UINT64_MAX - 5, 66};
  file.hash = note.hash;
  file.racy = true;
  return file;
}

Note plain_note(const std::string& path, const std::string& text) {
  Note note;
  note.path = path;
  note.title = path;
  note.text = text;
  note.hash = hash128(text);
  return note;
}

int64_t put(Writer& writer, const Note& note, const std::vector<chunk::Chunk>& chunks = {}) {
  FileState file = file_of(note);
  std::vector<int64_t> rowids;
  must(writer.put_note(file, note, chunks, rowids));
  return file.note;
}

lexical::EncodedSegment segment_of(uint32_t docs,
                                   std::vector<std::pair<std::string, std::string>> terms) {
  lexical::DocColumns columns;
  for (uint32_t i = 0; i < docs; ++i) {
    columns.note.push_back(7);
    columns.chunk.push_back(100 + i);
    columns.length.push_back(5 + i);
    columns.id.push_back({i, i});
    columns.lang.push_back(1);
  }
  return {lexical::encode_columns(columns), "the names", std::move(terms), docs};
}

TEST_P(StoreContract, NothingIndexedYetSaysHowToStart) {
  const auto reader = store_->read();
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::kNoIndex);
  EXPECT_NE(reader.error().hint.find("lectern index"), std::string::npos);
  EXPECT_EQ(store_->bytes(), 0U);
}

TEST_P(StoreContract, GivesBackANoteAsItWas) {
  const Note note = tea_note();
  auto writer = must(store_->write(false));
  FileState file = file_of(note);
  std::vector<int64_t> rowids;
  must(writer->put_note(file, note, tea_chunks(), rowids));
  EXPECT_GT(file.note, 0);
  ASSERT_EQ(rowids.size(), 2U);
  EXPECT_NE(rowids[0], rowids[1]);
  must(writer->commit());

  auto reader = must(store_->read());
  const auto files = must(reader->files());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].note, file.note);
  EXPECT_EQ(files[0].path, note.path);
  EXPECT_EQ(files[0].stat, file.stat);
  EXPECT_EQ(files[0].hash, note.hash);
  EXPECT_TRUE(files[0].racy);
  EXPECT_EQ(must(reader->find_note(note.path)), file.note);
  EXPECT_EQ(must(reader->find_note("drinks/tea.md")), std::nullopt);

  const auto meta = must(reader->note_meta(file.note));
  ASSERT_TRUE(meta);
  EXPECT_EQ(meta->title, "Tea");
  EXPECT_EQ(meta->aliases, note.aliases);
  EXPECT_EQ(meta->tags, note.tags);
  ASSERT_EQ(meta->properties.size(), 2U);
  EXPECT_EQ(meta->properties[0].key, "origin");
  EXPECT_EQ(meta->properties[0].values, note.properties[0].values);
  EXPECT_EQ(meta->properties[1].line, 3U);
  EXPECT_EQ(meta->date, note.date);
  EXPECT_EQ(meta->stat, file.stat);
  EXPECT_EQ(must(reader->all_note_meta()).size(), 1U);
  EXPECT_FALSE(must(reader->note_meta(file.note + 1)));

  const auto loaded = must(reader->load_note(file.note));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->path, note.path);
  EXPECT_EQ(loaded->text, kText);
  ASSERT_EQ(loaded->blocks.size(), 2U);
  EXPECT_EQ(loaded->blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(loaded->blocks[1].span, note.blocks[1].span);
  EXPECT_EQ(loaded->blocks[1].anchor, "green");
  EXPECT_EQ(loaded->blocks[1].hidden, note.blocks[1].hidden);
  EXPECT_EQ(loaded->blocks[1].date, note.blocks[1].date);
  ASSERT_EQ(loaded->headings.size(), 1U);
  EXPECT_EQ(loaded->headings[0].text, "Tea");
  EXPECT_EQ(loaded->hash, note.hash);
  EXPECT_FALSE(must(reader->load_note(file.note + 1)));

  const auto warnings = must(reader->warnings());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, note.path);
  EXPECT_EQ(warnings[0].line, 2U);
  EXPECT_EQ(warnings[0].message, "odd");
}

TEST_P(StoreContract, GivesBackChunksAndTheirDays) {
  auto writer = must(store_->write(false));
  const Note note = tea_note();
  FileState file = file_of(note);
  std::vector<int64_t> rowids;
  must(writer->put_note(file, note, tea_chunks(), rowids));
  must(writer->commit());
  auto reader = must(store_->read());
  const auto chunks = must(reader->chunks_of(file.note));
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].rowid, rowids[0]);
  EXPECT_EQ(chunks[1].seq, 1U);
  EXPECT_EQ(chunks[0].chunk.id, (Hash128{1, 2}));
  EXPECT_EQ(chunks[0].chunk.span, (SourceSpan{1, 2, 0, 16}));
  EXPECT_EQ(chunks[0].chunk.date, tea_chunks()[0].date);
  EXPECT_EQ(chunks[0].chunk.block_count, 2U);
  EXPECT_EQ(chunks[0].chunk.lang, text::Lang::kEn);
  EXPECT_EQ(chunks[0].chunk.tokens, 7U);
  EXPECT_EQ(chunks[0].chunk.kind, BlockKind::kHeading);
  const auto one = must(reader->chunk(rowids[1]));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->note, file.note);
  EXPECT_EQ(one->chunk.block_first, 1U);
  EXPECT_FALSE(must(reader->chunk(rowids[1] + 1)));
  const std::vector<std::pair<int64_t, int32_t>> days = {{rowids[0], 20000}};
  EXPECT_EQ(must(reader->chunk_days()), days);
}

TEST_P(StoreContract, ReplacingANoteLeavesNothingOfTheOldOne) {
  auto writer = must(store_->write(false));
  const Note note = tea_note();
  FileState file = file_of(note);
  std::vector<int64_t> first, second;
  must(writer->put_note(file, note, tea_chunks(), first));
  const int64_t id = file.note;
  Note other = plain_note("Drinks/Chai.md", "Spiced.\n");
  FileState moved = file_of(other);
  moved.note = id;
  must(writer->put_note(moved, other, {}, second));
  must(writer->commit());

  auto reader = must(store_->read());
  EXPECT_EQ(must(reader->find_note("Drinks/Tea.md")), std::nullopt);
  EXPECT_EQ(must(reader->find_note("Drinks/Chai.md")), id);
  EXPECT_TRUE(must(reader->chunks_of(id)).empty());
  EXPECT_TRUE(must(reader->outgoing(id)).empty());
  EXPECT_TRUE(must(reader->warnings()).empty());
  EXPECT_TRUE(must(reader->note_meta(id))->tags.empty());
  EXPECT_EQ(must(reader->load_note(id))->text, "Spiced.\n");
}

TEST_P(StoreContract, IdsAreNeverUsedTwice) {
  auto writer = must(store_->write(false));
  const Note note = tea_note();
  FileState file = file_of(note);
  std::vector<int64_t> first, second;
  must(writer->put_note(file, note, tea_chunks(), first));
  const int64_t note_id = file.note;
  must(writer->remove_note(note_id));
  must(writer->commit());
  writer.reset();
  writer = must(store_->write(false));
  file.note = 0;
  must(writer->put_note(file, note, tea_chunks(), second));
  EXPECT_GT(file.note, note_id);
  EXPECT_GT(second.front(), first.back());
  const uint32_t segment = must(writer->put_segment(segment_of(1, {})));
  must(writer->drop_segment(segment));
  EXPECT_GT(must(writer->put_segment(segment_of(1, {}))), segment);
}

TEST_P(StoreContract, TouchChangesOnlyWhatIsKnownOfTheFile) {
  auto writer = must(store_->write(false));
  const Note note = tea_note();
  FileState file = file_of(note);
  std::vector<int64_t> rowids;
  must(writer->put_note(file, note, tea_chunks(), rowids));
  file.stat.mtime_ns += 1;
  file.racy = false;
  must(writer->touch_file(file));
  must(writer->commit());
  auto reader = must(store_->read());
  const auto files = must(reader->files());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].stat, file.stat);
  EXPECT_FALSE(files[0].racy);
  EXPECT_EQ(must(reader->chunks_of(file.note)).size(), 2U);
  EXPECT_EQ(must(reader->load_note(file.note))->title, "Tea");
}

TEST_P(StoreContract, RemovedNotesAreGoneAndLinksToThemOpen) {
  auto writer = must(store_->write(false));
  const int64_t tea = put(*writer, tea_note(), tea_chunks());
  const int64_t coffee = put(*writer, plain_note("Coffee.md", "Black.\n"));
  LinkRow row = must(writer->outgoing(tea)).front();
  row.state = vault::LinkState::kResolved;
  row.destination = coffee;
  row.path = "Coffee.md";
  must(writer->set_resolution(row));
  must(writer->remove_note(coffee));
  must(writer->commit());
  auto reader = must(store_->read());
  EXPECT_EQ(must(reader->find_note("Coffee.md")), std::nullopt);
  EXPECT_FALSE(must(reader->load_note(coffee)));
  EXPECT_TRUE(must(reader->incoming(coffee)).empty());
  const auto links = must(reader->outgoing(tea));
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].state, vault::LinkState::kUnresolved);
  EXPECT_EQ(links[0].destination, -1);
  EXPECT_TRUE(links[0].path.empty());
}

TEST_P(StoreContract, LinksByNoteKeyAndDestination) {
  auto writer = must(store_->write(false));
  const int64_t tea = put(*writer, tea_note());
  const int64_t coffee = put(*writer, plain_note("Coffee.md", "Black.\n"));
  auto links = must(writer->links_with_key(vault::LinkIndex::link_key("Coffee")));
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].note, tea);
  EXPECT_EQ(links[0].link.target, "Coffee");
  EXPECT_EQ(links[0].link.heading, "A#B");
  EXPECT_EQ(links[0].link.block, "id");
  EXPECT_EQ(links[0].link.alias, "the other");
  EXPECT_TRUE(links[0].link.embed);
  EXPECT_EQ(links[0].link.line, 2U);
  links[0].state = vault::LinkState::kAmbiguous;
  links[0].destination = coffee;
  links[0].path = "Coffee.md";
  must(writer->set_resolution(links[0]));
  auto image = must(writer->links_with_key(vault::LinkIndex::link_key("img/leaf.png")));
  ASSERT_EQ(image.size(), 1U);
  EXPECT_EQ(image[0].link.syntax, LinkSyntax::kMarkdown);
  EXPECT_EQ(image[0].seq, 1U);
  image[0].state = vault::LinkState::kResolved;
  image[0].path = "img/leaf.png";
  must(writer->set_resolution(image[0]));
  must(writer->commit());

  auto reader = must(store_->read());
  const auto incoming = must(reader->incoming(coffee));
  ASSERT_EQ(incoming.size(), 1U);
  EXPECT_EQ(incoming[0].note, tea);
  EXPECT_EQ(incoming[0].state, vault::LinkState::kAmbiguous);
  const auto outgoing = must(reader->outgoing(tea));
  ASSERT_EQ(outgoing.size(), 2U);
  EXPECT_EQ(outgoing[0].path, "Coffee.md");
  EXPECT_EQ(outgoing[1].path, "img/leaf.png");
  EXPECT_EQ(outgoing[1].destination, -1);
  const Counts counts = must(reader->counts());
  EXPECT_EQ(counts.notes, 2U);
  EXPECT_EQ(counts.links.total, 2U);
  EXPECT_EQ(counts.links.resolved, 1U);
  EXPECT_EQ(counts.links.ambiguous, 1U);
  EXPECT_EQ(counts.links.unresolved, 0U);
}

TEST_P(StoreContract, ALinkByAliasCountsAsUnresolved) {
  auto writer = must(store_->write(false));
  const int64_t tea = put(*writer, tea_note());
  LinkRow row = must(writer->outgoing(tea)).front();
  row.state = vault::LinkState::kAlias;
  row.destination = tea;
  must(writer->set_resolution(row));
  const Counts counts = must(writer->counts());
  EXPECT_EQ(counts.links.unresolved, 2U);
  EXPECT_EQ(counts.links.resolved, 0U);
}

TEST_P(StoreContract, LinkCountsFollowEveryChange) {
  const auto recount = [](Reader& reader) {
    LinkCounts counts;
    for (const NoteMeta& note : must(reader.all_note_meta())) {
      for (const LinkRow& row : must(reader.outgoing(note.id))) {
        ++counts.total;
        if (row.state == vault::LinkState::kResolved) ++counts.resolved;
        if (row.state == vault::LinkState::kAmbiguous) ++counts.ambiguous;
      }
    }
    counts.unresolved = counts.total - counts.resolved - counts.ambiguous;
    return counts;
  };
  const auto check = [&](Reader& reader, uint64_t total) {
    const LinkCounts counts = must(reader.counts()).links;
    const LinkCounts expected = recount(reader);
    EXPECT_EQ(counts.total, total);
    EXPECT_EQ(expected.total, total);
    EXPECT_EQ(counts.resolved, expected.resolved);
    EXPECT_EQ(counts.unresolved, expected.unresolved);
    EXPECT_EQ(counts.ambiguous, expected.ambiguous);
  };
  auto writer = must(store_->write(false));
  const Note note = tea_note();
  FileState file = file_of(note);
  std::vector<int64_t> rowids;
  must(writer->put_note(file, note, {}, rowids));
  Note second = tea_note();
  second.path = "Second.md";
  const int64_t other = put(*writer, second);
  check(*writer, 4);
  const vault::LinkState states[] = {vault::LinkState::kResolved, vault::LinkState::kAmbiguous,
                                     vault::LinkState::kAlias, vault::LinkState::kAmbiguous};
  size_t next = 0;
  for (const int64_t from : {file.note, other}) {
    for (LinkRow row : must(writer->outgoing(from))) {
      row.state = states[next++];
      row.destination = other;
      must(writer->set_resolution(row));
      check(*writer, 4);
    }
  }
  must(writer->put_note(file, note, {}, rowids));  // replaced: its two are open again
  check(*writer, 4);
  must(writer->commit());
  check(*must(store_->read()), 4);
  must(writer->remove_note(other));
  check(*writer, 2);
  must(writer->commit());
  writer.reset();
  writer = must(store_->write(true));
  check(*writer, 0);
}

TEST_P(StoreContract, SegmentsTermsAndDeletions) {
  auto writer = must(store_->write(false));
  const std::string zeros("\0\x01\0", 3);
  const uint32_t id = must(writer->put_segment(segment_of(9, {{"a", "one"}, {"b", zeros}})));
  must(writer->commit());
  auto reader = must(store_->read());
  const auto rows = must(reader->segments());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].id, id);
  EXPECT_EQ(rows[0].docs, 9U);
  const auto columns = must(reader->segment_columns(id));
  ASSERT_EQ(columns.size(), 9U);
  EXPECT_EQ(columns.chunk[8], 108);
  EXPECT_EQ(must(reader->segment_names(id)), "the names");
  EXPECT_TRUE(must(reader->segment_deleted(id)).empty());
  std::string blob = "left over";
  EXPECT_TRUE(must(reader->postings(id, "b", blob)));
  EXPECT_EQ(blob, zeros);
  EXPECT_FALSE(must(reader->postings(id, "c", blob)));
  EXPECT_FALSE(must(reader->postings(id + 1, "a", blob)));

  lexical::DeletedBits bits(9, false);
  bits[0] = bits[8] = true;
  must(writer->set_deleted(id, bits));
  must(writer->commit());
  auto later = must(store_->read());
  EXPECT_EQ(must(later->segment_deleted(id)), bits);
  EXPECT_NE(must(later->segments())[0].deleted_version, rows[0].deleted_version);
  EXPECT_TRUE(must(reader->segment_deleted(id)).empty());  // the older generation
}

TEST_P(StoreContract, ASegmentWrittenWhileAnotherIsRead) {
  // More terms than any batch of reading, so that writing happens between batches.
  std::vector<std::pair<std::string, std::string>> terms;
  for (int i = 10000; i < 11500; ++i) terms.emplace_back("t" + std::to_string(i), "p");
  auto writer = must(store_->write(false));
  const uint32_t from = must(writer->put_segment(segment_of(2, terms)));
  const uint32_t to = must(writer->begin_segment());
  auto stream = must(writer->terms(from));
  std::string_view term, postings;
  size_t seen = 0;
  std::string last;
  while (must(stream->next(term, postings))) {
    EXPECT_LT(last, term);
    last = term;
    must(writer->add_term(to, term, std::string(postings) + "2"));
    ++seen;
  }
  EXPECT_EQ(seen, terms.size());
  EXPECT_FALSE(must(stream->next(term, postings)));
  const auto header = segment_of(3, {});
  must(writer->finish_segment(to, {header.columns, header.names, 3}));
  must(writer->drop_segment(from));
  must(writer->commit());
  auto reader = must(store_->read());
  ASSERT_EQ(must(reader->segments()).size(), 1U);
  std::string blob;
  EXPECT_TRUE(must(reader->postings(to, "t11499", blob)));
  EXPECT_EQ(blob, "p2");
  EXPECT_FALSE(must(reader->postings(from, "t11499", blob)));
}

TEST_P(StoreContract, MetaAttachmentsAndRunWarnings) {
  auto writer = must(store_->write(false));
  must(writer->set_meta("vault", "/one"));
  must(writer->set_meta("vault", "/two"));
  must(writer->set_attachments({"b.png", "a.pdf", "c.gif"}));
  must(writer->set_attachments({"d.png", "a.pdf"}));
  must(writer->set_run_warnings({{"gone.md", 0, "old"}}));
  must(writer->set_run_warnings({{"late.md", 0, "could not be read"}, {"", 0, "slow"}}));
  must(writer->commit());
  auto reader = must(store_->read());
  EXPECT_EQ(must(reader->meta("vault")), "/two");
  EXPECT_EQ(must(reader->meta("other")), std::nullopt);
  EXPECT_EQ(must(reader->attachments()), (std::vector<std::string>{"a.pdf", "d.png"}));
  const auto warnings = must(reader->warnings());
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].message, "slow");
  EXPECT_EQ(warnings[1].path, "late.md");
  EXPECT_EQ(must(reader->counts()).warnings, 2U);
}

TEST_P(StoreContract, FilesComeInByteOrderWhateverTheirNames) {
  auto writer = must(store_->write(false));
  // Umlaut, broken UTF-8, a quote, upper before lower case.
  const std::vector<std::string> paths = {"a.md", "\xff\xfe.md", "A.md", "\u00e4.md", "it's.md"};
  for (const std::string& path : paths) put(*writer, plain_note(path, path));
  must(writer->commit());
  auto reader = must(store_->read());
  std::vector<std::string> sorted = paths, seen;
  std::sort(sorted.begin(), sorted.end());
  for (const FileState& file : must(reader->files())) seen.push_back(file.path);
  EXPECT_EQ(seen, sorted);
  EXPECT_TRUE(must(reader->find_note("\xff\xfe.md")));
}

TEST_P(StoreContract, EmptyNotesAndEmptyStrings) {
  auto writer = must(store_->write(false));
  const int64_t id = put(*writer, plain_note("empty.md", ""));
  must(writer->commit());
  auto reader = must(store_->read());
  const auto note = must(reader->load_note(id));
  ASSERT_TRUE(note);
  EXPECT_TRUE(note->text.empty());
  EXPECT_TRUE(note->blocks.empty());
}

TEST_P(StoreContract, AReaderKeepsItsGeneration) {
  auto writer = must(store_->write(false));
  put(*writer, plain_note("one.md", "1"));
  must(writer->commit());
  auto before = must(store_->read());
  const int64_t two = put(*writer, plain_note("two.md", "2"));
  // Not committed: only the writer itself sees it.
  EXPECT_EQ(must(must(store_->read())->files()).size(), 1U);
  EXPECT_EQ(must(writer->files()).size(), 2U);
  must(writer->commit());
  EXPECT_EQ(must(before->files()).size(), 1U);
  EXPECT_FALSE(must(before->load_note(two)));
  auto after = must(store_->read());
  EXPECT_EQ(must(after->files()).size(), 2U);
  EXPECT_GT(after->generation(), before->generation());
  EXPECT_EQ(after->generation(), writer->generation());
}

TEST_P(StoreContract, WhatIsNotCommittedIsForgotten) {
  {
    auto writer = must(store_->write(false));
    put(*writer, plain_note("one.md", "1"));
    must(writer->commit());
    put(*writer, plain_note("two.md", "2"));
  }
  EXPECT_EQ(must(must(store_->read())->files()).size(), 1U);
  auto writer = must(store_->write(false));
  EXPECT_EQ(must(writer->files()).size(), 1U);
}

TEST_P(StoreContract, FreshKeepsTheOldUntilItsFirstCommit) {
  uint64_t generation = 0;
  {
    auto writer = must(store_->write(false));
    put(*writer, tea_note(), tea_chunks());
    must(writer->put_segment(segment_of(1, {{"a", "x"}})));
    must(writer->set_meta("vault", "/v"));
    must(writer->set_attachments({"a.png"}));
    must(writer->commit());
    generation = writer->generation();
  }
  {
    auto abandoned = must(store_->write(true));
    EXPECT_TRUE(must(abandoned->files()).empty());
    EXPECT_EQ(must(must(store_->read())->files()).size(), 1U);
  }
  EXPECT_EQ(must(must(store_->read())->files()).size(), 1U);
  auto writer = must(store_->write(true));
  put(*writer, plain_note("new.md", "n"));
  must(writer->commit());
  auto reader = must(store_->read());
  EXPECT_GT(reader->generation(), generation);
  ASSERT_EQ(must(reader->files()).size(), 1U);
  EXPECT_EQ(must(reader->files())[0].path, "new.md");
  EXPECT_TRUE(must(reader->segments()).empty());
  EXPECT_TRUE(must(reader->attachments()).empty());
  EXPECT_TRUE(must(reader->warnings()).empty());
  EXPECT_EQ(must(reader->meta("vault")), std::nullopt);
}

TEST_P(StoreContract, AnotherStoreOverTheSameFolderSeesWhatWasCommitted) {
  {
    auto writer = must(store_->write(false));
    put(*writer, plain_note("one.md", "1"));
    must(writer->commit());
  }
  EXPECT_GT(store_->bytes(), 0U);
  auto second = open();
  EXPECT_EQ(must(must(second->read())->files()).size(), 1U);
  {
    auto writer = must(second->write(false));
    put(*writer, plain_note("two.md", "2"));
    must(writer->commit());
  }
  EXPECT_EQ(must(must(store_->read())->files()).size(), 2U);
}

TEST_P(StoreContract, ManyReadersAtOnceAndAgain) {
  auto writer = must(store_->write(false));
  must(writer->put_segment(segment_of(1, {{"a", "x"}})));
  must(writer->commit());
  const uint32_t id = must(writer->segments())[0].id;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Reader>> readers;
    for (int i = 0; i < 20; ++i) readers.push_back(must(store_->read()));
    std::string blob;
    for (auto& reader : readers) EXPECT_TRUE(must(reader->postings(id, "a", blob)));
  }
}

}  // namespace
}  // namespace lectern::store
