// scan and GlobSet over real folders in a temporary place.
#include "vault/scan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lectern::vault {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class Scan : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "lectern_scan_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    vault_ = root_ / "vault";
    fs::create_directories(vault_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(vault_ / "locked", fs::perms::owner_all, ignored);
    fs::remove_all(root_, ignored);
  }
  void write(const std::string& path, const std::string& text = "x") {
    fs::create_directories((vault_ / path).parent_path());
    std::ofstream(vault_ / path) << text;
  }
  ScanResult run(const ScanOptions& options = {}) {
    Result<ScanResult> result = scan(vault_.string(), options);
    EXPECT_TRUE(result.has_value());
    return result ? *result : ScanResult{};
  }
  Strings paths(const ScanOptions& options = {}) {
    Strings out;
    for (const ScannedFile& file : run(options).files) out.push_back(file.path);
    return out;
  }
  fs::path root_, vault_;
};

TEST_F(Scan, NotesAttachmentsAndWhatIsLeftOut) {  // reports 11 and 32
  for (const char* path :
       {"b.md", "a/c.MD", "a/d.markdown", "e.canvas", "img.png", ".obsidian/x.md", ".trash/y.md",
        ".hidden.md", "b.md~", ".b.md.swp", "t.tmp", "_private/p.md", "README.md", "readme.md",
        "a b.md", "a_b.md", "~$lock.md"}) {
    write(path);
  }
  EXPECT_EQ(paths(), (Strings{"README.md", "a b.md", "a/c.MD", "a/d.markdown", "a_b.md", "b.md",
                              "e.canvas", "readme.md"}));
  EXPECT_EQ(run().attachments, Strings{"img.png"});
  ScanOptions options;
  options.include_private = true;
  EXPECT_EQ(paths(options).size(), 9u);
}

TEST_F(Scan, StatOfTheFile) {
  write("n.md", "12345");
  const ScanResult result = run();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].stat, *stat_file((vault_ / "n.md").string()));
  EXPECT_EQ(result.files[0].stat.size, 5u);
}

TEST_F(Scan, LinksOutOfTheVaultLoopsAndDoubles) {  // report 14
  write("real.md");
  write("data.txt");
  write("folder/n.md");
  write(".trash/gone.md");
  fs::create_directories(root_ / "outside");
  std::ofstream(root_ / "outside" / "secret.md") << "s";
  fs::create_symlink(root_ / "outside", vault_ / "out");
  fs::create_symlink(root_ / "outside" / "secret.md", vault_ / "secret.md");
  fs::create_symlink("real.md", vault_ / "a-copy.md");
  fs::create_symlink("data.txt", vault_ / "data.md");
  fs::create_symlink(".", vault_ / "folder" / "loop");
  fs::create_symlink("self.md", vault_ / "self.md");
  fs::create_symlink("nowhere.md", vault_ / "broken.md");
  fs::create_symlink(".trash/gone.md", vault_ / "back.md");
  fs::create_symlink("folder", vault_ / "again");
  EXPECT_EQ(paths(), (Strings{"data.md", "folder/n.md", "real.md"}));
  Strings warned;
  for (const Warning& warning : run().warnings) warned.push_back(warning.path);
  EXPECT_EQ(warned, (Strings{"broken.md", "out", "secret.md", "self.md"}));
}

TEST_F(Scan, SpecialFilesAndStrangeNames) {
  ASSERT_EQ(::mkfifo((vault_ / "pipe.md").c_str(), 0600), 0);
  write("folder.md/inner.md");
  write("new\nline.md");
  write("bad\xFF.md");
  const ScanResult result = run();
  Strings got;
  for (const ScannedFile& file : result.files) got.push_back(file.path);
  EXPECT_EQ(got, (Strings{"bad\xFF.md", "folder.md/inner.md", "new\nline.md"}));
  EXPECT_EQ(result.warnings.size(), 2u);
}

TEST_F(Scan, UnreadableFoldersAreNamed) {  // report 29
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  write("locked/n.md");
  write("open.md");
  fs::permissions(vault_ / "locked", fs::perms::none);
  const ScanResult result = run();
  EXPECT_EQ(result.unreadable, Strings{"locked"});
  EXPECT_EQ(result.files.size(), 1u);
}

TEST_F(Scan, AMissingVaultIsAnError) {
  const Result<ScanResult> result = scan((root_ / "none").string(), {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kVaultUnreachable);
}

TEST_F(Scan, IncludeAndExclude) {
  write("Projects/a.md");
  write("Projects/old/b.md");
  write("Journal/c.md");
  ScanOptions options;
  options.include = {"Projects"};
  options.exclude = {"old/"};
  EXPECT_EQ(paths(options), Strings{"Projects/a.md"});
  options.include = {"[unclosed"};
  EXPECT_EQ(scan(vault_.string(), options).error().code, ErrorCode::kInvalidArgument);
}

bool matches(const std::string& pattern, const std::string& path, bool folder = false) {
  const Result<GlobSet> set = GlobSet::compile({pattern}, "/home/me/vault");
  EXPECT_TRUE(set.has_value()) << pattern;
  return set && set->matches(path, folder);
}

TEST(Glob, EveryWayToNameAFolder) {
  for (const std::string& pattern : std::vector<std::string>{
           "docs", "docs/", "./docs", "docs/**", "/docs", "/home/me/vault/docs", "docs\\", "do?s",
           "d*", "[a-d]ocs", "**/docs"}) {
    EXPECT_TRUE(matches(pattern, "docs/a/b.md")) << pattern;
    EXPECT_FALSE(matches(pattern, "other/x.md")) << pattern;
  }
}

TEST(Glob, AnchorsAndDepth) {
  EXPECT_TRUE(matches("*.md", "a/b/c.md"));
  EXPECT_TRUE(matches("docs", "x/docs/a.md"));
  EXPECT_FALSE(matches("/docs", "x/docs/a.md"));
  EXPECT_FALSE(matches("a/docs", "x/a/docs/n.md"));
  EXPECT_TRUE(matches("a/**/z.md", "a/z.md"));
  EXPECT_TRUE(matches("a/**/z.md", "a/b/c/z.md"));
  EXPECT_FALSE(matches("a/*/z.md", "a/b/c/z.md"));
  EXPECT_FALSE(matches("notes/", "notes"));
  EXPECT_TRUE(matches("notes/", "notes", true));
  EXPECT_TRUE(matches("?.md", "é.md"));
  EXPECT_TRUE(matches("[!a].md", "b.md"));
  EXPECT_FALSE(matches("[!a].md", "a.md"));
}

TEST(Glob, NegationAndNonsense) {
  const Result<GlobSet> set = GlobSet::compile({"docs", "!docs/keep.md"}, "/v");
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->matches("docs/a.md"));
  EXPECT_FALSE(set->matches("docs/keep.md"));
  for (const std::string& bad : std::vector<std::string>{"", "/", "[x", "../up", "./"}) {
    EXPECT_FALSE(GlobSet::compile({bad}, "/v").has_value()) << bad;
  }
  const std::string stars(2000, '*');
  EXPECT_FALSE(matches(stars + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace lectern::vault
