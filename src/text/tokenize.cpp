// The tokenizer: one pass over the input, one compound at a time.
//
// A compound is a run of leaves (letters, digits, marks) joined by single joiner characters
// without white space. It is emitted whole, then split at its strongest joiner, each piece
// whole again, down to the leaves and the humps of camelCase: `src/main.py` gives
// src/main.py, src, main.py, main, py. Every level is a pass over at most kMaxCompoundBytes,
// so the work is linear in the input whatever it holds.
#include "text/tokenize.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/utf8.h"
#include "text/char_class.h"
#include "text/normalize.h"

namespace lectern::text {

namespace {

constexpr size_t kMaxCompoundBytes = 256;  // longer runs give their leaves only
constexpr size_t kMaxClusterBytes = 32;    // a character with its marks
constexpr size_t kHangulPieceBytes = 255;  // 85 syllables

// Joiners from weak to strong; a compound is split at the strongest first.
enum Level : uint8_t { kNone = 0, kApostrophe, kDash, kDot, kSlash };

struct Leaf {
  size_t first = 0, last = 0;                // in the input
  size_t folded_first = 0, folded_last = 0;  // in the folded whole
  size_t suffix = 0;                         // trailing bytes of `++` or `#` inside [first, last)
  Level before = kNone;                      // joiner that stands before it; kNone: directly
  bool letters = false, digits = false, ascii = true, humps = false;
};

struct Joiner {
  size_t bytes = 0;  // 0: none
  Level level = kNone;
  std::string_view spelled;
};

char32_t full_width_to_ascii(char32_t code) {
  return code >= 0xFF01 && code <= 0xFF5E ? code - 0xFEE0 : code;
}

class Scanner {
 public:
  Scanner(std::string_view text, const TokenSink& sink) : text_(text), sink_(sink) {}

  void run() {
    size_t at = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (ascii_alnum(c)) {
        at = compound(at, at);
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        at = wide(at);
      } else if ((c == '#' || c == '@' || c == '.') && opens_prefixed(at)) {
        at = compound(at, at + 1);
      } else {
        ++at;
      }
    }
  }

 private:
  void emit(std::string_view term, TokenKind kind, size_t first, size_t last, bool in_length,
            bool atom, bool stemmable) {
    if (term.empty()) return;
    if (term.size() > kMaxTermBytes) {
      shorten(term);
      term = short_;
      stemmable = false;
    }
    token_.term = term;
    token_.kind = kind;
    token_.position = position_;
    token_.byte_first = static_cast<uint32_t>(first);
    token_.byte_last = static_cast<uint32_t>(last);
    token_.in_length = in_length;
    token_.atom = atom;
    token_.stemmable = stemmable;
    sink_(token_);
  }

  // Keeps long terms distinct: a readable head, then the hash of all of it.
  void shorten(std::string_view term) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    const uint64_t hash = hash64(term);
    short_ = term.substr(0, utf8::floor_boundary(term, kMaxTermBytes - 17));
    short_ += '~';
    for (int shift = 60; shift >= 0; shift -= 4) short_ += kHex[(hash >> shift) & 15];
  }

  // `#tag`, `@scope`, `.NET`: a sign directly before a word and after no word.
  bool opens_prefixed(size_t at) const {
    if (at + 1 >= text_.size()) return false;
    const char next = text_[at + 1];
    const bool word_follows =
        text_[at] == '.' ? ascii_letter(next) : ascii_alnum(next) || letter_or_digit(at + 1);
    if (!word_follows) return false;
    if (at == 0) return true;
    const char before = text_[at - 1];
    return !ascii_alnum(before) && before != text_[at] && before != '.' && before != ')' &&
           before != ']';
  }

  CharClass class_at(size_t at, uint32_t& bytes, char32_t& code) const {
    const utf8::Decoded next = utf8::decode(text_, at);
    bytes = next.bytes;
    code = next.code;
    return next.valid ? classify(next.code) : CharClass::kOther;
  }

  bool letter_or_digit(size_t at) const {
    if (at >= text_.size()) return false;
    if (static_cast<unsigned char>(text_[at]) < 0x80) return ascii_alnum(text_[at]);
    uint32_t bytes = 0;
    char32_t code = 0;
    const CharClass found = class_at(at, bytes, code);
    return found == CharClass::kLetter || found == CharClass::kDigit;
  }

  // Dispatch on a character that is not ASCII. Returns where to go on.
  size_t wide(size_t at) {
    uint32_t bytes = 0;
    char32_t code = 0;
    switch (class_at(at, bytes, code)) {
      case CharClass::kLetter:
      case CharClass::kDigit:
        return compound(at, at);
      case CharClass::kCjk:
      case CharClass::kSea:
        return unspaced(at);
      case CharClass::kHangul:
        return hangul(at);
      default:
        break;
    }
    if (code == 0xA7) return paragraph_sign(at);
    return at + bytes;
  }

  // `§ 12` is the identifier `§12`; its number is found alone too.
  size_t paragraph_sign(size_t at) {
    size_t digit = at + 2;
    if (digit < text_.size() && text_[digit] == ' ') {
      ++digit;
    } else if (text_.substr(digit, 2) == "\u00A0" || text_.substr(digit, 3) == "\u202F") {
      digit += text_[digit] == '\xC2' ? 2 : 3;
    }
    if (digit >= text_.size() || !ascii_digit(text_[digit])) return at + 2;
    return compound(at, digit);
  }

  // ---- compounds ----

  // Scans the leaf at `at`; false when there is none.
  bool scan_leaf(size_t at, Leaf& leaf) const {
    leaf = Leaf{};
    leaf.first = at;
    bool lower_before = false;
    while (at < text_.size()) {
      const char c = text_[at];
      if (ascii_alnum(c)) {
        const bool upper = ascii_upper(c);
        leaf.digits |= ascii_digit(c);
        leaf.letters |= !ascii_digit(c);
        leaf.humps |= upper && (lower_before || hump_ahead(leaf.first, at));
        lower_before = !upper;
        ++at;
        continue;
      }
      if (c == ',' && leaf.digits && !leaf.letters && leaf.ascii && thousands(at, leaf.first)) {
        at += 4;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x80) break;
      uint32_t bytes = 0;
      char32_t code = 0;
      const CharClass found = class_at(at, bytes, code);
      if (found != CharClass::kLetter && found != CharClass::kDigit && found != CharClass::kMark &&
          found != CharClass::kIgnorable) {
        break;
      }
      leaf.ascii = false;
      leaf.letters |= found == CharClass::kLetter;
      leaf.digits |= found == CharClass::kDigit;
      at += bytes;
    }
    leaf.last = at;
    scan_suffix(leaf);
    return leaf.letters || leaf.digits;
  }

  // The last capital of a run before a small letter opens a hump: HTTPServer.
  bool hump_ahead(size_t first, size_t at) const {
    return at > first && ascii_upper(text_[at - 1]) && at + 1 < text_.size() &&
           ascii_letter(text_[at + 1]) && !ascii_upper(text_[at + 1]);
  }

  // A comma with exactly three digits after it, in a number whose groups are right so far.
  bool thousands(size_t at, size_t first) const {
    const size_t comma = text_.substr(first, at - first).rfind(',');
    const size_t group = comma == std::string_view::npos ? at - first : at - first - comma - 1;
    if (group > 3 || at - first > 32 || at + 3 >= text_.size()) return false;
    return ascii_digit(text_[at + 1]) && ascii_digit(text_[at + 2]) && ascii_digit(text_[at + 3]) &&
           !(at + 4 < text_.size() && ascii_alnum(text_[at + 4]));
  }

  // `C++`, `C#`.
  void scan_suffix(Leaf& leaf) const {
    if (!leaf.letters || !leaf.ascii) return;
    const size_t at = leaf.last;
    const auto sign = [&](size_t i, char c) { return i < text_.size() && text_[i] == c; };
    if (sign(at, '+') && sign(at + 1, '+') && !sign(at + 2, '+')) leaf.suffix = 2;
    if (sign(at, '#') && at - leaf.first <= 2 && !letter_or_digit(at + 1)) leaf.suffix = 1;
    leaf.last += leaf.suffix;
  }

  Joiner joiner_at(size_t at, const Leaf& leaf) const {
    if (at >= text_.size()) return {};
    char32_t code = static_cast<unsigned char>(text_[at]);
    size_t bytes = 1;
    if (code >= 0x80) {
      const utf8::Decoded next = utf8::decode(text_, at);
      code = full_width_to_ascii(next.code);
      bytes = next.bytes;
    }
    Joiner joiner{bytes, kNone, {}};
    switch (code) {
      case '-':
      case 0x2010:
      case 0x2011:
        joiner.level = kDash;
        joiner.spelled = "-";
        break;
      case '_':
        while (at + joiner.bytes < text_.size() && text_[at + joiner.bytes] == '_') ++joiner.bytes;
        joiner.level = kDash;
        joiner.spelled = "_";
        break;
      case '&':
        joiner.level = kDash;
        joiner.spelled = "&";
        break;
      case '.':
        joiner.level = kDot;
        joiner.spelled = ".";
        break;
      case '/':
        joiner.level = kSlash;
        joiner.spelled = "/";
        break;
      case '\\':
        joiner.level = kSlash;
        joiner.spelled = "\\";
        break;
      case '@':
        joiner.level = kSlash;
        joiner.spelled = "@";
        break;
      case '\'':
      case 0x2019:
      case 0x02BC:
        joiner.level = kApostrophe;
        joiner.spelled = "'";
        break;
      case ':':
        if (leaf.digits && !leaf.letters && at + 1 < text_.size() && ascii_digit(text_[at + 1])) {
          joiner.level = kDot;
          joiner.spelled = ":";
        } else if (text_.substr(at, 2) == "::") {
          joiner.bytes = 2;
          joiner.level = kDot;
          joiner.spelled = "::";
        }
        break;
      default:
        break;
    }
    return joiner.level != kNone && letter_or_digit(at + joiner.bytes) ? joiner : Joiner{};
  }

  // The compound whose sign (if any) stands at `start` and whose first leaf at `at`.
  size_t compound(size_t start, size_t at) {
    leaves_.clear();
    whole_.clear();
    bool flat = false;
    Leaf leaf;
    Joiner joiner;
    if (at > start) whole_ = text_[start] == '\xC2' ? "§" : text_.substr(start, at - start);
    while (scan_leaf(at, leaf)) {
      leaf.before = joiner.level;
      if (!flat && leaf.last - start > kMaxCompoundBytes && !leaves_.empty()) flat = flatten();
      if (leaf.last - leaf.first > kMaxCompoundBytes) {
        flat = flat || flatten();
        emit_long(leaf);
      } else {
        if (flat) whole_.clear();
        append_leaf(leaf, flat ? std::string_view() : joiner.spelled);
        if (flat) flatten();
      }
      at = leaf.last;
      joiner = joiner_at(at, leaf);
      at += joiner.bytes;
      if (joiner.bytes == 0 && leaf.suffix == 0) break;
    }
    if (at == leaf.first) at = std::max(at, leaf.last);
    if (!flat && !leaves_.empty()) {
      emit_compound(start);
      ++position_;
    }
    return std::max(at, start + 1);
  }

  void append_leaf(Leaf& leaf, std::string_view joiner) {
    whole_ += joiner;
    leaf.folded_first = whole_.size();
    const std::string_view bytes = text_.substr(leaf.first, leaf.last - leaf.first);
    if (leaf.ascii) {
      for (const char c : bytes) {
        if (c != ',') whole_ += ascii_lower(c);
      }
    } else {
      whole_ += fold(bytes);
    }
    leaf.folded_last = whole_.size();
    leaves_.push_back(leaf);
  }

  // Emits the collected leaves as words of their own. Returns true for the caller's flag.
  bool flatten() {
    for (size_t i = 0; i < leaves_.size(); ++i) {
      emit_leaf(i, true);
      ++position_;
    }
    leaves_.clear();
    return true;
  }

  void emit_long(const Leaf& leaf) {
    const std::string_view bytes = text_.substr(leaf.first, leaf.last - leaf.first);
    const std::string folded =
        fold(bytes.substr(0, utf8::floor_boundary(bytes, kMaxCompoundBytes)));
    const std::string_view term =
        std::string_view(folded).substr(0, utf8::floor_boundary(folded, kMaxTermBytes));
    emit(term, TokenKind::kWord, leaf.first, leaf.last, true, true, false);
    ++position_;
  }

  void emit_compound(size_t start) {
    const bool prefixed = start < leaves_.front().first;
    if (leaves_.size() == 1 && !prefixed) {
      emit_leaf(0, true);
      return;
    }
    if (prefixed) {
      emit(whole_, TokenKind::kIdentifier, start, leaves_.back().last, true, false, false);
      emit_range(0, leaves_.size(), false);
    } else {
      emit_range(0, leaves_.size(), true);
    }
  }

  // Leaves [first, last) as one token, then split at the strongest joiner between them.
  void emit_range(size_t first, size_t last, bool top) {
    if (last - first == 1) {
      emit_leaf(first, top);
      return;
    }
    Level strongest = kNone;
    for (size_t i = first + 1; i < last; ++i) strongest = std::max(strongest, leaves_[i].before);
    const std::string_view term = std::string_view(whole_).substr(
        leaves_[first].folded_first, leaves_[last - 1].folded_last - leaves_[first].folded_first);
    const TokenKind kind = !top                       ? TokenKind::kPart
                           : strongest == kApostrophe ? TokenKind::kWord
                                                      : TokenKind::kIdentifier;
    emit(term, kind, leaves_[first].first, leaves_[last - 1].last, top, false,
         strongest == kApostrophe);
    if (strongest == kApostrophe) {
      emit_contraction(first, last, term);
      return;
    }
    for (size_t from = first; from < last;) {
      size_t to = from + 1;
      while (to < last && leaves_[to].before != strongest) ++to;
      emit_range(from, to, false);
      from = to;
    }
  }

  // `don't` is also typed `dont`; a single letter beside an apostrophe is no word.
  void emit_contraction(size_t first, size_t last, std::string_view term) {
    if (term.size() > 3 && term.substr(term.size() - 3) == "n't") {
      contraction_ = term.substr(0, term.size() - 2);
      contraction_ += 't';
      emit(contraction_, TokenKind::kPart, leaves_[first].first, leaves_[last - 1].last, false,
           false, true);
    }
    for (size_t i = first; i < last; ++i) {
      const std::string_view folded = folded_leaf(leaves_[i]);
      if (!folded.empty() && utf8::decode(folded, 0).bytes < folded.size()) emit_leaf(i, false);
    }
  }

  std::string_view folded_leaf(const Leaf& leaf) const {
    return std::string_view(whole_).substr(leaf.folded_first, leaf.folded_last - leaf.folded_first);
  }

  void emit_leaf(size_t index, bool top) {
    const Leaf& leaf = leaves_[index];
    const std::string_view term = folded_leaf(leaf);
    const bool mixed = leaf.humps || leaf.suffix > 0 || (leaf.letters && leaf.digits);
    const TokenKind kind = !top           ? TokenKind::kPart
                           : mixed        ? TokenKind::kIdentifier
                           : leaf.letters ? TokenKind::kWord
                                          : TokenKind::kNumber;
    emit(term, kind, leaf.first, leaf.last, top, leaf.suffix == 0,
         leaf.suffix == 0 && !leaf.digits);
    if (leaf.suffix > 0) {
      emit(term.substr(0, term.size() - leaf.suffix), TokenKind::kPart, leaf.first,
           leaf.last - leaf.suffix, false, true, !leaf.digits);
    }
    if (leaf.humps && leaf.ascii && term.size() + leaf.suffix <= kMaxTermBytes) emit_humps(leaf);
  }

  void emit_humps(const Leaf& leaf) {
    const size_t end = leaf.last - leaf.suffix;
    size_t from = leaf.first;
    for (size_t at = leaf.first + 1; at <= end; ++at) {
      const bool opens = at < end && ascii_upper(text_[at]) &&
                         (!ascii_upper(text_[at - 1]) || hump_ahead(leaf.first, at));
      if (at < end && !opens) continue;
      if (at - from > 1 && !(from == leaf.first && at == end)) {
        hump_.clear();
        bool letters = true;
        for (const char c : text_.substr(from, at - from)) {
          hump_ += ascii_lower(c);
          letters = letters && ascii_letter(c);
        }
        emit(hump_, TokenKind::kPart, from, at, false, false, letters);
      }
      from = at;
    }
  }

  // ---- scripts without spaces ----

  struct Cluster {
    std::string folded;
    size_t first = 0, last = 0;
  };

  // Reads the character at `at` with its marks. False when it is of another script.
  bool scan_cluster(size_t& at, Cluster& cluster) const {
    uint32_t bytes = 0;
    char32_t code = 0;
    if (at >= text_.size()) return false;
    const CharClass found = class_at(at, bytes, code);
    if (found != CharClass::kCjk && found != CharClass::kSea) return false;
    cluster.first = at;
    cluster.folded.clear();
    const bool plain = code >= 0x4E00 && code <= 0x9FFF;
    std::string raw(text_.substr(at, bytes));
    at += bytes;
    absorb_marks(at, raw);
    cluster.last = at;
    cluster.folded = plain && raw.size() == 3 ? raw : fold(raw);
    return true;
  }

  // Marks and zero-width characters that belong to the character before. Thai and Lao AM is a
  // mark and a vowel in one code point: its mark belongs here, and `unspaced` reads the vowel.
  void absorb_marks(size_t& at, std::string& raw) const {
    while (at < text_.size() && static_cast<unsigned char>(text_[at]) >= 0x80) {
      uint32_t bytes = 0;
      char32_t code = 0;
      const CharClass found = class_at(at, bytes, code);
      const bool voiced = code == 0xFF9E || code == 0xFF9F;
      if (found != CharClass::kMark && found != CharClass::kIgnorable && !voiced) return;
      if (raw.size() + bytes <= kMaxClusterBytes) raw.append(text_.substr(at, bytes));
      at += bytes;
    }
  }

  void pair(const Cluster& left, const Cluster& right) {
    pair_ = left.folded;
    pair_ += right.folded;
    emit(pair_, TokenKind::kBigram, left.first, right.last, true, false, false);
  }

  size_t unspaced(size_t at) {
    Cluster before;
    Cluster here;
    if (!scan_cluster(at, before)) return at + 1;
    bool lone = true;
    while (scan_cluster(at, here)) {
      split_am(before, here);
      emit(before.folded, TokenKind::kUnigram, before.first, before.last, false, true, false);
      pair(before, here);
      ++position_;
      std::swap(before, here);
      lone = false;
    }
    emit(before.folded, TokenKind::kUnigram, before.first, before.last, lone, true, false);
    ++position_;
    return at;
  }

  static void split_am(Cluster& before, Cluster& here) {
    for (const std::string_view am :
         {std::string_view("\u0E4D\u0E32"), std::string_view("\u0ECD\u0EB2")}) {
      if (!here.folded.starts_with(am)) continue;
      before.folded += am.substr(0, 3);
      here.folded.erase(0, 3);
    }
  }

  // ---- Hangul ----

  size_t hangul(size_t at) {
    const size_t first = at;
    while (at < text_.size()) {
      uint32_t bytes = 0;
      char32_t code = 0;
      const CharClass found = class_at(at, bytes, code);
      if (found != CharClass::kHangul && found != CharClass::kMark &&
          found != CharClass::kIgnorable) {
        break;
      }
      if (at + bytes - first > kHangulPieceBytes) break;
      at += bytes;
    }
    emit_hangul(first, at);
    ++position_;
    return at;
  }

  void emit_hangul(size_t first, size_t last) {
    const std::string folded = fold(text_.substr(first, last - first));
    emit(folded, TokenKind::kWord, first, last, true, true, false);
    std::vector<size_t>& starts = starts_;
    starts.clear();
    for (size_t i = 0; i < folded.size(); i += utf8::decode(folded, i).bytes) starts.push_back(i);
    starts.push_back(folded.size());
    if (starts.size() < 4) return;  // two syllables are a bigram already
    const bool same = folded.size() == last - first;
    for (size_t i = 0; i + 2 < starts.size(); ++i) {
      emit(std::string_view(folded).substr(starts[i], starts[i + 2] - starts[i]),
           TokenKind::kBigram, same ? first + starts[i] : first,
           same ? first + starts[i + 2] : last, false, false, false);
    }
  }

  std::string_view text_;
  const TokenSink& sink_;
  Token token_;
  uint32_t position_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<size_t> starts_;
  std::string whole_, short_, hump_, pair_, contraction_;
};

}  // namespace

void tokenize(std::string_view text, const TokenSink& sink) { Scanner(text, sink).run(); }

uint32_t count_words(std::string_view text) {
  uint32_t count = 0;
  tokenize(text, [&](const Token& token) { count += token.in_length ? 1 : 0; });
  return count;
}

std::string atom_string(std::string_view text) {
  std::string out;
  tokenize(text, [&](const Token& token) {
    if (!token.atom) return;
    if (out.empty()) out += ' ';
    const bool hangul = token.kind == TokenKind::kWord &&
                        classify(utf8::decode(token.term, 0).code) == CharClass::kHangul;
    if (!hangul) {
      out += token.term;
      out += ' ';
      return;
    }
    for (size_t at = 0; at < token.term.size();) {
      const size_t bytes = utf8::decode(token.term, at).bytes;
      out.append(token.term.substr(at, bytes));
      out += ' ';
      at += bytes;
    }
  });
  return out;
}

}  // namespace lectern::text
