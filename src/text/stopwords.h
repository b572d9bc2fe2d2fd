// Function words and question words of the common languages: they never prove that a
// passage is about the question.
#pragma once

#include <string_view>

namespace lectern::text {

// `folded`: a folded word (text/normalize.h). True for articles, pronouns, auxiliaries,
// prepositions, conjunctions and question words of en, de, fr, es, it, pt, nl, sv, id, ru,
// zh, ja (as unigrams or words where they are words).
bool is_stopword(std::string_view folded);

}  // namespace lectern::text
