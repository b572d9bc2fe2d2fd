// Runs every .case file of this folder (or of $LECTERN_CASES) against the Engine, one test a
// file, found at run time. Beside what a case expects, each reply is held to what is true of
// every reply: lines exist, quotes stand in the lines they cite, every claim is cited.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/utf8.h"
#include "case_file.h"
#include "lectern/engine.h"

namespace lectern::cases {
namespace {

namespace fs = std::filesystem;

// A reply may show a part of a line longer than this many bytes.
constexpr size_t kLongLine = 1000;

// ---- small readers ---------------------------------------------------------------------

std::string read_file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// "path", "path:7" or "path:7-9"; 0 when no line is given.
struct Place {
  std::string path;
  uint32_t first = 0, last = 0;
};

Place place_of(const std::string& text) {
  Place out{text, 0, 0};
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return out;
  const std::string lines = text.substr(colon + 1);
  if (lines.find_first_not_of("0123456789-") != std::string::npos) return out;
  out.path = text.substr(0, colon);
  out.first = static_cast<uint32_t>(std::atoi(lines.c_str()));
  const size_t dash = lines.find('-');
  out.last = dash == std::string::npos ? out.first
                                       : static_cast<uint32_t>(std::atoi(lines.c_str() + dash + 1));
  return out;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string lines_text(const std::string& path, uint32_t first, uint32_t last) {
  return path + ":" + std::to_string(first) + "-" + std::to_string(last);
}

// The lines of a file as replies show them: terminators off, malformed bytes and NUL replaced
// (by U+FFFD, as CommonMark 2.3 asks for NUL).
std::vector<std::string> lines_of_bytes(const std::string& bytes) {
  std::vector<std::string> out;
  std::string line;
  uint64_t replaced = 0;
  const std::string body = bytes.rfind("\xEF\xBB\xBF", 0) == 0 ? bytes.substr(3) : bytes;
  const auto push = [&] {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    out.push_back(utf8::repair(line, replaced));
    line.clear();
  };
  for (const char c : body) {
    if (c == '\n') {
      push();
    } else if (c == '\0') {
      utf8::append(line, utf8::kReplacement);
    } else {
      line += c;
    }
  }
  if (!line.empty()) push();
  return out;
}

// ---- one case --------------------------------------------------------------------------

class Runner {
 public:
  explicit Runner(const CaseFile& file) : file_(file) {}
  ~Runner() {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run() {
    std::string pattern = (fs::temp_directory_path() / "lectern-case-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directories(vault());
    config_.vault = vault();
    config_.vault_name = "vault";
    config_.index = folder_ + "/data/index.db";
    for (const Section& section : file_.sections) {
      SCOPED_TRACE(file_.path + ":" + std::to_string(section.number));
      step(section);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  std::string vault() const { return folder_ + "/vault"; }

  void step(const Section& section) {
    switch (section.kind) {
      case SectionKind::kFile:
        return write(section);
      case SectionKind::kSymlink: {
        fs::create_directories(fs::path(vault() + "/" + section.argument).parent_path());
        return fs::create_symlink(section.target, vault() + "/" + section.argument);
      }
      case SectionKind::kDelete:
        texts_.erase(section.argument);
        ASSERT_GT(fs::remove_all(vault() + "/" + section.argument), 0u) << "no such file";
        return;
      case SectionKind::kMove:
        fs::create_directories(fs::path(vault() + "/" + section.target).parent_path());
        fs::rename(vault() + "/" + section.argument, vault() + "/" + section.target);
        texts_[section.target] = texts_[section.argument];
        texts_.erase(section.argument);
        return;
      case SectionKind::kConfig:
        return configure(section);
      case SectionKind::kIndex:
        return index(section);
      case SectionKind::kSearch:
        return search(section);
      case SectionKind::kAsk:
        return ask(section);
      case SectionKind::kGet:
        return get(section);
      case SectionKind::kLinks:
        return links(section);
    }
  }

  // ---- the vault ----

  static std::string numbered(const std::string& text, int n) {
    std::string out = text;
    for (size_t at = 0; (at = out.find("{n}", at)) != std::string::npos;) {
      out.replace(at, 3, std::to_string(n));
    }
    return out;
  }

  void write(const Section& section) {
    for (int n = section.copies > 0 ? 1 : 0; n <= section.copies; ++n) {
      const std::string path = n > 0 ? numbered(section.argument, n) : section.argument;
      const std::string bytes = n > 0 ? numbered(section.bytes, n) : section.bytes;
      fs::create_directories(fs::path(vault() + "/" + path).parent_path());
      std::ofstream out(vault() + "/" + path, std::ios::binary);
      out << bytes;
      ASSERT_TRUE(out.flush()) << path;
      texts_[path] = bytes;
    }
  }

  void configure(const Section& section) {
    ASSERT_FALSE(engine_) << "config must come before the first thing that runs";
    for (const Line& line : section.options) {
      const auto found = std::find_if(settings().begin(), settings().end(),
                                      [&](const Setting& s) { return s.name == line.name; });
      ASSERT_NE(found, settings().end())
          << file_.path << ":" << line.number << ": unknown setting '" << line.name << "'";
      const Status set = found->set(config_, line.value);
      ASSERT_TRUE(set) << file_.path << ":" << line.number << ": " << to_line(set.error());
    }
  }

  void open() {
    if (engine_) return;
    Result<Engine> opened = Engine::open(config_);
    ASSERT_TRUE(opened) << to_line(opened.error());
    engine_ = std::make_unique<Engine>(std::move(*opened));
  }

  // The engine, with the vault as it stands indexed at least once.
  void ready() {
    open();
    if (testing::Test::HasFatalFailure() || indexed_) return;
    const Result<IndexReport> report = engine_->index({});
    ASSERT_TRUE(report) << to_line(report.error());
    indexed_ = true;
  }

  // ---- shared expectations ----

  std::string at(const Line& line) const {
    return file_.path + ":" + std::to_string(line.number) + ": " + line.name + ": " + line.value;
  }

  // True when the call failed: then only `error` lines are looked at.
  template <typename T>
  bool failed(const Section& section, const Result<T>& result) {
    bool wanted = false;
    for (const Line& line : section.expectations) {
      if (line.name != "error") continue;
      wanted = true;
      if (result) {
        ADD_FAILURE() << at(line) << ", but it succeeded";
      } else {
        EXPECT_EQ(code_name(result.error().code), line.value) << at(line);
        EXPECT_FALSE(result.error().message.empty()) << at(line);
      }
    }
    if (!result && !wanted) ADD_FAILURE() << to_line(result.error());
    return !result || wanted;
  }

  void expect_warning(const Line& line, const std::vector<Warning>& warnings) {
    std::string seen;
    for (const Warning& warning : warnings) {
      seen += "\n  " + warning.path + ":" + std::to_string(warning.line) + " " + warning.message;
    }
    if (line.name == "no warning") {
      EXPECT_TRUE(warnings.empty()) << at(line) << seen;
      return;
    }
    // `path:line text`, `path text` or ` text`; the path may hold spaces, so it is matched
    // against the warnings themselves.
    const bool found = std::any_of(warnings.begin(), warnings.end(), [&](const Warning& warning) {
      for (const std::string& head :
           {warning.path + ":" + std::to_string(warning.line), warning.path}) {
        if (!head.empty() && line.value.rfind(head, 0) == 0) {
          const std::string rest = line.value.substr(head.size());
          if (!rest.empty() && rest[0] != ' ') continue;
          const std::string words = rest.empty() ? "" : rest.substr(1);
          if (lower(warning.message).find(lower(words)) != std::string::npos) return true;
        }
      }
      return false;
    });
    EXPECT_TRUE(found) << at(line) << "\nwarnings:" << seen;
  }

  static uint32_t number(const Line& line) {
    return static_cast<uint32_t>(std::atoi(line.value.c_str()));
  }

  void fill_filter(const Section& section, Filter& filter) {
    for (const Line& line : section.options) {
      if (line.name == "folder") filter.folders.push_back(line.value);
      if (line.name == "path") filter.paths.push_back(line.value);
      if (line.name == "tag") filter.tags.push_back(line.value);
      if (line.name == "collection") filter.collections.push_back(line.value);
      if (line.name == "after") filter.after = line.value;
      if (line.name == "before") filter.before = line.value;
      if (line.name == "where") {
        const size_t equals = line.value.find('=');
        ASSERT_NE(equals, std::string::npos) << at(line) << ": wants key=value";
        filter.where.emplace_back(line.value.substr(0, equals), line.value.substr(equals + 1));
      }
    }
  }

  // The cited lines of a note the case wrote; nullopt for canvas and UTF-16 files, whose
  // lines are not their text.
  std::optional<std::vector<std::string>> note_lines(const std::string& path) {
    const auto found = texts_.find(path);
    if (found == texts_.end() || path.ends_with(".canvas")) return std::nullopt;
    const std::string& bytes = found->second;
    if (bytes.rfind("\xFF\xFE", 0) == 0 || bytes.rfind("\xFE\xFF", 0) == 0) return std::nullopt;
    return lines_of_bytes(bytes);
  }

  void expect_lines_exist(const std::string& path, uint32_t first, uint32_t last) {
    const auto lines = note_lines(path);
    EXPECT_GE(first, 1u) << path;
    EXPECT_LE(first, last) << path;
    if (lines) {
      EXPECT_LE(last, lines->size()) << path << ": a line past its end";
    }
  }

  void expect_quote_stands(const Citation& citation) {
    const auto lines = note_lines(citation.path);
    if (!lines || citation.line_first < 1 || citation.line_last > lines->size()) return;
    std::string text;
    for (uint32_t n = citation.line_first; n <= citation.line_last; ++n) {
      text += (text.empty() && n == citation.line_first ? "" : "\n") + (*lines)[n - 1];
    }
    EXPECT_FALSE(citation.quote.empty());
    EXPECT_NE(text.find(citation.quote), std::string::npos)
        << "the quote '" << citation.quote << "' does not stand in "
        << lines_text(citation.path, citation.line_first, citation.line_last) << ":\n"
        << text;
  }

  // ---- index ----

  void index(const Section& section) {
    open();
    if (testing::Test::HasFatalFailure()) return;
    IndexRequest request;
    for (const Line& line : section.options) {
      if (line.name == "full") request.full = true;
      if (line.name == "force-empty") request.force_empty = true;
    }
    const Result<IndexReport> report = engine_->index(request);
    indexed_ = indexed_ || report.has_value();
    if (failed(section, report)) return;
    const std::map<std::string, uint64_t> counts = {{"added", report->added},
                                                    {"changed", report->changed},
                                                    {"unchanged", report->unchanged},
                                                    {"moved", report->moved},
                                                    {"deleted", report->deleted},
                                                    {"failed", report->failed},
                                                    {"links", report->links.total},
                                                    {"resolved", report->links.resolved},
                                                    {"unresolved", report->links.unresolved},
                                                    {"ambiguous", report->links.ambiguous}};
    for (const Line& line : section.expectations) {
      const auto count = counts.find(line.name);
      if (count != counts.end()) {
        EXPECT_EQ(count->second, number(line)) << at(line);
      } else {
        expect_warning(line, report->warnings);
      }
    }
  }

  // ---- search ----

  void search(const Section& section) {
    ready();
    if (testing::Test::HasFatalFailure()) return;
    SearchRequest request;
    request.query = section.argument;
    fill_filter(section, request.filter);
    for (const Line& line : section.options) {
      if (line.name == "mode") request.mode = line.value;
      if (line.name == "limit") request.limit = number(line);
    }
    const Result<SearchReply> reply = engine_->search(request);
    if (failed(section, reply)) return;
    std::string seen;
    for (const SearchResult& result : reply->results) {
      seen += "\n  " + lines_text(result.path, result.line_first, result.line_last);
      expect_lines_exist(result.path, result.line_first, result.line_last);
      for (const Highlight& highlight : result.highlights) expect_highlight(result, highlight);
    }
    if (seen.empty()) seen = " none";
    for (const Line& line : section.expectations) {
      EXPECT_TRUE(search_holds(line, *reply)) << at(line) << "\nresults:" << seen;
    }
  }

  void expect_highlight(const SearchResult& result, const Highlight& highlight) {
    EXPECT_GE(highlight.line, result.line_first) << result.path;
    EXPECT_LE(highlight.line, result.line_last) << result.path;
    const auto lines = note_lines(result.path);
    if (!lines || highlight.line < 1 || highlight.line > lines->size()) return;
    const std::string& line = (*lines)[highlight.line - 1];
    if (line.size() <= kLongLine) {
      EXPECT_EQ(highlight.text, line) << result.path;
    } else {  // may be cut
      EXPECT_NE(line.find(highlight.text), std::string::npos) << result.path;
    }
  }

  static bool covers(const SearchResult& result, const Place& place) {
    return result.path == place.path && (place.first == 0 || (result.line_first <= place.first &&
                                                              place.last <= result.line_last));
  }

  bool search_holds(const Line& line, const SearchReply& reply) {
    const Place place = place_of(line.value);
    const auto any = [&](const auto& test) {
      return std::any_of(reply.results.begin(), reply.results.end(), test);
    };
    if (line.name == "first") return !reply.results.empty() && covers(reply.results[0], place);
    if (line.name == "found") return any([&](const auto& r) { return covers(r, place); });
    if (line.name == "absent") return !any([&](const auto& r) { return covers(r, place); });
    if (line.name == "nothing") return reply.results.empty();
    if (line.name == "count") return reply.results.size() == number(line);
    if (line.name == "contains") {
      return any([&](const auto& r) { return r.text.find(line.value) != std::string::npos; });
    }
    if (line.name == "highlight") {
      return any([&](const auto& r) {
        return r.path == place.path &&
               std::any_of(r.highlights.begin(), r.highlights.end(),
                           [&](const Highlight& h) { return h.line == place.first; });
      });
    }
    expect_warning(line, reply.warnings);
    return true;
  }

  // ---- ask ----

  void ask(const Section& section) {
    ready();
    if (testing::Test::HasFatalFailure()) return;
    AskRequest request;
    request.question = section.argument;
    fill_filter(section, request.filter);
    for (const Line& line : section.options) {
      ASSERT_NE(line.name, "mode") << at(line) << ": ask has no mode";
      if (line.name == "limit") request.limit = number(line);
    }
    const Result<AskReply> reply = engine_->ask(request);
    if (failed(section, reply)) return;
    expect_sound(*reply);
    std::string seen = "\nanswer: " + reply->answer;
    for (const Citation& citation : reply->citations) {
      seen += "\n  [" + std::to_string(citation.marker) + "] " +
              lines_text(citation.path, citation.line_first, citation.line_last) + " " +
              citation.quote;
    }
    if (reply->abstain) {
      seen += "\nabstained: " + reply->abstain->reason + ": " + reply->abstain->message;
    }
    for (const Line& line : section.expectations) {
      EXPECT_TRUE(ask_holds(line, *reply)) << at(line) << seen;
    }
  }

  // What is true of every reply to a question.
  void expect_sound(const AskReply& reply) {
    if (!reply.answered) {
      EXPECT_EQ(reply.answer, "NOT_IN_NOTES");
      EXPECT_TRUE(reply.citations.empty());
      EXPECT_TRUE(reply.abstain.has_value());
      return;
    }
    EXPECT_FALSE(reply.abstain.has_value());
    EXPECT_FALSE(reply.citations.empty()) << "an answer without a citation: " << reply.answer;
    EXPECT_FALSE(reply.claims.empty()) << "an answer without claims: " << reply.answer;
    std::vector<uint32_t> markers;
    for (const Citation& citation : reply.citations) {
      EXPECT_GE(citation.marker, 1u);
      EXPECT_EQ(std::count(markers.begin(), markers.end(), citation.marker), 0);
      markers.push_back(citation.marker);
      const std::string written = "[" + std::to_string(citation.marker) + "]";
      EXPECT_NE(reply.answer.find(written), std::string::npos) << written << " is never used";
      expect_lines_exist(citation.path, citation.line_first, citation.line_last);
      expect_quote_stands(citation);
    }
    for (const Claim& claim : reply.claims) {
      EXPECT_FALSE(claim.citations.empty()) << "an uncited claim: " << claim.text;
      for (const uint32_t marker : claim.citations) {
        EXPECT_EQ(std::count(markers.begin(), markers.end(), marker), 1)
            << "claim cites [" << marker << "], which is not there";
      }
    }
  }

  static bool cites(const Citation& citation, const Place& place) {
    return citation.path == place.path &&
           (place.first == 0 ||
            (citation.line_first == place.first && citation.line_last == place.last));
  }

  bool ask_holds(const Line& line, const AskReply& reply) {
    const Place place = place_of(line.value);
    const auto any = [&](const auto& test) {
      return std::any_of(reply.citations.begin(), reply.citations.end(), test);
    };
    if (line.name == "ABSTAIN") return !reply.answered;
    if (line.name == "answered") return reply.answered;
    if (line.name == "reason") return reply.abstain && reply.abstain->reason == line.value;
    if (line.name == "first") return !reply.citations.empty() && cites(reply.citations[0], place);
    if (line.name == "cites") return any([&](const auto& c) { return cites(c, place); });
    if (line.name == "not cited") return !any([&](const auto& c) { return cites(c, place); });
    if (line.name == "contains") return reply.answer.find(line.value) != std::string::npos;
    if (line.name == "lacks") return reply.answer.find(line.value) == std::string::npos;
    if (line.name == "quote") {
      return any([&](const auto& c) { return c.quote.find(line.value) != std::string::npos; });
    }
    if (line.name == "superseded") {
      return std::any_of(reply.superseded.begin(), reply.superseded.end(), [&](const auto& s) {
        return s.path == place.path && s.line_first <= place.first && place.last <= s.line_last;
      });
    }
    expect_warning(line, reply.warnings);
    return true;
  }

  // ---- get and links ----

  void get(const Section& section) {
    ready();
    if (testing::Test::HasFatalFailure()) return;
    const Place place = place_of(section.argument);
    GetRequest request;
    request.path = place.path;
    request.line_first = place.first;
    request.line_last = place.last;
    const Result<GetReply> reply = engine_->get(request);
    if (failed(section, reply)) return;
    for (const Line& line : section.expectations) {
      if (line.name == "title") {
        EXPECT_EQ(reply->title, line.value) << at(line);
      } else if (line.name == "warning") {
        expect_warning(line, reply->warnings);
      } else {
        EXPECT_TRUE(get_holds(line, *reply)) << at(line);
      }
    }
  }

  static bool get_holds(const Line& line, const GetReply& reply) {
    const size_t space = line.value.find(' ');
    return std::any_of(reply.lines.begin(), reply.lines.end(), [&](const NumberedLine& have) {
      if (line.name == "contains") return have.text.find(line.value) != std::string::npos;
      return std::to_string(have.line) == line.value.substr(0, space) &&
             have.text == (space == std::string::npos ? "" : line.value.substr(space + 1));
    });
  }

  void links(const Section& section) {
    ready();
    if (testing::Test::HasFatalFailure()) return;
    const Result<LinksReply> reply = engine_->links(section.argument);
    if (failed(section, reply)) return;
    std::string seen;
    for (const OutgoingLink& link : reply->outgoing) seen += "\n  out: " + written(link);
    for (const Backlink& link : reply->backlinks) {
      seen += "\n  back: " + link.path + ":" + std::to_string(link.line) + " " + link.text;
    }
    for (const Line& line : section.expectations) {
      EXPECT_TRUE(links_hold(line, *reply)) << at(line) << seen;
    }
  }

  // `line target -> path kind`; nothing after the arrow when it leads nowhere.
  static std::string written(const OutgoingLink& link) {
    return std::to_string(link.line) + " " + link.target + " -> " +
           (link.path.empty() ? "" : link.path + " ") + link.kind;
  }

  static bool links_hold(const Line& line, const LinksReply& reply) {
    if (line.name == "outgoing") return reply.outgoing.size() == number(line);
    if (line.name == "backlinks") return reply.backlinks.size() == number(line);
    if (line.name == "out") {
      return std::any_of(reply.outgoing.begin(), reply.outgoing.end(),
                         [&](const OutgoingLink& link) { return written(link) == line.value; });
    }
    if (line.name == "candidates") {  // `target = path, path`
      return std::any_of(reply.outgoing.begin(), reply.outgoing.end(), [&](const auto& link) {
        std::string all;
        for (const std::string& path : link.candidates) all += (all.empty() ? "" : ", ") + path;
        return link.target + " = " + all == line.value;
      });
    }
    const Place place = place_of(line.value);
    return std::any_of(reply.backlinks.begin(), reply.backlinks.end(), [&](const Backlink& link) {
      return link.path == place.path && (place.first == 0 || link.line == place.first);
    });
  }

  const CaseFile& file_;
  std::string folder_;
  Config config_;
  std::unique_ptr<Engine> engine_;
  bool indexed_ = false;
  std::map<std::string, std::string> texts_;  // path -> bytes written last
};

// ---- the tests -------------------------------------------------------------------------

std::string cases_folder() {
  const char* named = std::getenv("LECTERN_CASES");
  return named != nullptr ? named : std::string(LECTERN_SOURCE_DIR) + "/tests/cases";
}

std::vector<std::string> case_paths() {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cases_folder(), error)) {
    if (entry.path().extension() == ".case") out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, Holds) {
  const std::string path = GetParam();
  const Result<CaseFile> file =
      parse_case(fs::path(path).filename().string(), read_file_text(path));
  ASSERT_TRUE(file) << to_line(file.error());
  Runner(*file).run();
}

INSTANTIATE_TEST_SUITE_P(All, Cases, testing::ValuesIn(case_paths()), [](const auto& file) {
  std::string name = fs::path(file.param).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

// ---- the format is strict --------------------------------------------------------------

Error error_of(const std::string& text) {
  const Result<CaseFile> file = parse_case("x.case", text);
  return file ? Error{} : file.error();
}

TEST(CaseFormat, ReadsFilesAsTheyAre) {
  const Result<CaseFile> file = parse_case("x.case",
                                           "# Shows it.\n=== file A b.md [crlf noeol]\none\n\n# "
                                           "two\n\n=== search a: \\u{301}b\nfirst: A b.md:3\n");
  ASSERT_TRUE(file) << to_line(file.error());
  ASSERT_EQ(file->sections.size(), 2u);
  EXPECT_EQ(file->sections[0].argument, "A b.md");
  EXPECT_EQ(file->sections[0].bytes, "one\r\n\r\n# two");
  EXPECT_EQ(file->sections[1].argument,
            "a: \xCC\x81"
            "b");
  EXPECT_EQ(file->sections[1].expectations[0].number, 8);
}

TEST(CaseFormat, NamesTheLineOfWhatItDoesNotKnow) {
  EXPECT_EQ(error_of("# x\n=== serach a\nfirst: A.md\n").where, "x.case:2");
  EXPECT_EQ(error_of("# x\n=== search a\nfirts: A.md\n").where, "x.case:3");
  EXPECT_EQ(error_of("# x\n=== file A.md [crfl]\n=== search a\nnothing\n").where, "x.case:2");
  EXPECT_EQ(error_of("# x\nfirst: A.md\n").where, "x.case:2");
  EXPECT_EQ(error_of("# x\n=== search a\n\n=== ask b\nABSTAIN\n").where, "x.case:2");
  EXPECT_EQ(error_of("# x\n=== file ../A.md\ntext\n=== search a\nnothing\n").where, "x.case:2");
}

TEST(CaseFormat, ACaseMustBeAbleToFail) {
  EXPECT_EQ(error_of("# x\n=== file A.md\ntext\n=== index\n").where, "x.case:4");
  EXPECT_EQ(error_of("=== search a\nnothing\n").where, "x.case:1");
}

}  // namespace
}  // namespace lectern::cases
