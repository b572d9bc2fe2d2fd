// Reciprocal rank fusion against sums worked out by hand.
#include "retrieve/fuse.h"

#include <gtest/gtest.h>

namespace lectern::retrieve {
namespace {

Candidate hit(uint64_t id, const std::string& lane, uint32_t rank) {
  Candidate candidate;
  candidate.id = {0, id};
  candidate.note = static_cast<int64_t>(id);
  candidate.lanes[lane] = {rank, 1.0};
  return candidate;
}

TEST(Fuse, SumsReciprocalRanksAndKeepsEveryLane) {
  FusionConfig config;
  config.rrf_k = 60;
  const Lane keyword{"keyword", 1, {hit(1, "keyword", 1), hit(2, "keyword", 2)}};
  const Lane title{"title", 1, {hit(2, "title", 1), hit(3, "title", 2)}};
  const auto fused = fuse({keyword, title}, config);
  ASSERT_EQ(fused.size(), 3U);
  EXPECT_EQ(fused[0].id.low, 2U);
  EXPECT_DOUBLE_EQ(fused[0].fused, 1.0 / 62 + 1.0 / 61);
  EXPECT_EQ(fused[0].lanes.at("keyword").rank, 2U);
  EXPECT_EQ(fused[0].lanes.at("title").rank, 1U);
  EXPECT_EQ(fused[1].id.low, 1U);
  EXPECT_EQ(fused[2].id.low, 3U);
}

TEST(Fuse, WeightsCountAndTiesGoByChunkId) {
  FusionConfig config;
  config.rrf_k = 10;
  const Lane a{"keyword", 1, {hit(9, "keyword", 1)}};
  const Lane b{"title", 1, {hit(4, "title", 1)}};
  EXPECT_EQ(fuse({a, b}, config)[0].id.low, 4U);
  const Lane heavy{"keyword", 2, {hit(9, "keyword", 1)}};
  EXPECT_EQ(fuse({heavy, b}, config)[0].id.low, 9U);
}

}  // namespace
}  // namespace lectern::retrieve
