// Diff of the index and the vault; see plan.h.
#include "index/plan.h"

#include <algorithm>

namespace lectern::index {

namespace {

constexpr int64_t kClockGrainNs = 2'000'000'000;

bool is_unreadable(std::string_view path, const std::vector<std::string>& unreadable) {
  return std::any_of(unreadable.begin(), unreadable.end(),
                     [&](const std::string& folder) { return is_within(path, folder); });
}

}  // namespace

bool is_racy(const FileStat& stat, int64_t read_at_ns) {
  return stat.mtime_ns > read_at_ns - kClockGrainNs || stat.ctime_ns > read_at_ns - kClockGrainNs;
}

bool is_within(std::string_view path, std::string_view folder) {
  if (folder.empty() || folder == ".") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

Plan make_plan(const std::vector<store::FileState>& known, const vault::ScanResult& scan,
               bool everything) {
  Plan plan;
  const auto leave = [&](const store::FileState& file) {
    if (is_unreadable(file.path, scan.unreadable)) {
      plan.kept.push_back(file.path);
    } else {
      plan.gone.push_back(file);
    }
  };
  auto old = known.begin();
  for (const vault::ScannedFile& file : scan.files) {
    while (old != known.end() && old->path < file.path) leave(*old++);
    const bool is_known = old != known.end() && old->path == file.path;
    if (is_known && !everything && old->stat == file.stat && !old->racy) {
      ++plan.unchanged;
    } else {
      plan.reads.push_back(
          {file.path, file.stat, is_known ? *old : store::FileState{}, everything});
    }
    if (is_known) ++old;
  }
  while (old != known.end()) leave(*old++);
  return plan;
}

}  // namespace lectern::index
