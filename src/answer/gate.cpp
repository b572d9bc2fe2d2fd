// Coverage gate; see gate.h.
#include "answer/gate.h"

#include <algorithm>

namespace lectern::answer {

std::string missing_words(const Question& question, uint64_t bits) {
  std::string out;
  const std::vector<std::string> missing = question.missing_from(bits);
  for (size_t i = 0; i < std::min<size_t>(missing.size(), 4); ++i) {
    out += (i == 0 ? "'" : ", '") + missing[i] + "'";
  }
  return out;
}

GateDecision coverage_gate(const Question& question, const std::vector<const Unit*>& chosen,
                           const GateConfig& config) {
  GateDecision decision;
  decision.threshold = config.threshold;
  uint64_t own = 0;
  uint64_t context = 0;
  bool fits = false;
  for (const Unit* unit : chosen) {
    own |= unit->own;
    context |= unit->context;
    fits = fits || unit->fits_kind;
  }
  decision.sufficiency = coverage(question, own, context);
  if (!fits) decision.sufficiency *= 0.8;

  const uint64_t held = own | context;
  for (size_t i = 0; i < question.words.size(); ++i) {
    const QuestionWord& word = question.words[i];
    if (!word.required || (held >> i & 1U) != 0) continue;
    decision.message = word.known ? "no passage connects '" + word.surface + "' with the rest"
                                  : "the notes do not mention '" + word.surface + "'";
    return decision;
  }
  if (chosen.empty() || own == 0) {
    decision.message = "no passage is about the question";
    return decision;
  }
  decision.sufficient = decision.sufficiency >= config.threshold;
  if (!decision.sufficient) {
    const std::string missing = missing_words(question, held);
    decision.message = missing.empty() ? "what the notes hold is too weak to answer"
                                       : "the closest passages do not speak of " + missing;
  }
  return decision;
}

}  // namespace lectern::answer
