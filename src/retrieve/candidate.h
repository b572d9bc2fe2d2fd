// Candidate: one chunk on its way through the pipeline, with what every lane said of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "lectern/types.h"
#include "lexical/evaluate.h"

namespace lectern::retrieve {

struct Candidate {
  lexical::DocRef ref;
  int64_t note = 0, chunk = 0;  // catalog ids
  Hash128 id;
  std::map<std::string, LaneHit> lanes;  // by lane name: "title", "keyword"
  double fused = 0;
  std::string drop_reason;  // empty: kept
};

// A lane's answer: candidates best first, each with its hit under the lane's name.
struct Lane {
  std::string name;
  double weight = 1;
  std::vector<Candidate> candidates;
};

}  // namespace lectern::retrieve
