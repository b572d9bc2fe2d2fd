// Config: every setting, resolved. Constructing one does no I/O; src/cli and
// Engine users fill it from flags, environment and files (src/base/settings.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lectern {

struct ChunkConfig {  // tokens of the embedding model, or of the estimate in its absence
  uint32_t min_tokens = 64;
  uint32_t target_tokens = 256;
  uint32_t max_tokens = 448;
};

struct KeywordConfig {  // chosen on the development sets, docs/decisions/0004
  double k1 = 0.9;
  double b = 0.65;
  double title_weight = 1.0;     // weight of an occurrence in the note's title or alias
  double heading_weight = 0.5;   // of one in the chunk's heading path
  double property_weight = 0.3;  // of one in a frontmatter field
};

struct FusionConfig {
  double rrf_k = 60;
  uint32_t lane_depth = 20;  // candidates a lane
  // With k = 60 a lane at full weight outvotes the other by its presence alone; the title lane
  // is a nudge (docs/decisions/0004).
  double title_weight = 0.05;
  double keyword_weight = 1.0;
};

struct SearchConfig {
  uint32_t limit = 10;
  uint32_t max_per_note = 2;
  bool window = true;
};

struct GateConfig {
  std::string kind = "coverage";
  double threshold = 0.6;  // share of the question's idf weight the evidence must cover
};

struct AnswerConfig {
  uint32_t context_chars = 12000;
  uint32_t max_sentences = 6;
};

struct LimitConfig {
  uint64_t note_bytes = 16u << 20;  // longer notes are indexed up to here, with a warning
  uint32_t lock_wait_ms = 10000;    // how long a writer waits for another one
};

struct Config {
  std::string vault;        // absolute folder
  std::string vault_name;   // last component of its real path
  std::string index;        // absolute file
  std::string config_file;  // the user's config that was read; empty when none
  bool offline = true;
  bool include_private = false;               // read folders named _private and _sensitiveData
  std::vector<std::string> include, exclude;  // glob patterns, see docs/configuration.md
  std::map<std::string, std::vector<std::string>> collections;  // name -> folders
  ChunkConfig chunk;
  KeywordConfig keyword;
  FusionConfig fusion;
  SearchConfig search;
  GateConfig gate;
  AnswerConfig answer;
  LimitConfig limits;
  bool retry_drop_filters = false;
};

}  // namespace lectern
