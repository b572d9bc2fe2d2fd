// The plan of a run and the choice of segments to merge: pure functions, by hand.
#include "index/plan.h"

#include <gtest/gtest.h>

#include "index/live_segments.h"

namespace lectern::index {
namespace {

FileStat stat_of(uint64_t size, int64_t mtime = 1000) { return {size, mtime, mtime, 1, 1}; }

store::FileState known(int64_t id, const std::string& path, uint64_t size) {
  store::FileState file;
  file.note = id;
  file.path = path;
  file.stat = stat_of(size);
  return file;
}

std::vector<std::string> paths(const std::vector<PlannedRead>& reads) {
  std::vector<std::string> out;
  for (const PlannedRead& read : reads) out.push_back(read.path);
  return out;
}

TEST(Plan, NewChangedSameAndGone) {
  vault::ScanResult scan;
  scan.files = {{"b.md", stat_of(2)}, {"c.md", stat_of(30)}, {"d.md", stat_of(4)}};
  const Plan plan =
      make_plan({known(1, "a.md", 1), known(2, "b.md", 2), known(3, "c.md", 3)}, scan, false);
  EXPECT_EQ(paths(plan.reads), (std::vector<std::string>{"c.md", "d.md"}));
  EXPECT_EQ(plan.reads[0].known.note, 3);
  EXPECT_EQ(plan.reads[1].known.note, 0);
  EXPECT_FALSE(plan.reads[0].parse_always);
  ASSERT_EQ(plan.gone.size(), 1U);
  EXPECT_EQ(plan.gone[0].note, 1);
  EXPECT_EQ(plan.unchanged, 1U);
}

TEST(Plan, RacyEntriesAreReadAgain) {
  vault::ScanResult scan;
  scan.files = {{"a.md", stat_of(1)}};
  store::FileState racy = known(1, "a.md", 1);
  racy.racy = true;
  EXPECT_EQ(make_plan({racy}, scan, false).reads.size(), 1U);
}

TEST(Plan, EverythingIsReadWhenAsked) {
  vault::ScanResult scan;
  scan.files = {{"a.md", stat_of(1)}};
  const Plan plan = make_plan({known(1, "a.md", 1)}, scan, true);
  ASSERT_EQ(plan.reads.size(), 1U);
  EXPECT_TRUE(plan.reads[0].parse_always);
  EXPECT_EQ(plan.unchanged, 0U);
}

TEST(Plan, WhatCannotBeListedStays) {
  vault::ScanResult scan;
  scan.unreadable = {"locked", "single.md"};
  const Plan plan =
      make_plan({known(1, "locked/a.md", 1), known(2, "lockedx.md", 1), known(3, "single.md", 1)},
                scan, false);
  EXPECT_EQ(plan.kept, (std::vector<std::string>{"locked/a.md", "single.md"}));
  ASSERT_EQ(plan.gone.size(), 1U);
  EXPECT_EQ(plan.gone[0].path, "lockedx.md");
}

TEST(Plan, RacyWithinTwoSecondsOfReading) {
  const int64_t read_at = 100'000'000'000;
  EXPECT_TRUE(is_racy(stat_of(1, read_at), read_at));
  EXPECT_TRUE(is_racy(stat_of(1, read_at - 1'999'999'999), read_at));
  EXPECT_FALSE(is_racy(stat_of(1, read_at - 2'000'000'000), read_at));
  EXPECT_TRUE(is_racy(stat_of(1, read_at + 5'000'000'000), read_at));  // a clock ahead of ours
}

std::vector<SegmentSize> full(std::vector<uint32_t> sizes) {
  std::vector<SegmentSize> out;
  for (const uint32_t size : sizes) out.push_back({size, size});
  return out;
}

TEST(Merge, EightSegmentsRest) {
  EXPECT_TRUE(choose_merge({}).empty());
  EXPECT_TRUE(choose_merge(full({1, 1, 1, 1, 1, 1, 1, 1})).empty());
}

TEST(Merge, SmallOnesJoinTheBigOneIsLeft) {
  EXPECT_EQ(choose_merge(full({50000, 1, 1, 1, 1, 1, 1, 1, 1})),
            (std::vector<size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  // 1+1 = 2, 4 <= 4; then 6 and 100 > 12: left alone.
  EXPECT_EQ(choose_merge(full({50000, 4000, 1, 900, 400, 200, 100, 1, 4})),
            (std::vector<size_t>{2, 7, 8}));
}

TEST(Merge, TheCountComesDownEvenWhenSizesDiffer) {
  const auto chosen = choose_merge(
      full({1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000}));
  EXPECT_EQ(chosen, (std::vector<size_t>{0, 1, 2}));
}

TEST(Merge, MostlyDeletedIsRewritten) {
  EXPECT_EQ(choose_merge({{100, 100}, {100, 49}}), (std::vector<size_t>{1}));
  EXPECT_TRUE(choose_merge({{100, 100}, {100, 50}}).empty());
}

TEST(Merge, OneNoteAtATimeRewritesFewDocuments) {
  std::vector<SegmentSize> live;
  uint64_t rewritten = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    live.push_back({1, 1});
    const auto chosen = choose_merge(live);
    SegmentSize merged;
    for (auto i = chosen.rbegin(); i != chosen.rend(); ++i) {
      merged.docs += live[*i].docs;
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(*i));
    }
    if (!chosen.empty()) {
      merged.live = merged.docs;
      rewritten += merged.docs;
      live.push_back(merged);
    }
    ASSERT_LE(live.size(), kMaxSegments);
  }
  // Every document about log2(2000) = 11 times at most.
  EXPECT_LT(rewritten, uint64_t{kRuns} * 11);
}

}  // namespace
}  // namespace lectern::index
