// The link pass of a run: after notes came, went or changed, the links that may now mean
// something else are resolved again, and only those.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lectern/result.h"
#include "store/store.h"

namespace lectern::index {

class LinkPass {
 public:
  // A name appeared, disappeared or moved: every link that may mean it is looked at.
  void name_changed(std::string_view path, const std::vector<std::string>& aliases);
  // The note's links were written anew.
  void note_written(int64_t note) { notes_.insert(note); }
  // Everything is looked at.
  void everything() { everything_ = true; }
  bool needed() const { return everything_ || !keys_.empty() || !notes_.empty(); }

  Status run(store::Writer& writer, const std::vector<std::string>& attachments) const;

 private:
  std::set<std::string> keys_;
  std::set<int64_t> notes_;
  bool everything_ = false;
};

}  // namespace lectern::index
