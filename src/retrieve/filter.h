// Filters: the caller's scope, compiled to a question about one document. Applied inside
// the lanes, before any cut, so that a narrow scope never gives a false empty.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "retrieve/snapshot.h"

namespace lectern::retrieve {

class CompiledFilter {
 public:
  // Errors: kInvalidArgument (a bad date, an unknown collection). `warnings` gets a line
  // for a folder, note or tag that no note has.
  static Result<CompiledFilter> compile(const Filter& filter, const Config& config,
                                        std::shared_ptr<const Snapshot> snapshot,
                                        store::Reader& reader, std::vector<Warning>& warnings);

  bool everything() const { return !notes_ && !after_ && !before_; }
  bool accepts(lexical::DocRef ref) const;

 private:
  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const NoteTable> table_;
  std::optional<std::unordered_set<int64_t>> notes_;  // allowed ones; none: all
  std::optional<int32_t> after_, before_;             // days since 1970-01-01
};

}  // namespace lectern::retrieve
