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

// Which segments to merge into one now: indices into `sizes`, empty when none. Small ones
// are merged with their like once more than 8 are live, so that a document is rewritten
// only a logarithmic number of times; one that is mostly deleted is rewritten alone.
std::vector<size_t> choose_merge(const std::vector<SegmentSize>& sizes);

class LiveSegments {
 public:
  static Result<LiveSegments> load(store::Writer& writer);

  // Marks the documents of these chunks (rowids) as deleted; drops segments left empty.
  Status remove_chunks(std::vector<int64_t> rowids);
  Status add(const lexical::EncodedSegment& segment);
  // Merges until choose_merge is content.
  Status merge();
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
  Status merge_these(const std::vector<size_t>& chosen);

  store::Writer* writer_;
  std::vector<Live> segments_;
};

}  // namespace lectern::index
