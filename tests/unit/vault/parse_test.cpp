// parse_note on hand-written notes: which lines each block has, and why.
#include "vault/parse.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "vault/invariant.h"

namespace lectern::vault {
namespace {

Note parse(const std::string& text, const std::string& path = "folder/Note.md") {
  Note note = parse_note(path, text);
  EXPECT_EQ(check_invariant(note), "") << text;
  return note;
}

using Row = std::tuple<BlockKind, uint32_t, uint32_t>;
std::vector<Row> rows(const Note& note) {
  std::vector<Row> out;
  for (const Block& block : note.blocks) {
    out.emplace_back(block.kind, block.span.line_first, block.span.line_last);
  }
  return out;
}
using SkipRow = std::tuple<SkipKind, uint32_t, uint32_t>;
std::vector<SkipRow> skips(const Note& note) {
  std::vector<SkipRow> out;
  for (const Skip& skip : note.skips) out.emplace_back(skip.kind, skip.line_first, skip.line_last);
  return out;
}
using Strings = std::vector<std::string>;
constexpr auto kParagraph = BlockKind::kParagraph;
constexpr auto kHeading = BlockKind::kHeading;
constexpr auto kItem = BlockKind::kListItem;

TEST(Parse, EmptyAndBlankNotesHaveNoBlocks) {
  EXPECT_TRUE(parse("").blocks.empty());
  EXPECT_TRUE(parse("\n \n\t\n").blocks.empty());
  EXPECT_EQ(parse("").title, "Note");
}

TEST(Parse, ANoteThatIsOneDatedHeading) {
  const Note note = parse("# 2026-05-26");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kHeading, 1, 1}}));
  EXPECT_EQ(note.title, "2026-05-26");
  EXPECT_EQ(iso(note.blocks[0].date), "2026-05-26");
}

TEST(Parse, ParagraphsAndHeadings) {
  const Note note = parse("One\ntwo\n\n## Deep ##\ntext\n\nTop\n===\n\n### Lower\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kParagraph, 1, 2},
                                          {kHeading, 4, 4},
                                          {kParagraph, 5, 5},
                                          {kHeading, 7, 8},
                                          {kHeading, 10, 10}}));
  ASSERT_EQ(note.headings.size(), 3u);
  EXPECT_EQ(note.headings[0].text, "Deep");
  EXPECT_EQ(note.headings[1].text, "Top");
  EXPECT_EQ(note.headings[1].level, 1);
  EXPECT_EQ(note.headings[2].parent, 1);
  EXPECT_EQ(heading_path(note, 2), (Strings{"Top", "Lower"}));
  EXPECT_EQ(note.blocks[0].heading, -1);
  EXPECT_EQ(note.blocks[2].heading, 0);
  EXPECT_EQ(note.title, "Note");  // the first block is no level-1 heading
}

TEST(Parse, ListItemsWithWrapsChildrenAndContinuations) {
  const Note note = parse(
      "Reasons:\n"         // 1
      "\n"                 // 2
      "- first\n"          // 3
      "  wrapped\n"        // 4
      "  - child\n"        // 5
      "\n"                 // 6
      "  more of first\n"  // 7
      "- second\n");       // 8
  EXPECT_EQ(
      rows(note),
      (std::vector<Row>{
          {kParagraph, 1, 1}, {kItem, 3, 4}, {kItem, 5, 5}, {kParagraph, 7, 7}, {kItem, 8, 8}}));
  EXPECT_EQ(note.blocks[1].lead, 0);
  EXPECT_EQ(note.blocks[2].parent, 1);
  EXPECT_EQ(note.blocks[2].lead, 1);
  EXPECT_EQ(note.blocks[3].parent, 1);
  EXPECT_EQ(note.blocks[4].parent, -1);
  EXPECT_EQ(note.blocks[4].lead, 0);
}

TEST(Parse, AParagraphFarFromAListDoesNotIntroduceIt) {
  const Note note = parse("Weather was fine.\n\n- eggs\n");
  EXPECT_EQ(note.blocks[1].lead, -1);
}

TEST(Parse, EmptyItemsAndMarkersOnTheirOwnLine) {
  const Note note = parse("-\n-\n  late\n- - deep\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kItem, 1, 1}, {kItem, 2, 3}, {kItem, 4, 4}}));
}

TEST(Parse, Tables) {
  const Note note = parse("| a | b |\n|---|:-:|\n| [[X\\|y]] | 1 |\n| z | 2 |\n---\nafter\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{BlockKind::kTableHeader, 1, 1},
                                          {BlockKind::kTableRow, 3, 3},
                                          {BlockKind::kTableRow, 4, 4},
                                          {kParagraph, 6, 6}}));
  EXPECT_EQ(note.blocks[1].parent, 0);
  EXPECT_EQ(note.blocks[2].parent, 0);
  EXPECT_EQ(skips(note), (std::vector<SkipRow>{{SkipKind::kTableDelimiter, 2, 2},
                                               {SkipKind::kThematicBreak, 5, 5}}));
  ASSERT_EQ(note.links.size(), 1u);
  EXPECT_EQ(note.links[0].target, "X");
  EXPECT_EQ(note.links[0].alias, "y");
  EXPECT_EQ(plain_text(note, note.blocks[1]), "y | 1");
  EXPECT_EQ(table_cells("| a \\| b | `c` |"), (Strings{"a | b", "`c`"}));
}

TEST(Parse, ATableNeedsAsManyColumnsInItsDelimiterRow) {
  EXPECT_EQ(rows(parse("| a | b |\n|---|\n")), (std::vector<Row>{{kParagraph, 1, 2}}));
}

TEST(Parse, CalloutsAndQuotes) {
  const Note note =
      parse("> [!Note]- The *title*\n> body\n\n> said\nlazy\n\n> [!tip]\n> one\n>\n> two\n^c1\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{BlockKind::kCallout, 1, 2},
                                          {BlockKind::kQuote, 4, 5},
                                          {BlockKind::kCallout, 7, 9},
                                          {BlockKind::kCallout, 10, 10}}));
  EXPECT_EQ(note.blocks[3].parent, 2);
  EXPECT_EQ(note.blocks[2].anchor, "c1");  // names the whole callout
  EXPECT_EQ(plain_text(note, note.blocks[0]), "The title\nbody");
  EXPECT_EQ(plain_text(note, note.blocks[1]), "said\nlazy");
}

TEST(Parse, FencesHideHeadingsAndLinks) {  // report 6
  const Note note = parse(
      "```sh\n# comment\n```\n\n~~~\n# no [[A]]\n~~~\n\n````md\n```\n# no\n```\n````\n# yes\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{BlockKind::kCode, 1, 3},
                                          {BlockKind::kCode, 5, 7},
                                          {BlockKind::kCode, 9, 13},
                                          {kHeading, 14, 14}}));
  EXPECT_EQ(note.headings.size(), 1u);
  EXPECT_TRUE(note.links.empty());
  EXPECT_EQ(plain_text(note, note.blocks[0]), "# comment");
}

TEST(Parse, IndentedCodeMathHtmlAndRules) {
  const Note note = parse(
      "    code\n\n    more\n\ntext\n\n$$\nx = 1\n- y\n\nz\n$$\n\n<div>\n[[A]]\n</div>\n\n***\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{BlockKind::kCode, 1, 3},
                                          {kParagraph, 5, 5},
                                          {BlockKind::kMath, 7, 12},
                                          {BlockKind::kHtml, 14, 16}}));
  EXPECT_TRUE(note.links.empty());
  EXPECT_EQ(skips(note), (std::vector<SkipRow>{{SkipKind::kThematicBreak, 18, 18}}));
}

TEST(Parse, FootnotesAndReferenceDefinitions) {
  const Note note = parse(
      "See [the plan][p] and [^n].\n\n[p]: Plan%20B.md \"why\"\n[w]: https://example.org\n\n"
      "[^n]: A foot\n    that goes on.\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kParagraph, 1, 1}, {BlockKind::kFootnote, 6, 7}}));
  EXPECT_EQ(skips(note), (std::vector<SkipRow>{{SkipKind::kReferenceDefinition, 3, 4}}));
  ASSERT_EQ(note.links.size(), 1u);
  EXPECT_EQ(note.links[0].target, "Plan B.md");
  EXPECT_EQ(note.links[0].alias, "the plan");
  EXPECT_EQ(note.links[0].line, 1u);
  EXPECT_EQ(plain_text(note, note.blocks[1]), "A foot\nthat goes on.");
  EXPECT_EQ(plain_text(note, note.blocks[0]), "See the plan and .");
}

TEST(Parse, AReferenceThatNobodyUsesIsStillALink) {
  const Note note = parse("text\n\n[x]: other.md\n");
  ASSERT_EQ(note.links.size(), 1u);
  EXPECT_EQ(note.links[0].line, 3u);
}

TEST(Parse, BlockIds) {  // report 7
  const Note note = parse("Text ^end-1\n\n- item ^it\n\n| a |\n|---|\n| b |\n\n^tab\n\nx^2 ^\n");
  EXPECT_EQ(note.blocks[0].anchor, "end-1");
  EXPECT_EQ(note.blocks[1].anchor, "it");
  EXPECT_EQ(note.blocks[2].anchor, "tab");  // the table's header
  EXPECT_EQ(note.blocks.back().anchor, "");
  EXPECT_EQ(plain_text(note, note.blocks[0]), "Text");
}

TEST(Parse, Comments) {  // report 7
  const Note note = parse(
      "before %%secret [[S]]%% after\n\n%%\n# not a heading\n\n[[T]]\n%%\n\n`%%` is code `%%`\n\n"
      "<!-- obey me -->\n\nend <!-- a\nb --> tail\n");
  EXPECT_EQ(rows(note),
            (std::vector<Row>{{kParagraph, 1, 1}, {kParagraph, 9, 9}, {kParagraph, 13, 14}}));
  EXPECT_EQ(skips(note), (std::vector<SkipRow>{{SkipKind::kComment, 3, 4},
                                               {SkipKind::kComment, 6, 7},
                                               {SkipKind::kComment, 11, 11}}));
  EXPECT_TRUE(note.links.empty());
  EXPECT_EQ(note.blocks[0].hidden, (std::vector<ByteSpan>{{7, 23}}));
  EXPECT_EQ(visible_text(note, note.blocks[0]), "before                  after");
  EXPECT_TRUE(note.blocks[1].hidden.empty());
  EXPECT_EQ(plain_text(note, note.blocks[1]), "%% is code %%");
  EXPECT_EQ(visible_text(note, note.blocks[2]), "end       \n      tail");
}

TEST(Parse, AnUnclosedCommentHidesOnlyItsBlock) {
  const Note note = parse("a %% b\nc\n\nd\n");
  ASSERT_EQ(note.blocks.size(), 2u);
  EXPECT_EQ(visible_text(note, note.blocks[0]), "a     \n ");
  EXPECT_TRUE(note.blocks[1].hidden.empty());
}

TEST(Parse, TimesAndTasksAreText) {  // report 15
  const Note note = parse("[10:32] hi\n\n- [x] done\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kParagraph, 1, 1}, {kItem, 3, 3}}));
  EXPECT_EQ(plain_text(note, note.blocks[0]), "[10:32] hi");
  EXPECT_EQ(plain_text(note, note.blocks[1]), "done");
  EXPECT_TRUE(note.links.empty());
}

TEST(Parse, LinesCountFromTheFilesTop) {  // report 13
  const Note note = parse("---\na: 1\nb: 2\nc: 3\n---\n\n# H\n\ntext\n\nThe claim.\n");
  EXPECT_EQ(note.blocks.back().span.line_first, 11u);
  EXPECT_EQ(note.blocks.back().span.line_last, 11u);
  EXPECT_EQ(note.block_text(note.blocks.back()), "The claim.");
}

TEST(Parse, Links) {
  const Note note = parse(
      "[[T]] [[T#H]] [[T#A#B]] [[T#^id]] [[#Here]] [[f/T.md|al]] ![[pic.png|100x145]] "
      "![[p.pdf#page=3]]\n"
      "[t](My%20note.md#A%20b) [u](<with space.md> \"title\") [v](http://x.org) [w](mailto:a@b) "
      "[x](#Local) ![i](a(1).png)\n"
      "`[[code]]` \\[[esc]] $[[m]]$ [[]] [[https://x.org]] <a href=\"[[h]]\">\n");
  using Parts = std::tuple<std::string, std::string, std::string, std::string, bool>;
  std::vector<Parts> got;
  for (const Link& link : note.links) {
    got.emplace_back(link.target, link.heading, link.block, link.alias, link.embed);
  }
  const std::vector<Parts> want{{"T", "", "", "", false},
                                {"T", "H", "", "", false},
                                {"T", "A#B", "", "", false},
                                {"T", "", "id", "", false},
                                {"", "Here", "", "", false},
                                {"f/T.md", "", "", "al", false},
                                {"pic.png", "", "", "", true},
                                {"p.pdf", "page=3", "", "", true},
                                {"My note.md", "A b", "", "t", false},
                                {"with space.md", "", "", "u", false},
                                {"", "Local", "", "x", false},
                                {"a(1).png", "", "", "i", true}};
  EXPECT_EQ(got, want);
}

TEST(Parse, ABrokenWikilinkDoesNotHideTheNextOne) {
  const Note note = parse("[[open [[Real]] and [[multi\nline]]\n");
  ASSERT_EQ(note.links.size(), 1u);
  EXPECT_EQ(note.links[0].target, "Real");
}

TEST(Parse, Tags) {
  const Note note = parse("#One text #two/three not#this #123 #Ünï #one `#code`\n\n- #记忆 #🌱x\n");
  EXPECT_EQ(note.tags, (Strings{"One", "two/three", "Ünï", "记忆", "🌱x"}));
}

TEST(Parse, DatesOfBlocks) {
  const Note note =
      parse_note("log/2026-01-05.md",
                 "intro\n\n## Update 2026-09-17\n\nnews\n\n### Detail\n\nmore\n\n## Open\n\nx\n");
  EXPECT_EQ(iso(note.date), "2026-01-05");
  EXPECT_EQ(note.blocks[0].date.source, DateSource::kFileName);
  EXPECT_EQ(iso(note.blocks[2].date), "2026-09-17");
  EXPECT_EQ(note.blocks[2].date.source, DateSource::kHeading);
  EXPECT_EQ(iso(note.blocks[4].date), "2026-09-17");
  EXPECT_EQ(iso(note.blocks[6].date), "2026-01-05");
}

TEST(Parse, DateOfFrontmatter) {  // report 25
  const Note note = parse("---\ncreated: 2025-12-23T23:02:29-08:00\nupdated: 2026-02-01\n---\nx\n");
  EXPECT_EQ(iso(note.date), "2025-12-23");
  EXPECT_EQ(note.date.source, DateSource::kFrontmatter);
}

TEST(Parse, LoneCarriageReturnIsASpaceNotALine) {
  const Note note = parse("a\rb\nc\n");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kParagraph, 1, 2}}));
  EXPECT_EQ(note.text, "a\rb\nc\n");
}

TEST(Parse, Encodings) {
  EXPECT_EQ(parse("\xEF\xBB\xBF# T\r\nx\r\n").text, "# T\nx\n");
  const std::string utf16("\xFF\xFE#\0 \0\xE9\0\n\0", 10);
  const Note wide = parse(utf16);
  EXPECT_EQ(wide.text, "# é\n");
  EXPECT_EQ(wide.warnings.size(), 1u);
  const Note broken = parse(std::string("a\xFF b\0c", 6));
  EXPECT_EQ(broken.text,
            "a\xEF\xBF\xBD b\xEF\xBF\xBD"
            "c");
  EXPECT_EQ(broken.warnings.size(), 2u);
}

TEST(Parse, LongNotesAreCutAtALineEnd) {  // report 16
  ParseOptions options;
  options.max_bytes = 10;
  const Note note = parse_note("n.md", "1234\n6789\nabcd\nefgh\n", options);
  EXPECT_EQ(note.text, "1234\n6789\n");
  ASSERT_EQ(note.warnings.size(), 1u);
  EXPECT_EQ(note.warnings[0].line, 3u);
  EXPECT_EQ(check_invariant(note), "");
}

TEST(Parse, ExcalidrawIsSkipped) {  // report 16
  const std::string data(100'000, 'x');
  const Note note = parse("---\nexcalidraw-plugin: parsed\n---\n# Text\nlabel\n```json\n{\"a\":\"" +
                              data + "\"}\n```\n",
                          "d.excalidraw.md");
  EXPECT_EQ(rows(note), (std::vector<Row>{{kHeading, 4, 4}, {kParagraph, 5, 5}}));
  EXPECT_EQ(note.warnings.size(), 1u);
  const Note line = parse("{\"type\":\"excalidraw\",\"x\":\"" + data + "\"}");
  EXPECT_TRUE(line.blocks.empty());
  EXPECT_EQ(line.warnings.size(), 1u);
}

TEST(Render, StripInline) {
  EXPECT_EQ(strip_inline("a **b** _c_ ~~d~~ ==e== `f*g` \\* 2 * 3 snake_case_x"),
            "a b c d e f*g * 2 * 3 snake_case_x");
  EXPECT_EQ(
      strip_inline("[[N]] [[N#H]] [[N|x]] ![[p.png|10]] [t](u) [a [b](c)] <https://x.y> z[^1]"),
      "N N > H x p.png t [a b] https://x.y z");
  EXPECT_EQ(strip_inline("a<br>b <b>c</b> 1 < 2"), "a b c 1 < 2");
}

}  // namespace
}  // namespace lectern::vault
