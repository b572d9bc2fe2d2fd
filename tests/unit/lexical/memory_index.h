// An index in memory: segments of documents given as text, a PostingSource over them, and
// term streams for merging. What a store does, without a file.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "lexical/evaluate.h"
#include "lexical/query.h"
#include "lexical/segment.h"

namespace lectern::lexical {

struct TestDoc {
  std::string body;
  std::string title;  // "" : none
  std::string heading;
  text::Lang lang = text::Lang::kEn;
  bool property = false;
};

class VectorTermStream : public TermStream {
 public:
  explicit VectorTermStream(const std::vector<std::pair<std::string, std::string>>& terms)
      : terms_(terms) {}
  Result<bool> next(std::string_view& term, std::string_view& postings) override {
    if (at_ == terms_.size()) return false;
    term = terms_[at_].first;
    postings = terms_[at_].second;
    ++at_;
    return true;
  }

 private:
  const std::vector<std::pair<std::string, std::string>>& terms_;
  size_t at_ = 0;
};

class MemoryIndex : public PostingSource {
 public:
  // One document a note; note and chunk numbers are `first_number` and on.
  void add_segment(const std::vector<TestDoc>& docs, int64_t first_number = 0) {
    SegmentBuilder builder;
    for (size_t i = 0; i < docs.size(); ++i) {
      const TestDoc& doc = docs[i];
      const int64_t number = first_number + static_cast<int64_t>(i);
      builder.add({number, number, id_of(number), doc.lang, doc.property, doc.title, doc.heading,
                   doc.body});
      if (!doc.title.empty()) builder.add_names(number, {doc.title});
    }
    add_encoded(std::move(builder).finish());
  }

  void add_encoded(EncodedSegment encoded) {
    SegmentView view;
    view.id = static_cast<uint32_t>(segments_.size()) + 100;
    view.columns = std::make_shared<const DocColumns>(decode_columns(encoded.columns).value());
    view.names = std::make_shared<const std::string>(encoded.names);
    views_.push_back(view);
    segments_.push_back(std::move(encoded));
  }

  void remove(uint32_t segment, const std::vector<DocOrd>& docs) {
    auto bits = std::make_shared<DeletedBits>(views_[segment].columns->size(), false);
    if (views_[segment].deleted) *bits = *views_[segment].deleted;
    for (const DocOrd doc : docs) (*bits)[doc] = true;
    views_[segment].deleted = bits;
  }

  // All segments merged into one new index.
  Result<EncodedSegment> merged() const {
    std::vector<VectorTermStream> streams;
    streams.reserve(segments_.size());
    std::vector<MergeInput> inputs;
    for (size_t i = 0; i < segments_.size(); ++i) {
      streams.emplace_back(segments_[i].terms);
      inputs.push_back(
          {&streams[i], views_[i].columns.get(), views_[i].deleted.get(), *views_[i].names});
    }
    EncodedSegment out;
    TRY(const MergedHeader header,
        merge_segments(inputs, [&](std::string_view term, std::string_view postings) -> Status {
          out.terms.emplace_back(term, postings);
          return {};
        }));
    out.columns = header.columns;
    out.names = header.names;
    out.docs = header.docs;
    return out;
  }

  Result<bool> postings(uint32_t segment, std::string_view term, std::string& blob) override {
    const auto& terms = segments_[segment - 100].terms;
    const auto at =
        std::lower_bound(terms.begin(), terms.end(), term,
                         [](const auto& entry, std::string_view key) { return entry.first < key; });
    if (at == terms.end() || at->first != term) return false;
    blob = at->second;
    return true;
  }

  const std::vector<SegmentView>& views() const { return views_; }
  std::vector<EncodedSegment>& encoded() { return segments_; }

  static Hash128 id_of(int64_t number) { return hash128(std::to_string(number)); }

  Result<EvaluateResult> search(const ParsedQuery& query, EvaluateOptions options = {}) {
    return evaluate(query, views_, corpus_stats(views_), *this, options);
  }
  // Note numbers, best first.
  std::vector<int64_t> notes(std::string_view query, EvaluateOptions options = {}) {
    const CorpusStats stats = corpus_stats(views_);
    const auto result =
        evaluate(parse_query(query, stats.langs), views_, stats, *this, options).value();
    std::vector<int64_t> out;
    for (const ScoredDoc& doc : result.docs) {
      out.push_back(views_[doc.ref.segment_index].columns->note[doc.ref.doc]);
    }
    return out;
  }

 private:
  std::vector<EncodedSegment> segments_;
  std::vector<SegmentView> views_;
};

}  // namespace lectern::lexical
