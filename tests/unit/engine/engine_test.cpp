// The Engine over small vaults on disk: freshness at reply time, filters, abstention,
// reading calls. What a front end sees.
#include "lectern/engine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace lectern {
namespace {

namespace fs = std::filesystem;

class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "lectern-engine-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
    fs::create_directories(root_ / "vault");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const fs::path file = root_ / "vault" / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  Config config() const {
    Config config;
    config.vault = (root_ / "vault").string();
    config.vault_name = "vault";
    config.index = (root_ / "data" / "index.db").string();
    return config;
  }

  Engine indexed() {
    auto engine = Engine::open(config());
    EXPECT_TRUE(engine.has_value());
    const auto report = engine->index({});
    EXPECT_TRUE(report.has_value()) << (report ? "" : to_line(report.error()));
    return *std::move(engine);
  }

  static SearchReply search(const Engine& engine, SearchRequest request) {
    auto reply = engine.search(request);
    EXPECT_TRUE(reply.has_value()) << (reply ? "" : to_line(reply.error()));
    return reply ? *std::move(reply) : SearchReply{};
  }
  static AskReply ask(const Engine& engine, const std::string& question) {
    AskRequest request;
    request.question = question;
    auto reply = engine.ask(request);
    EXPECT_TRUE(reply.has_value()) << (reply ? "" : to_line(reply.error()));
    return reply ? *std::move(reply) : AskReply{};
  }

  fs::path root_;
};

TEST_F(EngineTest, WithoutAnIndexEveryReadSaysHowToMakeOne) {
  write("a.md", "text");
  const auto engine = Engine::open(config());
  ASSERT_TRUE(engine.has_value());
  const auto reply = engine->search({.query = "text"});
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code, ErrorCode::kNoIndex);
  EXPECT_NE(reply.error().hint.find("lectern index"), std::string::npos);
  EXPECT_FALSE(fs::exists(root_ / "data" / "index.db"));
}

TEST_F(EngineTest, AnswersWithTheLineOfTheClaim) {
  write("Dome.md",
        "---\nowner: Mira\ntags: [dome]\nstate: open\n---\n# Dome\n\nThe dome turns by hand.\n\n"
        "## Motor\n\nIt was quiet. The dome motor draws 340 watts at full speed.\n");
  write("Bread.md", "# Bread\n\nRye bakes at 230 degrees.\n");
  const Engine engine = indexed();
  const AskReply reply = ask(engine, "How many watts does the dome motor draw?");
  ASSERT_TRUE(reply.answered);
  ASSERT_FALSE(reply.citations.empty());
  EXPECT_EQ(reply.citations[0].path, "Dome.md");
  EXPECT_EQ(reply.citations[0].line_first, 12U);
  EXPECT_EQ(reply.citations[0].line_last, 12U);
  EXPECT_EQ(reply.citations[0].quote, "The dome motor draws 340 watts at full speed.");
}

TEST_F(EngineTest, AbstainsWhenTheAttributeIsMissing) {
  write("People.md", "# Jonas\n\nJonas owns the drawing licence, which costs 225 a month.\n");
  write("Other.md", "# Budget\n\nThe studio pays rent each month.\n");
  const AskReply reply = ask(indexed(), "What is Jonas's salary?");
  EXPECT_FALSE(reply.answered);
  EXPECT_EQ(reply.answer, "NOT_IN_NOTES");
  EXPECT_TRUE(reply.citations.empty());
  ASSERT_TRUE(reply.abstain.has_value());
  ASSERT_FALSE(reply.abstain->nearest.empty());
  EXPECT_EQ(reply.abstain->nearest[0].path, "People.md");
  EXPECT_NE(reply.abstain->nearest[0].why_not.find("salary"), std::string::npos);
}

TEST_F(EngineTest, CitesAChangedNoteAsItStandsNow) {
  write("a.md", "# A\n\nThe gate code is 4711.\n");
  const Engine engine = indexed();
  write("a.md", "# A\n\nA new line above.\n\nThe gate code is 4711.\n");
  const AskReply reply = ask(engine, "What is the gate code?");
  ASSERT_TRUE(reply.answered);
  EXPECT_EQ(reply.citations[0].line_first, 5U);
  EXPECT_EQ(reply.citations[0].quote, "The gate code is 4711.");
}

TEST_F(EngineTest, NeverCitesWhatWasTakenOutSinceIndexing) {
  write("a.md", "# A\n\nThe gate code is 4711.\n");
  write("b.md", "# B\n\nNothing here.\n");
  const Engine engine = indexed();
  write("a.md", "# A\n\nIt was removed.\n");
  EXPECT_FALSE(ask(engine, "What is the gate code?").answered);
  fs::remove(root_ / "vault" / "a.md");
  EXPECT_TRUE(search(engine, {.query = "4711"}).results.empty());
}

TEST_F(EngineTest, AnUnreachableVaultIsSearchedFromTheIndexButNeverCited) {
  write("a.md", "# A\n\nThe gate code is 4711.\n");
  const Engine engine = indexed();
  fs::rename(root_ / "vault", root_ / "gone");
  const SearchReply found = search(engine, {.query = "4711"});
  ASSERT_EQ(found.results.size(), 1U);
  EXPECT_EQ(found.degraded, std::vector<std::string>{"vault"});
  const AskReply reply = ask(engine, "What is the gate code?");
  EXPECT_FALSE(reply.answered);
  ASSERT_TRUE(reply.abstain.has_value());
  EXPECT_EQ(reply.abstain->reason, "error");
}

TEST_F(EngineTest, AFilterActsBeforeTheCut) {
  for (int i = 0; i < 300; ++i) {
    write("Log/n" + std::to_string(i) + ".md", "# Log\n\nfirmware firmware firmware update\n");
  }
  write("Ops/one.md", "# One\n\nA long note that speaks of many things and of firmware once.\n");
  const SearchReply reply =
      search(indexed(), {.query = "firmware", .filter = {.folders = {"Ops"}}});
  ASSERT_EQ(reply.results.size(), 1U);
  EXPECT_EQ(reply.results[0].path, "Ops/one.md");
}

TEST_F(EngineTest, FiltersWidenByFolderAndNarrowByTagWhereAndDate) {
  write("A/x.md", "---\ntags: [red, ops/net]\nowner: Mira\n---\nlamp\n");
  write("B/y.md", "---\ntags: [red]\nowner: Tom\n---\nlamp\n");
  write("C/2026-03-14.md", "lamp\n");
  write("Ax/z.md", "lamp\n");
  const Engine engine = indexed();
  const auto paths = [&](Filter filter) {
    std::string out;
    for (const auto& result :
         search(engine, {.query = "lamp", .filter = std::move(filter)}).results) {
      if (out.find(result.path) == std::string::npos) out += result.path + " ";
    }
    return out;
  };
  EXPECT_EQ(paths({.folders = {"A"}}), "A/x.md ");
  EXPECT_EQ(paths({.folders = {"./A/"}, .tags = {"#red"}}), "A/x.md ");
  EXPECT_EQ(paths({.tags = {"red", "!ops"}}), "B/y.md ");
  EXPECT_EQ(paths({.where = {{"Owner", "tom"}}}), "B/y.md ");
  EXPECT_EQ(paths({.after = "2026-03-14", .before = "2026-03-15"}), "C/2026-03-14.md ");
  EXPECT_EQ(paths({.after = "2026-03-15"}), "");
  EXPECT_EQ(paths({.before = "2026-03-14"}), "");
  const auto bad = engine.search({.query = "lamp", .filter = {.after = "soon"}});
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(EngineTest, ExclusionsBindTheTitleLaneToo) {
  write("Firmware.md", "# Firmware\n\nbroken release\n");
  write("Notes.md", "# Notes\n\nfirmware is fine\n");
  const SearchReply reply = search(indexed(), {.query = "firmware -broken"});
  ASSERT_EQ(reply.results.size(), 1U);
  EXPECT_EQ(reply.results[0].path, "Notes.md");
}

TEST_F(EngineTest, GetGivesNumberedLinesAndRefusesLinesPastTheEnd) {
  write("Sub/Note.md", "\xEF\xBB\xBFone\r\ntwo\r\nthree");
  const Engine engine = indexed();
  const auto reply = engine.get({.path = "sub/note", .line_first = 2, .line_last = 9});
  ASSERT_TRUE(reply.has_value()) << to_line(reply.error());
  EXPECT_EQ(reply->path, "Sub/Note.md");
  ASSERT_EQ(reply->lines.size(), 2U);
  EXPECT_EQ(reply->lines[0].text, "two");
  EXPECT_EQ(reply->lines[1].line, 3U);
  EXPECT_FALSE(reply->warnings.empty());
  EXPECT_FALSE(engine.get({.path = "sub/note", .line_first = 4, .line_last = 4}).has_value());
  EXPECT_FALSE(engine.get({.path = "../../etc/passwd"}).has_value());
}

TEST_F(EngineTest, GetFindsACitedBlockAfterItMoved) {
  write("a.md", "# A\n\nThe gate code is 4711.\n");
  const Engine engine = indexed();
  const AskReply reply = ask(engine, "What is the gate code?");
  ASSERT_TRUE(reply.answered);
  write("a.md", "# A\n\nAbove.\n\nThe gate code is 4711.\n");
  const auto moved = engine.get({.block_id = reply.citations[0].block_id});
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->line_first, 5U);
  write("a.md", "# A\n\nThe gate code is 9999.\n");
  const auto changed = engine.get({.block_id = reply.citations[0].block_id});
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code, ErrorCode::kNotFound);
}

TEST_F(EngineTest, LinksTellsResolvedAmbiguousAndBacklinks) {
  write("a/Note.md", "x\n");
  write("b/Note.md", "y\n");
  write("Hub.md", "See [[Note]] and [[Missing]].\n\nBack to [[Hub]].\n");
  const auto reply = indexed().links("Hub");
  ASSERT_TRUE(reply.has_value());
  ASSERT_EQ(reply->outgoing.size(), 3U);
  EXPECT_EQ(reply->outgoing[0].kind, "ambiguous");
  EXPECT_EQ(reply->outgoing[0].path, "a/Note.md");
  EXPECT_EQ(reply->outgoing[0].candidates.size(), 2U);
  EXPECT_EQ(reply->outgoing[1].kind, "unresolved");
  ASSERT_EQ(reply->backlinks.size(), 1U);
  EXPECT_EQ(reply->backlinks[0].line, 3U);
  EXPECT_EQ(reply->backlinks[0].text, "Back to [[Hub]].");
}

}  // namespace
}  // namespace lectern
