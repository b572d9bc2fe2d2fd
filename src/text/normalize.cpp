// Folding and normalisation over utf8proc, in bounded pieces.
//
// utf8proc sorts combining marks with an insertion sort, which is quadratic in the length
// of a run of marks; pieces of at most kPieceBytes keep every input linear. ASCII and the
// code points that stand for themselves never reach utf8proc.
#include "text/normalize.h"

#include <utf8proc.h>

#include <array>
#include <vector>

#include "base/utf8.h"
#include "text/char_class.h"

namespace lectern::text {

namespace {

constexpr size_t kPieceBytes = 512;  // forced cut, also inside a run of marks
constexpr size_t kSoftBytes = 128;   // from here on, cut at the next starter
constexpr char32_t kTableEnd = 0x800;

// A code point that never changes what stands before it under composition.
bool is_starter(char32_t code) {
  if (code < 0x300) return true;
  if (code >= 0x1160 && code <= 0x11FF) return false;  // Hangul vowels and finals compose
  const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  return property->combining_class == 0 && property->category != UTF8PROC_CATEGORY_MN &&
         property->category != UTF8PROC_CATEGORY_MC && code != 0xFF9E && code != 0xFF9F;
}

// Latin, Greek, Cyrillic: scripts whose marks are accents (Unicode 14, Blocks.txt).
bool has_accents(char32_t base) {
  return base < 0x0530 || (base >= 0x1C80 && base <= 0x1C8F) ||
         (base >= 0x1D00 && base <= 0x1FFF) || (base >= 0x2C60 && base <= 0x2C7F) ||
         (base >= 0xA640 && base <= 0xA69F) || (base >= 0xA720 && base <= 0xA7FF);
}

bool is_accent(char32_t code) {
  return (code >= 0x0300 && code <= 0x036F) || (code >= 0x0483 && code <= 0x0487) ||
         (code >= 0x1AB0 && code <= 0x1AFF) || (code >= 0x1DC0 && code <= 0x1DFF) ||
         (code >= 0x20D0 && code <= 0x20FF) || (code >= 0xFE20 && code <= 0xFE2F);
}

// Arabic short vowels and the stretching sign: written or left out at will.
bool is_optional_arabic(char32_t code) {
  return (code >= 0x064B && code <= 0x0652) || code == 0x0640 || code == 0x0670;
}

// Letters with a stroke or joined letters, which Unicode does not decompose but people type
// without: the plain spelling.
std::string_view plain_letter(char32_t code) {
  switch (code) {
    case 0x00E6:
      return "ae";
    case 0x00F8:
      return "o";
    case 0x0111:
      return "d";
    case 0x0127:
      return "h";
    case 0x0131:
      return "i";
    case 0x0142:
      return "l";
    case 0x0153:
      return "oe";
    case 0x0167:
      return "t";
    default:
      return {};
  }
}

// Decomposes a piece of valid UTF-8; `codes` is reused.
void decompose(std::string_view piece, int options, std::vector<utf8proc_int32_t>& codes) {
  codes.resize(piece.size() * 4 + 32);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(piece.data());
  const auto call = [&] {
    return utf8proc_decompose(bytes, static_cast<utf8proc_ssize_t>(piece.size()), codes.data(),
                              static_cast<utf8proc_ssize_t>(codes.size()),
                              static_cast<utf8proc_option_t>(options));
  };
  utf8proc_ssize_t count = call();
  if (count > static_cast<utf8proc_ssize_t>(codes.size())) {
    codes.resize(static_cast<size_t>(count) + 1);  // U+FDFA alone gives 18 code points
    count = call();
  }
  codes.resize(count < 0 ? 0 : static_cast<size_t>(count));
}

void append_composed(std::vector<utf8proc_int32_t>& codes, std::string& out) {
  const utf8proc_ssize_t count =
      utf8proc_normalize_utf32(codes.data(), static_cast<utf8proc_ssize_t>(codes.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    utf8::append(out, static_cast<char32_t>(codes[static_cast<size_t>(i)]));
  }
}

void fold_piece(std::string_view piece, std::string& out) {
  thread_local std::vector<utf8proc_int32_t> codes;
  decompose(
      piece,
      UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE,
      codes);
  std::vector<utf8proc_int32_t> kept;
  kept.reserve(codes.size() + 4);
  // True at first: a cut may have fallen inside a run of accents, and one without a letter
  // means nothing.
  bool accents = true;
  for (const utf8proc_int32_t signed_code : codes) {
    const auto code = static_cast<char32_t>(signed_code);
    if (is_accent(code)) {
      if (accents) continue;
    } else {
      accents = has_accents(code);
    }
    if (is_optional_arabic(code)) continue;
    if (const std::string_view plain = plain_letter(code); !plain.empty()) {
      for (const char c : plain) kept.push_back(c);
      continue;
    }
    kept.push_back(signed_code);
  }
  append_composed(kept, out);
}

void fold_case_piece(std::string_view piece, std::string& out) {
  thread_local std::vector<utf8proc_int32_t> codes;
  decompose(piece, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD, codes);
  append_composed(codes, out);
}

void nfc_piece(std::string_view piece, std::string& out) {
  thread_local std::vector<utf8proc_int32_t> codes;
  decompose(piece, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, codes);
  append_composed(codes, out);
}

using PieceFunction = void (*)(std::string_view, std::string&);

// Folded forms of the code points below kTableEnd that stand alone: at most 7 bytes each.
struct TableEntry {
  std::array<char, 7> bytes{};
  uint8_t size = 0xFF;  // 0xFF: not in the table
};
std::vector<TableEntry> make_table(PieceFunction piece) {
  std::vector<TableEntry> table(kTableEnd);
  for (char32_t code = 0x80; code < kTableEnd; ++code) {
    if (!is_starter(code)) continue;
    std::string in;
    std::string out;
    utf8::append(in, code);
    piece(in, out);
    TableEntry& entry = table[code];
    if (out.size() > entry.bytes.size()) continue;
    out.copy(entry.bytes.data(), out.size());
    entry.size = static_cast<uint8_t>(out.size());
  }
  return table;
}

// Code points above the table that fold to themselves: Han, plain kana, Hangul syllables.
bool stands_for_itself(char32_t code) {
  return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3041 && code <= 0x3096) ||
         (code >= 0x30A1 && code <= 0x30FC) || (code >= 0xAC00 && code <= 0xD7A3);
}

// The end of the piece that starts at `at`: before a starter once it is long enough.
size_t piece_end(std::string_view text, size_t at) {
  size_t end = at + utf8::decode(text, at).bytes;
  while (end < text.size()) {
    const utf8::Decoded next = utf8::decode(text, end);
    if (next.code < 0x80 && end - at > 0) return end;
    if (end - at >= kSoftBytes && is_starter(next.code)) return end;
    if (end - at >= kPieceBytes) return end;
    end += next.bytes;
  }
  return end;
}

void append_piece(std::string_view piece, PieceFunction function, std::string& out) {
  if (utf8::is_valid(piece)) {
    function(piece, out);
    return;
  }
  uint64_t replaced = 0;
  function(utf8::repair(piece, replaced), out);
}

// Appends the code point at `at` by table or copy when it does not compose with the next one.
// Returns its length in bytes, 0 when utf8proc has to look at it.
size_t append_alone(std::string_view text, size_t at, const std::vector<TableEntry>& table,
                    std::string& out) {
  const utf8::Decoded here = utf8::decode(text, at);
  const bool in_table = here.valid && here.code < kTableEnd && table[here.code].size != 0xFF;
  if (!in_table && !(here.valid && stands_for_itself(here.code))) return 0;
  const size_t next = at + here.bytes;
  if (next < text.size() && static_cast<unsigned char>(text[next]) >= 0x80) {
    const char32_t code = utf8::decode(text, next).code;
    if (!stands_for_itself(code) && !is_starter(code)) return 0;
  }
  if (in_table) {
    out.append(table[here.code].bytes.data(), table[here.code].size);
  } else {
    out.append(text.substr(at, here.bytes));
  }
  return here.bytes;
}

std::string transform(std::string_view text, PieceFunction function,
                      const std::vector<TableEntry>* table, bool lower) {
  std::string out;
  out.reserve(text.size() + 8);
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    const bool next_ascii =
        at + 1 >= text.size() || static_cast<unsigned char>(text[at + 1]) < 0x80;
    // An ASCII character may carry marks that follow it.
    if (ascii && (next_ascii || is_starter(utf8::decode(text, at + 1).code))) {
      out.push_back(lower ? ascii_lower(c) : c);
      ++at;
      continue;
    }
    if (!ascii && table != nullptr) {
      const size_t taken = append_alone(text, at, *table, out);
      if (taken > 0) {
        at += taken;
        continue;
      }
    }
    const size_t end = piece_end(text, at);
    append_piece(text.substr(at, end - at), function, out);
    at = end;
  }
  return out;
}

}  // namespace

std::string fold(std::string_view text) {
  static const std::vector<TableEntry> table = make_table(fold_piece);
  return transform(text, fold_piece, &table, true);
}

std::string nfc(std::string_view text) { return transform(text, nfc_piece, nullptr, false); }

std::string fold_case(std::string_view text) {
  return transform(text, fold_case_piece, nullptr, true);
}

}  // namespace lectern::text
