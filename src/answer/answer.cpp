// The stages of an answer in order: retrieve -> question -> units -> choose -> gate ->
// (one wider retry) -> write or abstain; see answer.h.
#include "answer/answer.h"

#include <algorithm>
#include <utility>

#include "answer/evidence.h"
#include "answer/extract.h"
#include "answer/gate.h"
#include "answer/question.h"
#include "retrieve/pipeline.h"
#include "retrieve/words.h"

namespace lectern::answer {

namespace {

constexpr uint32_t kPassages = 12;  // passages read for evidence
constexpr size_t kNearest = 3;

struct Attempt {
  retrieve::Retrieved found;
  Question question;
  std::vector<Unit> units;
  std::vector<const Unit*> chosen;
  GateDecision gate;
};

Result<Attempt> attempt(const AskRequest& request, const Config& config, store::Store& store,
                        retrieve::SnapshotCache& snapshots, uint32_t widen,
                        retrieve::TraceBuilder& trace) {
  Attempt out;
  retrieve::Input input;
  input.query = request.question;
  input.filter = request.filter;
  input.operators = false;
  input.limit = request.limit.value_or(kPassages) * widen;
  input.lane_depth = config.fusion.lane_depth * widen;
  TRY(out.found, retrieve::retrieve(input, config, store, snapshots, trace));
  out.question =
      analyse_question(request.question, out.found.query, out.found.word_df, out.found.word_idf);
  const retrieve::WordMatcher matcher(out.found.query, out.found.snapshot->stats.langs);
  out.units = collect_units(out.found, out.question, matcher);
  score_units(out.units, out.question, out.found);
  out.chosen = choose_units(out.units, out.question, config.answer);
  TraceStage& evidence = trace.end_stage("evidence");
  evidence.facts.emplace_back("units", std::to_string(out.units.size()));
  out.gate = coverage_gate(out.question, out.chosen, config.gate);
  TraceStage& gate = trace.end_stage("gate");
  gate.facts.emplace_back("sufficiency", std::to_string(out.gate.sufficiency));
  gate.facts.emplace_back("threshold", std::to_string(out.gate.threshold));
  gate.facts.emplace_back("decision", out.gate.sufficient ? "sufficient" : "insufficient");
  return out;
}

Abstention abstention(const Attempt& tried) {
  Abstention out;
  out.by = "gate";
  const bool empty = tried.found.snapshot->stats.docs == 0;
  const bool nothing = tried.units.empty();
  out.reason = empty ? "empty_index" : nothing ? "no_evidence" : "insufficient";
  out.message = empty ? "the index holds no notes" : tried.gate.message;
  for (const Unit& unit : tried.units) {
    if (out.nearest.size() == kNearest || unit.own == 0) break;
    const std::string missing = missing_words(tried.question, unit.own | unit.context);
    out.nearest.push_back({tried.found.passages[unit.passage].live->meta.path, unit.line_first,
                           unit.line_last, unit.quote,
                           missing.empty() ? "too weak on its own" : "says nothing of " + missing});
  }
  return out;
}

Status check(const AskRequest& request) {
  if (request.generator != "extractive") {
    return fail(ErrorCode::kUnavailable, "generator '" + request.generator + "' is not built yet",
                "generator", "use extractive");
  }
  if (!request.gate.empty() && request.gate != "coverage") {
    return fail(ErrorCode::kUnavailable, "gate '" + request.gate + "' is not built yet", "gate",
                "use coverage");
  }
  return {};
}

}  // namespace

Result<AskReply> ask(const AskRequest& request, const Config& config, store::Store& store,
                     retrieve::SnapshotCache& snapshots) {
  TRY_STATUS(check(request));
  retrieve::TraceBuilder trace(request.explain);
  TRY(Attempt tried, attempt(request, config, store, snapshots, 1, trace));
  AskReply reply;
  reply.question = request.question;
  reply.generator = "extractive";
  reply.gate_kind = "coverage";
  reply.retry_lane_depth = config.fusion.lane_depth;
  const bool unreachable = std::find(tried.found.degraded.begin(), tried.found.degraded.end(),
                                     "vault") != tried.found.degraded.end();
  if (!tried.gate.sufficient && !unreachable && tried.found.snapshot->stats.docs > 0) {
    // Once more, twice as deep. The caller's filter is a scope and stays.
    TRY(tried, attempt(request, config, store, snapshots, 2, trace));
    reply.retry_ran = true;
    reply.retry_lane_depth = 2 * config.fusion.lane_depth;
  }
  reply.gate_sufficiency = tried.gate.sufficiency;
  reply.gate_threshold = tried.gate.threshold;
  reply.degraded = tried.found.degraded;
  reply.warnings = tried.found.warnings;
  if (unreachable) {
    reply.abstain = Abstention{
        "gate", "error", "the vault cannot be read, so nothing can be cited as it stands", {}};
  } else if (tried.gate.sufficient) {
    write_answer(with_items(tried.chosen, tried.units, tried.found, config.answer), tried.found,
                 config, reply);
  } else {
    reply.abstain = abstention(tried);
  }
  if (!reply.answered) reply.answer = "NOT_IN_NOTES";
  trace.end_stage("answer");
  reply.timings_ms = trace.timings();
  if (request.explain) reply.trace = trace.take();
  return reply;
}

}  // namespace lectern::answer
