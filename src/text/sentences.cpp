// Sentence splitting by rules: one forward pass; every look back or ahead is bounded, so the
// work is linear. Rules err on the side of keeping text together: a claim that is cited a
// little too widely is right, a claim cut in two is not.
#include "text/sentences.h"

#include <utf8proc.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/utf8.h"
#include "text/char_class.h"
#include "text/normalize.h"

namespace lectern::text {

namespace {

constexpr size_t kLookBytes = 64;  // how far to look for the next word or the last one

enum class Stop : uint8_t { kNone, kDot, kMark, kEllipsis, kFull };

// What ends a sentence: `.` by context; `!`, `?`; `…`; and the full stops of scripts whose
// sentences are not followed by a space.
Stop stop_of(char32_t code) {
  switch (code) {
    case '.':
      return Stop::kDot;
    case '!':
    case '?':
    case 0x061F:
    case 0x06D4:
    case 0x0589:
    case 0x203C:
    case 0x2047:
    case 0x2048:
    case 0x2049:
      return Stop::kMark;
    case 0x2026:
      return Stop::kEllipsis;
    case 0x3002:
    case 0xFF01:
    case 0xFF1F:
    case 0xFF61:
    case 0x0964:
    case 0x0965:
    case 0x104B:
    case 0x17D4:
    case 0x1362:
      return Stop::kFull;
    default:
      return Stop::kNone;
  }
}

bool is_closer(char32_t code) {
  switch (code) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case '*':
    case '_':
    case '`':
    case '~':
    case 0x201D:
    case 0x2019:
    case 0x201C:
    case 0xBB:
    case 0x203A:
    case 0x300D:
    case 0x300F:
    case 0x3011:
    case 0x300B:
    case 0x3009:
    case 0x3015:
    case 0xFF09:
    case 0xFF3D:
    case 0xFF5D:
      return true;
    default:
      return false;
  }
}

bool is_opener(char32_t code) {
  switch (code) {
    case '"':
    case '\'':
    case '(':
    case '[':
    case '{':
    case '*':
    case '_':
    case '`':
    case '~':
    case '-':
    case '>':
    case '=':
    case 0x201C:
    case 0x2018:
    case 0x201E:
    case 0x201A:
    case 0xAB:
    case 0x2039:
    case 0x300C:
    case 0x300E:
    case 0x3010:
    case 0xFF08:
    case 0x2013:
    case 0x2014:
    case 0xBF:
    case 0xA1:
    case 0x2022:
      return true;
    default:
      return false;
  }
}

bool is_lower(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_LL;
}

const std::unordered_set<std::string_view>& set_of(std::string_view list,
                                                   std::unordered_set<std::string_view>& set) {
  for (size_t at = 0; at < list.size();) {
    const size_t space = list.find(' ', at);
    const size_t end = space == std::string_view::npos ? list.size() : space;
    set.insert(list.substr(at, end - at));
    at = end + 1;
  }
  return set;
}

// Abbreviations that are always followed by more of their sentence (folded, en de fr es it pt
// ru id).
bool is_abbreviation(std::string_view word) {
  static constexpr std::string_view kList =
      "mr mrs ms dr prof st ste vs fig figs vol gen capt lt sgt rev hon gov sen messrs approx cf "
      "al ed eds eg ie viz bzw ca evtl ggf inkl exkl vgl zzgl sog hrsg geb gest bspw dipl ing "
      "mme mlle mgr env sra srta dra ud uds sig dott dssa avv "
      "см рис стр ул им тыс проф акад напр ср др-р гл табл обл просп yth sdr sdri bpk jl drs ir";
  static std::unordered_set<std::string_view> storage;
  static const auto& set = set_of(kList, storage);
  return set.contains(word);
}

// Abbreviations only before a number: `No. 5`, `Nr. 3`, `Art. 12`, `p. 7`, `Abs. 2`.
bool is_number_abbreviation(std::string_view word) {
  static constexpr std::string_view kList =
      "no nos nr nrs art abs kap bd ch sec sect eq eqs ref refs pp pag para par tel zif ziff "
      "jan feb mar apr jun jul aug sep sept oct okt nov dec dez св ст гл стр рис hlm tgl n num";
  static std::unordered_set<std::string_view> storage;
  static const auto& set = set_of(kList, storage);
  return set.contains(word);
}

// Words after which a German ordinal is read on: `am 3. Oktober`, `im 19. Jahrhundert`.
bool follows_ordinal(std::string_view word) {
  static constexpr std::string_view kList =
      "januar februar marz april mai juni juli august september oktober november dezember "
      "jahrhundert jahrhunderts jahrtausend auflage weltkrieg kapitel platz tag jh";
  static std::unordered_set<std::string_view> storage;
  static const auto& set = set_of(kList, storage);
  return set.contains(word);
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<ByteRange> run() {
    size_t at = 0;
    while (at < text_.size()) {
      const unsigned char c = static_cast<unsigned char>(text_[at]);
      if (c < 0x80 && c != '.' && c != '!' && c != '?' && c != '\n') {
        ++at;
        continue;
      }
      if (c == '\n') {
        at = line_end(at);
        continue;
      }
      const utf8::Decoded here = utf8::decode(text_, at);
      const Stop stop = stop_of(here.code);
      at = stop == Stop::kNone ? at + here.bytes : stop_run(at, stop);
    }
    close(text_.size());
    return std::move(ranges_);
  }

 private:
  // A blank line ends the sentence; a single line break does not.
  size_t line_end(size_t at) {
    size_t next = at + 1;
    while (next < text_.size() &&
           (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\r')) {
      ++next;
    }
    if (next < text_.size() && text_[next] == '\n') close(at);
    return next;
  }

  // Reads the stops and closing quotes at `at`, ends the sentence after them when it does end.
  size_t stop_run(size_t at, Stop stop) {
    const size_t first = at;
    size_t dots = 0;
    bool only_dots = true;
    while (at < text_.size()) {
      const utf8::Decoded next = utf8::decode(text_, at);
      const Stop kind = stop_of(next.code);
      if (kind == Stop::kNone) break;
      if (kind == Stop::kDot) ++dots;
      only_dots = only_dots && kind == Stop::kDot;
      stop = std::max(stop, kind);
      at += next.bytes;
    }
    if (only_dots && dots > 1) stop = Stop::kEllipsis;
    const size_t after_stops = at;
    while (at < text_.size()) {
      const utf8::Decoded next = utf8::decode(text_, at);
      if (!is_closer(next.code)) break;
      at += next.bytes;
    }
    if (stop == Stop::kFull || ends(first, at, stop)) {
      close(at);
      return at;
    }
    return after_stops;
  }

  bool ends(size_t stop_at, size_t after, Stop stop) const {
    if (after >= text_.size()) return true;
    const utf8::Decoded next = utf8::decode(text_, after);
    if (!is_space(next.code)) return stop == Stop::kMark && classify(next.code) == CharClass::kCjk;
    const size_t word_at = next_word(after);
    if (word_at >= text_.size()) return true;
    const char32_t follower = utf8::decode(text_, word_at).code;
    if (is_lower(follower)) return false;
    return stop != Stop::kDot || dot_ends(stop_at, word_at, follower);
  }

  // The next letter or digit, past white space and opening signs, within kLookBytes.
  size_t next_word(size_t at) const {
    const size_t limit = std::min(text_.size(), at + kLookBytes);
    while (at < limit) {
      const utf8::Decoded next = utf8::decode(text_, at);
      if (!is_space(next.code) && !is_opener(next.code)) return at;
      at += next.bytes;
    }
    return at;
  }

  bool dot_ends(size_t dot, size_t word_at, char32_t follower) const {
    const size_t from = last_word(dot);
    const std::string_view raw = text_.substr(from, dot - from);
    if (raw.empty()) return true;
    const bool number_follows = follower < 0x80 && ascii_digit(static_cast<char>(follower));
    if (raw.find_first_not_of("0123456789") == std::string_view::npos) {
      return !is_ordinal(raw, from, word_at);
    }
    const std::string word = fold(raw);
    const bool single = utf8::decode(word, 0).bytes == word.size();
    if (single) return !is_initial(word, from, number_follows);
    if (is_abbreviation(word)) return false;
    return !(number_follows && is_number_abbreviation(word));
  }

  // A single letter before a dot: an initial or part of an abbreviation (`z. B.`, `т. е.`),
  // but `1998 г.` may end a sentence.
  bool is_initial(const std::string& word, size_t from, bool number_follows) const {
    if (!is_cased_or_letter(word)) return false;
    if (from > start_) {
      const auto before = static_cast<unsigned char>(text_[from - 1]);
      // The letter is a word of its own: after white space, a dot, a hyphen or a bracket.
      if (before > 0x20 && before < 0x80 && before != '.' && before != '-' && before != '(' &&
          before != '[' && before != '"') {
        return false;
      }
    }
    const bool after_number = from >= 2 && text_[from - 1] == ' ' && ascii_digit(text_[from - 2]);
    return !(after_number && word == "г" && !number_follows);
  }

  static bool is_cased_or_letter(const std::string& word) {
    return classify(utf8::decode(word, 0).code) == CharClass::kLetter;
  }

  // Numbering at the start of a line or sentence, and German ordinals.
  bool is_ordinal(std::string_view digits, size_t from, size_t word_at) const {
    if (digits.size() > 3) return false;
    size_t before = from;
    while (before > start_ && (text_[before - 1] == ' ' || text_[before - 1] == '\t')) --before;
    if (before <= start_ || text_[before - 1] == '\n') return true;
    if (digits.size() > 2) return false;
    size_t end = word_at;
    while (end < text_.size() && end - word_at < 32) {
      const utf8::Decoded next = utf8::decode(text_, end);
      if (classify(next.code) != CharClass::kLetter) break;
      end += next.bytes;
    }
    return follows_ordinal(fold(text_.substr(word_at, end - word_at)));
  }

  // Where the letters and digits directly before `dot` start, within kLookBytes.
  size_t last_word(size_t dot) const {
    const size_t limit = dot > kLookBytes ? std::max(start_, dot - kLookBytes) : start_;
    size_t at = dot;
    while (at > limit) {
      size_t previous = at - 1;
      while (previous > limit && (static_cast<unsigned char>(text_[previous]) & 0xC0) == 0x80) {
        --previous;
      }
      const CharClass found = classify(utf8::decode(text_, previous).code);
      if (found != CharClass::kLetter && found != CharClass::kDigit && found != CharClass::kMark) {
        break;
      }
      at = previous;
    }
    return at;
  }

  // Adds [start_, end) without its white space and starts the next sentence at `end`.
  void close(size_t end) {
    size_t first = start_;
    size_t last = end;
    while (first < last) {
      const utf8::Decoded next = utf8::decode(text_, first);
      if (!is_space(next.code)) break;
      first += next.bytes;
    }
    while (last > first) {
      size_t previous = last - 1;
      while (previous > first && (static_cast<unsigned char>(text_[previous]) & 0xC0) == 0x80) {
        --previous;
      }
      const utf8::Decoded next = utf8::decode(text_, previous);
      if (!next.valid || !is_space(next.code)) break;
      last = previous;
    }
    if (first < last) {
      ranges_.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    }
    start_ = end;
  }

  std::string_view text_;
  size_t start_ = 0;
  std::vector<ByteRange> ranges_;
};

}  // namespace

std::vector<ByteRange> split_sentences(std::string_view text) { return Splitter(text).run(); }

}  // namespace lectern::text
