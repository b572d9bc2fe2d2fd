// Snapshot: what queries of one generation share in memory. Immutable; a new generation
// takes over every part that did not change and loads only its new ones.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "lectern/result.h"
#include "lexical/evaluate.h"
#include "store/store.h"

namespace lectern::retrieve {

// What filters look at, loaded when the first filtered query of a generation comes.
struct NoteTable {
  std::vector<store::NoteMeta> notes;              // by id
  std::unordered_map<int64_t, size_t> by_id;       // id -> index into notes
  std::unordered_map<int64_t, int32_t> chunk_day;  // chunk rowid -> first day of its date
};

class Snapshot {
 public:
  uint64_t generation = 0;
  std::vector<lexical::SegmentView> segments;
  std::vector<uint64_t> deleted_versions;  // beside segments
  lexical::CorpusStats stats;

  int64_t note_of(lexical::DocRef ref) const {
    return segments[ref.segment_index].columns->note[ref.doc];
  }
  int64_t chunk_of(lexical::DocRef ref) const {
    return segments[ref.segment_index].columns->chunk[ref.doc];
  }

  // Thread-safe; loads once.
  Result<std::shared_ptr<const NoteTable>> notes(store::Reader& reader) const;

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const NoteTable> notes_;
};

class SnapshotCache {
 public:
  // The snapshot of exactly the reader's generation.
  Result<std::shared_ptr<const Snapshot>> of(store::Reader& reader);

 private:
  std::mutex mutex_;
  std::shared_ptr<const Snapshot> latest_;
};

}  // namespace lectern::retrieve
