// Evaluation of a parsed query over the live segments: exhaustive BM25 with top-k, and
// the title lane. Exact: statistics count live documents only, ties go by chunk id, and
// the result does not depend on how documents are spread over segments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "lectern/config.h"
#include "lectern/result.h"
#include "lexical/query.h"
#include "lexical/segment.h"

namespace lectern::lexical {

// Where posting blobs come from: one (segment, term) lookup. Thread-compatible.
class PostingSource {
 public:
  virtual ~PostingSource() = default;
  // False when the segment has no such term. `blob` is overwritten.
  virtual Result<bool> postings(uint32_t segment, std::string_view term, std::string& blob) = 0;
};

// A live segment as queries see it: immutable, shared between snapshots.
struct SegmentView {
  uint32_t id = 0;
  std::shared_ptr<const DocColumns> columns;
  std::shared_ptr<const std::string> names;    // encoded, for the title lane
  std::shared_ptr<const DeletedBits> deleted;  // null: none
};

struct CorpusStats {
  uint64_t docs = 0;              // live
  double average_length = 1;      // words, over live documents
  std::vector<text::Lang> langs;  // at least 1 % of live documents
};
CorpusStats corpus_stats(const std::vector<SegmentView>& segments);

struct DocRef {
  uint32_t segment_index = 0;  // index into the vector of views
  DocOrd doc = 0;
};

struct ScoredDoc {
  DocRef ref;
  double score = 0;
  Hash128 id;
};

// Says whether a document may be a result; consulted before the cut to k.
using DocFilter = std::function<bool(DocRef)>;
// The folded text of a document, for phrases; only called for documents that hold all words.
using DocText = std::function<Result<std::string>(DocRef)>;

struct EvaluateOptions {
  KeywordConfig keyword;
  uint32_t k = 20;
  const DocFilter* filter = nullptr;  // null: everything
  const DocText* text = nullptr;      // null: a phrase asks for its words only, in any order
  uint32_t max_phrase_texts = 5000;
};

struct EvaluateResult {
  std::vector<ScoredDoc> docs;    // best first
  std::vector<uint32_t> word_df;  // live documents a word's members occur in, per query word
  std::vector<double> word_idf;   // ln(1 + (N - df + .5) / (df + .5)); a word of weight 0
                                  // is not looked up: df and idf 0
  bool phrase_cut = false;        // more than max_phrase_texts candidates: the rest unread
};

Result<EvaluateResult> evaluate(const ParsedQuery& query, const std::vector<SegmentView>& segments,
                                const CorpusStats& stats, PostingSource& source,
                                const EvaluateOptions& options);

// Title lane: notes by idf-weighted coverage of title, alias or file stem by the query.
// Silent below half coverage of the name, unless an identifier of the query matches a
// whole word of it exactly.
struct ScoredNote {
  int64_t note = 0;
  DocRef first_doc;
  double score = 0;  // coverage (0..1] times the idf mass matched
  double coverage = 0;
};
Result<std::vector<ScoredNote>> evaluate_titles(const ParsedQuery& query,
                                                const std::vector<SegmentView>& segments,
                                                const DocFilter* filter, uint32_t k);

}  // namespace lectern::lexical
