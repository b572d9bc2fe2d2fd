// Lanes: independent rankings of chunks for one query. Each is a function over the same
// snapshot; the semantic lane joins them here.
#pragma once

#include <vector>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lexical/evaluate.h"
#include "retrieve/candidate.h"
#include "retrieve/filter.h"
#include "retrieve/snapshot.h"
#include "store/store.h"

namespace lectern::retrieve {

struct LaneInput {
  const lexical::ParsedQuery& query;
  const Snapshot& snapshot;
  const CompiledFilter& filter;
  const Config& config;
  store::Reader& reader;
  uint32_t depth = 20;  // candidates to give
};

struct KeywordLane {
  Lane lane;
  std::vector<double> word_idf;  // beside query.words
  std::vector<uint32_t> word_df;
  bool phrase_cut = false;
};

// BM25 over chunks, at most config.search.max_per_note of one note.
Result<KeywordLane> keyword_lane(const LaneInput& input);

// Notes by title, alias or file stem, each represented by its best keyword chunk, else its
// first chunk that passes the filter.
Result<Lane> title_lane(const LaneInput& input);

}  // namespace lectern::retrieve
