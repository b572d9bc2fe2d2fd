// Text for people: nothing from a note reaches the terminal as a command, widths and cuts
// are right, and each reply shows what it must.
#include "cli/views.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/utf8.h"
#include "cli/commands.h"

namespace lectern::cli {
namespace {

const Style kPlain{false, 80};
const Style kColor{true, 80};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Every byte sequence a terminal could act on, in the places a note's author controls.
const std::string kEvil =
    "A\x1b[31mB\x1b]0;title\x07"
    "C\x9b"
    "31mD\x7f\x08\rE\u009b2J\u202EF\xff";

bool is_harmless(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text, at);
    const bool control = next.code < 0x20 || (next.code >= 0x7F && next.code < 0xA0);
    if (!next.valid || (control && next.code != '\n' && next.code != '\t')) return false;
    if (next.code == 0x202E || next.code == 0x202D) return false;
    at += next.bytes;
  }
  return true;
}

TEST(SafeText, ControlsAreReplaced) {
  EXPECT_FALSE(is_harmless(kEvil));
  EXPECT_TRUE(is_harmless(safe_text(kEvil)));
  EXPECT_EQ(safe_text("a\x1b[1mb"), "a\uFFFD[1mb");
  EXPECT_EQ(safe_text("a\u009bb\x9b"
                      "c"),
            "a\uFFFDb\uFFFDc");
  EXPECT_EQ(safe_text("a\tb\nc\rd"), "a\tb\nc d");
  EXPECT_EQ(safe_line("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(safe_text("na\u00EFve \u6771\u4EAC \U0001F600"), "na\u00EFve \u6771\u4EAC \U0001F600");
  EXPECT_EQ(safe_text(std::string_view("\0x", 2)), "\uFFFDx");
}

TEST(SafeText, EveryViewIsHarmless) {
  SearchReply search;
  search.query = kEvil;
  SearchResult result;
  result.path = result.title = result.text = kEvil;
  result.heading = {kEvil};
  result.highlights = {{3, kEvil}};
  search.results = {result};
  search.abstain = Abstention{"gate", "x", kEvil, {{kEvil, 1, 2, kEvil, kEvil}}};
  TraceCandidate candidate;
  candidate.path = candidate.drop_reason = candidate.decision = kEvil;
  search.trace = Trace{{{kEvil, 1, {{kEvil, kEvil}}, {candidate}}}};
  EXPECT_TRUE(is_harmless(view_search(search, kPlain)));

  AskReply ask;
  ask.answered = true;
  ask.answer = kEvil;
  ask.citations = {{1, kEvil, 1, 1, kEvil, {}, "", "", "", ""}};
  ask.superseded = {{kEvil, 1, 1, kEvil, 1}};
  ask.gaps = {kEvil};
  EXPECT_TRUE(is_harmless(view_ask(ask, kPlain)));
  ask.answered = false;
  ask.abstain = search.abstain;
  EXPECT_TRUE(is_harmless(view_ask(ask, kPlain)));

  GetReply get;
  get.lines = {{1, kEvil}};
  EXPECT_TRUE(is_harmless(view_get(get, kPlain)));
  LinksReply links;
  links.path = kEvil;
  links.outgoing = {{kEvil, kEvil, kEvil, kEvil, kEvil, true, 1, "ambiguous", {kEvil, "b"}}};
  links.backlinks = {{kEvil, 1, kEvil}};
  EXPECT_TRUE(is_harmless(view_links(links, kPlain)));
  StatusReply status;
  status.vault_path = status.index_path = status.chunk_sizing = kEvil;
  status.embeddings.model = kEvil;
  EXPECT_TRUE(is_harmless(view_status(status, kPlain)));
  EXPECT_TRUE(is_harmless(view_warning({kEvil, 3, kEvil})));
}

TEST(Width, ColumnsOfAnyScript) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\u6771\u4EAC"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\uD55C\uAD6D"), 4U);
}

TEST(Wrap, AtSpacesBetweenCharactersAndInsideLongWords) {
  EXPECT_EQ(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("a\nb", 8), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("\u6771\u4EAC\u5927\u5B66", 5),
            (std::vector<std::string>{"\u6771\u4EAC", "\u5927\u5B66"}));
  EXPECT_EQ(wrap("", 8), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("ab cd", 5), (std::vector<std::string>{"ab cd"}));
}

TEST(Wrap, NoLineIsTooWideAndNothingIsLost) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += i % 7 == 0 ? "longer-word-here " : "\u6771 ab ";
  std::string joined, wanted;
  for (const std::string& line : wrap(text, 20)) {
    EXPECT_LE(display_width(line), 20U);
    for (const char c : line) {
      if (c != ' ') joined.push_back(c);
    }
  }
  for (const char c : text) {
    if (c != ' ') wanted.push_back(c);
  }
  EXPECT_EQ(joined, wanted);
}

TEST(Fit, CutsWithAnEllipsis) {
  EXPECT_EQ(fit("abcdef", 6), "abcdef");
  EXPECT_EQ(fit("abcdef", 5), "abcd…");
  EXPECT_EQ(fit("\u6771\u4EAC\u5927", 5), "\u6771\u4EAC…");
}

TEST(Numbers, ForPeople) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1234567), "1,234,567");
  EXPECT_EQ(count(1, "note"), "1 note");
  EXPECT_EQ(count(2000, "note"), "2,000 notes");
  EXPECT_EQ(bytes(999), "999 bytes");
  EXPECT_EQ(bytes(1500), "1.5 kB");
  EXPECT_EQ(bytes(4200000), "4.2 MB");
  EXPECT_EQ(place("a.md", 4, 4), "a.md:4");
  EXPECT_EQ(place("a.md", 4, 9), "a.md:4-9");
  EXPECT_EQ(place("a.md", 0, 0), "a.md");
}

TEST(Excerpt, PaintsTheWordsAndNoOthers) {
  const auto words = query_words("the Probe");
  EXPECT_EQ(excerpt("  the probe failed", words, kColor, 10), "the \x1b[1;33mprobe\x1b[0m failed");
  EXPECT_EQ(excerpt("the probe failed", words, kPlain, 10), "the probe failed");
  EXPECT_EQ(excerpt("probes", words, kColor, 10), "probes");
}

TEST(Excerpt, ShowsTheFirstMatchOfALongLine) {
  std::string line;
  for (int i = 0; i < 100; ++i) line += "filler ";
  line += "needle tail";
  const std::string shown = excerpt(line, query_words("needle"), kPlain, 10);
  EXPECT_TRUE(contains(shown, "needle"));
  EXPECT_TRUE(shown.starts_with("…"));
  EXPECT_LE(display_width(shown), 70U);
}

TEST(Excerpt, AHugeLineIsBounded) {
  const std::string shown = excerpt(std::string(8u << 20, 'x'), query_words("x"), kPlain, 10);
  EXPECT_LE(display_width(shown), 70U);
}

TEST(ViewSearch, RankPlaceTrailAndLines) {
  SearchReply reply;
  reply.query = "probe";
  SearchResult result;
  result.rank = 1;
  result.path = "Ops/Gateway.md";
  result.title = "Gateway";
  result.heading = {"Incidents", "INC-0417"};
  result.line_first = 41;
  result.line_last = 47;
  result.highlights = {{43, "The probe timed out."}};
  reply.results = {result};
  EXPECT_EQ(view_search(reply, kPlain),
            " 1  Ops/Gateway.md:41-47  Gateway › Incidents › INC-0417\n"
            "       43  The probe timed out.\n");
}

TEST(ViewSearch, WithoutHighlightsTheFirstLineAndWithoutResultsSoSaid) {
  SearchReply reply;
  reply.query = "zzz";
  EXPECT_EQ(view_search(reply, kPlain), "Nothing found for zzz\n");
  SearchResult result;
  result.rank = 1;
  result.path = "a.md";
  result.title = "T";
  result.heading = {"T"};
  result.line_first = result.line_last = 1;
  result.text = "\n  First line\nsecond";
  reply.results = {result};
  EXPECT_EQ(view_search(reply, kPlain), " 1  a.md:1  T\n           First line\n");
}

TEST(ViewAsk, AnswerThenSources) {
  AskReply reply;
  reply.answered = true;
  reply.answer = "It drained [1].";
  reply.citations = {{1, "a.md", 4, 5, "It\ndrained.", {}, "", "", "", ""}};
  EXPECT_EQ(view_ask(reply, kPlain), "It drained [1].\n\n[1] a.md:4-5  \"It drained.\"\n");
}

TEST(ViewAsk, AbstentionSaysWhyAndTheNearest) {
  AskReply reply;
  reply.abstain = Abstention{
      "gate", "insufficient", "nothing on salary", {{"a.md", 4, 4, "Jonas pays 225", "no salary"}}};
  EXPECT_EQ(view_ask(reply, kPlain),
            "NOT_IN_NOTES\nnothing on salary\n\nNearest:\n  a.md:4\n    \"Jonas pays 225\"\n"
            "    no salary\n");
}

TEST(ViewGet, NumbersLineUp) {
  GetReply reply;
  reply.line_first = 9;
  reply.line_last = 10;
  reply.lines = {{9, "nine"}, {10, ""}};
  EXPECT_EQ(view_get(reply, kPlain), "   9  nine\n  10\n");
}

TEST(ViewLinks, GroupsByKind) {
  LinksReply reply;
  reply.path = "a.md";
  reply.outgoing = {{"b", "b.md", "H", "", "", false, 4, "resolved", {}},
                    {"Al", "c.md", "", "", "", true, 5, "alias", {}},
                    {"gone", "", "", "", "", false, 6, "unresolved", {}},
                    {"d", "d.md", "", "", "", false, 7, "ambiguous", {"d.md", "x/d.md"}}};
  reply.backlinks = {{"z.md", 9, "to [[a]]"}};
  EXPECT_EQ(view_links(reply, kPlain),
            "a.md\n"
            "\nOutgoing (2)\n      4  [[b#H]]  b.md\n      5  ![[Al]]  c.md  by alias\n"
            "\nAmbiguous (1)\n      7  [[d]]  d.md\n         or x/d.md\n"
            "\nUnresolved (1)\n      6  [[gone]]\n"
            "\nBacklinks (1)\n  z.md:9\n       to [[a]]\n");
}

TEST(ViewStatus, SaysThatNoModelIsInstalled) {
  EXPECT_TRUE(
      contains(view_status({}, kPlain), "no model installed: keyword and title lanes only"));
}

TEST(ViewIndex, OneLine) {
  IndexReport report;
  report.seen = 1200;
  report.added = 12;
  report.unchanged = 1188;
  report.chunks_total = 5400;
  report.links = {812, 798, 14, 0};
  report.seconds = 2.3;
  EXPECT_EQ(view_index(report, kPlain),
            "1,200 notes: 12 added, 1,188 unchanged; 5,400 chunks, 812 links (14 unresolved); "
            "2.30 s\n");
}

TEST(ViewConfig, OneLineASetting) {
  LoadedConfig loaded;
  for (const Setting& setting : settings()) {
    loaded.origin[std::string(setting.name)] = "default";
  }
  const std::string text = view_config(loaded, kPlain);
  size_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, settings().size());
  EXPECT_TRUE(contains(text, "keyword.k1"));
}

TEST(Help, NamesEveryCommandAndItsFlags) {
  const std::string all = help_text("");
  for (const CommandInfo& command : commands()) EXPECT_TRUE(contains(all, command.name));
  const std::string search = help_text("search");
  for (const Flag& flag : flags()) {
    EXPECT_EQ(contains(search, std::string(flag.name) + " ") ||
                  contains(search, std::string(flag.name) + "\n"),
              belongs_to(flag, "search"))
        << flag.name;
  }
}

// The shells themselves check the syntax, where they are installed.
bool shell_accepts(const std::string& shell, const std::string& check) {
  std::string path = std::string(::testing::TempDir()) + "/lectern-completion-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) return false;
  ::close(file);
  std::ofstream(path) << completion_script(shell);
  const bool ok = std::system((check + " '" + path + "'").c_str()) == 0;
  ::unlink(path.c_str());
  return ok;
}

bool is_installed(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) == 0;
}

TEST(Completions, BashAcceptsAndCompletes) {
  if (!is_installed("bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_TRUE(shell_accepts("bash", "bash -n"));
  const std::string run =
      "bash -c 'source \"$0\"; "
      "COMP_WORDS=(lectern sea); COMP_CWORD=1; _lectern; "
      "[[ \"${COMPREPLY[*]}\" == search ]] || exit 1; "
      "COMP_WORDS=(lectern --vault x search --mode ti); COMP_CWORD=5; _lectern; "
      "[[ \"${COMPREPLY[*]}\" == title ]] || exit 2; "
      "COMP_WORDS=(lectern --vault x search --fol); COMP_CWORD=4; _lectern; "
      "[[ \"${COMPREPLY[*]}\" == --folder ]] || exit 3; "
      "COMP_WORDS=(lectern status --fol); COMP_CWORD=2; _lectern; "
      "[[ -z \"${COMPREPLY[*]}\" ]] || exit 4; "
      "COMP_WORDS=(lectern completions z); COMP_CWORD=2; _lectern; "
      "[[ \"${COMPREPLY[*]}\" == zsh ]] || exit 5'";
  EXPECT_TRUE(shell_accepts("bash", run));
}

TEST(Completions, ZshAccepts) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  EXPECT_TRUE(shell_accepts("zsh", "zsh -n"));
}

TEST(Completions, FishAccepts) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  EXPECT_TRUE(shell_accepts("fish", "fish --no-execute"));
}

TEST(Completions, EveryFlagStandsInEveryScript) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const Flag& flag : flags()) {
      const std::string wanted = std::string(shell) == "fish"
                                     ? "-l " + std::string(flag.name.substr(2))
                                     : std::string(flag.name);
      EXPECT_TRUE(contains(script, wanted)) << shell << " " << flag.name;
    }
  }
}

}  // namespace
}  // namespace lectern::cli
