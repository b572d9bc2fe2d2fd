// The title lane: what counts as naming a note.
#include <gtest/gtest.h>

#include <cmath>

#include "memory_index.h"

namespace lectern::lexical {
namespace {

class Titles : public ::testing::Test {
 protected:
  std::vector<int64_t> search(std::string_view query, const DocFilter* filter = nullptr) {
    const CorpusStats stats = corpus_stats(index_.views());
    const auto found =
        evaluate_titles(parse_query(query, stats.langs), index_.views(), filter, 10).value();
    last_ = found;
    std::vector<int64_t> out;
    for (const ScoredNote& note : found) out.push_back(note.note);
    return out;
  }
  void add(const std::vector<std::string>& titles) {
    std::vector<TestDoc> docs;
    for (const std::string& title : titles) docs.push_back({"text", title});
    index_.add_segment(docs, next_);
    next_ += static_cast<int64_t>(titles.size());
  }
  using Notes = std::vector<int64_t>;
  MemoryIndex index_;
  std::vector<ScoredNote> last_;
  int64_t next_ = 0;
};

TEST_F(Titles, CoverageByHand) {
  // Three names, N = 3. alpha: df 2, ln(1 + 1.5/2.5) = .470004; beta and gamma: df 1,
  // ln(1 + 2.5/1.5) = .980829.
  add({"Alpha Beta", "Alpha", "Gamma"});
  EXPECT_EQ(search("beta"), Notes{0});
  EXPECT_NEAR(last_[0].coverage, 0.980829253 / (0.980829253 + 0.470003629), 1e-6);
  EXPECT_NEAR(last_[0].score, last_[0].coverage * 0.980829253, 1e-6);
  EXPECT_EQ(search("alpha"), Notes{1});  // a third of "Alpha Beta": silent
  EXPECT_EQ(search("alpha beta"), (Notes{0, 1}));
}

TEST_F(Titles, SilentUnderHalf) {
  add({"Quarterly planning of the northern region", "Other"});
  EXPECT_TRUE(search("planning").empty());
  EXPECT_EQ(search("northern region planning"), Notes{0});
  EXPECT_TRUE(search("nothing at all").empty());
}

TEST_F(Titles, AnIdentifierBreaksTheSilence) {
  add({"INC-0417 outage of the payment gateway in Frankfurt", "Payment"});
  EXPECT_EQ(search("INC-0417"), Notes{0});
  EXPECT_TRUE(search("INC-0499").empty());
  EXPECT_TRUE(search("0417").empty());
}

TEST_F(Titles, StemsStopWordsAndUnspacedNames) {
  add({"The Meeting Notes", "The Who", "合約轉換", "To Be"});
  EXPECT_EQ(search("meeting note"), Notes{0});
  EXPECT_EQ(search("the who"), Notes{1});
  EXPECT_EQ(search("合約轉換 是什麼"), Notes{2});
}

TEST_F(Titles, DeletedNotesAndFilters) {
  add({"Alpha", "Alpha"});
  add({"Alpha"});
  index_.remove(0, {0});
  EXPECT_EQ(search("alpha").size(), 2U);
  const DocFilter filter = [](DocRef ref) { return ref.segment_index == 1; };
  EXPECT_EQ(search("alpha", &filter), Notes{2});
  EXPECT_NEAR(last_[0].score, std::log(1 + 0.5 / 2.5), 1e-9);  // N = 2, df = 2
}

TEST_F(Titles, SeveralNamesOfANoteCountOnce) {
  SegmentBuilder builder;
  builder.add({5, 1, MemoryIndex::id_of(1), text::Lang::kEn, false, "Alpha", "", "one"});
  builder.add({5, 2, MemoryIndex::id_of(2), text::Lang::kEn, false, "Alpha", "", "two"});
  builder.add_names(5, {"Alpha", "alpha", "Alpha Centauri"});
  builder.add_names(6, {"no such note"});
  index_.add_encoded(std::move(builder).finish());
  EXPECT_EQ(search("alpha"), Notes{5});
  EXPECT_EQ(last_[0].first_doc.doc, 0U);
  EXPECT_TRUE(search("such note").empty());
}

}  // namespace
}  // namespace lectern::lexical
