// Canvas files: text nodes on their physical lines, file nodes as links.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vault/invariant.h"
#include "vault/parse.h"

namespace lectern::vault {
namespace {

Note parse(const std::string& text) {
  Note note = parse_note("boards/Plan.canvas", text);
  EXPECT_EQ(check_invariant(note), "") << text;
  return note;
}

TEST(Canvas, OneNodeALine) {
  const Note note = parse(
      "{\n\t\"nodes\":[\n"
      "\t\t{\"id\":\"n1\",\"type\":\"text\",\"text\":\"Caf\\u00e9 [[Bean|b]]\\nline two "
      "#roast\"},\n"
      "\t\t{\"type\":\"file\",\"file\":\"a/Other note.md\",\"subpath\":\"#Part\",\"id\":\"n2\"},\n"
      "\t\t{\"text\":\"late id\",\"type\":\"text\",\"id\":\"n3\"}\n"
      "\t],\n\t\"edges\":[]\n}\n");
  ASSERT_EQ(note.blocks.size(), 2u);
  EXPECT_EQ(note.blocks[0].kind, BlockKind::kCanvasText);
  EXPECT_EQ(note.blocks[0].span.line_first, 3u);
  EXPECT_EQ(note.blocks[0].node_id, "n1");
  EXPECT_EQ(note.blocks[0].unescaped, "Café [[Bean|b]]\nline two #roast");
  EXPECT_EQ(plain_text(note, note.blocks[0]), note.blocks[0].unescaped);
  EXPECT_EQ(note.blocks[1].node_id, "n3");
  EXPECT_EQ(note.blocks[1].span.line_first, 5u);
  ASSERT_EQ(note.links.size(), 2u);
  EXPECT_EQ(note.links[0].target, "Bean");
  EXPECT_EQ(note.links[0].line, 3u);
  EXPECT_EQ(note.links[1].target, "a/Other note.md");
  EXPECT_EQ(note.links[1].heading, "Part");
  EXPECT_EQ(note.links[1].syntax, LinkSyntax::kCanvas);
  EXPECT_EQ(note.tags, std::vector<std::string>{"roast"});
  EXPECT_EQ(note.title, "Plan");
}

TEST(Canvas, ValueOnItsOwnLine) {
  const Note note = parse("{\"nodes\":[{\n\"type\":\"text\",\n\"text\":\n\"deep\"\n}]}");
  ASSERT_EQ(note.blocks.size(), 1u);
  EXPECT_EQ(note.blocks[0].span.line_first, 4u);
}

TEST(Canvas, AllOnOneLine) {
  const Note note = parse(
      R"({"nodes":[{"id":"a","type":"text","text":"one"},{"id":"b","type":"text","text":"two"}]})");
  ASSERT_EQ(note.blocks.size(), 2u);
  EXPECT_EQ(note.blocks[0].span, note.blocks[1].span);
}

TEST(Canvas, CommentsAreNoEvidence) {
  const Note note = parse(R"({"nodes":[{"type":"text","text":"a %%b%% c"}]})");
  ASSERT_EQ(note.blocks.size(), 1u);
  EXPECT_EQ(note.blocks[0].unescaped, "a       c");
}

TEST(Canvas, MalformedOrTooDeepIsAWarning) {
  for (const std::string& text : std::vector<std::string>{
           std::string("{\"nodes\":[{\"type\":\"text\",\"text\":\"kept\"},\n{]"),
           std::string(1'000'000, '['), std::string("{\"a\":") + std::string(100, '[')}) {
    const Note note = parse(text);
    EXPECT_EQ(note.warnings.size(), 1u);
  }
  EXPECT_EQ(parse("{\"nodes\":[{\"type\":\"text\",\"text\":\"kept\"},\n{]").blocks.size(), 1u);
  EXPECT_TRUE(parse("").warnings.empty());
}

}  // namespace
}  // namespace lectern::vault
