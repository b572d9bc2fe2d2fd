// Exhaustive BM25 over the live segments, one query word at a time.
//
// score = sum of weight * idf * tf' * (k1 + 1) / (tf' + k1 * (1 - b + b * length / average)),
// tf' = occurrences in the body + the weights of the fields that hold the word, and
// idf = ln(1 + (N - df + .5) / (df + .5)) over live documents (Robertson and Zaragoza 2009,
// with the +1 that keeps it positive). A word's df is known only when every segment was read,
// so its hits are gathered first and scored then; contributions reach a document in the order
// of the words, whatever the segments are, and sums are bit-identical.
#include "lexical/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lexical/codec.h"
#include "text/tokenize.h"

namespace lectern::lexical {

namespace {

// An occurrence of another form of the word counts this much of one of the word itself.
// Chosen on the development sets: mean nDCG@10 .880 at 1, .883 at .7, .884 at .5.
constexpr float kStemWeight = 0.6F;

constexpr uint32_t kMakeweightDocs = 4096;

struct Hit {
  uint32_t flat = 0;  // ordinal over all segments
  float tf = 0;       // tf'
};

// Arrays over all documents, kept between the queries of a thread. A cell counts only when
// its stamp is the current epoch, so nothing is cleared.
struct Scratch {
  uint32_t epoch = 0;
  struct Cell {
    double score = 0;
    uint32_t stamp = 0;
  };
  std::vector<Cell> cells;
  std::vector<uint32_t> touched;
  std::vector<uint32_t> hit_stamp, hit_index;  // where a document's hit stands, for unions
  std::vector<Hit> hits;
  std::string blob;

  void reserve(size_t docs) {
    if (cells.size() >= docs) return;
    cells.resize(docs);
    hit_stamp.resize(docs, 0);
    hit_index.resize(docs, 0);
  }

  // A stamp no cell has.
  uint32_t next_epoch() {
    if (++epoch == 0) {
      for (Cell& cell : cells) cell.stamp = 0;
      std::fill(hit_stamp.begin(), hit_stamp.end(), 0);
      epoch = 1;
    }
    return epoch;
  }
};

class Evaluation {
 public:
  Evaluation(const ParsedQuery& query, const std::vector<SegmentView>& segments,
             const CorpusStats& stats, PostingSource& source, const EvaluateOptions& options,
             Scratch& scratch)
      : query_(query),
        segments_(segments),
        stats_(stats),
        source_(source),
        options_(options),
        scratch_(scratch) {
    for (uint32_t fields = 0; fields < 8; ++fields) {
      const KeywordConfig& keyword = options.keyword;
      field_tf_[fields] =
          static_cast<float>(((fields & kTitleField) != 0 ? keyword.title_weight : 0) +
                             ((fields & kHeadingField) != 0 ? keyword.heading_weight : 0) +
                             ((fields & kPropertyField) != 0 ? keyword.property_weight : 0));
    }
    uint32_t base = 0;
    for (const SegmentView& segment : segments) {
      base_.push_back(base);
      base += static_cast<uint32_t>(segment.columns->size());
    }
    base_.push_back(base);
    scratch.reserve(base);
  }

  Result<EvaluateResult> run() {
    TRY_STATUS(score_words());
    TRY_STATUS(drop_excluded());
    if (query_.phrases.empty()) {
      top_k();
    } else {
      TRY_STATUS(phrases());
    }
    return std::move(result_);
  }

 private:
  // ---- hits ----

  // The live documents of any of the members, each once with its best tf', into
  // scratch_.hits, segment by segment.
  Status gather(const std::vector<std::string>& members) {
    scratch_.hits.clear();
    segment_hits_.assign(1, 0);
    const uint32_t stamp = scratch_.next_epoch();
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      bool first = true;
      for (const std::string& member : members) {
        TRY(const bool found, source_.postings(segments_[s].id, member, scratch_.blob));
        if (!found) continue;
        const bool last = &member == &members.back();
        const float weight = &member == &members.front() ? 1.0F : kStemWeight;
        if (!read_member(s, stamp, weight, first, first && last)) {
          return fail(ErrorCode::kBadIndex, "damaged posting list", member);
        }
        first = false;
      }
      segment_hits_.push_back(scratch_.hits.size());
    }
    return {};
  }

  // Adds the postings in scratch_.blob. `first`: no member of this segment was read before;
  // `only`: nor will one be, so that nobody has to find the hit again.
  bool read_member(uint32_t s, uint32_t stamp, float weight, bool first, bool only) {
    const DeletedBits* deleted = segments_[s].deleted.get();
    if (deleted != nullptr && deleted->empty()) deleted = nullptr;
    const auto docs = static_cast<uint32_t>(segments_[s].columns->size());
    const uint32_t base = base_[s];
    // A posting takes a byte or more, so the blob's size bounds the hits it can add.
    std::vector<Hit>& hits = scratch_.hits;
    size_t count = hits.size();
    hits.resize(count + std::min<size_t>(docs, scratch_.blob.size()));
    const bool ok =
        for_each_posting(scratch_.blob, docs, [&](DocOrd doc, uint32_t body, uint8_t fields) {
          if (deleted != nullptr && doc < deleted->size() && (*deleted)[doc]) return;
          const uint32_t flat = base + doc;
          const float tf = weight * (static_cast<float>(body) + field_tf_[fields]);
          if (!first && scratch_.hit_stamp[flat] == stamp) {
            Hit& hit = hits[scratch_.hit_index[flat]];
            hit.tf = std::max(hit.tf, tf);
            return;
          }
          if (!only) {
            scratch_.hit_stamp[flat] = stamp;
            scratch_.hit_index[flat] = static_cast<uint32_t>(count);
          }
          hits[count++] = {flat, tf};
        });
    hits.resize(count);
    return ok;
  }

  // ---- scoring ----

  Status score_words() {
    scratch_.touched.clear();
    score_epoch_ = scratch_.next_epoch();
    for (const QueryWord& word : query_.words) {
      if (word.weight <= 0) {
        result_.word_df.push_back(0);
        result_.word_idf.push_back(0);
        continue;
      }
      TRY(const bool common, is_common(word));
      if (common) {
        result_.word_df.push_back(kMakeweightDocs + 1);
        result_.word_idf.push_back(0);
        continue;
      }
      TRY_STATUS(gather(word.members));
      const auto df = static_cast<uint32_t>(scratch_.hits.size());
      const auto docs = static_cast<double>(std::max<uint64_t>(stats_.docs, df));
      const double idf = std::log(1 + (docs - df + 0.5) / (df + 0.5));
      result_.word_df.push_back(df);
      result_.word_idf.push_back(idf);
      const bool whole_occurs =
          word.part_of >= 0 && result_.word_df[static_cast<size_t>(word.part_of)] > 0;
      score_hits(word.weight * (whole_occurs ? kPartWeight : 1.0) * idf);
    }
    return {};
  }

  // A makeweight in more than kMakeweightDocs live documents is not scored: its idf is close
  // to nothing and its posting list among the longest. The list's own count settles most
  // cases unread; deleted documents are the only doubt.
  Result<bool> is_common(const QueryWord& word) {
    if (!word.makeweight()) return false;
    uint64_t listed = 0;
    uint64_t deleted = 0;
    for (const SegmentView& segment : segments_) {
      TRY(const bool found, source_.postings(segment.id, word.surface, scratch_.blob));
      uint64_t count = 0;
      const char* at = scratch_.blob.data();
      if (found && get_varint(at, at + scratch_.blob.size(), count)) listed += count;
      if (segment.deleted != nullptr) {
        deleted += static_cast<uint64_t>(
            std::count(segment.deleted->begin(), segment.deleted->end(), true));
      }
    }
    if (listed <= kMakeweightDocs) return false;
    if (listed > kMakeweightDocs + deleted) return true;
    TRY_STATUS(gather({word.surface}));
    return scratch_.hits.size() > kMakeweightDocs;
  }

  void score_hits(double weight) {
    const KeywordConfig& keyword = options_.keyword;
    const double scale = weight * (keyword.k1 + 1);
    const double fixed = keyword.k1 * (1 - keyword.b);
    const double slope = keyword.k1 * keyword.b / std::max(stats_.average_length, 1e-9);
    // Whether a document is new is data, not a branch; the list has room for every hit.
    std::vector<uint32_t>& touched = scratch_.touched;
    size_t touched_count = touched.size();
    touched.resize(touched_count + scratch_.hits.size() + 1);
    for (size_t s = 0; s + 1 < segment_hits_.size(); ++s) {
      const uint32_t* lengths = segments_[s].columns->length.data();
      const uint32_t base = base_[s];
      for (size_t i = segment_hits_[s]; i < segment_hits_[s + 1]; ++i) {
        const Hit hit = scratch_.hits[i];
        const double tf = hit.tf;
        const double gain = scale * tf / (tf + fixed + slope * lengths[hit.flat - base]);
        Scratch::Cell& cell = scratch_.cells[hit.flat];
        const bool fresh = cell.stamp != score_epoch_;
        cell.score = (fresh ? 0.0 : cell.score) + gain;
        cell.stamp = score_epoch_;
        touched[touched_count] = hit.flat;
        touched_count += fresh ? 1 : 0;
      }
    }
    touched.resize(touched_count);
  }

  // ---- exclusions ----

  Status drop_excluded() {
    if (query_.excluded.empty() && query_.excluded_runs.empty()) return {};
    std::vector<bool> banned(base_.back(), false);
    for (const QueryWord& word : query_.excluded) {
      TRY_STATUS(gather(word.members));
      for (const Hit& hit : scratch_.hits) banned[hit.flat] = true;
    }
    for (const std::vector<QueryWord>& run : query_.excluded_runs) {
      TRY(const std::vector<uint32_t> all, conjunction(run));
      for (const uint32_t flat : all) banned[flat] = true;
    }
    std::erase_if(scratch_.touched, [&](uint32_t flat) { return banned[flat]; });
    return {};
  }

  // Documents that hold every word, ascending.
  Result<std::vector<uint32_t>> conjunction(const std::vector<QueryWord>& words) {
    std::vector<uint32_t> common;
    for (size_t i = 0; i < words.size(); ++i) {
      TRY_STATUS(gather(words[i].members));
      std::vector<uint32_t> here;
      here.reserve(scratch_.hits.size());
      for (const Hit& hit : scratch_.hits) here.push_back(hit.flat);
      std::sort(here.begin(), here.end());
      if (i == 0) {
        common = std::move(here);
      } else {
        std::vector<uint32_t> both;
        std::set_intersection(common.begin(), common.end(), here.begin(), here.end(),
                              std::back_inserter(both));
        common = std::move(both);
      }
      if (common.empty()) break;
    }
    return common;
  }

  // ---- results ----

  DocRef ref_of(uint32_t flat) const {
    const auto after = std::upper_bound(base_.begin(), base_.end() - 1, flat);
    const auto segment = static_cast<uint32_t>(after - base_.begin() - 1);
    return {segment, flat - base_[segment]};
  }

  ScoredDoc doc_of(uint32_t flat) const {
    const DocRef ref = ref_of(flat);
    return {ref, scratch_.cells[flat].score, segments_[ref.segment_index].columns->id[ref.doc]};
  }

  static bool better(const ScoredDoc& a, const ScoredDoc& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  }

  bool passes(DocRef ref) const { return options_.filter == nullptr || (*options_.filter)(ref); }

  // A heap whose front is the worst of the best k.
  void top_k() {
    if (options_.k == 0) return;
    std::vector<ScoredDoc>& heap = result_.docs;
    for (const uint32_t flat : scratch_.touched) {
      const bool full = heap.size() >= options_.k;
      if (full && scratch_.cells[flat].score < heap.front().score) continue;
      const ScoredDoc doc = doc_of(flat);
      if (full && !better(doc, heap.front())) continue;
      if (!passes(doc.ref)) continue;
      if (full) {
        std::pop_heap(heap.begin(), heap.end(), better);
        heap.pop_back();
      }
      heap.push_back(doc);
      std::push_heap(heap.begin(), heap.end(), better);
    }
    std::sort_heap(heap.begin(), heap.end(), better);
  }

  // ---- phrases ----

  // Best first, so that reading texts stops at the k-th document that holds every phrase.
  Status phrases() {
    TRY(std::vector<ScoredDoc> candidates, phrase_candidates());
    std::sort(candidates.begin(), candidates.end(), better);
    std::vector<std::string> wanted;
    for (const std::string& phrase : query_.phrase_texts) {
      wanted.push_back(text::atom_string(phrase));
    }
    uint32_t read = 0;
    for (const ScoredDoc& doc : candidates) {
      if (result_.docs.size() >= options_.k) break;
      if (!passes(doc.ref)) continue;
      if (options_.text != nullptr) {
        if (read++ >= options_.max_phrase_texts) {
          result_.phrase_cut = true;
          break;
        }
        TRY(const std::string folded, (*options_.text)(doc.ref));
        if (!holds_all(folded, wanted)) continue;
      }
      result_.docs.push_back(doc);
    }
    return {};
  }

  static bool holds_all(const std::string& folded, const std::vector<std::string>& wanted) {
    const std::string atoms = text::atom_string(folded);
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& phrase) {
      return atoms.find(phrase) != std::string::npos;
    });
  }

  // Scored documents that hold the words of every phrase. Function words are left to the
  // text check when the phrase has others: their lists are long and decide nothing.
  Result<std::vector<ScoredDoc>> phrase_candidates() {
    std::vector<QueryWord> needed;
    for (const std::vector<QueryWord>& phrase : query_.phrases) {
      const bool all = options_.text == nullptr ||
                       std::all_of(phrase.begin(), phrase.end(),
                                   [](const QueryWord& word) { return word.stopword; });
      for (const QueryWord& word : phrase) {
        if (all || !word.stopword) needed.push_back(word);
      }
    }
    // gather() in conjunction() leaves the scores alone: it stamps other arrays.
    TRY(const std::vector<uint32_t> common, conjunction(needed));
    std::sort(scratch_.touched.begin(), scratch_.touched.end());
    std::vector<ScoredDoc> candidates;
    for (const uint32_t flat : common) {
      if (std::binary_search(scratch_.touched.begin(), scratch_.touched.end(), flat)) {
        candidates.push_back(doc_of(flat));
      }
    }
    return candidates;
  }

  const ParsedQuery& query_;
  const std::vector<SegmentView>& segments_;
  const CorpusStats& stats_;
  PostingSource& source_;
  const EvaluateOptions& options_;
  Scratch& scratch_;
  std::array<float, 8> field_tf_{};
  std::vector<uint32_t> base_;        // first flat ordinal of each segment, and the end
  std::vector<size_t> segment_hits_;  // where each segment's hits start, and the end
  uint32_t score_epoch_ = 0;
  EvaluateResult result_;
};

}  // namespace

CorpusStats corpus_stats(const std::vector<SegmentView>& segments) {
  std::array<uint64_t, 256> by_lang{};
  CorpusStats stats;
  uint64_t words = 0;
  for (const SegmentView& segment : segments) {
    const DocColumns& columns = *segment.columns;
    const DeletedBits* deleted = segment.deleted.get();
    for (size_t doc = 0; doc < columns.size(); ++doc) {
      if (deleted != nullptr && doc < deleted->size() && (*deleted)[doc]) continue;
      ++stats.docs;
      words += columns.length[doc];
      ++by_lang[columns.lang[doc]];
    }
  }
  if (stats.docs > 0 && words > 0) {
    stats.average_length = static_cast<double>(words) / static_cast<double>(stats.docs);
  }
  for (size_t lang = 1; lang < static_cast<size_t>(text::Lang::kCount); ++lang) {
    if (by_lang[lang] > 0 && by_lang[lang] * 100 >= stats.docs) {
      stats.langs.push_back(static_cast<text::Lang>(lang));
    }
  }
  return stats;
}

Result<EvaluateResult> evaluate(const ParsedQuery& query, const std::vector<SegmentView>& segments,
                                const CorpusStats& stats, PostingSource& source,
                                const EvaluateOptions& options) {
  thread_local Scratch scratch;
  return Evaluation(query, segments, stats, source, options, scratch).run();
}

}  // namespace lectern::lexical
