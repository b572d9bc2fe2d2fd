// LiveSegments: the keyword index's segments during a run: which documents of them are
// deleted, and when some of them are merged into one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lectern/result.h"
#include "lexical/segment.h"
#include "store/store.h"

namespace lectern::index {

// A query looks every word up in every segment, so there are never more than this.
constexpr size_t kMaxSegments = 12;

struct SegmentSize {
  uint32_t docs = 0, live = 0;
};

// So many may stay at the end of a run.
constexpr size_t kRestingSegments = 8;

// Which segments to merge into one now: indices into `sizes`, empty when none. Small ones
// are merged with their like once more than `limit` are live, so that a document is
// rewritten only a logarithmic number of times; a mostly deleted one is rewritten alone.
std::vector<size_t> choose_merge(const std::vector<SegmentSize>& sizes,
                                 size_t limit = kRestingSegments);

class LiveSegments {
 public:
  static Result<LiveSegments> load(store::Writer& writer);

  // Marks the documents of these chunks (rowids) as deleted; drops segments left empty.
  Status remove_chunks(std::vector<int64_t> rowids);
  Status add(const lexical::EncodedSegment& segment);
  // Merges until choose_merge is content with the limit of a run under way.
  Status merge() { return merge_down_to(kMaxSegments); }
  // The same for the end of a run. When the run wrote most of the index, all of it becomes
  // one segment: smaller, and the quickest to search.
  Status settle();
  size_t count() const { return segments_.size(); }

 private:
  struct Live {
    uint32_t id = 0, docs = 0, live = 0;
    lexical::DeletedBits deleted;  // empty: none
    std::optional<lexical::DocColumns> columns;
  };

  explicit LiveSegments(store::Writer& writer) : writer_(&writer) {}
  Status load_columns(Live& segment);
  Status drop_empty();
  Status merge_down_to(size_t limit);
  Status merge_these(const std::vector<size_t>& chosen);

  store::Writer* writer_;
  std::vector<Live> segments_;
  uint64_t written_ = 0;  // documents added in this run
};

}  // namespace lectern::index
