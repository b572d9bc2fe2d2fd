// The retrieval pipeline: from a query to ranked, live passages. pipeline.cpp lists the
// stages in order and is the file to read first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "lexical/query.h"
#include "retrieve/candidate.h"
#include "retrieve/live_notes.h"
#include "retrieve/snapshot.h"
#include "retrieve/trace.h"
#include "store/store.h"

namespace lectern::retrieve {

struct Input {
  std::string query;
  Filter filter;
  std::string mode = "hybrid";  // hybrid | keyword | title
  bool operators = true;        // "phrases" and -words; false for questions
  uint32_t limit = 10;          // passages wanted
  uint32_t lane_depth = 20;
};

// A candidate bound to the note as it stands now.
struct Passage {
  Candidate candidate;
  const LiveNote* live = nullptr;  // owned by Retrieved::notes
  store::ChunkRow row;             // where it stands in live->note
};

struct Retrieved {
  std::unique_ptr<store::Reader> reader;
  std::shared_ptr<const Snapshot> snapshot;
  std::unique_ptr<LiveNotes> notes;
  lexical::ParsedQuery query;
  std::vector<double> word_idf;  // beside query.words
  std::vector<uint32_t> word_df;
  std::vector<Passage> passages;  // best first, at most Input::limit
  std::vector<std::string> degraded;
  std::vector<Warning> warnings;
};

// Errors: kInvalidArgument (mode, filter), kUnavailable (a mode that is not built),
// kNoIndex, kBadIndex, kIo.
Result<Retrieved> retrieve(const Input& input, const Config& config, store::Store& store,
                           SnapshotCache& snapshots, TraceBuilder& trace);

}  // namespace lectern::retrieve
