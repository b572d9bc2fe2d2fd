// Any bytes as a query, as a document, and as index blobs: no crash, no hang, no ordinal
// outside its segment.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "lexical/evaluate.h"
#include "lexical/query.h"
#include "lexical/segment.h"
#include "text/sentences.h"
#include "text/token_estimate.h"

namespace {

using namespace lectern;

// Every term has the fuzzed bytes as its postings.
class FuzzedSource : public lexical::PostingSource {
 public:
  explicit FuzzedSource(std::string_view bytes) : bytes_(bytes) {}
  Result<bool> postings(uint32_t, std::string_view, std::string& blob) override {
    blob = bytes_;
    return true;
  }

 private:
  std::string_view bytes_;
};

void check(bool condition) {
  if (!condition) std::abort();
}

void search(std::string_view query, std::string_view bytes) {
  lexical::SegmentBuilder builder;
  builder.add({1, 1, {}, text::Lang::kEn, false, query, "", bytes});
  builder.add({2, 2, {}, text::Lang::kRu, true, "title", query, query});
  builder.add_names(2, {std::string(bytes)});
  const lexical::EncodedSegment encoded = std::move(builder).finish();
  auto columns = lexical::decode_columns(encoded.columns);
  check(columns.has_value());
  lexical::SegmentView view;
  view.columns = std::make_shared<const lexical::DocColumns>(std::move(*columns));
  view.names = std::make_shared<const std::string>(encoded.names);
  const std::vector<lexical::SegmentView> views = {view};
  const lexical::CorpusStats stats = lexical::corpus_stats(views);
  const lexical::ParsedQuery parsed = lexical::parse_query(query, stats.langs);
  FuzzedSource source(bytes);
  const auto result = lexical::evaluate(parsed, views, stats, source, {});
  if (result) {
    for (const lexical::ScoredDoc& doc : result->docs) check(doc.ref.doc < 2);
  }
  check(lexical::evaluate_titles(parsed, views, nullptr, 10).has_value());
  // The same bytes as a damaged names blob.
  view.names = std::make_shared<const std::string>(bytes);
  (void)lexical::evaluate_titles(parsed, {view}, nullptr, 10);
  (void)lexical::decode_columns(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t half = size == 0 ? 0 : data[0] % size;
  search(input.substr(0, half), input.substr(half));
  uint32_t last = 0;
  for (const text::ByteRange& range : text::split_sentences(input)) {
    check(range.first >= last && range.first < range.last && range.last <= size);
    last = range.last;
  }
  check(text::estimate_tokens(input) <= size * 2 + 1);
  return 0;
}
