// The stages of a query in order: open -> filter -> analyse -> lanes -> fuse -> diversify
// -> bind to the live notes. What follows (windows and highlights for search, evidence and
// gate for ask) works on the passages that come out.
#include "retrieve/pipeline.h"

#include <unordered_map>
#include <utility>

#include "retrieve/filter.h"
#include "retrieve/fuse.h"
#include "retrieve/lanes.h"

namespace lectern::retrieve {

namespace {

Status check_mode(const std::string& mode) {
  if (mode == "hybrid" || mode == "keyword" || mode == "title") return {};
  if (mode == "semantic" || mode == "focused") {
    return fail(ErrorCode::kUnavailable, "mode '" + mode + "' is not built yet", "mode",
                "use hybrid, keyword or title");
  }
  return fail(ErrorCode::kInvalidArgument, "there is no mode '" + mode + "'", "mode",
              "use hybrid, keyword or title");
}

std::string number(double value) { return std::to_string(value); }

void trace_candidates(TraceBuilder& trace, TraceStage& stage,
                      const std::vector<Candidate>& candidates) {
  if (!trace.explain()) return;
  for (const Candidate& candidate : candidates) {
    TraceCandidate shown;
    shown.chunk_id = to_hex(candidate.id);
    shown.lanes = candidate.lanes;
    shown.fused = candidate.fused;
    shown.decision = candidate.drop_reason.empty() ? "kept" : "dropped";
    shown.drop_reason = candidate.drop_reason;
    stage.candidates.push_back(std::move(shown));
  }
}

void trace_words(TraceStage& stage, const Retrieved& out) {
  for (size_t i = 0; i < out.query.words.size() && i < out.word_df.size(); ++i) {
    stage.facts.emplace_back(
        "word " + out.query.words[i].surface,
        "df " + std::to_string(out.word_df[i]) + ", idf " + number(out.word_idf[i]));
  }
}

// At most `max_per_note` passages of one note; the rest are dropped with the reason.
void diversify(std::vector<Candidate>& candidates, uint32_t max_per_note) {
  std::unordered_map<int64_t, uint32_t> taken;
  for (Candidate& candidate : candidates) {
    if (++taken[candidate.note] > max_per_note) candidate.drop_reason = "note has enough passages";
  }
}

// Fills the place of a passage that is gone with the next candidate.
Status bind(std::vector<Candidate>& candidates, uint32_t limit, Retrieved& out) {
  for (Candidate& candidate : candidates) {
    if (!candidate.drop_reason.empty()) continue;
    if (out.passages.size() >= limit) {
      candidate.drop_reason = "beyond the limit";
      continue;
    }
    TRY(const LiveNote* live, out.notes->load(candidate.note));
    if (live == nullptr) {
      candidate.drop_reason = "its note is gone";
      continue;
    }
    TRY(const auto row, out.reader->chunk(candidate.chunk));
    if (!row) return fail(ErrorCode::kBadIndex, "a posting names a chunk that is not stored");
    TRY(auto place, out.notes->locate(*live, *row));
    if (!place) {
      candidate.drop_reason = "its text is gone from the note";
      continue;
    }
    out.passages.push_back({candidate, live, *std::move(place)});
  }
  if (out.notes->used_stored_text()) out.degraded.emplace_back("vault");
  return {};
}

void name_traced_candidates(TraceStage& stage, const Retrieved& out) {
  for (TraceCandidate& shown : stage.candidates) {
    for (const Passage& passage : out.passages) {
      if (to_hex(passage.candidate.id) != shown.chunk_id) continue;
      shown.path = passage.live->meta.path;
      shown.line_first = passage.row.chunk.span.line_first;
      shown.line_last = passage.row.chunk.span.line_last;
    }
  }
}

}  // namespace

Result<Retrieved> retrieve(const Input& input, const Config& config, store::Store& store,
                           SnapshotCache& snapshots, TraceBuilder& trace) {
  TRY_STATUS(check_mode(input.mode));
  Retrieved out;
  TRY(out.reader, store.read());
  TRY(out.snapshot, snapshots.of(*out.reader));
  out.notes = std::make_unique<LiveNotes>(config, *out.reader);
  trace.end_stage("open");

  TRY(const auto filter,
      CompiledFilter::compile(input.filter, config, out.snapshot, *out.reader, out.warnings));
  if (!input.filter.empty()) trace.end_stage("filter");

  out.query = lexical::parse_query(input.query, out.snapshot->stats.langs, input.operators);
  trace.end_stage("analyse");

  const LaneInput lane_input{out.query, *out.snapshot, filter,
                             config,    *out.reader,   input.lane_depth};
  std::vector<Lane> lanes;
  TRY(auto keyword, keyword_lane(lane_input));
  out.word_idf = std::move(keyword.word_idf);
  out.word_df = std::move(keyword.word_df);
  if (keyword.phrase_cut) {
    out.warnings.push_back({"", 0,
                            "the phrase was looked for in the best passages only: "
                            "too many hold its words"});
  }
  TraceStage& keyword_stage = trace.end_stage("keyword");
  trace_candidates(trace, keyword_stage, keyword.lane.candidates);
  if (trace.explain()) trace_words(keyword_stage, out);
  if (input.mode != "title") lanes.push_back(std::move(keyword.lane));
  if (input.mode != "keyword") {
    TRY(auto titles, title_lane(lane_input));
    trace_candidates(trace, trace.end_stage("title"), titles.candidates);
    lanes.push_back(std::move(titles));
  }

  std::vector<Candidate> candidates = fuse(lanes, config.fusion);
  trace.end_stage("fuse");
  diversify(candidates, config.search.max_per_note);
  TRY_STATUS(bind(candidates, input.limit, out));
  TraceStage& live_stage = trace.end_stage("live");
  trace_candidates(trace, live_stage, candidates);
  name_traced_candidates(live_stage, out);
  return out;
}

}  // namespace lectern::retrieve
