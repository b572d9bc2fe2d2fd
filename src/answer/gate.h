// The gate: whether the evidence is enough to answer, decided before any answer exists.
#pragma once

#include <string>
#include <vector>

#include "answer/evidence.h"
#include "answer/question.h"
#include "lectern/config.h"

namespace lectern::answer {

struct GateDecision {
  bool sufficient = false;
  double sufficiency = 0;  // 0..1
  double threshold = 0;
  std::string message;  // why not
};

// Coverage gate: the chosen units together must hold enough of the question's idf weight,
// and every name, identifier and number in it.
GateDecision coverage_gate(const Question& question, const std::vector<const Unit*>& chosen,
                           const GateConfig& config);

// "nothing on 'salary' and 'jonas'" for a set of missing words; empty when none is missing.
std::string missing_words(const Question& question, uint64_t bits);

}  // namespace lectern::answer
