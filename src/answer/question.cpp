// Reads a question; see question.h. The word lists are small on purpose: they only steer
// weights, a word that is missing from them costs a little precision and no answer.
#include "answer/question.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/utf8.h"
#include "text/normalize.h"

namespace lectern::answer {

namespace {

// Beginnings and phrases of questions, folded. The first that occurs decides.
struct Cue {
  std::string_view text;
  AnswerKind kind;
};
constexpr std::array kCues = {
    Cue{"how many", AnswerKind::kQuantity},
    Cue{"how much", AnswerKind::kQuantity},
    Cue{"how long", AnswerKind::kQuantity},
    Cue{"how often", AnswerKind::kQuantity},
    Cue{"how far", AnswerKind::kQuantity},
    Cue{"how tall", AnswerKind::kQuantity},
    Cue{"how high", AnswerKind::kQuantity},
    Cue{"how old", AnswerKind::kQuantity},
    Cue{"how big", AnswerKind::kQuantity},
    Cue{"how large", AnswerKind::kQuantity},
    Cue{"what percent", AnswerKind::kQuantity},
    Cue{"what temperature", AnswerKind::kQuantity},
    Cue{"wie viel", AnswerKind::kQuantity},
    Cue{"wieviel", AnswerKind::kQuantity},
    Cue{"wie lange", AnswerKind::kQuantity},
    Cue{"wie oft", AnswerKind::kQuantity},
    Cue{"сколько", AnswerKind::kQuantity},
    Cue{"berapa", AnswerKind::kQuantity},
    Cue{"多少", AnswerKind::kQuantity},
    Cue{"几", AnswerKind::kQuantity},
    Cue{"combien", AnswerKind::kQuantity},
    Cue{"cuant", AnswerKind::kQuantity},
    Cue{"when ", AnswerKind::kTime},
    Cue{"what year", AnswerKind::kTime},
    Cue{"which year", AnswerKind::kTime},
    Cue{"what date", AnswerKind::kTime},
    Cue{"what day", AnswerKind::kTime},
    Cue{"which day", AnswerKind::kTime},
    Cue{"what time", AnswerKind::kTime},
    Cue{"in what month", AnswerKind::kTime},
    Cue{"wann", AnswerKind::kTime},
    Cue{"когда", AnswerKind::kTime},
    Cue{"kapan", AnswerKind::kTime},
    Cue{"何时", AnswerKind::kTime},
    Cue{"什么时候", AnswerKind::kTime},
    Cue{"哪一年", AnswerKind::kTime},
    Cue{"哪年", AnswerKind::kTime},
    Cue{"who ", AnswerKind::kPerson},
    Cue{"whom ", AnswerKind::kPerson},
    Cue{"whose ", AnswerKind::kPerson},
    Cue{"wer ", AnswerKind::kPerson},
    Cue{"wem ", AnswerKind::kPerson},
    Cue{"wen ", AnswerKind::kPerson},
    Cue{"кто", AnswerKind::kPerson},
    Cue{"siapa", AnswerKind::kPerson},
    Cue{"谁", AnswerKind::kPerson},
    Cue{"why ", AnswerKind::kReason},
    Cue{"warum", AnswerKind::kReason},
    Cue{"почему", AnswerKind::kReason},
    Cue{"mengapa", AnswerKind::kReason},
    Cue{"kenapa", AnswerKind::kReason},
    Cue{"为什么", AnswerKind::kReason},
};

// A year beside a month is a date: dates are written in too many ways to be required.
constexpr std::array<std::string_view, 37> kMonths = {
    "january",   "february", "march",    "april",    "may",     "june",     "july",  "august",
    "september", "october",  "november", "december", "januar",  "februar",  "marz",  "mai",
    "juni",      "juli",     "oktober",  "dezember", "januari", "februari", "maret", "agustus",
    "desember",  "января",   "февраля",  "марта",    "апреля",  "мая",      "июня",  "июля",
    "августа",   "сентября", "октября",  "ноября",   "декабря"};

// Words that name the kind of answer, the act of asking or a date, and verbs that say little:
// not the thing asked about.
constexpr std::array<std::string_view, 140> kShapeWords = {
    "year",      "date",      "day",      "time",       "name",     "named",      "names",
    "called",    "many",      "much",     "long",       "often",    "kind",       "type",
    "sort",      "amount",    "list",     "tell",       "show",     "give",       "explain",
    "describe",  "find",      "know",     "say",        "says",     "note",       "notes",
    "written",   "mean",      "exactly",  "please",     "happen",   "happened",   "current",
    "currently", "now",       "latest",   "newest",     "today",    "percentage", "percent",
    "people",    "person",    "thing",    "need",       "needs",    "get",        "gets",
    "got",       "use",       "used",     "uses",       "make",     "made",       "take",
    "takes",     "go",        "went",     "come",       "came",     "become",     "became",
    "main",      "different", "actually", "really",     "ever",     "still",      "already",
    "bring",     "brought",   "carry",    "carries",    "hold",     "holds",      "keep",
    "keeps",     "put",       "set",      "see",        "look",     "piece",      "part",
    "place",     "way",       "high",     "heavy",      "big",      "old",        "large",
    "far",       "monday",    "tuesday",  "wednesday",  "thursday", "friday",     "saturday",
    "sunday",    "jahr",      "tag",      "heisst",     "aktuell",  "jetzt",      "die",
    "war",       "hat",       "hoch",     "viele",      "welche",   "welcher",    "welches",
    "montag",    "dienstag",  "mittwoch", "donnerstag", "freitag",  "samstag",    "sonntag",
    "год",       "году",      "день",     "называется", "сейчас",   "tahun",      "nama",
    "jumlah",    "sekarang",  "terbaru",  "senin",      "selasa",   "rabu",       "kamis",
    "jumat",     "sabtu",     "minggu",   "什么",       "哪些",     "多少",       "谁"};

constexpr std::array<std::string_view, 14> kNewest = {
    "current", "currently", "now",    "latest",  "newest",   "today",   "aktuell",
    "derzeit", "jetzt",     "сейчас", "текущий", "sekarang", "terbaru", "目前"};

constexpr std::array<std::string_view, 12> kDefinitions = {
    "what is ", "what are ", "what's ",    "who is ",    "definition of ", "define ",
    "was ist ", "wer ist ",  "что такое ", "кто такой ", "apa itu ",       "什么是"};

constexpr std::array<std::string_view, 8> kJoins = {" and ", " und ",        " и ",     " dan ",
                                                    "和",    " as well as ", " sowie ", "以及"};

constexpr double kShapeWeight = 0.25;
// Characters of Chinese and Japanese that build sentences rather than name things: a bigram
// with one of them proves little, whether or not it occurs.
constexpr std::string_view kFunctionCharacters =
    "的是了在和有什么怎样吗呢吧哪里谁为何如个这那一不也都就与及或到从把被让给对跟多少几时候"
    "のはがをにでとものですますかなられるあいうえお";
constexpr double kFunctionBigramWeight = 0.2;
constexpr double kUnknownBigramWeight = 0.7;  // it may only stand across a word border

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

AnswerKind kind_of(std::string_view folded) {
  for (const Cue& cue : kCues) {
    const size_t at = folded.find(cue.text);
    // "when" inside a sentence may be a conjunction; a cue counts near the start only.
    if (at != std::string_view::npos && at <= 40 &&
        (at == 0 || folded[at - 1] == ' ' || static_cast<unsigned char>(folded[at]) >= 0xE0)) {
      return cue.kind;
    }
  }
  return AnswerKind::kAny;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_function_character(std::string_view bigram) {
  for (size_t at = 0; at < bigram.size();) {
    const uint32_t bytes = utf8::decode(bigram, at).bytes;
    if (kFunctionCharacters.find(bigram.substr(at, bytes)) != std::string_view::npos) return true;
    at += bytes;
  }
  return false;
}

bool is_unsegmented(text::TokenKind kind) {
  return kind == text::TokenKind::kBigram || kind == text::TokenKind::kUnigram;
}

}  // namespace

double Question::weight_of(uint64_t bits) const {
  double sum = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if ((bits >> i & 1U) != 0) sum += words[i].weight;
  }
  return sum;
}

uint64_t Question::whole_names(uint64_t bits) const {
  for (const uint64_t name : names) {
    if (2 * std::popcount(bits & name) < std::popcount(name)) bits &= ~name;
  }
  return bits;
}

std::vector<std::string> Question::missing_from(uint64_t bits) const {
  std::vector<const QuestionWord*> missing;
  for (size_t i = 0; i < words.size(); ++i) {
    if ((bits >> i & 1U) == 0 && words[i].weight > 0) missing.push_back(&words[i]);
  }
  std::stable_sort(missing.begin(), missing.end(), [](const auto* a, const auto* b) {
    return std::pair(a->required, a->weight) > std::pair(b->required, b->weight);
  });
  std::vector<std::string> out;
  for (const QuestionWord* word : missing) out.push_back(word->surface);
  return out;
}

Question analyse_question(std::string_view text, const lexical::ParsedQuery& query,
                          const std::vector<uint32_t>& df, const std::vector<double>& idf) {
  Question out;
  const std::string folded = text::fold(text);
  out.kind = kind_of(folded);
  out.wants_definition =
      std::any_of(kDefinitions.begin(), kDefinitions.end(), [&](std::string_view beginning) {
        return folded.starts_with(beginning) ||
               (beginning == "什么是" && folded.ends_with("是什么"));
      });
  out.joins = std::any_of(kJoins.begin(), kJoins.end(), [&](std::string_view word) {
    return folded.find(word) != std::string::npos;
  });
  // German writes every noun with a capital: there it says nothing about names.
  const bool capitals_mean_names = text::detect(text) != text::Lang::kDe;
  const size_t count = std::min<size_t>({query.words.size(), df.size(), idf.size(), 64});
  bool any_content = false;
  for (size_t i = 0; i < count; ++i) {
    if (!query.words[i].makeweight()) any_content = true;
  }
  const bool unspaced = std::any_of(query.words.begin(), query.words.end(), [](const auto& word) {
    return word.kind == text::TokenKind::kBigram && !word.surface.starts_with("\xEA") &&
           static_cast<unsigned char>(word.surface[0]) < 0xEA;
  });
  const bool dated = std::any_of(query.words.begin(), query.words.end(),
                                 [](const auto& word) { return is_one_of(word.surface, kMonths); });
  for (size_t i = 0; i < count; ++i) {
    const lexical::QueryWord& from = query.words[i];
    QuestionWord word;
    word.surface = from.surface;
    word.known = df[i] > 0;
    const bool month = is_one_of(from.surface, kMonths);
    const bool shape = month || is_one_of(from.surface, kShapeWords);
    // `INC-0417` must be there as it is; `long-range` may also stand as two words.
    const bool exact = (from.kind == text::TokenKind::kNumber && from.surface.size() > 2 &&
                        !(dated && from.surface.size() == 4)) ||
                       (from.kind == text::TokenKind::kIdentifier && has_digit(from.surface));
    const bool compound = from.kind == text::TokenKind::kIdentifier && !exact;
    const bool part = from.part_of >= 0;
    word.required = !shape && !from.stopword && !part && !compound &&
                    (exact || (from.name && capitals_mean_names)) && from.weight >= 1.0;
    word.weight = idf[i] * std::min(1.0, from.weight);
    if (compound && !word.known) word.weight = 0;
    if (part && df[static_cast<size_t>(from.part_of)] > 0) word.weight *= lexical::kPartWeight;
    if (part && has_digit(query.words[static_cast<size_t>(from.part_of)].surface)) {
      word.weight *= lexical::kPartWeight;  // the whole is required; its parts prove little
    }
    if (shape) word.weight *= kShapeWeight;
    if (any_content && from.makeweight()) word.weight = 0;
    if (is_unsegmented(from.kind)) {
      if (has_function_character(from.surface)) {
        word.weight *= kFunctionBigramWeight;
      } else if (!word.known) {
        word.weight *= kUnknownBigramWeight;
      }
    }
    // A word of another script in a question without spaces is a name.
    if (unspaced && from.kind == text::TokenKind::kWord && !from.stopword && !shape) {
      word.required = true;
    }
    if (is_one_of(from.surface, kNewest)) out.wants_newest = true;
    out.words.push_back(std::move(word));
  }
  out.mass = std::accumulate(out.words.begin(), out.words.end(), 0.0,
                             [](double sum, const QuestionWord& w) { return sum + w.weight; });
  uint64_t run = 0;
  for (size_t i = 0; i <= count; ++i) {
    if (i < count && out.words[i].required && query.words[i].kind == text::TokenKind::kWord) {
      run |= uint64_t{1} << i;
    } else if (i == count || !query.words[i].makeweight()) {  // "of" and "the" do not part a name
      if (std::popcount(run) > 1) out.names.push_back(run);
      run = 0;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (out.mass > 0 && is_unsegmented(query.words[i].kind)) {
      out.unspaced_share += out.words[i].weight / out.mass;
    }
  }
  return out;
}

}  // namespace lectern::answer
