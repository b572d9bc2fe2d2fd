// LinkIndex: candidates by the folded last component of their path, then by whole suffix.
#include "vault/resolve.h"

#include <algorithm>

#include "text/normalize.h"
#include "vault/lines.h"

namespace lectern::vault {

namespace {

std::string_view without_md(std::string_view path) {
  for (const std::string_view suffix : {".md", ".markdown"}) {
    if (path.size() <= suffix.size()) continue;
    const std::string_view tail = path.substr(path.size() - suffix.size());
    const bool same = std::equal(tail.begin(), tail.end(), suffix.begin(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
    });
    if (same && path[path.size() - suffix.size() - 1] != '/') {
      return path.substr(0, path.size() - suffix.size());
    }
  }
  return path;
}

std::string_view last_component(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

// True when `path` is `suffix` or ends with "/" + suffix.
bool has_suffix(std::string_view path, std::string_view suffix) {
  if (!path.ends_with(suffix)) return false;
  return path.size() == suffix.size() || path[path.size() - suffix.size() - 1] == '/';
}

// Joins and removes "." and ".." components; false when it leaves the vault.
bool join(std::string_view folder, std::string_view target, std::string& out) {
  std::vector<std::string_view> parts;
  for (const std::string_view path : {folder, target}) {
    for (size_t at = 0; at < path.size();) {
      const size_t slash = std::min(path.find('/', at), path.size());
      const std::string_view part = path.substr(at, slash - at);
      at = slash + 1;
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
      } else if (parts.empty()) {
        return false;
      } else {
        parts.pop_back();
      }
    }
  }
  out.clear();
  for (const std::string_view part : parts) {
    if (!out.empty()) out.push_back('/');
    out += part;
  }
  return !out.empty();
}

}  // namespace

std::string LinkIndex::link_key(std::string_view target) {
  return text::fold_case(without_md(last_component(trim(target))));
}

void LinkIndex::add_note(int64_t id, std::string_view path,
                         const std::vector<std::string>& aliases) {
  by_name_[link_key(path)].push_back({id, std::string(path), text::fold_case(without_md(path))});
  for (const std::string& alias : aliases) {
    by_alias_[text::fold_case(trim(alias))].push_back({id, std::string(path), {}});
  }
}

void LinkIndex::add_attachment(std::string_view path) {
  by_name_[link_key(path)].push_back({-1, std::string(path), text::fold_case(path)});
}

Resolution LinkIndex::resolve(std::string_view from, const Link& link) const {
  // Entries in the order of preference among equals: the source's folder, the shortest
  // path, bytes.
  const auto prefer = [&](std::vector<const Entry*>& entries) {
    std::sort(entries.begin(), entries.end(), [&](const Entry* a, const Entry* b) {
      const bool near_a = folder_of(a->path) == folder_of(from);
      const bool near_b = folder_of(b->path) == folder_of(from);
      if (near_a != near_b) return near_a;
      if (a->path.size() != b->path.size()) return a->path.size() < b->path.size();
      return a->path < b->path;
    });
  };
  const auto answer = [&](std::vector<const Entry*> entries, LinkState several) {
    Resolution out;
    if (entries.empty()) return out;
    prefer(entries);
    out.state = entries.size() > 1 ? several : LinkState::kResolved;
    out.note = entries[0]->id;
    out.path = entries[0]->path;
    if (entries.size() > 1) {
      for (const Entry* entry : entries) out.candidates.push_back(entry->id);
    }
    return out;
  };
  // Entries whose path (`whole`) or path's end is `target`; those that agree in case (and
  // extension) win over those that do not.
  const auto find = [&](std::string_view target, bool whole) {
    std::vector<const Entry*> found;
    const auto bucket = by_name_.find(link_key(target));
    if (bucket == by_name_.end()) return found;
    const std::string exact = text::nfc(without_md(target));
    const std::string folded = text::fold_case(without_md(target));
    std::vector<const Entry*> same_case;
    for (const Entry& entry : bucket->second) {
      const bool fits = whole ? entry.folded == folded : has_suffix(entry.folded, folded);
      if (!fits) continue;
      found.push_back(&entry);
      const std::string path =
          text::nfc(entry.id < 0 ? std::string_view(entry.path) : without_md(entry.path));
      if (whole ? path == exact : has_suffix(path, exact)) same_case.push_back(&entry);
    }
    return same_case.empty() ? found : same_case;
  };

  if (link.target.empty()) {
    const auto bucket = by_name_.find(link_key(from));
    if (bucket == by_name_.end()) return {};
    for (const Entry& entry : bucket->second) {
      if (entry.path == from) return answer({&entry}, LinkState::kAmbiguous);
    }
    return {};
  }

  std::string_view target = trim(link.target);
  std::string joined;
  const bool relative = target.starts_with("./") || target.starts_with("../");
  if (relative || (link.syntax == LinkSyntax::kMarkdown && !target.starts_with('/'))) {
    if (join(folder_of(from), target, joined)) {
      const auto found = find(joined, true);
      if (!found.empty()) return answer(found, LinkState::kAmbiguous);
    }
    if (relative) return {};
  }
  const bool rooted = target.starts_with('/');
  while (target.starts_with('/')) target.remove_prefix(1);
  if (target.empty()) return {};
  if (auto found = find(target, true); !found.empty()) return answer(found, LinkState::kAmbiguous);
  if (rooted) return {};
  if (auto found = find(target, false); !found.empty()) {
    return answer(found, LinkState::kAmbiguous);
  }
  const auto alias = by_alias_.find(text::fold_case(target));
  if (alias == by_alias_.end()) return {};
  std::vector<const Entry*> entries;
  for (const Entry& entry : alias->second) {
    // The same alias twice in one note is one candidate.
    const bool known = std::any_of(entries.begin(), entries.end(),
                                   [&](const Entry* other) { return other->id == entry.id; });
    if (!known) entries.push_back(&entry);
  }
  Resolution out = answer(entries, LinkState::kAlias);
  out.state = LinkState::kAlias;
  return out;
}

}  // namespace lectern::vault
