// Replies as JSON; see wire.h. nlohmann's types stay in this file.
#include "serve/wire.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lectern::serve {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

double rounded_ms(double ms) { return std::round(ms * 1000) / 1000; }

template <typename Item, typename Convert>
Json array_of(const std::vector<Item>& items, Convert convert) {
  Json out = Json::array();
  for (const Item& item : items) out.push_back(convert(item));
  return out;
}

Json of_warning(const Warning& warning) {
  return {{"path", or_null(warning.path)},
          {"line", warning.line == 0 ? Json(nullptr) : Json(warning.line)},
          {"message", warning.message}};
}

Json of_timings(const std::vector<std::pair<std::string, double>>& timings) {
  Json out = Json::object();
  for (const auto& [name, ms] : timings) out[name] = rounded_ms(ms);
  return out;
}

Json of_lanes(const std::map<std::string, LaneHit>& lanes) {
  Json out = Json::object();
  for (const char* name : {"title", "keyword", "semantic"}) {
    const auto lane = lanes.find(name);
    if (lane == lanes.end()) continue;
    out[name] = {{"rank", lane->second.rank}, {"score", lane->second.score}};
  }
  return out;
}

Json of_nearest(const Nearest& nearest) {
  return {{"path", nearest.path},
          {"line_first", nearest.line_first},
          {"line_last", nearest.line_last},
          {"quote", nearest.quote},
          {"why_not", nearest.why_not}};
}

Json of_abstention(const std::optional<Abstention>& abstain) {
  if (!abstain) return nullptr;
  return {{"by", abstain->by},
          {"reason", abstain->reason},
          {"message", abstain->message},
          {"nearest", array_of(abstain->nearest, of_nearest)}};
}

Json of_trace_candidate(const TraceCandidate& candidate) {
  return {{"path", or_null(candidate.path)},    {"line_first", candidate.line_first},
          {"line_last", candidate.line_last},   {"chunk_id", candidate.chunk_id},
          {"lanes", of_lanes(candidate.lanes)}, {"fused", candidate.fused},
          {"decision", candidate.decision},     {"drop_reason", or_null(candidate.drop_reason)}};
}

Json of_trace_stage(const TraceStage& stage) {
  Json facts = Json::object();
  for (const auto& [name, value] : stage.facts) facts[name] = value;
  return {{"name", stage.name},
          {"ms", rounded_ms(stage.ms)},
          {"facts", std::move(facts)},
          {"candidates", array_of(stage.candidates, of_trace_candidate)}};
}

void add_trace(Json& reply, const std::optional<Trace>& trace) {
  if (trace) reply["trace"] = {{"stages", array_of(trace->stages, of_trace_stage)}};
}

// ---- search ----

Json of_result(const SearchResult& result) {
  Json out = {{"rank", result.rank},
              {"path", result.path},
              {"title", result.title},
              {"heading", result.heading},
              {"line_first", result.line_first},
              {"line_last", result.line_last},
              {"text", result.text},
              {"highlights", array_of(result.highlights,
                                      [](const Highlight& line) {
                                        return Json{{"line", line.line}, {"text", line.text}};
                                      })},
              {"score", nullptr},  // absolute scores need a calibration; there is none yet
              {"lanes", of_lanes(result.lanes)},
              {"fused", result.fused},
              {"tags", result.tags},
              {"date", or_null(result.date)},
              {"collection", result.collection},
              {"source_class", result.source_class},
              {"chunk_id", result.chunk_id},
              {"uri", result.uri}};
  if (!result.window.empty()) {
    out["window"] = array_of(result.window, [](const SearchResult::Window& window) {
      return Json{{"position", window.position},
                  {"line_first", window.line_first},
                  {"line_last", window.line_last},
                  {"text", window.text}};
    });
  }
  return out;
}

// ---- ask ----

Json of_citation(const Citation& citation) {
  Json out = {{"marker", citation.marker},
              {"path", citation.path},
              {"line_first", citation.line_first},
              {"line_last", citation.line_last},
              {"quote", citation.quote},
              {"heading", citation.heading},
              {"chunk_id", citation.chunk_id},
              {"block_id", citation.block_id},
              {"uri", citation.uri}};
  if (!citation.node_id.empty()) out["node_id"] = citation.node_id;
  return out;
}

Json of_claim(const Claim& claim) {
  return {{"text", claim.text},
          {"citations", claim.citations},
          {"verdict", claim.verdict},
          {"checks", array_of(claim.checks, [](const ClaimCheck& check) {
             return Json{
                 {"kind", check.kind},
                 {"value", check.value},
                 {"found_line", check.found_line == 0 ? Json(nullptr) : Json(check.found_line)}};
           })}};
}

Json of_superseded(const Superseded& superseded) {
  return {{"path", superseded.path},
          {"line_first", superseded.line_first},
          {"line_last", superseded.line_last},
          {"quote", superseded.quote},
          {"by", superseded.by}};
}

// ---- index, status, reading ----

Json of_link_counts(const LinkCounts& links) {
  return {{"total", links.total},
          {"resolved", links.resolved},
          {"unresolved", links.unresolved},
          {"ambiguous", links.ambiguous}};
}

Json of_embedding_counts(const EmbeddingCounts& counts) {
  return {{"model", or_null(counts.model)},
          {"dimensions", counts.dimensions == 0 ? Json(nullptr) : Json(counts.dimensions)},
          {"embedded", counts.embedded},
          {"reused", counts.reused},
          {"pending", counts.pending}};
}

// There is no background worker yet; the object is the one it will report.
Json of_absent_worker(uint64_t pending_embeddings) {
  return {{"state", "not_running"},
          {"pid", nullptr},
          {"queue", 0},
          {"pending_embeddings", pending_embeddings},
          {"last_new_scan", nullptr},
          {"last_changed_scan", nullptr},
          {"last_embed", nullptr},
          {"next_due", nullptr},
          {"errors", Json::array()}};
}

Json of_outgoing(const OutgoingLink& link) {
  return {{"target", link.target},
          {"path", or_null(link.path)},
          {"heading", or_null(link.heading)},
          {"block", or_null(link.block)},
          {"alias", or_null(link.alias)},
          {"embed", link.embed},
          {"line", link.line},
          {"kind", link.kind},
          {"candidates", link.candidates}};
}

}  // namespace

std::string to_json(const SearchReply& reply) {
  const bool found = !reply.results.empty() && !reply.abstain;
  Json out = {{"query", reply.query},
              {"mode", reply.mode},
              {"status", found ? "found" : "abstained"},
              {"results", array_of(reply.results, of_result)},
              {"abstain", of_abstention(reply.abstain)},
              {"pending_embeddings", reply.pending_embeddings},
              {"degraded", reply.degraded},
              {"warnings", array_of(reply.warnings, of_warning)},
              {"timings_ms", of_timings(reply.timings_ms)}};
  add_trace(out, reply.trace);
  return dump(out);
}

std::string to_json(const AskReply& reply) {
  Json out = {{"question", reply.question},
              {"status", reply.answered ? "answered" : "abstained"},
              {"answer", reply.answered ? reply.answer : "NOT_IN_NOTES"},
              {"citations", array_of(reply.citations, of_citation)},
              {"claims", array_of(reply.claims, of_claim)},
              {"superseded", array_of(reply.superseded, of_superseded)},
              {"gaps", reply.gaps},
              {"confidence", or_null(reply.confidence)},
              {"guarantee", nullptr},  // needs a calibration on this vault
              {"abstain", of_abstention(reply.abstain)},
              {"generator", reply.generator},
              {"gate",
               {{"kind", reply.gate_kind},
                {"sufficiency", or_null(reply.gate_sufficiency)},
                {"threshold", or_null(reply.gate_threshold)}}},
              {"retry",
               {{"ran", reply.retry_ran},
                {"filters_dropped", reply.retry_filters_dropped},
                {"lane_depth", reply.retry_lane_depth}}},
              {"degraded", reply.degraded},
              {"warnings", array_of(reply.warnings, of_warning)},
              {"timings_ms", of_timings(reply.timings_ms)},
              {"tokens", Json::object()},
              {"cost_usd", nullptr}};
  add_trace(out, reply.trace);
  return dump(out);
}

std::string to_json(const IndexReport& report) {
  const Json out = {{"vault", report.vault},
                    {"index_path", report.index_path},
                    {"notes",
                     {{"seen", report.seen},
                      {"added", report.added},
                      {"changed", report.changed},
                      {"unchanged", report.unchanged},
                      {"moved", report.moved},
                      {"deleted", report.deleted},
                      {"failed", report.failed}}},
                    {"chunks",
                     {{"total", report.chunks_total},
                      {"added", report.chunks_added},
                      {"deleted", report.chunks_deleted}}},
                    {"links", of_link_counts(report.links)},
                    {"embeddings", of_embedding_counts(report.embeddings)},
                    {"warnings", array_of(report.warnings, of_warning)},
                    {"seconds", std::round(report.seconds * 1e6) / 1e6}};
  return dump(out);
}

std::string to_json(const GetReply& reply) {
  const Json out = {{"path", reply.path},
                    {"title", reply.title},
                    {"line_first", reply.line_first},
                    {"line_last", reply.line_last},
                    {"lines", array_of(reply.lines,
                                       [](const NumberedLine& line) {
                                         return Json{{"line", line.line}, {"text", line.text}};
                                       })},
                    {"mtime", or_null(reply.mtime)},
                    {"warnings", array_of(reply.warnings, of_warning)}};
  return dump(out);
}

std::string to_json(const LinksReply& reply) {
  const Json out = {{"path", reply.path},
                    {"outgoing", array_of(reply.outgoing, of_outgoing)},
                    {"backlinks", array_of(reply.backlinks, [](const Backlink& link) {
                       return Json{{"path", link.path}, {"line", link.line}, {"text", link.text}};
                     })}};
  return dump(out);
}

std::string to_json(const StatusReply& reply) {
  const Json out = {{"schema_version", reply.schema_version},
                    {"generation", reply.generation},
                    {"index_path", reply.index_path},
                    {"index_bytes", reply.index_bytes},
                    {"vault_path", reply.vault_path},
                    {"notes", reply.notes},
                    {"chunks", reply.chunks},
                    {"segments", reply.segments},
                    {"warnings", reply.warnings},
                    {"links", of_link_counts(reply.links)},
                    {"embeddings", of_embedding_counts(reply.embeddings)},
                    {"model_fingerprint", or_null(reply.model_fingerprint)},
                    {"chunk_sizing", reply.chunk_sizing},
                    {"last_indexed_at", or_null(reply.last_indexed_at)},
                    {"degraded", reply.degraded},
                    {"worker", of_absent_worker(reply.embeddings.pending)},
                    {"providers", Json::array()}};
  return dump(out);
}

std::string to_json(const Error& error) {
  const std::string message =
      error.where.empty() ? error.message : error.where + ": " + error.message;
  const Json out = {
      {"error",
       {{"code", code_name(error.code)}, {"message", message}, {"hint", or_null(error.hint)}}}};
  return dump(out);
}

}  // namespace lectern::serve
