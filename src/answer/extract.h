// Extraction: the smallest set of units that answers, and the answer written from them.
#pragma once

#include <vector>

#include "answer/evidence.h"
#include "answer/question.h"
#include "lectern/config.h"
#include "lectern/types.h"
#include "retrieve/pipeline.h"

namespace lectern::answer {

// The best unit, then units that each add a fair share of what is still uncovered, at most
// config.max_sentences. Units must be sorted by score.
std::vector<const Unit*> choose_units(const std::vector<Unit>& units, const Question& question,
                                      const AnswerConfig& config);

// Adds to a lead-in ("Reasons:") the items that follow it.
std::vector<Unit> with_items(const std::vector<const Unit*>& chosen, const std::vector<Unit>& units,
                             const retrieve::Retrieved& found, const AnswerConfig& config);

// Fills answer, citations and claims of `reply`. Every sentence carries its markers.
void write_answer(const std::vector<Unit>& units, const retrieve::Retrieved& found,
                  const Config& config, AskReply& reply);

}  // namespace lectern::answer
