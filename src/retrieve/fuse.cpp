// Reciprocal rank fusion; see fuse.h.
#include "retrieve/fuse.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lectern::retrieve {

std::vector<Candidate> fuse(const std::vector<Lane>& lanes, const FusionConfig& config) {
  std::map<Hash128, Candidate> by_id;
  for (const Lane& lane : lanes) {
    for (const Candidate& hit : lane.candidates) {
      Candidate& fused = by_id.try_emplace(hit.id, hit).first->second;
      const LaneHit& place = hit.lanes.at(lane.name);
      fused.lanes[lane.name] = place;
      fused.fused += lane.weight / (config.rrf_k + place.rank);
    }
  }
  std::vector<Candidate> out;
  out.reserve(by_id.size());
  for (auto& [id, candidate] : by_id) out.push_back(std::move(candidate));
  std::stable_sort(out.begin(), out.end(),  // by_id is in id order: ties stay so
                   [](const Candidate& a, const Candidate& b) { return a.fused > b.fused; });
  return out;
}

}  // namespace lectern::retrieve
