// Deletions and merges; see live_segments.h.
#include "index/live_segments.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

namespace lectern::index {

namespace {

static_assert(kRestingSegments < kMaxSegments);
// A segment this much larger than what is merged so far is left alone.
constexpr uint64_t kMergeRatio = 2;

}  // namespace

std::vector<size_t> choose_merge(const std::vector<SegmentSize>& sizes, size_t limit) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (uint64_t{sizes[i].live} * 2 < sizes[i].docs) return {i};
  }
  if (sizes.size() <= limit) return {};
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sizes[a].live < sizes[b].live; });
  std::vector<size_t> chosen;
  uint64_t sum = 0;
  for (const size_t i : order) {
    const bool needed = chosen.size() < 2 || sizes.size() - chosen.size() + 1 > limit;
    if (!needed && sizes[i].live > kMergeRatio * sum) break;
    chosen.push_back(i);
    sum += sizes[i].live;
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Result<LiveSegments> LiveSegments::load(store::Writer& writer) {
  LiveSegments out(writer);
  TRY(const auto rows, writer.segments());
  for (const store::SegmentRow& row : rows) {
    Live segment;
    segment.id = row.id;
    segment.docs = row.docs;
    TRY(segment.deleted, writer.segment_deleted(row.id));
    const auto deleted = std::count(segment.deleted.begin(), segment.deleted.end(), true);
    segment.live = segment.docs - static_cast<uint32_t>(deleted);
    out.segments_.push_back(std::move(segment));
  }
  return out;
}

Status LiveSegments::load_columns(Live& segment) {
  if (segment.columns) return {};
  TRY(segment.columns, writer_->segment_columns(segment.id));
  return {};
}

Status LiveSegments::remove_chunks(std::vector<int64_t> rowids) {
  if (rowids.empty()) return {};
  std::sort(rowids.begin(), rowids.end());
  for (Live& segment : segments_) {
    TRY_STATUS(load_columns(segment));
    const std::vector<int64_t>& chunks = segment.columns->chunk;
    bool any = false;
    for (size_t doc = 0; doc < chunks.size(); ++doc) {
      if (chunks[doc] < rowids.front() || chunks[doc] > rowids.back() ||
          !std::binary_search(rowids.begin(), rowids.end(), chunks[doc])) {
        continue;
      }
      if (segment.deleted.empty()) segment.deleted.resize(chunks.size(), false);
      if (segment.deleted[doc]) continue;
      segment.deleted[doc] = true;
      --segment.live;
      any = true;
    }
    if (any && segment.live > 0) TRY_STATUS(writer_->set_deleted(segment.id, segment.deleted));
  }
  return drop_empty();
}

Status LiveSegments::drop_empty() {
  for (const Live& segment : segments_) {
    if (segment.live == 0) TRY_STATUS(writer_->drop_segment(segment.id));
  }
  std::erase_if(segments_, [](const Live& segment) { return segment.live == 0; });
  return {};
}

Status LiveSegments::add(const lexical::EncodedSegment& segment) {
  if (segment.docs == 0) return {};
  Live live;
  TRY(live.id, writer_->put_segment(segment));
  live.docs = live.live = segment.docs;
  written_ += segment.docs;
  segments_.push_back(std::move(live));
  return {};
}

Status LiveSegments::settle() {
  uint64_t live = 0;
  for (const Live& segment : segments_) live += segment.live;
  if (segments_.size() > 1 && written_ * 2 >= live) {
    std::vector<size_t> all(segments_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return merge_these(all);
  }
  return merge_down_to(kRestingSegments);
}

Status LiveSegments::merge_down_to(size_t limit) {
  while (true) {
    std::vector<SegmentSize> sizes;
    for (const Live& segment : segments_) sizes.push_back({segment.docs, segment.live});
    const std::vector<size_t> chosen = choose_merge(sizes, limit);
    if (chosen.empty()) return {};
    TRY_STATUS(merge_these(chosen));
  }
}

Status LiveSegments::merge_these(const std::vector<size_t>& chosen) {
  std::vector<std::unique_ptr<lexical::TermStream>> streams;
  std::vector<std::string> names;
  std::vector<lexical::MergeInput> inputs;
  names.reserve(chosen.size());  // inputs hold views of them
  for (const size_t i : chosen) {
    Live& segment = segments_[i];
    TRY_STATUS(load_columns(segment));
    TRY(auto stream, writer_->terms(segment.id));
    TRY(auto segment_names, writer_->segment_names(segment.id));
    streams.push_back(std::move(stream));
    names.push_back(std::move(segment_names));
    inputs.push_back({streams.back().get(), &*segment.columns,
                      segment.deleted.empty() ? nullptr : &segment.deleted, names.back()});
  }
  Live merged;
  TRY(merged.id, writer_->begin_segment());
  TRY(const lexical::MergedHeader header,
      lexical::merge_segments(inputs, [&](std::string_view term, std::string_view postings) {
        return writer_->add_term(merged.id, term, postings);
      }));
  TRY_STATUS(writer_->finish_segment(merged.id, header));
  merged.docs = merged.live = header.docs;
  for (const size_t i : chosen) {
    TRY_STATUS(writer_->drop_segment(segments_[i].id));
    segments_[i].live = 0;
    segments_[i].id = 0;
  }
  std::erase_if(segments_, [](const Live& segment) { return segment.id == 0; });
  segments_.push_back(std::move(merged));
  return {};
}

}  // namespace lectern::index
