// Indexing runs over small vaults: what is counted, what stays, what is refused, and that
// however an index came about it holds the same.
#include "index/indexer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "store/writer_lock.h"
#include "test_vault.h"

namespace lectern::index {
namespace {

void fill(const TestVault& vault) {
  vault.write("Drinks/Tea.md", "---\naliases: [Cha]\n---\n# Tea\nGreen tea, see [[Coffee]].\n");
  vault.write("Drinks/Coffee.md", "# Coffee\nBeans, not [[Tea]] nor [[Missing]].\n");
  vault.write("Ops/Deploy.md", "# Deploy\nRun alpha then beta. ![[map.png]]\n");
  vault.write("Ops/Notes.md", "Notes on [coffee](../Drinks/Coffee.md) and [[Cha]].\n");
  vault.write("Inbox.md", "- tea\n- coffee beans\n");
  vault.write("map.png", "not really");
}

TEST(Indexer, CountsWhatItDid) {
  const TestVault vault;
  fill(vault);
  const IndexReport first = vault.index();
  EXPECT_EQ(first.seen, 5U);
  EXPECT_EQ(first.added, 5U);
  EXPECT_EQ(first.unchanged + first.changed + first.moved + first.deleted + first.failed, 0U);
  EXPECT_GE(first.chunks_total, 5U);
  EXPECT_EQ(first.chunks_added, first.chunks_total);
  EXPECT_EQ(first.chunks_deleted, 0U);
  // [[Coffee]], [[Tea]], ![[map.png]], [coffee](...) lead somewhere; [[Missing]] does not,
  // nor does the bare alias [[Cha]].
  EXPECT_EQ(first.links.total, 6U);
  EXPECT_EQ(first.links.resolved, 4U);
  EXPECT_EQ(first.links.unresolved, 2U);
  EXPECT_EQ(first.links.ambiguous, 0U);
  EXPECT_TRUE(first.warnings.empty());

  const IndexReport again = vault.index();
  EXPECT_EQ(again.unchanged, 5U);
  EXPECT_EQ(again.added + again.changed + again.moved + again.deleted, 0U);
  EXPECT_EQ(again.chunks_added + again.chunks_deleted, 0U);
  EXPECT_EQ(again.chunks_total, first.chunks_total);
  EXPECT_EQ(again.links.resolved, 4U);
}

TEST(Indexer, AnEditReplacesOnlyItsOwnChunks) {
  const TestVault vault;
  fill(vault);
  const IndexReport first = vault.index();
  vault.write("Inbox.md", "- tea\n- coffee beans\n- alpha\n");
  const IndexReport second = vault.index();
  EXPECT_EQ(second.changed, 1U);
  EXPECT_EQ(second.unchanged, 4U);
  EXPECT_EQ(second.chunks_added, 1U);
  EXPECT_EQ(second.chunks_deleted, 1U);
  EXPECT_EQ(second.chunks_total, first.chunks_total);
}

TEST(Indexer, FileByFileHoldsTheSameAsAtOnce) {
  const TestVault at_once, by_file;
  fill(at_once);
  at_once.index();
  by_file.write("Ops/Notes.md", "Something else about [[Deploy]] at first.\n");
  by_file.index();
  by_file.write("map.png", "not really");
  by_file.write("Inbox.md", "- tea\n- coffee beans\n");
  by_file.index();
  by_file.write("Ops/Deploy.md", "# Deploy\nRun alpha then beta. ![[map.png]]\n");
  by_file.index();
  by_file.write("Gone.md", "coffee coffee coffee [[Tea]]\n");
  by_file.write("Drinks/Coffee.md", "# Coffee\nBeans, not [[Tea]] nor [[Missing]].\n");
  by_file.index();
  by_file.write("Drinks/Tea.md", "---\naliases: [Cha]\n---\n# Tea\nGreen tea, see [[Coffee]].\n");
  by_file.index();
  by_file.remove("Gone.md");
  by_file.index();
  by_file.write("Ops/Notes.md", "Notes on [coffee](../Drinks/Coffee.md) and [[Cha]].\n");
  by_file.index();
  EXPECT_EQ(by_file.contents(), at_once.contents());
  EXPECT_EQ(by_file.integrity(), "ok");
}

TEST(Indexer, ManySmallRunsKeepFewSegments) {
  const TestVault vault;
  for (int i = 0; i < 40; ++i) {
    vault.write("n" + std::to_string(i) + ".md", "alpha " + std::to_string(i) + "\n");
    vault.index();
    const auto store = vault.store();
    ASSERT_LE((*store->read())->segments()->size(), 12U);
  }
  const TestVault at_once;
  for (int i = 0; i < 40; ++i) {
    at_once.write("n" + std::to_string(i) + ".md", "alpha " + std::to_string(i) + "\n");
  }
  at_once.index();
  EXPECT_EQ(vault.contents(), at_once.contents());
}

TEST(Indexer, AMovedNoteKeepsItsIdentity) {
  const TestVault vault;
  fill(vault);
  vault.index();
  const auto id = [&](const std::string& path) {
    return *(*vault.store()->read())->find_note(path);
  };
  const auto before = id("Inbox.md");
  vault.rename("Inbox.md", "Archive/Old/Inbox.md");
  const IndexReport report = vault.index();
  EXPECT_EQ(report.moved, 1U);
  EXPECT_EQ(report.added + report.deleted + report.changed, 0U);
  EXPECT_EQ(report.unchanged, 4U);
  EXPECT_EQ(id("Archive/Old/Inbox.md"), before);
  EXPECT_EQ(id("Inbox.md"), std::nullopt);
}

TEST(Indexer, ARenamedFolderMovesAllOfIt) {
  const TestVault vault;
  for (int i = 0; i < 25; ++i) {
    vault.write("old/n" + std::to_string(i) + ".md", "note " + std::to_string(i) + "\n");
  }
  vault.index();
  vault.rename("old", "new");
  const IndexReport report = vault.index();
  EXPECT_EQ(report.moved, 25U);
  EXPECT_EQ(report.deleted, 0U);
}

TEST(Indexer, EqualFilesAreMovedByName) {
  const TestVault vault;
  for (const char* path : {"a/One.md", "a/Two.md", "keep.md"}) vault.write(path, "same\n");
  vault.index();
  const auto find = [&](const std::string& path) {
    return *(*vault.store()->read())->find_note(path);
  };
  const auto one = find("a/One.md"), two = find("a/Two.md");
  vault.rename("a", "b");
  EXPECT_EQ(vault.index().moved, 2U);
  EXPECT_EQ(find("b/One.md"), one);
  EXPECT_EQ(find("b/Two.md"), two);
}

TEST(Indexer, RenamingATargetOpensAndClosesLinks) {
  const TestVault vault;
  fill(vault);
  vault.index();
  vault.rename("Drinks/Coffee.md", "Drinks/Mocha.md");
  IndexReport report = vault.index();
  // [[Coffee]] and [coffee](../Drinks/Coffee.md) lead nowhere now.
  EXPECT_EQ(report.links.resolved, 2U);
  vault.write("Missing.md", "here\n");
  EXPECT_EQ(vault.index().links.resolved, 3U);
  vault.rename("Drinks/Mocha.md", "Coffee.md");
  report = vault.index();
  // By name again, but not by the path of the Markdown link.
  EXPECT_EQ(report.links.resolved, 4U);
  vault.remove("map.png");
  EXPECT_EQ(vault.index().links.resolved, 3U);
}

TEST(Indexer, ASecondNoteOfTheSameNameMakesLinksAmbiguous) {
  const TestVault vault;
  vault.write("from/A.md", "[[Target]]\n");
  vault.write("x/Target.md", "1\n");
  EXPECT_EQ(vault.index().links.resolved, 1U);
  vault.write("y/Target.md", "2\n");
  EXPECT_EQ(vault.index().links.ambiguous, 1U);
  vault.remove("x/Target.md");
  const IndexReport report = vault.index();
  EXPECT_EQ(report.links.resolved, 1U);
  EXPECT_EQ(report.deleted, 1U);
}

TEST(Indexer, ATouchedFileIsOnlyHashed) {
  const TestVault vault;
  fill(vault);
  vault.index();
  set_age(vault.file("Inbox.md"), 5);
  const IndexReport report = vault.index();
  EXPECT_EQ(report.unchanged, 5U);
  EXPECT_EQ(report.changed, 0U);
  EXPECT_EQ(report.chunks_added, 0U);
  const auto store = vault.store();
  const auto reader = *store->read();
  const auto stat = stat_file(vault.file("Inbox.md"));
  EXPECT_EQ((*reader->note_meta(**reader->find_note("Inbox.md")))->stat, *stat);
}

TEST(Indexer, AnEditOfTheSameSizeInTheSameTickIsSeen) {
  const TestVault vault;
  fill(vault);
  // Written just now: the clock may not have moved on when it is written again.
  const auto write_now = [&](const char* text) {
    struct stat before {};
    const bool exists = ::stat(vault.file("Now.md").c_str(), &before) == 0;
    std::ofstream(vault.file("Now.md"), std::ios::binary | std::ios::trunc) << text;
    if (!exists) return;
    // The same time stamp, as if both writes fell into one tick of the file system.
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, vault.file("Now.md").c_str(), times, 0), 0);
  };
  write_now("one\n");
  vault.index();
  {
    const auto store = vault.store();
    const auto reader = *store->read();
    const auto files = *reader->files();
    for (const store::FileState& file : files) {
      EXPECT_TRUE(file.racy) << file.path;  // all were written within the last two seconds
    }
  }
  write_now("two\n");
  EXPECT_EQ(vault.index().changed, 1U);
  EXPECT_NE(vault.contents().find("two\n"), std::string::npos);
}

TEST(Indexer, AnEmptiedVaultDoesNotEmptyTheIndex) {
  const TestVault vault;
  fill(vault);
  vault.index();
  const std::string before = vault.contents();
  for (const char* path : {"Drinks", "Ops", "Inbox.md"}) {
    std::filesystem::remove_all(vault.file(path));
  }
  for (const bool full : {false, true}) {
    const auto refused = vault.try_index({.full = full});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
    EXPECT_NE(refused.error().hint.find("--force-empty"), std::string::npos);
    EXPECT_NE(refused.error().message.find("5 of 5"), std::string::npos);
  }
  EXPECT_EQ(vault.contents(), before);
  EXPECT_EQ(vault.index({.force_empty = true}).deleted, 5U);
  EXPECT_EQ((*vault.store()->read())->counts()->notes, 0U);
}

TEST(Indexer, MoreThanHalfOfTwentyIsRefusedHalfIsNot) {
  const TestVault vault;
  const auto path = [](int i) { return "n" + std::to_string(i) + ".md"; };
  for (int i = 0; i < 20; ++i) vault.write(path(i), "note " + std::to_string(i) + "\n");
  vault.index();
  for (int i = 0; i < 11; ++i) vault.remove(path(i));
  EXPECT_EQ(vault.try_index().error().code, ErrorCode::kRefused);
  vault.write(path(0), "note 0\n");
  EXPECT_EQ(vault.index().deleted, 10U);
  // Ten are left; below twenty, more than half is everyday work, all is not.
  for (int i = 11; i < 19; ++i) vault.remove(path(i));
  EXPECT_EQ(vault.index().deleted, 8U);
}

TEST(Indexer, AVaultThatIsNotThere) {
  const TestVault vault;
  fill(vault);
  vault.index();
  std::filesystem::rename(vault.file(""), vault.root() + "/elsewhere");
  const auto report = vault.try_index();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kVaultUnreachable);
  EXPECT_EQ((*vault.store()->read())->counts()->notes, 5U);
}

TEST(Indexer, ANewVaultWithoutNotesIsNoError) {
  const TestVault vault;
  const IndexReport report = vault.index();
  EXPECT_EQ(report.seen, 0U);
  EXPECT_EQ((*vault.store()->read())->counts()->notes, 0U);
}

TEST(Indexer, TheIndexOfAnotherVault) {
  const TestVault one, two;
  fill(one);
  one.index();
  two.write("Only.md", "tea\n");
  Config config = two.config();
  config.index = one.config().index;
  const auto store = one.store();
  const auto refused = run(config, *store, {}, {}, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_NE(refused.error().message.find(one.config().vault), std::string::npos);
  EXPECT_NE(refused.error().message.find(two.config().vault), std::string::npos);
  const auto taken = run(config, *store, {.full = true}, {}, nullptr);
  ASSERT_TRUE(taken) << to_line(taken.error());
  EXPECT_EQ((*store->read())->counts()->notes, 1U);
}

// Runs `body` in a child process without root's right to read everything. The child's
// answer, or -1 when it did not come to one.
int as_ordinary_user(const TestVault& vault, const std::function<int()>& body) {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(vault.root())) {
      if (::lchown(entry.path().c_str(), kNobody, kNobody) != 0) return -1;
    }
    if (::lchown(vault.root().c_str(), kNobody, kNobody) != 0) return -1;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0) ::_exit(99);
    ::_exit(body());
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST(Indexer, UnreadableNotesAndFoldersKeepTheirEntries) {
  const TestVault vault;
  fill(vault);
  vault.index();
  const std::string before = vault.contents();
  const auto lock = [&](bool locked) {
    ASSERT_EQ(::chmod(vault.file("Ops").c_str(), locked ? 0 : 0700), 0);
    ASSERT_EQ(::chmod(vault.file("Inbox.md").c_str(), locked ? 0 : 0600), 0);
  };
  const int answer = as_ordinary_user(vault, [&] {
    lock(true);
    const auto report = vault.try_index();
    lock(false);
    if (!report) return 1;
    if (report->failed != 3) return 2;  // Inbox and the two notes in Ops
    if (report->deleted != 0) return 3;
    if (report->unchanged != 2) return 4;
    return report->warnings.size() == 2 ? 0 : 5;
  });
  EXPECT_EQ(answer, 0);
  EXPECT_NE(vault.contents().find("warning Inbox.md"), std::string::npos);
  EXPECT_NE(vault.contents().find("note Ops/Deploy.md"), std::string::npos);
  EXPECT_EQ(vault.index().unchanged, 5U);
  EXPECT_EQ(vault.contents(), before);  // the warnings are gone too
}

TEST(Indexer, FullReadsEverythingAgainAndHoldsTheSame) {
  const TestVault vault;
  fill(vault);
  vault.index();
  const std::string before = vault.contents();
  const IndexReport report = vault.index({.full = true});
  EXPECT_EQ(report.unchanged, 5U);
  EXPECT_EQ(report.chunks_added, 0U);
  EXPECT_EQ(vault.contents(), before);
}

TEST(Indexer, OtherChunkSizesReadEverythingAgainByThemselves) {
  const TestVault vault;
  fill(vault);
  vault.index();
  Config config = vault.config();
  config.chunk.max_tokens = 200;
  const auto store = vault.store();
  const auto report = run(config, *store, {}, {}, nullptr);
  ASSERT_TRUE(report) << to_line(report.error());
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].message.find("read again"), std::string::npos);
  EXPECT_EQ(*(*store->read())->meta("chunk_fingerprint"),
            chunk::fingerprint(config.chunk, "estimate"));
  EXPECT_TRUE(run(config, *store, {}, {}, nullptr)->warnings.empty());
}

TEST(Indexer, WarningsOfNotesAreKeptWithPathAndLine) {
  const TestVault vault;
  vault.write("bad.md", "---\na:\n- b\n c: d: e\n---\nbody text\n");
  vault.write("good.md", "fine\n");
  const IndexReport first = vault.index();
  ASSERT_FALSE(first.warnings.empty());
  EXPECT_EQ(first.warnings[0].path, "bad.md");
  EXPECT_GT(first.warnings[0].line, 0U);
  EXPECT_TRUE(vault.index().warnings.empty());  // not read again in this run
  const auto stored = *(*vault.store()->read())->warnings();
  ASSERT_EQ(stored.size(), first.warnings.size());
  EXPECT_EQ(stored[0].path, "bad.md");
  vault.write("bad.md", "body text\n");
  vault.index();
  EXPECT_TRUE((*vault.store()->read())->warnings()->empty());
}

TEST(Indexer, NamesThatAreNotUtf8) {
  const TestVault vault;
  const std::string name = "caf\xe9.md";
  vault.write(name, "---\na: [\n---\nolive\n");
  const IndexReport report = vault.index();
  EXPECT_EQ(report.added, 1U);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings[0].path, "caf\uFFFD.md");
  EXPECT_TRUE(*(*vault.store()->read())->find_note(name));
  EXPECT_EQ(vault.index().unchanged, 1U);
}

TEST(Indexer, ASecondRunWaitsAndThenSaysWhoIsBusy) {
  const TestVault vault;
  fill(vault);
  const auto lock = store::WriterLock::acquire(vault.config().index, 0);
  const auto report = vault.try_index();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBusy);
  EXPECT_NE(report.error().message.find(std::to_string(::getpid())), std::string::npos);
}

TEST(Indexer, AStoppedRunKeepsWhatItDidAndIsContinued) {
  const TestVault vault, undisturbed;
  for (const TestVault* each : {&vault, &undisturbed}) {
    fill(*each);
    for (int i = 0; i < 20; ++i) each->write("n" + std::to_string(i) + ".md", "[[Tea]] alpha\n");
  }
  undisturbed.index();
  std::atomic<bool> cancel = false;
  const auto store = vault.store();
  const auto stopped = run(vault.config(), *store, {},
                           [&](const IndexProgress& progress) {
                             if (progress.phase == "read" && progress.done == 10) cancel = true;
                           },
                           &cancel, {.notes = 3});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_EQ((*store->read())->counts()->notes, 10U);
  const IndexReport rest = vault.index();
  EXPECT_EQ(rest.unchanged, 10U);
  EXPECT_EQ(rest.added, 15U);
  EXPECT_EQ(vault.contents(), undisturbed.contents());
}

TEST(Indexer, ProgressNamesItsPhases) {
  const TestVault vault;
  fill(vault);
  std::vector<std::string> phases;
  uint64_t read = 0;
  const auto store = vault.store();
  ASSERT_TRUE(run(
      vault.config(), *store, {},
      [&](const IndexProgress& progress) {
        if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
        if (progress.phase == "read") {
          EXPECT_EQ(progress.done, ++read);
          EXPECT_EQ(progress.total, 5U);
        }
      },
      nullptr));
  EXPECT_EQ(phases, (std::vector<std::string>{"scan", "read", "merge", "links"}));
  EXPECT_EQ(read, 5U);
}

TEST(Indexer, ADamagedIndexIsBuiltAnewOnlyWhenAsked) {
  const TestVault vault;
  fill(vault);
  vault.index();
  const std::string before = vault.contents();
  std::filesystem::resize_file(vault.config().index, 6000);
  const auto refused = vault.try_index();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadIndex);
  EXPECT_NE(refused.error().hint.find("lectern index --full"), std::string::npos);
  const IndexReport report = vault.index({.full = true});
  EXPECT_EQ(report.added, 5U);
  EXPECT_EQ(vault.contents(), before);
}

TEST(Indexer, AForeignDatabaseIsNeverTouched) {
  const TestVault vault;
  fill(vault);
  std::filesystem::create_directory(vault.root() + "/index");
  { std::ofstream(vault.config().index) << "someone else's " << std::string(500, 'x'); }
  for (const bool full : {false, true}) {
    const auto refused = vault.try_index({.full = full});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadIndex);
  }
  EXPECT_EQ(std::filesystem::file_size(vault.config().index), 515U);
}

}  // namespace
}  // namespace lectern::index
