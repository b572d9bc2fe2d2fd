// Compiles filters against the notes of a snapshot; see filter.h.
#include "retrieve/filter.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "text/normalize.h"
#include "vault/parse.h"

namespace lectern::retrieve {

namespace {

using store::NoteMeta;
using NotePredicate = std::function<bool(const NoteMeta&)>;

struct Excludable {
  std::string value;
  bool exclude = false;
};

Excludable split_exclusion(std::string_view raw) {
  if (!raw.empty() && raw.front() == '!') return {std::string(raw.substr(1)), true};
  return {std::string(raw), false};
}

// "./Ops/", "/Ops" and "Ops" are one folder; "" and "." mean the whole vault.
std::string folder_key(std::string_view raw) {
  std::string folder = text::nfc(raw);
  std::replace(folder.begin(), folder.end(), '\\', '/');
  while (folder.starts_with("./")) folder.erase(0, 2);
  while (folder.starts_with('/')) folder.erase(0, 1);
  while (folder.ends_with('/')) folder.pop_back();
  return folder == "." ? std::string() : folder;
}

bool is_inside(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

bool has_tag(const NoteMeta& note, const std::string& wanted) {
  return std::any_of(note.tags.begin(), note.tags.end(), [&](const std::string& tag) {
    const std::string folded = text::fold_case(tag);
    return folded == wanted || (folded.starts_with(wanted) && folded[wanted.size()] == '/');
  });
}

bool has_property(const NoteMeta& note, const std::string& key, const std::string& value) {
  return std::any_of(note.properties.begin(), note.properties.end(), [&](const Property& p) {
    return text::fold_case(p.key) == key &&
           std::any_of(p.values.begin(), p.values.end(),
                       [&](const std::string& v) { return text::fold_case(v) == value; });
  });
}

// Exact spelling wins; only when no note has it does the case not matter.
NotePredicate folder_predicate(const std::string& folder, const NoteTable& table) {
  const auto exact = [folder](const NoteMeta& note) {
    return is_inside(text::nfc(note.path), folder);
  };
  if (std::any_of(table.notes.begin(), table.notes.end(), exact)) return exact;
  return [folded = text::fold_case(folder)](const NoteMeta& note) {
    return is_inside(text::fold_case(note.path), folded);
  };
}

NotePredicate path_predicate(const std::string& raw, const NoteTable& table) {
  const std::string wanted = folder_key(raw);
  const auto matches = [](const std::string& path, const std::string& want) {
    return path == want || path == want + ".md" || path == want + ".markdown";
  };
  const auto exact = [=](const NoteMeta& note) { return matches(text::nfc(note.path), wanted); };
  if (std::any_of(table.notes.begin(), table.notes.end(), exact)) return exact;
  return [=, folded = text::fold_case(wanted)](const NoteMeta& note) {
    return matches(text::fold_case(note.path), folded);
  };
}

// A list of conditions of one kind: those without '!' widen, those with it exclude.
class Conditions {
 public:
  void add(NotePredicate predicate, bool exclude) {
    (exclude ? none_ : any_).push_back(std::move(predicate));
  }
  bool accepts(const NoteMeta& note) const {
    const auto holds = [&](const NotePredicate& p) { return p(note); };
    return (any_.empty() || std::any_of(any_.begin(), any_.end(), holds)) &&
           std::none_of(none_.begin(), none_.end(), holds);
  }

 private:
  std::vector<NotePredicate> any_, none_;
};

void warn_if_unused(const NoteTable& table, const NotePredicate& predicate, std::string message,
                    std::vector<Warning>& warnings) {
  if (std::none_of(table.notes.begin(), table.notes.end(), predicate)) {
    warnings.push_back({"", 0, std::move(message)});
  }
}

Result<std::optional<int32_t>> day_of(const std::string& date, std::string_view flag) {
  if (date.empty()) return std::optional<int32_t>();
  const DateStamp stamp = vault::parse_iso_date(date);
  if (!stamp.known()) {
    return fail(ErrorCode::kInvalidArgument, "'" + date + "' is not a date", std::string(flag),
                "write 2026, 2026-03 or 2026-03-14");
  }
  return std::optional<int32_t>(stamp.day_first);
}

}  // namespace

Result<CompiledFilter> CompiledFilter::compile(const Filter& filter, const Config& config,
                                               std::shared_ptr<const Snapshot> snapshot,
                                               store::Reader& reader,
                                               std::vector<Warning>& warnings) {
  CompiledFilter out;
  TRY(out.after_, day_of(filter.after, "after"));
  TRY(out.before_, day_of(filter.before, "before"));
  out.snapshot_ = std::move(snapshot);
  if (filter.empty()) return out;
  TRY(out.table_, out.snapshot_->notes(reader));
  const NoteTable& table = *out.table_;

  Conditions folders;
  for (const std::string& raw : filter.folders) {
    const auto [value, exclude] = split_exclusion(raw);
    NotePredicate predicate = folder_predicate(folder_key(value), table);
    warn_if_unused(table, predicate, "no note is in the folder '" + value + "'", warnings);
    folders.add(std::move(predicate), exclude);
  }
  Conditions collections;
  for (const std::string& name : filter.collections) {
    if (name == "main" && !config.collections.contains(name)) continue;
    const auto found = config.collections.find(name);
    if (found == config.collections.end()) {
      return fail(ErrorCode::kInvalidArgument, "there is no collection '" + name + "'",
                  "collection", "define it in the configuration under collections");
    }
    for (const std::string& folder : found->second) {
      collections.add(folder_predicate(folder_key(folder), table), false);
    }
  }
  Conditions paths;
  for (const std::string& raw : filter.paths) {
    const auto [value, exclude] = split_exclusion(raw);
    NotePredicate predicate = path_predicate(value, table);
    warn_if_unused(table, predicate, "there is no note '" + value + "'", warnings);
    paths.add(std::move(predicate), exclude);
  }
  std::vector<NotePredicate> all;  // tags and where narrow
  for (const std::string& raw : filter.tags) {
    auto [value, exclude] = split_exclusion(raw);
    if (value.starts_with('#')) value.erase(0, 1);
    const std::string wanted = text::fold_case(value);
    const NotePredicate has = [wanted](const NoteMeta& note) { return has_tag(note, wanted); };
    warn_if_unused(table, has, "no note has the tag '" + value + "'", warnings);
    all.push_back([has, exclude = exclude](const NoteMeta& note) { return has(note) != exclude; });
  }
  for (const auto& [key, value] : filter.where) {
    all.push_back([k = text::fold_case(key), v = text::fold_case(value)](const NoteMeta& note) {
      return has_property(note, k, v);
    });
  }

  out.notes_.emplace();
  for (const NoteMeta& note : table.notes) {
    if (folders.accepts(note) && collections.accepts(note) && paths.accepts(note) &&
        std::all_of(all.begin(), all.end(), [&](const NotePredicate& p) { return p(note); })) {
      out.notes_->insert(note.id);
    }
  }
  return out;
}

bool CompiledFilter::accepts(lexical::DocRef ref) const {
  if (notes_ && !notes_->contains(snapshot_->note_of(ref))) return false;
  if (!after_ && !before_) return true;
  const auto day = table_->chunk_day.find(snapshot_->chunk_of(ref));
  if (day == table_->chunk_day.end()) return false;  // undated passages fail a date filter
  return (!after_ || day->second >= *after_) && (!before_ || day->second < *before_);
}

}  // namespace lectern::retrieve
