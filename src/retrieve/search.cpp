// Builds the search reply; see search.h.
#include "retrieve/search.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "retrieve/words.h"
#include "vault/parse.h"

namespace lectern::retrieve {

namespace {

constexpr size_t kMaxHighlights = 3;
constexpr size_t kMaxHighlightBytes = 400;

std::string percent_encoded(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       (byte >= '0' && byte <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
  return out;
}

// The lines of the passage that hold most of the query's weight, in reading order.
std::vector<Highlight> highlights(const Passage& passage, const WordMatcher& matcher,
                                  const std::vector<double>& idf) {
  struct Scored {
    double weight;
    Highlight line;
  };
  std::vector<Scored> scored;
  const chunk::Chunk& chunk = passage.row.chunk;
  for (uint32_t i = 0; i < chunk.block_count; ++i) {
    const Block& block = passage.live->note.blocks[chunk.block_first + i];
    const std::string visible = vault::visible_text(passage.live->note, block);
    const std::string_view raw = passage.live->note.block_text(block);
    uint32_t line = block.span.line_first;
    for (size_t at = 0; at <= visible.size(); ++line) {
      const size_t end = std::min(visible.find('\n', at), visible.size());
      const bool inside = line >= chunk.span.line_first && line <= chunk.span.line_last;
      const uint64_t bits =
          inside ? matcher.match(std::string_view(visible).substr(at, end - at)) : 0;
      double weight = 0;
      for (size_t word = 0; word < idf.size() && word < 64; ++word) {
        if ((bits >> word & 1U) != 0) weight += idf[word];
      }
      if (weight > 0) {
        const size_t length = utf8::floor_boundary(raw.substr(at, end - at), kMaxHighlightBytes);
        scored.push_back({weight, {line, std::string(raw.substr(at, length))}});
      }
      at = end + 1;
    }
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.weight > b.weight; });
  if (scored.size() > kMaxHighlights) scored.resize(kMaxHighlights);
  std::vector<Highlight> out;
  for (Scored& one : scored) out.push_back(std::move(one.line));
  std::sort(out.begin(), out.end(),
            [](const Highlight& a, const Highlight& b) { return a.line < b.line; });
  return out;
}

// One chunk each side in the same section.
Result<std::vector<SearchResult::Window>> window(const Passage& passage, LiveNotes& notes) {
  std::vector<SearchResult::Window> out;
  TRY(const std::vector<store::ChunkRow> chunks, notes.chunks(*passage.live));
  const auto here = static_cast<int64_t>(passage.row.seq);
  for (const int64_t step : {-1, 1}) {
    const int64_t there = here + step;
    if (there < 0 || there >= static_cast<int64_t>(chunks.size())) continue;
    const chunk::Chunk& neighbour = chunks[static_cast<size_t>(there)].chunk;
    const bool same_section = neighbour.heading == passage.row.chunk.heading &&
                              (neighbour.kind == BlockKind::kProperty) ==
                                  (passage.row.chunk.kind == BlockKind::kProperty);
    if (!same_section) continue;
    out.push_back({neighbour.span.line_first, neighbour.span.line_last,
                   step < 0 ? "before" : "after",
                   chunk::chunk_text(passage.live->note, neighbour)});
  }
  return out;
}

Result<SearchResult> to_result(const Passage& passage, const Config& config,
                               const WordMatcher& matcher, const std::vector<double>& idf,
                               LiveNotes& notes) {
  const chunk::Chunk& chunk = passage.row.chunk;
  SearchResult result;
  result.path = passage.live->meta.path;
  result.title = passage.live->meta.title;
  result.heading = vault::heading_path(passage.live->note, chunk.heading);
  result.line_first = chunk.span.line_first;
  result.line_last = chunk.span.line_last;
  result.text = chunk::chunk_text(passage.live->note, chunk);
  result.highlights = highlights(passage, matcher, idf);
  result.lanes = passage.candidate.lanes;
  result.fused = passage.candidate.fused;
  result.tags = passage.live->meta.tags;
  result.date = vault::iso(chunk.date);
  result.chunk_id = to_hex(chunk.id);
  result.uri = obsidian_uri(config, result.path, result.heading);
  if (config.search.window) {
    TRY(result.window, window(passage, notes));
  }
  return result;
}

}  // namespace

std::string obsidian_uri(const Config& config, std::string_view path,
                         const std::vector<std::string>& heading) {
  std::string file(path);
  if (file.ends_with(".md")) file.resize(file.size() - 3);
  if (!heading.empty() && !path.ends_with(".canvas")) file += "#" + heading.back();
  return "obsidian://open?vault=" + percent_encoded(config.vault_name) +
         "&file=" + percent_encoded(file);
}

Result<SearchReply> search(const SearchRequest& request, const Config& config, store::Store& store,
                           SnapshotCache& snapshots) {
  TraceBuilder trace(request.explain);
  Input input;
  input.query = request.query;
  input.filter = request.filter;
  input.mode = request.mode;
  input.limit = request.limit.value_or(config.search.limit);
  input.lane_depth = std::max(config.fusion.lane_depth, 2 * input.limit);
  TRY(Retrieved found, retrieve(input, config, store, snapshots, trace));

  SearchReply reply;
  reply.query = request.query;
  reply.mode = request.mode;
  const WordMatcher matcher(found.query, found.snapshot->stats.langs);
  for (const Passage& passage : found.passages) {
    TRY(auto result, to_result(passage, config, matcher, found.word_idf, *found.notes));
    result.rank = static_cast<uint32_t>(reply.results.size() + 1);
    reply.results.push_back(std::move(result));
  }
  if (reply.results.empty()) {
    const bool empty = found.snapshot->stats.docs == 0;
    reply.abstain = Abstention{"gate",
                               empty ? "empty_index" : "no_evidence",
                               empty ? "the index holds no notes" : "no note holds these words",
                               {}};
  }
  reply.degraded = std::move(found.degraded);
  reply.warnings = std::move(found.warnings);
  trace.end_stage("results");
  reply.timings_ms = trace.timings();
  if (request.explain) reply.trace = trace.take();
  return reply;
}

}  // namespace lectern::retrieve
