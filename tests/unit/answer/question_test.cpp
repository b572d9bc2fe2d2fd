// What a question asks about, and what the gate makes of evidence for it.
#include "answer/question.h"

#include <gtest/gtest.h>

#include <cmath>

#include "answer/gate.h"

namespace lectern::answer {
namespace {

Question analyse(const std::string& text, uint32_t df = 3, double idf = 2.0) {
  const auto query = lexical::parse_query(text, {text::Lang::kEn}, false);
  const std::vector<uint32_t> dfs(query.words.size(), df);
  const std::vector<double> idfs(query.words.size(), idf);
  return analyse_question(text, query, dfs, idfs);
}

const QuestionWord* find(const Question& question, const std::string& surface) {
  for (const QuestionWord& word : question.words) {
    if (word.surface == surface) return &word;
  }
  return nullptr;
}

TEST(Question, KindComesFromTheBeginning) {
  EXPECT_EQ(analyse("How many tiles cracked?").kind, AnswerKind::kQuantity);
  EXPECT_EQ(analyse("When did the dome open?").kind, AnswerKind::kTime);
  EXPECT_EQ(analyse("Who repaired the dome?").kind, AnswerKind::kPerson);
  EXPECT_EQ(analyse("Warum ist die Kuppel zu?").kind, AnswerKind::kReason);
  EXPECT_EQ(analyse("Сколько стоит билет?").kind, AnswerKind::kQuantity);
  EXPECT_EQ(analyse("Which bread is darkest?").kind, AnswerKind::kAny);
}

TEST(Question, FunctionWordsWeighNothingAndShapeWordsLittle) {
  const Question question = analyse("In what year was the telescope built?");
  ASSERT_NE(find(question, "the"), nullptr);
  EXPECT_DOUBLE_EQ(find(question, "the")->weight, 0);
  ASSERT_NE(find(question, "year"), nullptr);
  EXPECT_LT(find(question, "year")->weight, find(question, "telescope")->weight);
}

TEST(Question, NamesIdentifiersAndNumbersAreRequired) {
  const Question question = analyse("what did Mira write about INC-0417 in 2026");
  ASSERT_NE(find(question, "mira"), nullptr);
  EXPECT_TRUE(find(question, "mira")->required);
  ASSERT_NE(find(question, "inc-0417"), nullptr);
  EXPECT_TRUE(find(question, "inc-0417")->required);
  ASSERT_NE(find(question, "2026"), nullptr);
  EXPECT_TRUE(find(question, "2026")->required);
  EXPECT_FALSE(find(question, "write")->required);
}

TEST(Question, MissingWordsNameRequiredOnesFirst) {
  const Question question = analyse("what did Mira repair");
  const auto missing = question.missing_from(0);
  ASSERT_GE(missing.size(), 2U);
  EXPECT_EQ(missing[0], "mira");
}

TEST(Gate, RefusesWhenARequiredWordIsNowhere) {
  const Question question = analyse("what did Mira repair");
  Unit unit;
  for (size_t i = 0; i < question.words.size(); ++i) {
    if (question.words[i].surface != "mira") unit.own |= uint64_t{1} << i;
  }
  GateConfig config;
  config.threshold = 0.01;
  const GateDecision decision = coverage_gate(question, {&unit}, config);
  EXPECT_FALSE(decision.sufficient);
  EXPECT_NE(decision.message.find("mira"), std::string::npos);
}

TEST(Gate, SufficiencyIsTheShareOfWeightHeld) {
  const Question question = analyse("copper kettle repair");
  ASSERT_EQ(question.words.size(), 3U);
  Unit unit;
  unit.own = 0b001;
  unit.context = 0b010;
  GateConfig config;
  config.threshold = 0.6;
  // One word of its own and one in the context at four fifths, of three equal ones.
  const GateDecision decision = coverage_gate(question, {&unit}, config);
  EXPECT_NEAR(decision.sufficiency, (1.0 + 0.8) / 3.0, 1e-12);
  EXPECT_TRUE(decision.sufficient);
  EXPECT_FALSE(coverage_gate(question, {}, config).sufficient);
}

}  // namespace
}  // namespace lectern::answer
