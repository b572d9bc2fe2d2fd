// Character classes by utf8proc category and by the block ranges of the scripts that are
// written without spaces (Unicode 14, Blocks.txt).
#include "text/char_class.h"

#include <utf8proc.h>

namespace lectern::text {

namespace {

constexpr bool within(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

bool is_cjk(char32_t c) {
  return within(c, 0x4E00, 0x9FFF) || within(c, 0x3041, 0x3096) || within(c, 0x30A1, 0x30FA) ||
         within(c, 0x30FC, 0x30FF) || within(c, 0x309D, 0x309F) || within(c, 0x3400, 0x4DBF) ||
         within(c, 0x3005, 0x3007) || within(c, 0x3021, 0x3029) || within(c, 0x3105, 0x312F) ||
         within(c, 0x31F0, 0x31FF) || within(c, 0xF900, 0xFAFF) || within(c, 0xFF66, 0xFF9F) ||
         within(c, 0x1B000, 0x1B16F) || within(c, 0x20000, 0x3FFFF);
}

bool is_hangul(char32_t c) {
  return within(c, 0xAC00, 0xD7FF) || within(c, 0x1100, 0x11FF) || within(c, 0x3131, 0x318E) ||
         within(c, 0xA960, 0xA97F) || within(c, 0xFFA0, 0xFFDC);
}

bool is_sea(char32_t c) {
  return within(c, 0x0E00, 0x0EFF) || within(c, 0x1000, 0x109F) || within(c, 0x1780, 0x17FF) ||
         within(c, 0xA9E0, 0xA9FF) || within(c, 0xAA60, 0xAA7F);
}

CharClass by_category(char32_t code, const utf8proc_property_t& property) {
  switch (property.category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      if (is_cjk(code)) return CharClass::kCjk;
      if (is_hangul(code)) return CharClass::kHangul;
      if (is_sea(code)) return CharClass::kSea;
      // U+02BC is typed as an apostrophe; the tokenizer joins words with it.
      return code == 0x02BC ? CharClass::kOther : CharClass::kLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return CharClass::kMark;
    case UTF8PROC_CATEGORY_NL:
      return is_cjk(code) ? CharClass::kCjk : CharClass::kDigit;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NO:
      return CharClass::kDigit;
    default:
      return CharClass::kOther;
  }
}

}  // namespace

CharClass classify(char32_t code) {
  if (within(code, 0x4E00, 0x9FFF)) return CharClass::kCjk;
  if (within(code, 0xAC00, 0xD7A3)) return CharClass::kHangul;
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  // The Hangul fillers are "ignorable" too; a run of nothing but ignorables is no word.
  if (property->ignorable) return CharClass::kIgnorable;
  return by_category(code, *property);
}

bool is_upper(char32_t code) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool is_space(char32_t code) {
  if (code <= 0x20 || code == 0x7F || code == 0x85) return true;
  if (code < 0xA0) return false;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

}  // namespace lectern::text
