// The invariant over generated notes, hostile notes and, when LECTERN_VAULTS names folders
// (separated by ':'), every note of real vaults.
#include "vault/invariant.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "vault/parse.h"
#include "vault/scan.h"

namespace lectern::vault {
namespace {

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string note() {
    std::string out = pick({"", "", "---\ntitle: T\n# c\nl:\n - a\n---\n", "---\nbad: [\n---\n",
                            "---\n", "\xEF\xBB\xBF"});
    const uint32_t parts = below(14);
    for (uint32_t i = 0; i < parts; ++i) {
      out += indent(construct(), prefix());
      out += pick({"\n", "\n", "\n\n", "\r\n", "\n \n", ""});
    }
    return out;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  std::string pick(const std::vector<std::string>& from) {
    return from[below(static_cast<uint32_t>(from.size()))];
  }
  std::string words() {
    std::string out;
    for (uint32_t i = below(6) + 1; i > 0; --i) {
      out +=
          pick({"word ",   "[[A|b]] ", "`x", "` ", "%%",  "<!--", "--> ", "**b** ", "#tag ", "$y$ ",
                "[t](u) ", "$$",       "\\", "| ", "^id", "[^1]", "é ",   "<b> ",   "\r",    "\t"});
    }
    return out;
  }
  std::string construct() {
    return pick({words(),
                 words() + "\n" + words(),
                 "# " + words(),
                 words() + "\n===",
                 words() + "\n---",
                 "- " + words() + "\n  - " + words() + "\n\n  " + words(),
                 "1. " + words() + "\n2) " + words(),
                 "> " + words() + "\n> \n> " + words(),
                 "> [!note] " + words() + "\n> - a\n> - b\n" + words(),
                 "| a | b |\n|---|---|\n| " + words() + " | c |\n" + words(),
                 "```\n# " + words() + "\n```",
                 "~~~~ " + words() + "\n- x\n",
                 "    code\n\n    more",
                 "$$\n- x\n\ny\n$$",
                 "<div>\n" + words() + "\n\n</div>",
                 "[^n]: " + words() + "\n    more",
                 "[r]: " + words() + "\n\"t\"",
                 "***",
                 "^anchor",
                 "%%\n" + words() + "\n\n%%",
                 "<!-- " + words() + "\n\n -->",
                 "-",
                 "- - - x",
                 "- ```\n  c\n",
                 "<pre>\n\n" + words(),
                 "a | b\n- | -\n",
                 "* * *\n" + words(),
                 "+\n\n  " + words()});
  }
  std::string prefix() { return pick({"", "", "", "> ", "- ", "  ", "\t", "> > ", "    ", "1. "}); }
  static std::string indent(const std::string& text, const std::string& by) {
    std::string out = by;
    const std::string rest = by.find_first_of("-1") == std::string::npos ? by : "  ";
    for (const char c : text) {
      out.push_back(c);
      if (c == '\n') out += rest;
    }
    return out;
  }

  std::mt19937 random_;
};

TEST(Invariant, HoldsForGeneratedNotes) {
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    const std::string text = Generator(seed).note();
    const Note note = parse_note("n.md", text);
    ASSERT_EQ(check_invariant(note), "") << "seed " << seed << ":\n" << text;
    for (const Block& block : note.blocks) {
      ASSERT_EQ(visible_text(note, block).size(), note.block_text(block).size());
      (void)plain_text(note, block);
    }
  }
}

TEST(Invariant, SeesWhatIsBroken) {
  const Note good = parse_note("n.md", "# A\n\ntext\nmore\n\n- x\n");
  ASSERT_EQ(check_invariant(good), "");
  Note lost = good;
  lost.blocks.pop_back();
  EXPECT_NE(check_invariant(lost), "");
  Note twice = good;
  twice.skips.push_back({SkipKind::kOther, 3, 3});
  EXPECT_NE(check_invariant(twice), "");
  Note beyond = good;
  beyond.blocks.back().span.line_last = 9;
  EXPECT_NE(check_invariant(beyond), "");
  Note partial = good;
  --partial.blocks[1].span.byte_end;
  EXPECT_NE(check_invariant(partial), "");
  Note forward = good;
  forward.blocks[0].parent = 2;
  EXPECT_NE(check_invariant(forward), "");
}

std::string repeated(const std::string& unit, size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += unit;
  return out;
}

// Each of these is quadratic or overflows the stack in a naive parser; here they end.
TEST(Invariant, HoldsForHostileNotes) {
  for (const std::string& unit : std::vector<std::string>{
           "[",    ">",     "*",   "- ",         "- - - -\n", "`",      "![](",     "[[",
           "<",    "%%",    "$",   "|",          "1) ",       "[^1]: ", "[a]: b\n", "> [!a]\n",
           "<?\n", "- a\n", "#\n", "a\n|-|-|\n", "\r",        "~~~\n"}) {
    const Note note = parse_note("n.md", repeated(unit, 200'000));
    EXPECT_EQ(check_invariant(note), "") << unit;
    for (const Block& block : note.blocks) (void)plain_text(note, block);
  }
  std::string nested;
  for (size_t i = 0; i < 500; ++i) nested += std::string(2 * i, ' ') + "- a\n";
  EXPECT_EQ(check_invariant(parse_note("n.md", nested + repeated("\n", 50'000) + "end")), "");
  std::string table = repeated("|a", 60'000) + "|\n" + repeated("|-", 60'000) + "|\n";
  EXPECT_EQ(check_invariant(parse_note("n.md", table + repeated("|\n", 60'000))), "");
}

TEST(Invariant, HoldsForRealVaults) {
  const char* vaults = std::getenv("LECTERN_VAULTS");
  if (vaults == nullptr) GTEST_SKIP() << "LECTERN_VAULTS is not set";
  std::istringstream list(vaults);
  for (std::string vault; std::getline(list, vault, ':');) {
    const Result<ScanResult> scanned = scan(vault, {});
    ASSERT_TRUE(scanned.has_value()) << vault;
    for (const ScannedFile& file : scanned->files) {
      const Result<FileBytes> read = read_file(vault + "/" + file.path, 16u << 20);
      ASSERT_TRUE(read.has_value()) << file.path;
      EXPECT_EQ(check_invariant(parse_note(file.path, read->bytes)), "") << file.path;
    }
  }
}

}  // namespace
}  // namespace lectern::vault
