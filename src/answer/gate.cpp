// Coverage gate; see gate.h.
#include "answer/gate.h"

#include <algorithm>

namespace lectern::answer {

namespace {

constexpr double kFurtherShare = 0.1;
constexpr double kJoinedShare = 0.6;  // a question for two things ("... and ...")
// "When" and "how many" are not answered by a passage without a number of its own.
constexpr double kWrongKind = 0.7;
// A question in a script without spaces is cut into bigrams; those across word borders stand
// in no passage but the one that words it alike, so less coverage proves as much.
constexpr double kUnspacedEase = 0.3;

}  // namespace

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
  decision.threshold = config.threshold * (1 - kUnspacedEase * question.unspaced_share);
  uint64_t own = 0;
  uint64_t context = 0;
  bool fits = false;
  for (const Unit* unit : chosen) {
    own |= unit->own;
    context |= unit->context;
    fits = fits || unit->fits_kind;
  }
  // What only further units hold proves less: they may speak of something else.
  const double all = coverage(question, own, context);
  const double best =
      chosen.empty() ? 0 : coverage(question, chosen.front()->own, chosen.front()->context);
  decision.sufficiency = best + (question.joins ? kJoinedShare : kFurtherShare) * (all - best);
  if (!fits) decision.sufficiency *= kWrongKind;

  const uint64_t held = own | context;
  for (size_t i = 0; i < question.words.size(); ++i) {
    const QuestionWord& word = question.words[i];
    if (!word.required || (held >> i & 1U) != 0) continue;
    decision.message = word.known ? "no passage connects '" + word.surface + "' with the rest"
                                  : "the notes do not mention '" + word.surface + "'";
    return decision;
  }
  const bool says_nothing =
      std::all_of(chosen.begin(), chosen.end(), [](const Unit* unit) { return unit->label; });
  if (chosen.empty() || own == 0 || says_nothing) {
    decision.message = "no passage is about the question";
    return decision;
  }
  decision.sufficient = decision.sufficiency >= decision.threshold;
  if (!decision.sufficient) {
    const std::string missing = missing_words(question, held);
    decision.message = missing.empty() ? "what the notes hold is too weak to answer"
                                       : "the closest passages do not speak of " + missing;
  }
  return decision;
}

}  // namespace lectern::answer
