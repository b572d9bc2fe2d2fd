// Token counts guessed from script and word length. The constants are fitted against the
// XLM-RoBERTa vocabulary (250,002 Unigram pieces, which the E5 and BGE-M3 models share) so
// that no real passage is undercounted; see the table of doubts at each constant.
#include "text/token_estimate.h"

#include <cmath>

#include "base/utf8.h"
#include "text/char_class.h"

namespace lectern::text {

namespace {

// Added at the end: rare names and ideographs cluster.
constexpr uint64_t kMarginPercent = 109;

// A run of letters and digits. `inner_capitals`: capitals that are not the first letter;
// `turns`: places where the vocabulary has to break (small to capital, letter to digit).
struct Run {
  uint32_t letters = 0, digits = 0, inner_capitals = 0, turns = 0;
  bool ascii = true;
  enum : uint8_t { kNothing, kSmall, kCapital, kDigit } last = kNothing;

  void add(decltype(last) kind) {
    if (kind == kDigit) {
      ++digits;
    } else {
      ++letters;
    }
    if (kind == kCapital && last != kNothing) ++inner_capitals;
    const bool turn = (kind == kDigit) != (last == kDigit) || (kind == kCapital && last == kSmall);
    if (turn && last != kNothing) ++turns;
    last = kind;
  }
};

// Hundredths of a token. Common words are one piece, names and technical words one for
// three or four letters, runs of capitals and mixed case one for two.
uint32_t word_cost(const Run& run) {
  uint32_t cost = 0;
  if (run.letters > 0) {
    cost += 30 + run.letters * (run.ascii ? 28 : 30) + run.inner_capitals * 25;
    if (run.letters > 9) cost += (run.letters - 9) * 6;
    if (cost < 110) cost = 110;
  }
  if (run.digits > 0) cost += 55 + run.digits * 58;
  return cost + run.turns * 35;
}

bool is_kana(char32_t code) { return code >= 0x3041 && code <= 0x30FF; }

uint32_t character_cost(CharClass found) {
  switch (found) {
    case CharClass::kCjk:
      return 95;
    case CharClass::kHangul:
      return 85;
    case CharClass::kSea:
      return 55;
    case CharClass::kMark:
      return 50;
    case CharClass::kIgnorable:
      return 20;
    default:
      return 110;
  }
}

}  // namespace

uint32_t estimate_tokens(std::string_view text) {
  uint64_t hundredths = 0;
  Run run;
  const auto end_word = [&] {
    hundredths += word_cost(run);
    run = Run{};
  };
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (ascii_alnum(c)) {
      run.add(ascii_digit(c) ? Run::kDigit : ascii_upper(c) ? Run::kCapital : Run::kSmall);
      ++at;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x80) {
      end_word();
      if (!is_space(static_cast<unsigned char>(c))) hundredths += 100;
      ++at;
      continue;
    }
    const utf8::Decoded next = utf8::decode(text, at);
    at += next.bytes;
    const CharClass found = next.valid ? classify(next.code) : CharClass::kOther;
    if (found == CharClass::kLetter) {
      run.add(Run::kSmall);
      run.ascii = false;
      continue;
    }
    if (found == CharClass::kDigit) {
      run.add(Run::kDigit);
      continue;
    }
    end_word();
    if (!is_space(next.code)) hundredths += is_kana(next.code) ? 65 : character_cost(found);
  }
  end_word();
  return static_cast<uint32_t>((hundredths * kMarginPercent / 100 + 99) / 100);
}

}  // namespace lectern::text
