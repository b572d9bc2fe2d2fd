// The parser of .case files: sections open with `=== `, files hold their lines as they are,
// every other section holds `name: value` lines, blank lines and # comments.
#include "case_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

#include "base/settings.h"
#include "base/utf8.h"

namespace lectern::cases {

namespace {

struct Grammar {
  SectionKind kind;
  std::vector<std::string> options, expectations;
  bool must_expect;
};

const std::vector<std::string> kFilterOptions = {"mode",  "limit", "folder", "path",      "tag",
                                                 "where", "after", "before", "collection"};

const std::map<std::string, Grammar>& grammars() {
  static const std::map<std::string, Grammar> all = {
      {"file", {SectionKind::kFile, {}, {}, false}},
      {"symlink", {SectionKind::kSymlink, {}, {}, false}},
      {"delete", {SectionKind::kDelete, {}, {}, false}},
      {"move", {SectionKind::kMove, {}, {}, false}},
      {"config", {SectionKind::kConfig, {}, {}, false}},
      {"index",
       {SectionKind::kIndex,
        {"full", "force-empty"},
        {"added", "changed", "unchanged", "moved", "deleted", "failed", "links", "resolved",
         "unresolved", "ambiguous", "warning", "no warning", "error"},
        false}},
      {"search",
       {SectionKind::kSearch,
        kFilterOptions,
        {"first", "found", "absent", "nothing", "contains", "highlight", "count", "warning",
         "error"},
        true}},
      {"ask",
       {SectionKind::kAsk,
        kFilterOptions,
        {"first", "cites", "not cited", "contains", "lacks", "quote", "superseded", "ABSTAIN",
         "answered", "reason", "warning", "error"},
        true}},
      {"get", {SectionKind::kGet, {}, {"line", "contains", "title", "warning", "error"}, true}},
      {"links",
       {SectionKind::kLinks,
        {},
        {"out", "outgoing", "candidates", "back", "backlinks", "error"},
        true}},
  };
  return all;
}

std::string trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Replaces \u{HEX}; with `bytes` also \xHH, \t and \\.
Result<std::string> unescape(std::string_view text, bool bytes) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    uint32_t number = 0;
    if (starts_with(rest, "\\u{")) {
      const size_t close = rest.find('}');
      if (close == std::string_view::npos) return fail(ErrorCode::kConfig, "\\u{ without }");
      const auto read = std::from_chars(rest.data() + 3, rest.data() + close, number, 16);
      if (read.ptr != rest.data() + close || number > 0x10FFFF) {
        return fail(ErrorCode::kConfig, "\\u{...} takes a hexadecimal code point");
      }
      utf8::append(out, static_cast<char32_t>(number));
      i += close;
    } else if (bytes && starts_with(rest, "\\x")) {
      if (rest.size() < 4 ||
          std::from_chars(rest.data() + 2, rest.data() + 4, number, 16).ptr != rest.data() + 4) {
        return fail(ErrorCode::kConfig, "\\x takes two hexadecimal digits");
      }
      out += static_cast<char>(number);
      i += 3;
    } else if (bytes && (starts_with(rest, "\\t") || starts_with(rest, "\\\\"))) {
      out += rest[1] == 't' ? '\t' : '\\';
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string utf16(const std::string& text, bool big_endian) {
  std::string out;
  const auto unit = [&](uint32_t value) {
    const char high = static_cast<char>((value >> 8) & 0xFF);
    const char low = static_cast<char>(value & 0xFF);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  unit(0xFEFF);
  for (size_t at = 0; at < text.size();) {
    const utf8::Decoded decoded = utf8::decode(text, at);
    at += decoded.bytes;
    const auto code = static_cast<uint32_t>(decoded.code);
    if (code < 0x10000) {
      unit(code);
    } else {
      unit(0xD800 + ((code - 0x10000) >> 10));
      unit(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return out;
}

struct FileOptions {
  bool crlf = false, bom = false, noeol = false, utf16le = false, utf16be = false, escapes = false;
  int repeat = 1, copies = 0;
};

// `PATH [crlf bom ...]` -> the path and its options.
Result<FileOptions> file_options(std::string& path) {
  FileOptions out;
  if (path.empty() || path.back() != ']') return out;
  const size_t open = path.rfind(" [");
  if (open == std::string::npos) return out;
  std::istringstream words(path.substr(open + 2, path.size() - open - 3));
  path = trim(path.substr(0, open));
  const std::map<std::string, bool*> flags = {{"crlf", &out.crlf},       {"bom", &out.bom},
                                              {"noeol", &out.noeol},     {"utf16le", &out.utf16le},
                                              {"utf16be", &out.utf16be}, {"escapes", &out.escapes}};
  const std::map<std::string, int*> numbers = {{"repeat", &out.repeat}, {"copies", &out.copies}};
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const auto flag = flags.find(word);
    const auto number = numbers.find(word.substr(0, equals));
    if (flag != flags.end()) {
      *flag->second = true;
    } else if (number != numbers.end() && equals != std::string::npos) {
      *number->second = std::atoi(word.c_str() + equals + 1);
      if (*number->second < 1) return fail(ErrorCode::kConfig, word + " takes a positive number");
    } else {
      return fail(ErrorCode::kConfig,
                  "unknown file option '" + word +
                      "'; known: crlf bom noeol utf16le utf16be escapes repeat=N copies=N");
    }
  }
  return out;
}

Result<std::string> file_bytes(std::vector<std::string> lines, const FileOptions& options) {
  while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
  const char* const ending = options.crlf ? "\r\n" : "\n";
  std::string once;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (options.escapes) {
      TRY(line, unescape(lines[i], true));
    }
    once += line;
    const bool last = i + 1 == lines.size();
    if (!last || !options.noeol) once += ending;
  }
  std::string text;
  for (int i = 0; i < options.repeat; ++i) text += once;
  if (options.utf16le || options.utf16be) return utf16(text, options.utf16be);
  return (options.bom ? "\xEF\xBB\xBF" : "") + text;
}

// One section while it is read.
struct Pending {
  Section section;
  const Grammar* grammar = nullptr;
  std::string word;
  std::vector<std::string> lines;  // of a file
  FileOptions file;
};

class Parser {
 public:
  explicit Parser(std::string path) { out_.path = std::move(path); }

  Result<CaseFile> parse(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      ++number_;
      if (starts_with(line, "=== ")) {
        TRY_STATUS(close());
        TRY_STATUS(open(line.substr(4)));
      } else if (open_ && pending_.section.kind == SectionKind::kFile) {
        pending_.lines.push_back(line);
      } else {
        TRY_STATUS(plain_line(line));
      }
    }
    TRY_STATUS(close());
    if (out_.meaning.empty()) return wrong(1, "must open with a # comment that says what it shows");
    if (expectations_ == 0) return wrong(number_, "expects nothing; a case must be able to fail");
    return std::move(out_);
  }

 private:
  tl::unexpected<Error> wrong(int line, const std::string& why) const {
    return fail(ErrorCode::kConfig, why, out_.path + ":" + std::to_string(line));
  }

  tl::unexpected<Error> unknown(const std::string& what, const std::string& name,
                                const std::vector<std::string>& known) const {
    std::string list;
    for (const std::string& item : known) list += (list.empty() ? "" : ", ") + item;
    return wrong(number_, "unknown " + what + " '" + name + "'; known: " + list);
  }

  Status open(const std::string& head) {
    pending_ = {};
    const size_t space = head.find(' ');
    pending_.word = head.substr(0, space);
    const auto grammar = grammars().find(pending_.word);
    if (grammar == grammars().end()) {
      std::vector<std::string> known;
      for (const auto& [name, value] : grammars()) known.push_back(name);
      return unknown("section", pending_.word, known);
    }
    pending_.grammar = &grammar->second;
    Section& section = pending_.section;
    section.kind = grammar->second.kind;
    section.number = number_;
    Result<std::string> argument =
        unescape(space == std::string::npos ? "" : trim(head.substr(space + 1)), false);
    if (!argument) return wrong(number_, argument.error().message);
    section.argument = *argument;
    open_ = true;
    return check_argument(section);
  }

  Status check_argument(Section& section) {
    const bool pair = section.kind == SectionKind::kSymlink || section.kind == SectionKind::kMove;
    if (pair) {
      const size_t arrow = section.argument.find(" -> ");
      if (arrow == std::string::npos) return wrong(number_, "wants `FROM -> TO`");
      section.target = trim(section.argument.substr(arrow + 4));
      section.argument = trim(section.argument.substr(0, arrow));
    }
    if (section.kind == SectionKind::kFile) {
      Result<FileOptions> options = file_options(section.argument);
      if (!options) return wrong(number_, options.error().message);
      pending_.file = *options;
      section.copies = options->copies;
    }
    const bool bare = section.kind == SectionKind::kConfig || section.kind == SectionKind::kIndex;
    if (bare != section.argument.empty() && section.kind != SectionKind::kSearch &&
        section.kind != SectionKind::kAsk) {
      return wrong(number_, bare ? "takes nothing after its name" : "wants a name after it");
    }
    const bool inside =
        section.argument.find("..") == std::string::npos && !starts_with(section.argument, "/");
    const bool writes =
        section.kind == SectionKind::kFile || pair || section.kind == SectionKind::kDelete;
    if (writes && !inside) return wrong(number_, "writes inside the vault only");
    return {};
  }

  Status plain_line(const std::string& line) {
    const std::string text = trim(line);
    if (text.empty()) return {};
    if (text[0] == '#') {
      if (!open_) out_.meaning += (out_.meaning.empty() ? "" : " ") + trim(text.substr(1));
      return {};
    }
    if (!open_) return wrong(number_, "stands before the first `=== ` section");
    const size_t colon = text.find(':');
    Result<std::string> value =
        unescape(colon == std::string::npos ? "" : trim(text.substr(colon + 1)), false);
    if (!value) return wrong(number_, value.error().message);
    Line out{number_, trim(text.substr(0, colon)), *std::move(value)};
    if (pending_.section.kind == SectionKind::kConfig) {
      pending_.section.options.push_back(out);
      return {};
    }
    const Grammar& grammar = *pending_.grammar;
    const auto among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), out.name) != names.end();
    };
    if (among(grammar.options)) {
      pending_.section.options.push_back(out);
    } else if (among(grammar.expectations)) {
      ++expectations_;
      pending_.section.expectations.push_back(out);
    } else {
      std::vector<std::string> known = grammar.options;
      known.insert(known.end(), grammar.expectations.begin(), grammar.expectations.end());
      return unknown("line of `" + pending_.word + "`", out.name, known);
    }
    return {};
  }

  Status close() {
    if (!open_) return {};
    Section& section = pending_.section;
    if (section.kind == SectionKind::kFile) {
      Result<std::string> bytes = file_bytes(pending_.lines, pending_.file);
      if (!bytes) return wrong(section.number, bytes.error().message);
      section.bytes = *bytes;
    }
    if (pending_.grammar->must_expect && section.expectations.empty()) {
      return wrong(section.number, "`" + pending_.word + "` expects nothing");
    }
    out_.sections.push_back(std::move(section));
    open_ = false;
    return {};
  }

  CaseFile out_;
  Pending pending_;
  bool open_ = false;
  int number_ = 0;
  int expectations_ = 0;
};

}  // namespace

Result<CaseFile> parse_case(const std::string& path, const std::string& text) {
  return Parser(path).parse(text);
}

}  // namespace lectern::cases
