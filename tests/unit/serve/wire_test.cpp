// The JSON of each reply against the interface: keys, their order, types and nulls.
#include "serve/wire.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lectern::serve {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& item : object.items()) out.push_back(item.key());
  return out;
}

using Keys = std::vector<std::string>;

SearchReply search_reply() {
  SearchReply reply;
  reply.query = "probe timeout";
  reply.mode = "hybrid";
  SearchResult result;
  result.rank = 1;
  result.path = "Ops/Gateway.md";
  result.title = "Gateway";
  result.heading = {"Incidents", "INC-0417"};
  result.line_first = 41;
  result.line_last = 47;
  result.text = "The probe timed out.";
  result.highlights = {{43, "The probe timed out."}};
  result.lanes = {{"keyword", {1, 9.1}}, {"title", {2, 1.3}}};
  result.fused = 0.0312;
  result.tags = {"ops"};
  result.date = "2026-03-04";
  result.chunk_id = "00ff";
  result.uri = "obsidian://open?vault=V&file=Ops%2FGateway";
  reply.results = {result};
  reply.timings_ms = {{"total", 7.12345}, {"keyword", 0.4}};
  return reply;
}

TEST(WireSearch, KeysStandInTheDocumentedOrder) {
  const Json json = Json::parse(to_json(search_reply()));
  EXPECT_EQ(keys(json), (Keys{"query", "mode", "status", "results", "abstain", "pending_embeddings",
                              "degraded", "warnings", "timings_ms"}));
  EXPECT_EQ(keys(json["results"][0]),
            (Keys{"rank", "path", "title", "heading", "line_first", "line_last", "text",
                  "highlights", "score", "lanes", "fused", "tags", "date", "collection",
                  "source_class", "chunk_id", "uri"}));
}

TEST(WireSearch, ValuesAndAbsentLanes) {
  const Json json = Json::parse(to_json(search_reply()));
  EXPECT_EQ(json["status"], "found");
  EXPECT_TRUE(json["abstain"].is_null());
  EXPECT_EQ(json["degraded"], Json::array());
  EXPECT_EQ(json["warnings"], Json::array());
  EXPECT_EQ(json["timings_ms"], Json::parse(R"({"total":7.123,"keyword":0.4})"));
  const Json& result = json["results"][0];
  EXPECT_TRUE(result["score"].is_null());
  EXPECT_EQ(result["heading"], Json::parse(R"(["Incidents","INC-0417"])"));
  EXPECT_EQ(result["highlights"], Json::parse(R"([{"line":43,"text":"The probe timed out."}])"));
  EXPECT_EQ(result["lanes"].dump(),
            R"({"title":{"rank":2,"score":1.3},"keyword":{"rank":1,"score":9.1}})");
  EXPECT_EQ(result["collection"], "main");
  EXPECT_EQ(result["source_class"], "note");
  EXPECT_FALSE(result.contains("rerank"));
  EXPECT_FALSE(result.contains("graph"));
  EXPECT_FALSE(result.contains("window"));
}

TEST(WireSearch, WindowsAndMissingDate) {
  SearchReply reply = search_reply();
  reply.results[0].date.clear();
  reply.results[0].window = {{48, 50, "after", "More."}};
  const Json json = Json::parse(to_json(reply));
  EXPECT_TRUE(json["results"][0]["date"].is_null());
  EXPECT_EQ(json["results"][0]["window"].dump(),
            R"([{"position":"after","line_first":48,"line_last":50,"text":"More."}])");
}

TEST(WireSearch, NothingFoundIsAbstained) {
  SearchReply reply;
  EXPECT_EQ(Json::parse(to_json(reply))["status"], "abstained");
  reply.abstain = Abstention{"gate", "no_evidence", "nothing", {{"a.md", 1, 2, "q", "old"}}};
  const Json json = Json::parse(to_json(reply));
  EXPECT_EQ(json["abstain"].dump(),
            R"({"by":"gate","reason":"no_evidence","message":"nothing","nearest":)"
            R"([{"path":"a.md","line_first":1,"line_last":2,"quote":"q","why_not":"old"}]})");
}

TEST(WireSearch, TraceOnlyWhenThere) {
  SearchReply reply = search_reply();
  EXPECT_FALSE(Json::parse(to_json(reply)).contains("trace"));
  TraceCandidate candidate;
  candidate.path = "a.md";
  candidate.line_first = 1;
  candidate.line_last = 3;
  candidate.chunk_id = "ab";
  candidate.lanes = {{"title", {1, 2.5}}};
  candidate.fused = 0.5;
  candidate.decision = "dropped";
  candidate.drop_reason = "beyond the limit";
  reply.trace = Trace{{{"fuse", 0.25, {{"rrf_k", "60"}}, {candidate}}}};
  EXPECT_EQ(Json::parse(to_json(reply))["trace"].dump(),
            R"({"stages":[{"name":"fuse","ms":0.25,"facts":{"rrf_k":"60"},"candidates":[)"
            R"({"path":"a.md","line_first":1,"line_last":3,"chunk_id":"ab",)"
            R"("lanes":{"title":{"rank":1,"score":2.5}},"fused":0.5,"decision":"dropped",)"
            R"("drop_reason":"beyond the limit"}]}]})");
}

AskReply ask_reply() {
  AskReply reply;
  reply.question = "Why?";
  reply.answered = true;
  reply.answer = "It drained [1].";
  reply.citations = {{1,
                      "Ops/Gateway.md",
                      43,
                      43,
                      "It **drained**.",
                      {"Incidents"},
                      "c1",
                      "b1",
                      "obsidian://x",
                      ""}};
  reply.claims = {{"It drained.", {1}, "supported", {{"number", "30 s", 43}, {"name", "x", 0}}}};
  reply.superseded = {{"old.md", 12, 13, "It ran.", 1}};
  reply.gaps = {"the cost"};
  reply.generator = "extractive";
  reply.gate_kind = "coverage";
  reply.gate_sufficiency = 0.875;
  reply.gate_threshold = 0.5;
  reply.retry_ran = true;
  reply.retry_filters_dropped = {"after"};
  reply.retry_lane_depth = 40;
  reply.warnings = {{"", 0, "careful"}, {"a.md", 3, "odd"}};
  reply.timings_ms = {{"total", 1.5}};
  return reply;
}

TEST(WireAsk, TheWholeObject) {
  EXPECT_EQ(to_json(ask_reply()),
            R"({"question":"Why?","status":"answered","answer":"It drained [1].",)"
            R"("citations":[{"marker":1,"path":"Ops/Gateway.md","line_first":43,"line_last":43,)"
            R"("quote":"It **drained**.","heading":["Incidents"],"chunk_id":"c1",)"
            R"("block_id":"b1","uri":"obsidian://x"}],)"
            R"("claims":[{"text":"It drained.","citations":[1],"verdict":"supported","checks":[)"
            R"({"kind":"number","value":"30 s","found_line":43},)"
            R"({"kind":"name","value":"x","found_line":null}]}],)"
            R"("superseded":[{"path":"old.md","line_first":12,"line_last":13,)"
            R"("quote":"It ran.","by":1}],"gaps":["the cost"],"confidence":null,)"
            R"("guarantee":null,"abstain":null,"generator":"extractive",)"
            R"("gate":{"kind":"coverage","sufficiency":0.875,"threshold":0.5},)"
            R"("retry":{"ran":true,"filters_dropped":["after"],"lane_depth":40},)"
            R"("degraded":[],"warnings":[{"path":null,"line":null,"message":"careful"},)"
            R"({"path":"a.md","line":3,"message":"odd"}],"timings_ms":{"total":1.5},)"
            R"("tokens":{},"cost_usd":null})");
}

TEST(WireAsk, AbstainedSaysNotInNotesWithoutCitations) {
  AskReply reply;
  reply.question = "Salary?";
  reply.abstain = Abstention{"gate", "insufficient", "nothing on salary", {}};
  const Json json = Json::parse(to_json(reply));
  EXPECT_EQ(json["status"], "abstained");
  EXPECT_EQ(json["answer"], "NOT_IN_NOTES");
  EXPECT_EQ(json["citations"], Json::array());
  EXPECT_EQ(json["abstain"]["reason"], "insufficient");
  EXPECT_EQ(json["abstain"]["nearest"], Json::array());
  EXPECT_TRUE(json["gate"]["sufficiency"].is_null());
}

TEST(WireAsk, CanvasCitationsNameTheirNode) {
  AskReply reply = ask_reply();
  reply.citations[0].node_id = "n7";
  EXPECT_EQ(Json::parse(to_json(reply))["citations"][0]["node_id"], "n7");
}

TEST(WireIndex, TheWholeObject) {
  IndexReport report;
  report.vault = "/v";
  report.index_path = "/i.db";
  report.seen = 7;
  report.added = 1;
  report.changed = 2;
  report.unchanged = 3;
  report.moved = 4;
  report.deleted = 5;
  report.failed = 6;
  report.chunks_total = 10;
  report.chunks_added = 11;
  report.chunks_deleted = 12;
  report.links = {20, 17, 2, 1};
  report.embeddings.pending = 10;
  report.warnings = {{"a.md", 2, "broken frontmatter"}};
  report.seconds = 1.25;
  EXPECT_EQ(to_json(report),
            R"({"vault":"/v","index_path":"/i.db","notes":{"seen":7,"added":1,"changed":2,)"
            R"("unchanged":3,"moved":4,"deleted":5,"failed":6},)"
            R"("chunks":{"total":10,"added":11,"deleted":12},)"
            R"("links":{"total":20,"resolved":17,"unresolved":2,"ambiguous":1},)"
            R"("embeddings":{"model":null,"dimensions":null,"embedded":0,"reused":0,)"
            R"("pending":10},"warnings":[{"path":"a.md","line":2,)"
            R"("message":"broken frontmatter"}],"seconds":1.25})");
}

TEST(WireGet, TheWholeObject) {
  GetReply reply;
  reply.path = "a.md";
  reply.title = "A";
  reply.line_first = 2;
  reply.line_last = 3;
  reply.lines = {{2, "two"}, {3, ""}};
  reply.mtime = "2026-03-14T09:26:53Z";
  EXPECT_EQ(to_json(reply), R"({"path":"a.md","title":"A","line_first":2,"line_last":3,)"
                            R"("lines":[{"line":2,"text":"two"},{"line":3,"text":""}],)"
                            R"("mtime":"2026-03-14T09:26:53Z","warnings":[]})");
}

TEST(WireLinks, TheWholeObject) {
  LinksReply reply;
  reply.path = "a.md";
  reply.outgoing = {{"b", "x/b.md", "H", "", "see b", true, 4, "resolved", {}},
                    {"c", "", "", "id", "", false, 5, "unresolved", {}},
                    {"d", "d.md", "", "", "", false, 6, "ambiguous", {"d.md", "x/d.md"}}};
  reply.backlinks = {{"z.md", 9, "to [[a]]"}};
  EXPECT_EQ(to_json(reply),
            R"({"path":"a.md","outgoing":[{"target":"b","path":"x/b.md","heading":"H",)"
            R"("block":null,"alias":"see b","embed":true,"line":4,"kind":"resolved",)"
            R"("candidates":[]},{"target":"c","path":null,"heading":null,"block":"id",)"
            R"("alias":null,"embed":false,"line":5,"kind":"unresolved","candidates":[]},)"
            R"({"target":"d","path":"d.md","heading":null,"block":null,"alias":null,)"
            R"("embed":false,"line":6,"kind":"ambiguous","candidates":["d.md","x/d.md"]}],)"
            R"("backlinks":[{"path":"z.md","line":9,"text":"to [[a]]"}]})");
}

TEST(WireStatus, KeysAndWorker) {
  StatusReply reply;
  reply.schema_version = 1;
  reply.embeddings.pending = 8;
  reply.chunk_sizing = "estimate";
  const Json json = Json::parse(to_json(reply));
  EXPECT_EQ(keys(json), (Keys{"schema_version", "generation", "index_path", "index_bytes",
                              "vault_path", "notes", "chunks", "segments", "warnings", "links",
                              "embeddings", "model_fingerprint", "chunk_sizing", "last_indexed_at",
                              "degraded", "worker", "providers"}));
  EXPECT_EQ(keys(json["worker"]),
            (Keys{"state", "pid", "queue", "pending_embeddings", "last_new_scan",
                  "last_changed_scan", "last_embed", "next_due", "errors"}));
  EXPECT_EQ(json["worker"]["pending_embeddings"], 8);
  EXPECT_TRUE(json["model_fingerprint"].is_null());
  EXPECT_TRUE(json["last_indexed_at"].is_null());
}

TEST(WireError, CodeMessageHint) {
  EXPECT_EQ(to_json(Error{ErrorCode::kNoIndex, "there is no index", "/i.db", "lectern index"}),
            R"({"error":{"code":"no_index","message":"/i.db: there is no index",)"
            R"("hint":"lectern index"}})");
  EXPECT_EQ(to_json(Error{ErrorCode::kIo, "broken", "", ""}),
            R"({"error":{"code":"io","message":"broken","hint":null}})");
}

TEST(Wire, InvalidBytesBecomeTheReplacementCharacter) {
  SearchReply reply;
  reply.query = "a\xff\xfe z\xC3";
  const std::string text = to_json(reply);
  EXPECT_EQ(Json::parse(text)["query"], "a\uFFFD\uFFFD z\uFFFD");
}

TEST(Wire, OneLineAndControlCharactersEscaped) {
  GetReply reply;
  reply.lines = {{1, "\x1b[31mred\x07\r\n\t\"\\"}};
  const std::string text = to_json(reply);
  for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  EXPECT_EQ(Json::parse(text)["lines"][0]["text"], "\x1b[31mred\x07\r\n\t\"\\");
}

TEST(Wire, NumbersThatJsonLacksAreNull) {
  SearchReply reply = search_reply();
  reply.results[0].fused = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(Json::parse(to_json(reply))["results"][0]["fused"].is_null());
}

}  // namespace
}  // namespace lectern::serve
