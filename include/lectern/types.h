// Requests and replies of the Engine: plain values, the same for every front end.
//
// Line numbers are 1-based and count the lines of the file itself (a line ends at
// LF). Scores keep the scale of their lane; they are comparable within one lane and
// query only, unless stated otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lectern {

// ---- shared ----------------------------------------------------------------

struct Warning {
  std::string path;   // vault-relative file, empty when it is about the run
  uint32_t line = 0;  // 1-based, 0 when unknown
  std::string message;
};

// A scope given by the caller. Repeated folders widen (OR), tags and where narrow
// (AND). A leading '!' on a folder or tag excludes. Dates: ISO year, month or day.
struct Filter {
  std::vector<std::string> folders;
  std::vector<std::string> paths;
  std::vector<std::string> tags;
  std::vector<std::pair<std::string, std::string>> where;
  std::vector<std::string> collections;
  std::string after;   // inclusive
  std::string before;  // exclusive
  bool empty() const {
    return folders.empty() && paths.empty() && tags.empty() && where.empty() &&
           collections.empty() && after.empty() && before.empty();
  }
};

struct LaneHit {
  uint32_t rank = 0;  // 1-based
  double score = 0;
};

// ---- search ----------------------------------------------------------------

struct SearchRequest {
  std::string query;
  Filter filter;
  std::string mode = "hybrid";  // hybrid | keyword | title (semantic, focused: not yet built)
  std::optional<uint32_t> limit;
  bool explain = false;
};

struct Highlight {
  uint32_t line = 0;
  std::string text;  // the line as it stands in the note
};

struct SearchResult {
  uint32_t rank = 0;
  std::string path, title;
  std::vector<std::string> heading;
  uint32_t line_first = 0, line_last = 0;
  std::string text;
  std::vector<Highlight> highlights;
  std::map<std::string, LaneHit> lanes;  // "title", "keyword", "semantic"
  double fused = 0;
  std::vector<std::string> tags;
  std::string date;  // ISO, empty when the passage has none
  std::string collection = "main";
  std::string source_class = "note";
  std::string chunk_id;
  std::string uri;
  // Neighbouring chunks of the same section that widen the passage (marked, never ranked).
  struct Window {
    uint32_t line_first = 0, line_last = 0;
    std::string position;  // "before" | "after"
    std::string text;
  };
  std::vector<Window> window;
};

// One candidate at one stage: what `explain` shows.
struct TraceCandidate {
  std::string path;
  uint32_t line_first = 0, line_last = 0;
  std::string chunk_id;
  std::map<std::string, LaneHit> lanes;
  double fused = 0;
  std::string decision;     // "kept" | "dropped"
  std::string drop_reason;  // empty when kept
};

struct TraceStage {
  std::string name;
  double ms = 0;
  std::vector<std::pair<std::string, std::string>> facts;  // small name = value notes
  std::vector<TraceCandidate> candidates;
};

struct Trace {
  std::vector<TraceStage> stages;
};

struct Nearest {
  std::string path;
  uint32_t line_first = 0, line_last = 0;
  std::string quote;
  std::string why_not;
};

struct Abstention {
  std::string by;      // gate | generator | verifier
  std::string reason;  // no_evidence | insufficient | generator_declined | unsupported_answer |
                       // empty_index | error
  std::string message;
  std::vector<Nearest> nearest;
};

struct SearchReply {
  std::string query, mode;
  std::vector<SearchResult> results;
  std::optional<Abstention> abstain;
  uint64_t pending_embeddings = 0;
  std::vector<std::string> degraded;
  std::vector<Warning> warnings;
  std::vector<std::pair<std::string, double>> timings_ms;
  std::optional<Trace> trace;
};

// ---- ask -------------------------------------------------------------------

struct AskRequest {
  std::string question;
  Filter filter;
  std::string generator = "extractive";
  std::string gate;  // empty: the configured one
  std::optional<uint32_t> limit;
  bool explain = false;
};

struct Citation {
  uint32_t marker = 0;
  std::string path;
  uint32_t line_first = 0, line_last = 0;
  std::string quote;  // contiguous substring of the cited lines, joined by LF
  std::vector<std::string> heading;
  std::string chunk_id, block_id, uri;
  std::string node_id;  // canvas node, empty for notes
};

struct ClaimCheck {
  std::string kind, value;
  uint32_t found_line = 0;
};

struct Claim {
  std::string text;
  std::vector<uint32_t> citations;  // markers
  std::string verdict;
  std::vector<ClaimCheck> checks;
};

struct Superseded {
  std::string path;
  uint32_t line_first = 0, line_last = 0;
  std::string quote;
  uint32_t by = 0;  // marker of the newer citation
};

struct AskReply {
  std::string question;
  bool answered = false;
  std::string answer;
  std::vector<Citation> citations;
  std::vector<Claim> claims;
  std::vector<Superseded> superseded;
  std::vector<std::string> gaps;
  std::optional<double> confidence;
  std::optional<Abstention> abstain;
  std::string generator;
  std::string gate_kind;
  std::optional<double> gate_sufficiency, gate_threshold;
  bool retry_ran = false;
  std::vector<std::string> retry_filters_dropped;
  uint32_t retry_lane_depth = 0;
  std::vector<std::string> degraded;
  std::vector<Warning> warnings;
  std::vector<std::pair<std::string, double>> timings_ms;
  std::optional<Trace> trace;
};

// ---- index -----------------------------------------------------------------

struct IndexRequest {
  bool full = false;         // forget what is known and read every note again
  bool force_empty = false;  // allow a run that deletes most notes
  bool no_embed = false;
  std::optional<uint64_t> embed_limit;
};

struct LinkCounts {
  uint64_t total = 0, resolved = 0, unresolved = 0, ambiguous = 0;
};

struct EmbeddingCounts {
  std::string model;  // empty: no model installed
  uint32_t dimensions = 0;
  uint64_t embedded = 0, reused = 0, pending = 0;
};

struct IndexReport {
  std::string vault, index_path;
  uint64_t seen = 0, added = 0, changed = 0, unchanged = 0, moved = 0, deleted = 0, failed = 0;
  uint64_t chunks_total = 0, chunks_added = 0, chunks_deleted = 0;
  LinkCounts links;
  EmbeddingCounts embeddings;
  std::vector<Warning> warnings;
  double seconds = 0;
};

// ---- reading ---------------------------------------------------------------

struct GetRequest {
  std::string path;                        // vault-relative note, ".md" may be left out
  uint32_t line_first = 0, line_last = 0;  // 0: from the first, to the last
  std::string block_id;                    // finds a cited block again; path may be empty
};

struct NumberedLine {
  uint32_t line = 0;
  std::string text;
};

struct GetReply {
  std::string path, title;
  uint32_t line_first = 0, line_last = 0;
  std::vector<NumberedLine> lines;
  std::string mtime;  // ISO 8601 UTC
  std::vector<Warning> warnings;
};

struct OutgoingLink {
  std::string target;  // as written
  std::string path;    // the note it leads to; empty when unresolved
  std::string heading, block, alias;
  bool embed = false;
  uint32_t line = 0;
  std::string kind;  // resolved | unresolved | ambiguous | alias
  std::vector<std::string> candidates;
};

struct Backlink {
  std::string path;
  uint32_t line = 0;
  std::string text;  // the line that links here
};

struct LinksReply {
  std::string path;
  std::vector<OutgoingLink> outgoing;
  std::vector<Backlink> backlinks;
};

struct StatusReply {
  uint32_t schema_version = 0;
  uint64_t generation = 0;
  std::string index_path, vault_path;
  uint64_t index_bytes = 0, notes = 0, chunks = 0, segments = 0, warnings = 0;
  LinkCounts links;
  EmbeddingCounts embeddings;
  std::string model_fingerprint;
  std::string chunk_sizing;  // "estimate" until a tokenizer is installed
  std::string last_indexed_at;
  std::vector<std::string> degraded;
};

}  // namespace lectern
