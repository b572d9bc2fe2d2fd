// Frontmatter: fields, their lines, and everything that people write wrongly there.
#include "vault/frontmatter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vault/invariant.h"
#include "vault/parse.h"

namespace lectern::vault {
namespace {

using Strings = std::vector<std::string>;

Note parse(const std::string& text) {
  Note note = parse_note("n.md", text);
  EXPECT_EQ(check_invariant(note), "") << text;
  return note;
}

Strings values(const Note& note, const std::string& key) {
  const Property* property = find_property(note.properties, key);
  return property == nullptr ? Strings{"(absent)"} : property->values;
}

size_t property_blocks(const Note& note) {
  size_t count = 0;
  for (const Block& block : note.blocks) count += block.kind == BlockKind::kProperty ? 1 : 0;
  return count;
}

TEST(Frontmatter, CrlfEndOfFileAndByteOrderMark) {  // report 1
  for (const std::string& text :
       std::vector<std::string>{"---\r\ntitle: A\r\n---\r\nbody\r\n", "---\ntitle: A\n---",
                                "\xEF\xBB\xBF---\ntitle: A\n---\nbody", "---\ntitle: A\n...\n"}) {
    const Note note = parse(text);
    EXPECT_EQ(note.title, "A") << text;
    EXPECT_EQ(property_blocks(note), 1u);
  }
}

TEST(Frontmatter, ScalarsStayStrings) {  // report 2
  const Note note = parse("---\ntitle: 2026-06-03\ntags: [2025-10-24, 1.0, true]\nn: 007\n---\n");
  EXPECT_EQ(note.title, "2026-06-03");
  EXPECT_EQ(note.tags, (Strings{"2025-10-24", "1.0", "true"}));
  EXPECT_EQ(values(note, "n"), Strings{"007"});
}

TEST(Frontmatter, NullIsEmpty) {  // report 3
  const Note note = parse("---\ntype: null\nother:\ntilde: ~\nquoted: \"null\"\n---\nbody\n");
  EXPECT_EQ(values(note, "type"), Strings{});
  EXPECT_EQ(values(note, "other"), Strings{});
  EXPECT_EQ(values(note, "tilde"), Strings{});
  EXPECT_EQ(values(note, "quoted"), Strings{"null"});
}

TEST(Frontmatter, BrokenYamlIsReadLineByLine) {  // report 3
  const Note note = parse("---\na:\n- b\n   c: d: e\ntitle: Still here\n---\nThe body.\n");
  EXPECT_EQ(note.title, "Still here");
  EXPECT_EQ(plain_text(note, note.blocks.back()), "The body.");
  ASSERT_EQ(note.warnings.size(), 1u);
  EXPECT_EQ(note.warnings[0].path, "n.md");
  EXPECT_GE(note.warnings[0].line, 2u);
  EXPECT_LE(note.warnings[0].line, 5u);
}

TEST(Frontmatter, CommentsAreNoHeadings) {  // report 4
  const Note note = parse("---\n# Not a heading\ntitle: T\n# nor this\nx: 1\n---\n# Yes\n");
  EXPECT_EQ(note.headings.size(), 1u);
  EXPECT_EQ(note.headings[0].line, 7u);
  EXPECT_EQ(property_blocks(note), 2u);
}

TEST(Frontmatter, EachFieldHasItsLines) {  // report 5
  const Note note =
      parse("---\none: a phrase\nlist:\n  - x\n  - y\n\ntext: |\n  # kept\n  z\n---\n");
  ASSERT_EQ(note.blocks.size(), 3u);
  EXPECT_EQ(note.blocks[0].span.line_first, 2u);
  EXPECT_EQ(note.blocks[1].span.line_first, 3u);
  EXPECT_EQ(note.blocks[1].span.line_last, 5u);
  EXPECT_EQ(note.blocks[2].span.line_first, 7u);
  EXPECT_EQ(note.blocks[2].span.line_last, 9u);
  EXPECT_EQ(values(note, "text"), Strings{"# kept\nz\n"});
}

TEST(Frontmatter, BookkeepingFieldsAreNotEvidence) {
  const Note note = parse("---\nid: 12\ncssclasses: [a]\ntitle: T\n---\n");
  EXPECT_EQ(property_blocks(note), 1u);
  EXPECT_EQ(values(note, "id"), Strings{"12"});
}

TEST(Frontmatter, TagsAndAliasesInEveryForm) {
  EXPECT_EQ(parse("---\ntags: a, b/c\n---\n").tags, (Strings{"a", "b/c"}));
  EXPECT_EQ(parse("---\ntags: a b\n---\n").tags, (Strings{"a", "b"}));
  EXPECT_EQ(parse("---\ntag: \"#a\"\n---\n").tags, (Strings{"a"}));
  EXPECT_EQ(parse("---\ntags:\n- a\n- \"#A\"\n- b\n---\n#B\n").tags, (Strings{"a", "b"}));
  EXPECT_EQ(parse("---\nalias: One thing, Two\n---\n").aliases, (Strings{"One thing", "Two"}));
  EXPECT_EQ(parse("---\naliases: [One thing, \"Two, three\"]\n---\n").aliases,
            (Strings{"One thing", "Two, three"}));
}

TEST(Frontmatter, LinksQuotedOrNot) {
  const Note note = parse("---\nup: [[Note]]\ndown: \"[[Other#H|x]]\"\nl:\n  - [[Third]]\n---\n");
  ASSERT_EQ(note.links.size(), 3u);
  EXPECT_EQ(note.links[0].target, "Note");
  EXPECT_EQ(note.links[0].syntax, LinkSyntax::kProperty);
  EXPECT_EQ(note.links[1].target, "Other");
  EXPECT_EQ(note.links[1].heading, "H");
  EXPECT_EQ(note.links[2].target, "Third");
  EXPECT_EQ(note.links[2].line, 5u);
  EXPECT_EQ(values(note, "up"), Strings{"[[Note]]"});
}

TEST(Frontmatter, JsonObject) {
  const Note note = parse("---\n{\n  \"title\": \"J\",\n  \"tags\": [\"a\"]\n}\n---\nx\n");
  EXPECT_EQ(note.title, "J");
  EXPECT_EQ(note.tags, Strings{"a"});
}

TEST(Frontmatter, ARuleOnTheFirstLineIsNoFrontmatter) {
  const Note note = parse("---\nJust prose here.\n\n# Heading\n\n---\nmore\n");
  EXPECT_EQ(property_blocks(note), 0u);
  EXPECT_EQ(note.headings.size(), 1u);
  EXPECT_EQ(parse("---\ntitle: open\nnever closed\n").properties.size(), 0u);
}

TEST(Frontmatter, BombsAreRefusedQuickly) {
  std::string bomb = "---\na0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            ", *a" + std::to_string(i - 1) + "]\n";
  }
  size_t held = 0;
  for (const Property& property : parse(bomb + "---\nbody\n").properties) {
    held += property.values.size();
  }
  EXPECT_LE(held, 4u);
  const Note deep = parse("---\na: " + std::string(30'000, '[') + "\n---\nbody\n");
  EXPECT_EQ(plain_text(deep, deep.blocks.back()), "body");
  EXPECT_EQ(deep.warnings.size(), 1u);
}

}  // namespace
}  // namespace lectern::vault
