// Chunks: exact lines under packing, merging and splitting; ids that survive edits.
#include "chunk/chunk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "chunk/block_id.h"
#include "vault/parse.h"

namespace lectern::chunk {
namespace {

// One token a word: sizes in these tests can be counted by hand.
uint32_t words(std::string_view text) {
  uint32_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space && !inside) ++count;
    inside = !space;
  }
  return count;
}

std::string paragraph(int number, int size) {
  std::string out = "p" + std::to_string(number);
  for (int i = 1; i < size; ++i) out += " w" + std::to_string(i);
  return out;
}

std::vector<Chunk> cut(const Note& note, ChunkConfig config) {
  return make_chunks(note, config, words);
}

TEST(Chunk, ShortSectionsMergeAndKeepTheFirstHeading) {
  const Note note = vault::parse_note("n.md", "# A\none\n\n## B\ntwo\n\n## C\nthree\n");
  const auto chunks = cut(note, {64, 256, 448});
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].span.line_first, 1U);
  EXPECT_EQ(chunks[0].span.line_last, 8U);
  EXPECT_EQ(vault::heading_path(note, chunks[0].heading), std::vector<std::string>{"A"});
}

TEST(Chunk, NoChunkIsOverTheWindowAndEveryBlockIsInOne) {
  std::string text = "# T\n\n";
  for (int i = 0; i < 40; ++i) text += paragraph(i, 7 + i % 9) + "\n\n";
  text += "## Long\n\n" + paragraph(99, 200) + "\n";
  const Note note = vault::parse_note("n.md", text);
  const ChunkConfig config{8, 20, 30};
  std::set<uint32_t> covered;
  for (const Chunk& chunk : cut(note, config)) {
    EXPECT_LE(words(chunk_text(note, chunk)), config.max_tokens);
    EXPECT_GE(chunk.span.line_first, 1U);
    for (uint32_t i = 0; i < chunk.block_count; ++i) covered.insert(chunk.block_first + i);
  }
  EXPECT_EQ(covered.size(), note.blocks.size());
}

TEST(Chunk, PiecesOfALongBlockKeepTheirOwnLines) {
  std::string text = "intro\n\n```\n";
  for (int i = 0; i < 30; ++i) text += "line" + std::to_string(i) + " a b c\n";
  text += "```\n";
  const Note note = vault::parse_note("n.md", text);
  bool seen = false;
  for (const Chunk& chunk : cut(note, {1, 10, 12})) {
    const std::string body = chunk_text(note, chunk);
    if (body.find("line17 ") == std::string::npos) continue;
    seen = true;
    // "line0" stands on line 4, so "line17" on 21.
    EXPECT_LE(chunk.span.line_first, 21U);
    EXPECT_GE(chunk.span.line_last, 21U);
    const auto breaks = static_cast<uint32_t>(std::count(body.begin(), body.end(), '\n'));
    EXPECT_EQ(chunk.span.line_last - chunk.span.line_first, breaks);
  }
  EXPECT_TRUE(seen);
}

TEST(Chunk, OneWordWithoutSpacesIsSplitBetweenCharacters) {
  std::string word;
  for (int i = 0; i < 5000; ++i) word += "\u6771";
  const Note note = vault::parse_note("n.md", word);
  std::string joined;
  for (const Chunk& chunk :
       make_chunks(note, {8, 16, 32}, [](std::string_view t) { return uint32_t(t.size() / 3); })) {
    joined += chunk_text(note, chunk);
    EXPECT_LE(chunk.tokens, 32U);
  }
  EXPECT_EQ(joined, word);
}

TEST(Chunk, InsertingAParagraphRenamesNoOtherChunk) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += "## S" + std::to_string(i) + "\n\n" + paragraph(i, 70) + "\n\n";
  const auto before = cut(vault::parse_note("n.md", text), {64, 256, 448});
  const auto after = cut(
      vault::parse_note("n.md", "## New\n\n" + paragraph(77, 80) + "\n\n" + text), {64, 256, 448});
  std::set<Hash128> ids;
  for (const Chunk& chunk : after) ids.insert(chunk.id);
  ASSERT_EQ(before.size(), 6U);
  EXPECT_EQ(after.size(), 7U);
  for (const Chunk& chunk : before) EXPECT_TRUE(ids.contains(chunk.id));
}

TEST(Chunk, IdenticalPassagesGetDistinctIds) {
  const std::string same = "## S\n\n" + paragraph(1, 70) + "\n\n";
  const auto chunks = cut(vault::parse_note("n.md", same + same + same), {64, 256, 448});
  std::set<Hash128> ids;
  for (const Chunk& chunk : chunks) ids.insert(chunk.id);
  EXPECT_EQ(chunks.size(), 3U);
  EXPECT_EQ(ids.size(), 3U);
}

TEST(Chunk, DatesAreBorders) {
  const Note note = vault::parse_note(
      "n.md", "## Update 2026-01-05\n\nold price 5\n\n## Update 2026-09-17\n\nnew price 7\n");
  const auto chunks = cut(note, {64, 256, 448});
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(vault::iso(chunks[0].date), "2026-01-05");
  EXPECT_EQ(vault::iso(chunks[1].date), "2026-09-17");
}

TEST(Chunk, PropertiesStandApartAndCommentsAreNotText) {
  const Note note = vault::parse_note("n.md", "---\nowner: Mira\n---\nseen %%hidden fact%% text\n");
  const auto chunks = cut(note, {64, 256, 448});
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].kind, BlockKind::kProperty);
  EXPECT_EQ(chunks[0].span.line_first, 2U);
  EXPECT_EQ(chunk_text(note, chunks[1]).find("hidden"), std::string::npos);
}

TEST(BlockId, SurvivesLinesAboveAndTellsTwinsApart) {
  const Note before = vault::parse_note("n.md", "alpha\n\nbeta\n\nbeta\n");
  const Note after = vault::parse_note("n.md", "new\n\nalpha\n\nbeta\n\nbeta\n");
  const auto old_ids = block_ids(before);
  const auto new_ids = block_ids(after);
  ASSERT_EQ(old_ids.size(), 3U);
  ASSERT_EQ(new_ids.size(), 4U);
  EXPECT_EQ(old_ids[0], new_ids[1]);
  EXPECT_EQ(old_ids[2], new_ids[3]);
  EXPECT_NE(old_ids[1], old_ids[2]);
}

}  // namespace
}  // namespace lectern::chunk
