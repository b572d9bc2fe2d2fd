// Evidence: the pieces of the notes that could be quoted as an answer, each with its own
// lines and with what its surroundings say it is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/question.h"
#include "retrieve/pipeline.h"
#include "retrieve/words.h"

namespace lectern::answer {

// A sentence, a list item, a table row, a property, a line of code.
struct Unit {
  size_t passage = 0;  // index into Retrieved::passages
  uint32_t block = 0;  // index into Note::blocks
  uint32_t line_first = 0, line_last = 0;
  std::string quote;      // verbatim
  std::string plain;      // as a person reads it
  uint64_t own = 0;       // words of the question it holds itself
  uint64_t context = 0;   // words its title, headings, lead-in, table header, neighbours hold
  uint64_t opening = 0;   // words its first 60 bytes hold
  uint32_t news = 0;      // content words that are not the question's, counted up to three
  bool label = false;     // a heading or property that only repeats the question
  bool fits_kind = true;  // holds what the question's kind needs (a number, a name, ...)
  double score = 0;       // rank among units, see score_units
};

// Every unit of the passages, in passage and reading order. Comments are never part of one.
std::vector<Unit> collect_units(const retrieve::Retrieved& found, const Question& question,
                                const retrieve::WordMatcher& matcher);

// Share of the question's weight that `own` (fully) and `context` (at kContextShare) hold.
double coverage(const Question& question, uint64_t own, uint64_t context);

// Sets Unit::score and sorts, best first.
void score_units(std::vector<Unit>& units, const Question& question,
                 const retrieve::Retrieved& found);

}  // namespace lectern::answer
