// Fusion: several rankings into one, every lane's rank and score kept.
#pragma once

#include <vector>

#include "lectern/config.h"
#include "retrieve/candidate.h"

namespace lectern::retrieve {

// Reciprocal rank fusion: Σ weight / (rrf_k + rank) over the lanes that hold a chunk
// (Cormack, Clarke and Büttcher, SIGIR 2009). Best first; ties by chunk id.
std::vector<Candidate> fuse(const std::vector<Lane>& lanes, const FusionConfig& config);

}  // namespace lectern::retrieve
