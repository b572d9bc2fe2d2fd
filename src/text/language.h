// Languages: a closed set with stemmers, and detection of the language of a passage.
#pragma once

#include <cstdint>
#include <string_view>

namespace lectern::text {

// Every language libstemmer 2.2 has, and the scripts we segment ourselves. The numeric
// values are stored in index files: append only.
enum class Lang : uint8_t {
  kUnknown = 0,
  kEn,
  kDe,
  kFr,
  kEs,
  kIt,
  kPt,
  kNl,
  kSv,
  kNo,
  kDa,
  kFi,
  kHu,
  kRo,
  kRu,
  kTr,
  kId,
  kAr,
  kEl,
  kHi,
  kCa,
  kEu,
  kGa,
  kHy,
  kLt,
  kNe,
  kSr,
  kTa,
  kYi,
  kZh,
  kJa,
  kKo,
  kTh,
  kCount,
};

std::string_view lang_code(Lang lang);       // "en"; "" for kUnknown
Lang lang_from_code(std::string_view code);  // kUnknown when not in the set

// CLD2 over at most the first 4 KiB of `text`. Script decides alone where it can (Han
// without kana -> zh, kana -> ja, Hangul -> ko, Thai -> th). kUnknown when unreliable or
// fewer than ~20 letters. Thread-safe. `hint` wins ties on short text.
Lang detect(std::string_view text, Lang hint = Lang::kUnknown);

// Snowball stem of an already folded word; the word itself when the language has no
// stemmer. Thread-safe (stemmers are thread-local) and cached by the caller.
std::string stem(std::string_view folded_word, Lang lang);
bool has_stemmer(Lang lang);

}  // namespace lectern::text
