// Parsing of the command line: what is understood, and how mistakes are refused.
#include "cli/args.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lectern::cli {
namespace {

using Words = std::vector<std::string>;

Invocation parsed(const Words& words) {
  auto out = parse_args(words);
  EXPECT_TRUE(out) << (out ? "" : to_line(out.error()));
  return out ? *std::move(out) : Invocation{};
}

Error refused(const Words& words) {
  auto out = parse_args(words);
  EXPECT_FALSE(out);
  return out ? Error{} : out.error();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// ---- queries -------------------------------------------------------------------

TEST(Query, SeveralWordsAreJoinedBySpaces) {
  EXPECT_EQ(parsed({"search", "opening", "hours"}).search.query, "opening hours");
  EXPECT_EQ(parsed({"ask", "when  is", "it?"}).ask.question, "when  is it?");
  EXPECT_EQ(parsed({"search", "a", "-n", "3", "b"}).search.query, "a b");
}

TEST(Query, SyntaxCharactersAreTaken) {
  for (const char* query : {"\"",
                            "*",
                            "a AND",
                            "-",
                            "- x",
                            "-word foo",
                            "-draft \"a b\"",
                            "NEAR(",
                            "[x]",
                            "[a,b]",
                            "{}",
                            "%%",
                            "-5",
                            "-40 degrees",
                            "--- what",
                            "-\"phrase\"",
                            "\xff\xfe",
                            "-\xE6\x9D\xB1",
                            "2026-03-31",
                            "@scope/pkg",
                            "a=b",
                            "'",
                            "\\",
                            "$HOME",
                            "a\nb"}) {
    EXPECT_EQ(parsed({"search", query}).search.query, query);
    EXPECT_EQ(parsed({"search", "--", query}).search.query, query);
    EXPECT_EQ(parsed({"search", "--json", query, "-n", "2"}).search.query, query);
    EXPECT_EQ(parsed({"ask", query}).ask.question, query);
  }
}

TEST(Query, AfterTwoDashesEverythingIsText) {
  EXPECT_EQ(parsed({"search", "--", "--json"}).search.query, "--json");
  EXPECT_FALSE(parsed({"search", "--", "--json"}).json);
  EXPECT_EQ(parsed({"search", "--", "-draft", "--", "x"}).search.query, "-draft -- x");
  EXPECT_EQ(parsed({"search", "--json", "--", "x"}).search.query, "x");
}

TEST(Query, NamesOfCommandsAreWordsToo) {
  EXPECT_EQ(parsed({"search", "index", "status"}).search.query, "index status");
  EXPECT_EQ(parsed({"search", "search"}).search.query, "search");
  EXPECT_EQ(parsed({"search", "help"}).search.query, "help");
}

TEST(Query, EmptyIsRefused) {
  for (const Words& words : {Words{"search"}, Words{"search", ""}, Words{"search", " \t", "\n"},
                             Words{"search", "--"}}) {
    const Error error = refused(words);
    EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(contains(error.message, "query is empty")) << error.message;
  }
  EXPECT_TRUE(contains(refused({"ask", ""}).message, "question is empty"));
}

TEST(Query, AMistypedFlagIsNoQuery) {
  const Error error = refused({"search", "-draft"});
  EXPECT_EQ(error.where, "-draft");
  EXPECT_TRUE(contains(error.hint, "--"));
  EXPECT_TRUE(contains(refused({"search", "--foldr=My Folder", "x"}).hint, "--folder"));
}

// ---- flags ------------------------------------------------------------------------

TEST(Flags, GlobalOnesStandAnywhere) {
  const Invocation before = parsed({"--vault", "/v", "--json", "search", "x"});
  const Invocation after = parsed({"search", "x", "--json", "--vault=/v"});
  for (const Invocation& invocation : {before, after}) {
    EXPECT_EQ(invocation.search.query, "x");
    EXPECT_TRUE(invocation.json);
    EXPECT_EQ(invocation.settings.at("vault"), (Words{"/v"}));
  }
}

TEST(Flags, EveryGlobalFlag) {
  const Invocation all =
      parsed({"status", "--index", "i", "--config", "c", "--env-file", "e", "--offline",
              "--verbose", "--quiet", "--no-progress", "--color", "never"});
  EXPECT_EQ(all.settings.at("index"), (Words{"i"}));
  EXPECT_EQ(all.settings.at("config"), (Words{"c"}));
  EXPECT_EQ(all.settings.at("env_file"), (Words{"e"}));
  EXPECT_EQ(all.settings.at("offline"), (Words{"true"}));
  EXPECT_TRUE(all.verbose && all.quiet && all.no_progress);
  EXPECT_EQ(all.color, "never");
  const Invocation none = parsed({"status"});
  EXPECT_TRUE(none.settings.empty());
  EXPECT_FALSE(none.verbose || none.quiet || none.no_progress || none.json);
  EXPECT_EQ(none.color, "auto");
}

TEST(Flags, FiltersRepeat) {
  const Invocation invocation =
      parsed({"ask", "q", "--folder", "A", "--folder", "!B", "--path", "p.md", "--tag", "x",
              "--tag", "!y", "--where", "status=open", "--where", "k=a=b", "--collection", "c"});
  const Filter& filter = invocation.ask.filter;
  EXPECT_EQ(filter.folders, (Words{"A", "!B"}));
  EXPECT_EQ(filter.paths, (Words{"p.md"}));
  EXPECT_EQ(filter.tags, (Words{"x", "!y"}));
  ASSERT_EQ(filter.where.size(), 2U);
  EXPECT_EQ(filter.where[0], std::make_pair(std::string("status"), std::string("open")));
  EXPECT_EQ(filter.where[1], std::make_pair(std::string("k"), std::string("a=b")));
  EXPECT_EQ(filter.collections, (Words{"c"}));
}

TEST(Flags, ValuesAreTakenAsTheyStand) {
  EXPECT_EQ(parsed({"search", "x", "--folder", "[a,b]"}).search.filter.folders, (Words{"[a,b]"}));
  EXPECT_EQ(parsed({"search", "x", "--folder", "-dash"}).search.filter.folders, (Words{"-dash"}));
  EXPECT_EQ(parsed({"search", "x", "--folder=a b"}).search.filter.folders, (Words{"a b"}));
  EXPECT_EQ(parsed({"search", "x", "--tag=a=b"}).search.filter.tags, (Words{"a=b"}));
}

TEST(Flags, RepeatedDatesNarrow) {
  const Invocation invocation =
      parsed({"search", "q", "--after", "2026-01", "--after", "2026-03-01", "--after", "2025",
              "--before", "2027", "--before", "2026-06-01"});
  EXPECT_EQ(invocation.search.filter.after, "2026-03-01");
  EXPECT_EQ(invocation.search.filter.before, "2026-06-01");
}

TEST(Flags, BadDatesNameTheForms) {
  for (const char* date : {"yesterday", "2026-13-01", "2026-02-30", "01/02/2026", "-1"}) {
    const Error error = refused({"search", "q", "--after", date});
    EXPECT_EQ(error.where, "--after") << date;
    EXPECT_TRUE(contains(error.hint, "2026-03-14")) << date;
  }
}

TEST(Flags, Numbers) {
  EXPECT_EQ(parsed({"search", "q", "-n", "3"}).settings.at("search.limit"), (Words{"3"}));
  EXPECT_EQ(parsed({"search", "q", "-n3"}).settings.at("search.limit"), (Words{"3"}));
  EXPECT_EQ(parsed({"search", "q", "--limit=3"}).settings.at("search.limit"), (Words{"3"}));
  for (const char* bad : {"0", "-1", "1001", "99999999999999999999", "ten", "3.5", "0x3"}) {
    const Error error = refused({"search", "q", "-n", bad});
    EXPECT_EQ(error.where, "-n") << bad;
    EXPECT_TRUE(contains(error.message, "from 1 to 1000")) << bad;
  }
  EXPECT_EQ(parsed({"index", "--embed-limit", "5"}).index.embed_limit, 5U);
  for (const char* bad : {"0", "-1", "x", "1e3", "1000000001"}) {
    EXPECT_EQ(refused({"index", "--embed-limit", bad}).where, "--embed-limit") << bad;
  }
  EXPECT_EQ(refused({"index", "--no-embed", "--embed-limit", "5"}).where, "--embed-limit");
}

TEST(Flags, UnknownOnesNameTheNearest) {
  EXPECT_TRUE(contains(refused({"search", "q", "--foldr", "x"}).hint, "'--folder'"));
  EXPECT_TRUE(contains(refused({"status", "--jsn"}).hint, "'--json'"));
  EXPECT_TRUE(contains(refused({"search", "q", "--mdoe", "title"}).hint, "'--mode'"));
  EXPECT_EQ(refused({"search", "q", "--variant", "x"}).code, ErrorCode::kUnavailable);
}

TEST(Flags, OfAnotherCommandAreRefused) {
  const Error error = refused({"status", "--folder", "x"});
  EXPECT_EQ(error.where, "--folder");
  EXPECT_TRUE(contains(error.message, "no flag of status"));
  EXPECT_EQ(error.hint, "it belongs to search and ask");
}

TEST(Flags, MissingAndEmptyValues) {
  EXPECT_TRUE(contains(refused({"search", "q", "--folder"}).message, "needs a value"));
  EXPECT_TRUE(contains(refused({"search", "q", "--folder", "--json"}).message, "needs a value"));
  EXPECT_TRUE(contains(refused({"search", "q", "--folder="}).message, "needs a value"));
  EXPECT_TRUE(contains(refused({"search", "q", "--tag", ""}).message, "needs a value"));
  EXPECT_TRUE(contains(refused({"search", "q", "--json=1"}).message, "takes no value"));
}

TEST(Flags, ClosedSets) {
  for (const char* mode : {"hybrid", "keyword", "semantic", "title", "focused"}) {
    EXPECT_EQ(parsed({"search", "q", "--mode", mode}).search.mode, mode);
  }
  EXPECT_EQ(parsed({"search", "q"}).search.mode, "hybrid");
  EXPECT_TRUE(contains(refused({"search", "q", "--mode", "keywrd"}).hint, "'keyword'"));
  EXPECT_TRUE(contains(refused({"search", "q", "--mode", "zzz"}).hint, "focused"));
  EXPECT_TRUE(contains(refused({"status", "--color", "alway"}).hint, "'always'"));
  EXPECT_EQ(refused({"ask", "q", "--gate", "covrage"}).where, "--gate");
  EXPECT_EQ(parsed({"ask", "q", "--gate", "coverage"}).settings.at("gate.kind"),
            (Words{"coverage"}));
  EXPECT_EQ(refused({"search", "q", "--where", "open"}).where, "--where");
  EXPECT_EQ(refused({"search", "q", "--where", "=open"}).where, "--where");
}

// ---- commands ------------------------------------------------------------------------

TEST(Commands, IndexTakesAVaultAndItsFlags) {
  const Invocation invocation = parsed({"index", "/v", "--full", "--force-empty", "--no-embed",
                                        "--include", "a", "--include", "b", "--exclude", "c"});
  EXPECT_EQ(invocation.command, Command::kIndex);
  EXPECT_EQ(invocation.settings.at("vault"), (Words{"/v"}));
  EXPECT_EQ(invocation.settings.at("include"), (Words{"a", "b"}));
  EXPECT_EQ(invocation.settings.at("exclude"), (Words{"c"}));
  EXPECT_TRUE(invocation.index.full && invocation.index.force_empty && invocation.index.no_embed);
  EXPECT_TRUE(parsed({"index"}).settings.empty());
  EXPECT_EQ(refused({"index", "My", "Vault"}).where, "Vault");
  EXPECT_EQ(refused({"index", "/v", "--vault", "/w"}).where, "--vault");
}

TEST(Commands, GetReadsPlaces) {
  const auto place = [](const std::string& word) { return parsed({"get", word}).get; };
  EXPECT_EQ(place("a.md").path, "a.md");
  EXPECT_EQ(place("a.md").line_first, 0U);
  EXPECT_EQ(place("a.md:7").path, "a.md");
  EXPECT_EQ(place("a.md:7").line_first, 7U);
  EXPECT_EQ(place("a.md:7").line_last, 7U);
  EXPECT_EQ(place("a.md:7-12").line_first, 7U);
  EXPECT_EQ(place("a.md:7-12").line_last, 12U);
  EXPECT_EQ(place("a:b.md").path, "a:b.md");
  EXPECT_EQ(place("2026-03-14").path, "2026-03-14");
  EXPECT_EQ(place("a.md:x").path, "a.md:x");
  EXPECT_EQ(place("a.md:7-").path, "a.md:7-");
  EXPECT_EQ(place("a.md:99999999999").path, "a.md:99999999999");
  EXPECT_EQ(parsed({"get", "My", "note.md:3"}).get.path, "My note.md");
  EXPECT_EQ(parsed({"get", "My", "note.md:3"}).get_operand, "My note.md:3");
  EXPECT_EQ(parsed({"get", "--id", "ab"}).get.block_id, "ab");
  EXPECT_EQ(refused({"get", "a.md:0"}).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused({"get", "a.md:7-3"}).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused({"get"}).where, "get");
  EXPECT_EQ(refused({"get", "a.md:3", "--id", "ab"}).where, "get");
}

TEST(Commands, TheOthers) {
  EXPECT_EQ(parsed({"links", "My", "note"}).note, "My note");
  EXPECT_EQ(refused({"links"}).where, "links");
  EXPECT_EQ(parsed({"status"}).command, Command::kStatus);
  EXPECT_EQ(refused({"status", "x"}).where, "x");
  EXPECT_EQ(parsed({"config", "show"}).command, Command::kConfigShow);
  EXPECT_TRUE(contains(refused({"config"}).message, "show"));
  EXPECT_TRUE(contains(refused({"config", "shwo"}).hint, "'show'"));
  EXPECT_EQ(parsed({"completions", "fish"}).shell, "fish");
  EXPECT_TRUE(contains(refused({"completions", "bsh"}).hint, "'bash'"));
}

TEST(Commands, HelpAndVersion) {
  EXPECT_EQ(parsed({"--help"}).command, Command::kHelp);
  EXPECT_EQ(parsed({"-h"}).help_topic, "");
  EXPECT_EQ(parsed({"search", "--help"}).help_topic, "search");
  EXPECT_EQ(parsed({"help", "ask"}).help_topic, "ask");
  EXPECT_EQ(parsed({"help"}).help_topic, "");
  EXPECT_EQ(parsed({"--version"}).command, Command::kVersion);
  EXPECT_EQ(refused({}).code, ErrorCode::kInvalidArgument);
}

TEST(Commands, PlannedOnesSayNotBuiltYet) {
  for (const char* name :
       {"related", "clusters", "chunks", "doctor", "embed", "watch", "background", "serve", "mcp",
        "models", "golden", "eval", "tune", "calibrate", "init", "copy"}) {
    const Error error = refused({name});
    EXPECT_EQ(error.code, ErrorCode::kUnavailable) << name;
    EXPECT_TRUE(contains(error.message, "not built yet")) << name;
  }
}

TEST(Commands, UnknownOnesNameTheNearest) {
  EXPECT_TRUE(contains(refused({"serach", "x"}).hint, "'search'"));
  EXPECT_TRUE(contains(refused({"qqqqqq"}).hint, "--help"));
}

TEST(Json, IsSeenEvenWhenTheRestIsWrong) {
  EXPECT_TRUE(wants_json({"serach", "--json"}));
  EXPECT_FALSE(wants_json({"search", "--", "--json"}));
}

}  // namespace
}  // namespace lectern::cli
