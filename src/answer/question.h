// Question: what a question asks about, as weighted words, and what kind of thing would
// answer it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/query.h"
#include "text/language.h"

namespace lectern::answer {

enum class AnswerKind : uint8_t { kAny, kTime, kQuantity, kPerson, kReason };

struct QuestionWord {
  std::string surface;
  double weight = 0;      // idf, lowered for words that only shape the question
  bool required = false;  // a name, an identifier or a number: nothing answers without it
  bool known = false;     // occurs in some note in scope of the corpus
};

struct Question {
  std::vector<QuestionWord> words;  // bit i of a match stands for words[i]; at most 64
  double mass = 0;                  // sum of weights
  AnswerKind kind = AnswerKind::kAny;
  bool wants_newest = false;      // "now", "current", "latest"
  bool wants_definition = false;  // "what is ..."
  bool joins = false;             // asks for two things: "... and ..."
  std::vector<uint64_t> names;    // each run of neighbouring names, as bits
  double unspaced_share = 0;      // share of the mass in bigrams of unspaced scripts

  double weight_of(uint64_t bits) const;

  // `bits` without the names of which less than half is there: a passage with "Design" is not
  // about "The Design of Everyday Things".
  uint64_t whole_names(uint64_t bits) const;
  std::vector<std::string> missing_from(uint64_t bits) const;  // surfaces, heaviest first
};

// `df` and `idf` stand beside query.words (lexical::EvaluateResult).
Question analyse_question(std::string_view text, const lexical::ParsedQuery& query,
                          const std::vector<uint32_t>& df, const std::vector<double>& idf);

}  // namespace lectern::answer
