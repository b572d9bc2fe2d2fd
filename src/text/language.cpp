// Language codes, stemming by Snowball, detection by script and then by CLD2.
#include "text/language.h"

#include <cld2/public/compact_lang_det.h>
#include <libstemmer.h>

#include <array>
#include <memory>

#include "base/utf8.h"
#include "text/char_class.h"

namespace lectern::text {

namespace {

constexpr auto kLangs = static_cast<size_t>(Lang::kCount);
constexpr std::array<std::string_view, kLangs> kCodes = {
    "",   "en", "de", "fr", "es", "it", "pt", "nl", "sv", "no", "da",
    "fi", "hu", "ro", "ru", "tr", "id", "ar", "el", "hi", "ca", "eu",
    "ga", "hy", "lt", "ne", "sr", "ta", "yi", "zh", "ja", "ko", "th"};
constexpr size_t kDetectBytes = 4096;
constexpr size_t kFirstTryBytes = 512;  // most passages show their language in a few lines
constexpr uint32_t kMinLetters = 20;

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// The stemmer of a language for this thread; null when there is none.
sb_stemmer* stemmer_of(Lang lang) {
  thread_local std::array<std::unique_ptr<sb_stemmer, StemmerDeleter>, kLangs> stemmers;
  auto& slot = stemmers[static_cast<size_t>(lang)];
  if (!slot) slot.reset(sb_stemmer_new(std::string(lang_code(lang)).c_str(), "UTF_8"));
  return slot.get();
}

bool is_russian_vowel(char32_t c) {
  constexpr std::u32string_view kVowels = U"аеиоуыэюя";
  return kVowels.find(c) != std::u32string_view::npos;
}

// Folding turned й into и, which hides the endings -ый, -ой, -ей, -ай, -йте, -йся from the
// stemmer: give them back where they can stand, after a vowel at the word's end.
std::string unfold_russian(std::string_view word) {
  std::u32string codes;
  for (size_t at = 0; at < word.size();) {
    const utf8::Decoded next = utf8::decode(word, at);
    codes.push_back(next.code);
    at += next.bytes;
  }
  for (size_t i = 1; i < codes.size(); ++i) {
    if (codes[i] != U'и' || !is_russian_vowel(codes[i - 1])) continue;
    const std::u32string_view rest = std::u32string_view(codes).substr(i + 1);
    if (rest.empty() || rest == U"те" || rest == U"ся") codes[i] = U'й';
  }
  std::string out;
  for (const char32_t code : codes) utf8::append(out, code);
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

struct ScriptCounts {
  uint32_t letters = 0, han = 0, kana = 0, hangul = 0, thai = 0;
};

ScriptCounts count_scripts(std::string_view text) {
  ScriptCounts counts;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      counts.letters += ascii_letter(c) ? 1 : 0;
      ++at;
      continue;
    }
    const utf8::Decoded next = utf8::decode(text, at);
    at += next.bytes;
    switch (classify(next.code)) {
      case CharClass::kCjk:
        ++(((next.code >= 0x3041 && next.code <= 0x30FF) || next.code >= 0xFF66) &&
                   next.code < 0x20000
               ? counts.kana
               : counts.han);
        break;
      case CharClass::kHangul:
        ++counts.hangul;
        break;
      case CharClass::kSea:
        counts.thai += next.code <= 0x0E7F ? 1 : 0;
        break;
      case CharClass::kLetter:
        ++counts.letters;
        break;
      default:
        break;
    }
  }
  return counts;
}

// A script decides when it makes up a fifth of the letters: one ideograph says about as much
// as two or three letters, and technical Chinese is full of Latin names.
Lang by_script(const ScriptCounts& counts) {
  const uint32_t east = counts.han + counts.kana + counts.hangul + counts.thai;
  if (east < 2 || east * 4 < counts.letters) return Lang::kUnknown;
  if (counts.hangul * 2 > east) return Lang::kKo;
  if (counts.thai * 2 > east) return Lang::kTh;
  // A few kana in Chinese text are quotations; Japanese prose has about half.
  if (counts.kana * 12 >= counts.han) return counts.kana > 0 ? Lang::kJa : Lang::kZh;
  return Lang::kZh;
}

Lang from_cld2(CLD2::Language language) {
  switch (language) {
    case CLD2::ENGLISH:
      return Lang::kEn;
    case CLD2::GERMAN:
      return Lang::kDe;
    case CLD2::FRENCH:
      return Lang::kFr;
    case CLD2::SPANISH:
    case CLD2::GALICIAN:
      return Lang::kEs;
    case CLD2::ITALIAN:
      return Lang::kIt;
    case CLD2::PORTUGUESE:
      return Lang::kPt;
    case CLD2::DUTCH:
    case CLD2::AFRIKAANS:
      return Lang::kNl;
    case CLD2::SWEDISH:
      return Lang::kSv;
    case CLD2::NORWEGIAN:
    case CLD2::NORWEGIAN_N:
      return Lang::kNo;
    case CLD2::DANISH:
      return Lang::kDa;
    case CLD2::FINNISH:
      return Lang::kFi;
    case CLD2::HUNGARIAN:
      return Lang::kHu;
    case CLD2::ROMANIAN:
      return Lang::kRo;
    case CLD2::RUSSIAN:
      return Lang::kRu;
    case CLD2::TURKISH:
      return Lang::kTr;
    case CLD2::INDONESIAN:
    case CLD2::MALAY:
      return Lang::kId;
    case CLD2::ARABIC:
      return Lang::kAr;
    case CLD2::GREEK:
      return Lang::kEl;
    case CLD2::HINDI:
      return Lang::kHi;
    case CLD2::CATALAN:
      return Lang::kCa;
    case CLD2::BASQUE:
      return Lang::kEu;
    case CLD2::IRISH:
      return Lang::kGa;
    case CLD2::ARMENIAN:
      return Lang::kHy;
    case CLD2::LITHUANIAN:
      return Lang::kLt;
    case CLD2::NEPALI:
      return Lang::kNe;
    case CLD2::SERBIAN:
      return Lang::kSr;
    case CLD2::TAMIL:
      return Lang::kTa;
    case CLD2::YIDDISH:
      return Lang::kYi;
    case CLD2::CHINESE:
    case CLD2::CHINESE_T:
      return Lang::kZh;
    case CLD2::JAPANESE:
      return Lang::kJa;
    case CLD2::KOREAN:
      return Lang::kKo;
    case CLD2::THAI:
      return Lang::kTh;
    default:
      return Lang::kUnknown;
  }
}

Lang by_cld2(std::string_view text, Lang hint) {
  CLD2::Language best[3];
  int percent[3];
  int bytes = 0;
  bool reliable = false;
  const auto look = [&](std::string_view part) {
    CLD2::DetectLanguageSummary(part.data(), static_cast<int>(part.size()),
                                /*is_plain_text=*/true, best, percent, &bytes, &reliable);
    return from_cld2(best[0]);
  };
  const std::string_view head = text.substr(0, utf8::floor_boundary(text, kFirstTryBytes));
  Lang first = look(head);
  const bool clear = reliable && percent[0] >= 80 && first != Lang::kUnknown;
  if (!clear && head.size() < text.size()) first = look(text);
  if (reliable) return first;
  // Undecided: the hint wins when CLD2 saw it at all, or saw nothing it knows.
  if (hint == Lang::kUnknown) return Lang::kUnknown;
  for (int i = 0; i < 3; ++i) {
    if (percent[i] > 0 && from_cld2(best[i]) == hint) return hint;
  }
  return first == Lang::kUnknown ? hint : Lang::kUnknown;
}

}  // namespace

std::string_view lang_code(Lang lang) {
  const auto index = static_cast<size_t>(lang);
  return index < kLangs ? kCodes[index] : std::string_view();
}

Lang lang_from_code(std::string_view code) {
  for (size_t i = 1; i < kLangs; ++i) {
    if (kCodes[i] == code) return static_cast<Lang>(i);
  }
  return Lang::kUnknown;
}

Lang detect(std::string_view text, Lang hint) {
  text = text.substr(0, utf8::floor_boundary(text, kDetectBytes));
  const ScriptCounts counts = count_scripts(text);
  if (const Lang lang = by_script(counts); lang != Lang::kUnknown) return lang;
  if (counts.letters < kMinLetters) return hint;
  if (utf8::is_valid(text)) return by_cld2(text, hint);
  uint64_t replaced = 0;
  return by_cld2(utf8::repair(text, replaced), hint);
}

bool has_stemmer(Lang lang) { return lang > Lang::kUnknown && lang < Lang::kZh; }

std::string stem(std::string_view folded_word, Lang lang) {
  sb_stemmer* stemmer = has_stemmer(lang) ? stemmer_of(lang) : nullptr;
  if (stemmer == nullptr || folded_word.empty() || folded_word.size() > 256) {
    return std::string(folded_word);
  }
  const std::string word =
      lang == Lang::kRu ? unfold_russian(folded_word) : std::string(folded_word);
  const sb_symbol* stemmed = sb_stemmer_stem(
      stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stemmed == nullptr) return std::string(folded_word);
  std::string out(reinterpret_cast<const char*>(stemmed),
                  static_cast<size_t>(sb_stemmer_length(stemmer)));
  if (lang == Lang::kRu) replace_all(out, "й", "и");
  return out.empty() ? std::string(folded_word) : out;
}

}  // namespace lectern::text
