// The shape of the repository, checked on its text: includes point down the order of
// folders, each third-party library is seen only where it is wrapped, and no file names a
// machine's paths or a package registry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A folder may include itself and folders of a lower rank. Equal ranks are siblings and may
// not see each other.
const std::map<std::string, int> kRank = {
    {"base", 0},   {"text", 1},   {"vault", 2}, {"chunk", 3}, {"lexical", 4},
    {"vector", 4}, {"model", 4},  {"store", 5}, {"index", 6}, {"retrieve", 6},
    {"answer", 7}, {"engine", 8}, {"serve", 9}, {"eval", 9},  {"cli", 10}};

// Third-party header -> the only places that may include it (prefixes of source paths).
// `headers` false: not even there in a header file.
struct Wrapped {
  std::string header;
  std::vector<std::string> places;
  bool headers;
};
const std::vector<Wrapped> kWrapped = {
    {"sqlite3", {"src/store/sqlite/"}, true},
    {"yaml-cpp/", {"src/vault/frontmatter.cpp", "src/base/settings"}, false},
    {"CLI/", {"src/cli/args.cpp"}, true},
    {"CLI11", {"src/cli/args.cpp"}, true},
    {"nlohmann/", {"src/"}, false},
    {"spdlog/", {"src/base/"}, false},
    {"cmark-gfm", {"src/vault/"}, false},
    {"re2/", {"src/"}, false},
    {"utf8proc", {"src/text/"}, false},
    {"libstemmer", {"src/text/"}, false},
    {"cld2/", {"src/text/"}, false},
    {"onnxruntime", {"src/model/onnx/"}, true},
    {"httplib", {"src/serve/", "src/model/http/"}, false},
    {"curl/", {"src/model/http/", "src/store/qdrant/"}, false},
    {"libpq", {"src/store/postgres/"}, false}};

std::string root() { return LECTERN_SOURCE_DIR; }

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool has_prefix(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

struct Include {
  std::string file;  // path in the repository
  int line = 0;
  std::string header;  // what stands between the quotes or brackets
  std::string place() const { return file + ":" + std::to_string(line); }
};

// The `#include` lines of C++ text, whatever their spacing.
std::vector<Include> includes_of(const std::string& file, const std::string& text) {
  std::vector<Include> out;
  std::istringstream in(text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::string packed;
    std::remove_copy_if(line.begin(), line.end(), std::back_inserter(packed),
                        [](unsigned char c) { return std::isspace(c) != 0; });
    if (!has_prefix(packed, "#include\"") && !has_prefix(packed, "#include<")) continue;
    const size_t open = line.find_first_of("\"<");
    const size_t close = line.find_first_of("\">", open + 1);
    if (close != std::string::npos) {
      out.push_back({file, number, line.substr(open + 1, close - open - 1)});
    }
  }
  return out;
}

std::string first_component(const std::string& path) { return path.substr(0, path.find('/')); }

// What is wrong with an include of a file under src or include; empty when nothing is.
std::string arrow_fault(const Include& include) {
  const std::string other = first_component(include.header);
  const auto target = kRank.find(other);
  if (target == kRank.end() || include.header.find('/') == std::string::npos) return "";
  if (has_prefix(include.file, "include/")) return "a public header sees src/" + other;
  const std::string own = first_component(include.file.substr(4));
  if (own == other) return "";
  const auto rank = kRank.find(own);
  if (rank == kRank.end()) return "src/" + own + " has no rank in this test";
  return target->second < rank->second ? "" : "src/" + own + " may not see src/" + other;
}

std::string wrapping_fault(const Include& include) {
  const bool is_header = include.file.size() > 2 && include.file.ends_with(".h");
  for (const Wrapped& wrapped : kWrapped) {
    if (!has_prefix(include.header, wrapped.header)) continue;
    if (is_header && !wrapped.headers) return include.header + " stands in a header";
    const bool allowed =
        std::any_of(wrapped.places.begin(), wrapped.places.end(),
                    [&](const std::string& place) { return has_prefix(include.file, place); });
    if (!allowed) return include.header + " belongs in " + wrapped.places.front() + " only";
  }
  return "";
}

std::vector<Include> all_includes() {
  std::vector<Include> out;
  for (const char* top : {"src", "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root() + "/" + top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string file = entry.path().string().substr(root().size() + 1);
      const std::vector<Include> found = includes_of(file, read(entry.path()));
      out.insert(out.end(), found.begin(), found.end());
    }
  }
  return out;
}

TEST(Arrows, ReadsIncludesWhateverTheirSpacing) {
  const auto found = includes_of("src/a/b.cpp", "#include \"x/y.h\"\n  #  include <z>\n// none\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].header, "x/y.h");
  EXPECT_EQ(found[1].header, "z");
  EXPECT_EQ(found[1].place(), "src/a/b.cpp:2");
}

TEST(Arrows, KnowsAnArrowThatPointsUp) {
  EXPECT_EQ(arrow_fault({"src/vault/parse.cpp", 1, "text/tokenize.h"}), "");
  EXPECT_EQ(arrow_fault({"src/vault/parse.cpp", 1, "vault/note.h"}), "");
  EXPECT_EQ(arrow_fault({"src/vault/parse.cpp", 1, "vector"}), "");
  EXPECT_NE(arrow_fault({"src/vault/parse.cpp", 1, "store/store.h"}), "");
  EXPECT_NE(arrow_fault({"src/index/indexer.cpp", 1, "retrieve/pipeline.h"}), "");
  EXPECT_NE(arrow_fault({"include/lectern/engine.h", 1, "base/file.h"}), "");
  EXPECT_NE(wrapping_fault({"src/index/indexer.cpp", 1, "sqlite3.h"}), "");
  EXPECT_EQ(wrapping_fault({"src/store/sqlite/reader.cpp", 1, "sqlite3.h"}), "");
  EXPECT_NE(wrapping_fault({"src/serve/json.h", 1, "nlohmann/json.hpp"}), "");
}

TEST(Arrows, IncludesPointDownwards) {
  const std::vector<Include> includes = all_includes();
  ASSERT_GT(includes.size(), 20u) << "the sources were not found under " << root();
  for (const Include& include : includes) {
    const std::string fault = arrow_fault(include);
    EXPECT_EQ(fault, "") << include.place();
  }
}

TEST(Arrows, LibrariesAreSeenOnlyWhereTheyAreWrapped) {
  for (const Include& include : all_includes()) {
    const std::string fault = wrapping_fault(include);
    EXPECT_EQ(fault, "") << include.place();
  }
}

// ---- places that must not be named ---------------------------------------------------

// Put together here so that this file does not name them itself.
std::vector<std::string> forbidden() {
  std::vector<std::string> out;
  for (const std::string folder : {"work", "root", "farm"}) out.push_back("/" + folder + "/");
  for (const std::string name : {"pypi", "pythonhosted", "npmjs", "crates", "maven", "debian"}) {
    for (const std::string end : {"org", "io", "com"}) out.push_back(name + "." + end);
  }
  out.push_back(std::string("proxy.") + "golang");
  return out;
}

// The first forbidden name in a line; a folder counts when a name goes on after it.
std::string forbidden_name(const std::string& line) {
  for (const std::string& name : forbidden()) {
    const size_t at = line.find(name);
    if (at == std::string::npos) continue;
    const size_t end = at + name.size();
    const bool folder = name.back() == '/';
    if (!folder) return name;
    if (end < line.size() &&
        (std::isalpha(static_cast<unsigned char>(line[end])) != 0 || line[end] == '.')) {
      return name;
    }
  }
  return "";
}

TEST(Places, KnowsAForbiddenName) {
  EXPECT_NE(forbidden_name(std::string("see /wo") + "rk/main/x"), "");
  EXPECT_NE(forbidden_name(std::string("https://py") + "pi.org/simple"), "");
  EXPECT_EQ(forbidden_name("homework/is fine, rooted/too"), "");
}

bool is_skipped(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == "build" || name == ".git" || name == ".cache" || name == "__pycache__";
}

TEST(Places, NoFileNamesAMachineOrARegistry) {
  size_t files = 0;
  fs::recursive_directory_iterator walk(root()), end;
  for (; walk != end; ++walk) {
    if (is_skipped(walk->path())) {
      walk.disable_recursion_pending();
      continue;
    }
    if (!walk->is_regular_file()) continue;
    const std::string text = read(walk->path());
    if (text.find('\0') != std::string::npos) continue;  // not text
    ++files;
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      EXPECT_EQ(forbidden_name(line), "")
          << walk->path().string().substr(root().size() + 1) << ":" << number;
    }
  }
  EXPECT_GT(files, 20u);
}

}  // namespace
