// Scores against numbers worked out by hand, independence of segmentation, filters,
// exclusions, phrases, damaged blobs.
#include "lexical/evaluate.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "memory_index.h"
#include "text/normalize.h"

namespace lectern::lexical {
namespace {

using Notes = std::vector<int64_t>;

// Three documents of 2, 4 and 6 words, average 4, k1 .9, b .4, no language (no stems).
//   idf(cat), df 2 of 3: ln(1 + 1.5 / 2.5) = .470003629246
//   document 0, tf 1: .470003629246 * 1.9 / (1 + .9 * (.6 + .4 * 2 / 4))
//     = .893006895567 / 1.72 = .519190055562
//   document 2, tf 3: .470003629246 * 3 * 1.9 / (3 + .9 * (.6 + .4 * 6 / 4))
//     = 2.679020686702 / 4.08 = .656622717329
MemoryIndex three() {
  MemoryIndex index;
  index.add_segment({{"cat mat", "", "", text::Lang::kUnknown},
                     {"dog bit man sat", "", "", text::Lang::kUnknown},
                     {"cat cat cat ran far off", "", "", text::Lang::kUnknown}});
  return index;
}

TEST(Bm25, HandWorkedScores) {
  MemoryIndex index = three();
  EvaluateOptions options;
  options.keyword.k1 = 0.9;
  options.keyword.b = 0.4;
  const EvaluateResult result = index.search(parse_query("cat", {}), options).value();
  ASSERT_EQ(result.docs.size(), 2U);
  EXPECT_EQ(result.docs[0].ref.doc, 2U);
  EXPECT_NEAR(result.docs[0].score, 0.656622717329, 1e-9);
  EXPECT_EQ(result.docs[1].ref.doc, 0U);
  EXPECT_NEAR(result.docs[1].score, 0.519190055562, 1e-9);
  EXPECT_EQ(result.word_df, std::vector<uint32_t>{2});
  EXPECT_NEAR(result.word_idf[0], 0.470003629246, 1e-9);
}

TEST(Bm25, FieldWeightsAddToTheCount) {
  // One document of 2 words (average 2): tf' = 1 + 2 (title) + .5 (heading) = 3.5.
  // idf, df 1 of 1: ln(1 + .5 / 1.5) = .287682072452
  // .287682072452 * 3.5 * 1.9 / (3.5 + .9) = .434792223206
  MemoryIndex index;
  index.add_segment({{"cat mat", "cat", "cat", text::Lang::kUnknown}});
  EvaluateOptions options;
  options.keyword.title_weight = 2;
  options.keyword.heading_weight = 0.5;
  const EvaluateResult result = index.search(parse_query("cat", {}), options).value();
  ASSERT_EQ(result.docs.size(), 1U);
  EXPECT_NEAR(result.docs[0].score, 0.434792223206, 1e-9);
}

TEST(Bm25, MembersAreOneWordWithTheBestCount) {
  // "running" (stem run) and "run": one df of 2, each document counts its better member.
  MemoryIndex index;
  index.add_segment({{"running running"}, {"run away"}, {"walk away"}});
  const auto query = parse_query("running", {text::Lang::kEn});
  ASSERT_EQ(query.words.size(), 1U);
  EXPECT_EQ(query.words[0].members, (std::vector<std::string>{"running", "run", "en:run"}));
  const EvaluateResult result = index.search(query).value();
  EXPECT_EQ(result.word_df, std::vector<uint32_t>{2});
  ASSERT_EQ(result.docs.size(), 2U);
  EXPECT_EQ(result.docs[0].ref.doc, 0U);
  // tf 2, length 2 = average: ln(1 + 1.5 / 2.5) * 2 * 1.9 / 2.9 = .615866824529
  EXPECT_NEAR(result.docs[0].score, 0.615866824529, 1e-9);
}

TEST(Evaluate, TiesGoByChunkId) {
  MemoryIndex index;
  std::vector<TestDoc> docs(50, TestDoc{"same text"});
  index.add_segment(docs);
  EvaluateOptions options;
  options.k = 10;
  const EvaluateResult result = index.search(parse_query("same", {}), options).value();
  std::set<Hash128> all;
  for (int64_t i = 0; i < 50; ++i) all.insert(MemoryIndex::id_of(i));
  ASSERT_EQ(result.docs.size(), 10U);
  auto expected = all.begin();
  for (const ScoredDoc& doc : result.docs) EXPECT_EQ(doc.id, *expected++);
}

TEST(Evaluate, FilterActsBeforeTheCut) {
  MemoryIndex index;
  std::vector<TestDoc> docs(10000, TestDoc{"needle needle needle"});
  docs[777].body = "needle and a good deal of hay around it";
  index.add_segment(docs);
  const DocFilter filter = [](DocRef ref) { return ref.doc == 777; };
  EvaluateOptions options;
  options.k = 5;
  options.filter = &filter;
  EXPECT_EQ(index.notes("needle", options), Notes{777});
}

TEST(Evaluate, EmptyQueriesAndNoSegments) {
  MemoryIndex index;
  EXPECT_TRUE(index.notes("anything").empty());
  index.add_segment({{"something"}});
  EXPECT_TRUE(index.notes("").empty());
  EXPECT_TRUE(index.notes("\" * - --").empty());
  EXPECT_TRUE(index.notes("zzz nothere").empty());
}

TEST(Evaluate, DamagedPostingsAreAnError) {
  MemoryIndex index;
  index.add_segment({{"alpha beta"}});
  for (auto& [term, blob] : index.encoded()[0].terms) blob.pop_back();
  const auto result = index.search(parse_query("alpha", {}));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kBadIndex);
}

TEST(Evaluate, ExclusionsActInside) {
  MemoryIndex index;
  index.add_segment({{"red apple"}, {"green apple"}, {"apple 合約轉換"}, {"apple 合約"}});
  EXPECT_EQ(index.notes("apple -red -合約轉換").size(), 2U);
  const Notes found = index.notes("apple -red -合約");
  EXPECT_EQ(found, Notes{1});
  EXPECT_EQ(index.notes("-red"), Notes{0});  // nothing but an exclusion: ordinary text
}

class Phrases : public ::testing::Test {
 protected:
  Notes search(std::string_view query, uint32_t max_texts = 5000) {
    const DocText text = [this](DocRef ref) -> Result<std::string> {
      ++texts_read_;
      return text::fold(bodies_[ref.doc]);
    };
    EvaluateOptions options;
    options.text = &text;
    options.max_phrase_texts = max_texts;
    const CorpusStats stats = corpus_stats(index_.views());
    const auto result =
        evaluate(parse_query(query, stats.langs), index_.views(), stats, index_, options).value();
    cut_ = result.phrase_cut;
    Notes out;
    for (const ScoredDoc& doc : result.docs) out.push_back(doc.ref.doc);
    std::sort(out.begin(), out.end());
    return out;
  }
  void add(const std::vector<std::string>& bodies) {
    bodies_ = bodies;
    std::vector<TestDoc> docs;
    for (const std::string& body : bodies) docs.push_back({body});
    index_.add_segment(docs);
  }

  MemoryIndex index_;
  std::vector<std::string> bodies_;
  int texts_read_ = 0;
  bool cut_ = false;
};

TEST_F(Phrases, WordsInOrderWhateverPunctuation) {
  add({"the open, source way", "source open", "open the source", "OPEN SOURCE", "reopen source"});
  EXPECT_EQ(search("\"open source\""), (Notes{0, 3}));
  EXPECT_EQ(texts_read_, 4);  // only those with both words
}

TEST_F(Phrases, IdentifiersUnspacedTextAndStopWords) {
  add({"see PIO-1384 now", "1384 PIO", "中文合約轉換", "合中約文", "to be or not to be",
       "be or to"});
  EXPECT_EQ(search("\"PIO-1384\""), Notes{0});
  EXPECT_EQ(search("\"合約\""), Notes{2});
  EXPECT_EQ(search("\"to be or not\""), Notes{4});
}

TEST_F(Phrases, StopsReadingAtTheLimit) {
  std::vector<std::string> bodies(40, "b a");
  bodies.push_back("a b");
  add(bodies);
  EXPECT_EQ(search("\"a b\""), Notes{40});
  EXPECT_FALSE(cut_);
  texts_read_ = 0;
  search("\"a b\"", 3);
  EXPECT_TRUE(cut_);
  EXPECT_EQ(texts_read_, 3);
}

// ---- one index, whatever its segments ----

struct Outcome {
  std::vector<std::pair<int64_t, double>> docs;
  std::vector<uint32_t> df;
  std::vector<std::pair<int64_t, double>> titles;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(MemoryIndex& index, const std::string& query) {
  const CorpusStats stats = corpus_stats(index.views());
  const ParsedQuery parsed = parse_query(query, stats.langs);
  EvaluateOptions options;
  options.k = 15;
  const EvaluateResult result = evaluate(parsed, index.views(), stats, index, options).value();
  Outcome out;
  out.df = result.word_df;
  for (const ScoredDoc& doc : result.docs) {
    out.docs.emplace_back(index.views()[doc.ref.segment_index].columns->note[doc.ref.doc],
                          doc.score);
  }
  const auto titles = evaluate_titles(parsed, index.views(), nullptr, 15).value();
  for (const ScoredNote& note : titles) {
    out.titles.emplace_back(note.note, note.score);
  }
  return out;
}

std::vector<TestDoc> random_docs(std::mt19937& random, size_t count) {
  const std::vector<std::string> words = {"run",  "running", "house",    "houses", "INC-0417",
                                          "0417", "the",     "合約轉換", "merge",  "merged",
                                          "C++",  "don't",   "report",   "alpha",  "beta"};
  const auto text = [&](size_t most) {
    std::string out;
    for (size_t i = 1 + random() % most; i > 0; --i) out += words[random() % words.size()] + " ";
    return out;
  };
  std::vector<TestDoc> docs;
  for (size_t i = 0; i < count; ++i) {
    docs.push_back(
        {text(30), text(3), text(2), i % 5 == 0 ? text::Lang::kDe : text::Lang::kEn, i % 11 == 0});
  }
  return docs;
}

MemoryIndex split(const std::vector<TestDoc>& docs, size_t segments,
                  const std::vector<size_t>& removed) {
  MemoryIndex index;
  const size_t each = (docs.size() + segments - 1) / segments;
  for (size_t first = 0; first < docs.size(); first += each) {
    const size_t last = std::min(docs.size(), first + each);
    index.add_segment({docs.begin() + static_cast<std::ptrdiff_t>(first),
                       docs.begin() + static_cast<std::ptrdiff_t>(last)},
                      static_cast<int64_t>(first));
  }
  for (const size_t doc : removed) {
    index.remove(static_cast<uint32_t>(doc / each), {static_cast<DocOrd>(doc % each)});
  }
  return index;
}

TEST(Segmentation, SameResultsInOneThreeOrTwelveSegmentsAndAfterMerging) {
  std::mt19937 random(5);
  const std::vector<TestDoc> docs = random_docs(random, 240);
  std::vector<size_t> removed;
  for (size_t i = 0; i < docs.size(); i += 1 + random() % 6) removed.push_back(i);

  // The reference: only the live documents, indexed at once.
  std::vector<MemoryIndex> indexes;
  for (const size_t segments : {1, 3, 12}) indexes.push_back(split(docs, segments, removed));
  for (size_t i = 0; i < 3; ++i) {
    MemoryIndex merged;
    merged.add_encoded(indexes[i].merged().value());
    indexes.push_back(std::move(merged));
  }
  for (const char* query : {"running", "house report", "INC-0417", "0417 alpha", "merge -beta",
                            "合約", "don't run C++", "the", "alpha beta INC-0417 houses"}) {
    const Outcome expected = outcome(indexes[0], query);
    EXPECT_FALSE(expected.docs.empty()) << query;
    for (size_t i = 1; i < indexes.size(); ++i) {
      EXPECT_EQ(outcome(indexes[i], query), expected) << query << " in index " << i;
    }
  }
}

TEST(Merge, EqualsAnIndexBuiltFromTheLiveDocuments) {
  std::mt19937 random(9);
  const std::vector<TestDoc> docs = random_docs(random, 90);
  std::vector<size_t> removed;
  std::vector<TestDoc> live;
  for (size_t i = 0; i < docs.size(); ++i) {
    if (i % 4 == 1) {
      removed.push_back(i);
    } else {
      live.push_back(docs[i]);
    }
  }
  const EncodedSegment merged = split(docs, 3, removed).merged().value();
  MemoryIndex at_once;
  at_once.add_segment(live);
  EXPECT_EQ(merged.docs, live.size());
  EXPECT_EQ(merged.terms, at_once.encoded()[0].terms);
}

TEST(Merge, EmptiedTermsAreDropped) {
  MemoryIndex index;
  index.add_segment({{"unique"}, {"shared"}});
  index.add_segment({{"shared"}}, 2);
  index.remove(0, {0});
  const EncodedSegment merged = index.merged().value();
  ASSERT_EQ(merged.terms.size(), 2U);
  EXPECT_EQ(merged.terms[0].first, "en:share");
  EXPECT_EQ(merged.terms[1].first, "shared");
}

TEST(Merge, DamagedInputIsAnError) {
  MemoryIndex index;
  index.add_segment({{"alpha beta"}});
  index.encoded()[0].terms[0].second = "\x7F";
  const auto merged = index.merged();
  ASSERT_FALSE(merged.has_value());
  EXPECT_EQ(merged.error().code, ErrorCode::kBadIndex);
  MemoryIndex unordered;
  unordered.add_segment({{"alpha beta"}});
  std::swap(unordered.encoded()[0].terms[0], unordered.encoded()[0].terms[1]);
  EXPECT_FALSE(unordered.merged().has_value());
}

TEST(Stats, CountLiveDocumentsOnly) {
  MemoryIndex index;
  index.add_segment({{"one two three four"}, {"one two", "", "", text::Lang::kDe}});
  index.remove(0, {0});
  const CorpusStats stats = corpus_stats(index.views());
  EXPECT_EQ(stats.docs, 1U);
  EXPECT_DOUBLE_EQ(stats.average_length, 2);
  EXPECT_EQ(stats.langs, std::vector<text::Lang>{text::Lang::kDe});
}

}  // namespace
}  // namespace lectern::lexical
