// GlobSet: include and exclude patterns in the manner of .gitignore.
#include <algorithm>

#include "base/utf8.h"
#include "vault/scan.h"

namespace lectern::vault {

namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  size_t at = 0;
  while (at <= path.size()) {
    const size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at && path.substr(at, slash - at) != ".") {
      parts.emplace_back(path.substr(at, slash - at));
    }
    at = slash + 1;
  }
  return parts;
}

// End of the class that opens at `at` ('['); npos when it never closes.
size_t class_end(std::string_view pattern, size_t at) {
  size_t i = at + 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;  // a first ']' is a member
  const size_t close = pattern.find(']', i);
  return close == std::string_view::npos ? close : close + 1;
}

bool class_holds(std::string_view members, char32_t c) {  // between the brackets
  bool negated = false;
  size_t at = 0;
  if (!members.empty() && (members[0] == '!' || members[0] == '^')) {
    negated = true;
    at = 1;
  }
  bool found = false;
  while (at < members.size()) {
    const utf8::Decoded low = utf8::decode(members, at);
    at += low.bytes;
    char32_t high = low.code;
    if (at + 1 < members.size() && members[at] == '-') {
      const utf8::Decoded end = utf8::decode(members, at + 1);
      high = end.code;
      at += 1 + end.bytes;
    }
    found = found || (low.code <= c && c <= high);
  }
  return found != negated;
}

// One component. `*` backtracks to the latest star only, so the cost is at most the
// product of both lengths.
bool match_component(std::string_view pattern, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;
  size_t star_name = 0;
  while (n < name.size()) {
    const utf8::Decoded c = utf8::decode(name, n);
    bool ok = false;
    size_t used = 1;
    if (p < pattern.size()) {
      if (pattern[p] == '*') {
        star = p++;
        star_name = n;
        continue;
      }
      if (pattern[p] == '?') {
        ok = true;
      } else if (pattern[p] == '[') {
        used = class_end(pattern, p) - p;
        ok = class_holds(pattern.substr(p + 1, used - 2), c.code);
      } else {
        used = std::min<size_t>(c.bytes, pattern.size() - p);
        ok = pattern.substr(p, used) == name.substr(n, c.bytes);
      }
    }
    if (ok) {
      p += used;
      n += c.bytes;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      star_name += utf8::decode(name, star_name).bytes;
      n = star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// Components against components; `**` stands for any number. Same backtracking.
bool match_path(const std::vector<std::string>& pattern, const std::vector<std::string>& path,
                size_t length) {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string::npos;
  size_t star_path = 0;
  while (n < length) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = p++;
      star_path = n;
    } else if (p < pattern.size() && match_component(pattern[p], path[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++star_path;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == "**") ++p;
  return p == pattern.size();
}

}  // namespace

Result<GlobSet> GlobSet::compile(const std::vector<std::string>& patterns,
                                 const std::string& vault) {
  GlobSet set;
  for (const std::string& given : patterns) {
    std::string text = given;
    std::replace(text.begin(), text.end(), '\\', '/');
    Pattern pattern;
    if (text.starts_with('!')) {
      pattern.negated = true;
      text.erase(0, 1);
    }
    std::string root = vault;
    while (root.ends_with('/')) root.pop_back();
    if (!root.empty() && (text == root || text.starts_with(root + "/"))) {
      text.erase(0, root.size());
      if (text.empty() || text == "/") text = "/**";
    }
    pattern.folder_only = text.ends_with('/');
    const std::string_view body =
        std::string_view(text).substr(0, text.size() - (pattern.folder_only ? 1 : 0));
    pattern.anchored = body.find('/') != std::string_view::npos;
    pattern.components = split(text);
    if (pattern.components.empty()) {
      return fail(ErrorCode::kInvalidArgument, "the pattern names nothing", given,
                  "give a folder, a file or a glob such as 'Projects/**'");
    }
    if (std::count(pattern.components.begin(), pattern.components.end(), "..") > 0) {
      return fail(ErrorCode::kInvalidArgument, "a pattern cannot leave the vault", given,
                  "write it relative to the vault's folder");
    }
    // `folder/**` takes the folder and everything beneath it.
    if (pattern.components.size() > 1 && pattern.components.back() == "**") {
      pattern.components.pop_back();
    }
    for (const std::string& part : pattern.components) {
      for (size_t at = part.find('['); at != std::string::npos; at = part.find('[', at)) {
        at = class_end(part, at);
        if (at == std::string::npos) {
          return fail(ErrorCode::kInvalidArgument, "'[' is not closed", given,
                      "close it with ']' or write '?' for any character");
        }
      }
    }
    if (!pattern.anchored) pattern.components.insert(pattern.components.begin(), "**");
    set.patterns_.push_back(std::move(pattern));
  }
  return set;
}

bool GlobSet::matches(std::string_view path, bool is_folder) const {
  if (patterns_.empty()) return false;
  const std::vector<std::string> parts = split(path);
  bool matched = false;
  for (const Pattern& pattern : patterns_) {
    for (size_t length = 1; length <= parts.size(); ++length) {
      const bool folder = length < parts.size() || is_folder;
      if (pattern.folder_only && !folder) continue;
      if (match_path(pattern.components, parts, length)) {
        matched = !pattern.negated;
        break;
      }
    }
  }
  return matched;
}

}  // namespace lectern::vault
