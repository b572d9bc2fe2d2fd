// Text for a terminal; see layout.h.
#include "cli/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "text/char_class.h"
#include "text/stopwords.h"
#include "text/tokenize.h"

namespace lectern::cli {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr size_t kMaxLine = 64u << 10;  // bytes of one line that are looked at

bool is_harmful(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool override_order = code == 0x202D || code == 0x202E;
  return (control && code != '\t' && code != '\n') || override_order;
}

size_t width_of(char32_t code) {
  switch (text::classify(code)) {
    case text::CharClass::kMark:
    case text::CharClass::kIgnorable:
      return 0;
    case text::CharClass::kCjk:
    case text::CharClass::kHangul:
      return 2;
    default:
      break;
  }
  const bool wide_symbol = (code >= 0x3000 && code <= 0x303E) ||  // CJK punctuation
                           (code >= 0xFF01 && code <= 0xFF60) ||  // full-width forms
                           (code >= 0x1F300 && code <= 0x1FAFF);  // emoji
  return wide_symbol ? 2 : 1;
}

// Byte length of the longest start of `text` that takes at most `width` columns.
size_t prefix_of_width(std::string_view text, size_t width) {
  size_t used = 0;
  size_t at = 0;
  while (at < text.size()) {
    const utf8::Decoded next = utf8::decode(text, at);
    used += width_of(next.code);
    if (used > width) break;
    at += next.bytes;
  }
  return at;
}

// Pieces that a line may be broken between: words with the spaces before them, and single
// East Asian characters.
std::vector<std::string_view> pieces_of(std::string_view line) {
  std::vector<std::string_view> out;
  size_t start = 0;
  bool in_word = false;
  for (size_t at = 0; at < line.size();) {
    const utf8::Decoded next = utf8::decode(line, at);
    const bool space = next.code == ' ' || next.code == '\t';
    const bool wide = text::classify(next.code) == text::CharClass::kCjk;
    if ((space && in_word) || (wide && at > start && in_word)) {
      out.push_back(line.substr(start, at - start));
      start = at;
    }
    in_word = !space;
    at += next.bytes;
    if (wide) {
      out.push_back(line.substr(start, at - start));
      start = at;
      in_word = false;
    }
  }
  if (start < line.size()) out.push_back(line.substr(start));
  return out;
}

std::string_view without_leading_spaces(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

void wrap_line(std::string_view text, size_t width, std::vector<std::string>& out) {
  std::string line;
  size_t used = 0;
  for (std::string_view piece : pieces_of(text)) {
    size_t needed = display_width(piece);
    if (!line.empty() && used + needed > width) {
      out.push_back(std::exchange(line, {}));
      piece = without_leading_spaces(piece);
      needed = display_width(piece);
      used = 0;
    }
    while (needed > width) {
      const std::string_view head = piece.substr(0, prefix_of_width(piece, width));
      out.emplace_back(head);
      piece.remove_prefix(head.size());
      needed -= display_width(head);
    }
    line += piece;
    used += needed;
  }
  out.push_back(std::move(line));
}

struct Range {
  size_t first = 0, end = 0;
};

// Byte ranges of the words in `line`, in order, joined where they overlap.
std::vector<Range> matches_in(std::string_view line, const std::set<std::string>& words) {
  std::vector<Range> out;
  text::tokenize(line, [&](const text::Token& token) {
    if (!words.contains(std::string(token.term))) return;
    if (!out.empty() && token.byte_first <= out.back().end) {
      out.back().end = std::max<size_t>(out.back().end, token.byte_last);
    } else {
      out.push_back({token.byte_first, token.byte_last});
    }
  });
  return out;
}

}  // namespace

std::string Style::paint(std::string_view code, std::string_view text) const {
  if (!color || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string safe_text(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const utf8::Decoded next = utf8::decode(bytes, at);
    if (next.code == '\r') {
      out.push_back(' ');
    } else {
      utf8::append(out, is_harmful(next.code) ? utf8::kReplacement : next.code);
    }
    at += next.bytes;
  }
  return out;
}

std::string safe_line(std::string_view bytes) {
  std::string out = safe_text(bytes);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text, at);
    width += width_of(next.code);
    at += next.bytes;
  }
  return width;
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> out;
  width = std::max<size_t>(width, 2);
  while (true) {
    const size_t end = text.find('\n');
    wrap_line(text.substr(0, end), width, out);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::string wrap_hanging(std::string_view text, size_t width, size_t indent) {
  const size_t inner = width > indent + 20 ? width - indent : 20;
  return fmt::format("{}", fmt::join(wrap(text, inner), "\n" + std::string(indent, ' ')));
}

std::string fit(std::string_view text, size_t width) {
  if (prefix_of_width(text, width) == text.size()) return std::string(text);
  return std::string(text.substr(0, prefix_of_width(text, width > 0 ? width - 1 : 0))) +
         std::string(kEllipsis);
}

std::string count(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string count(uint64_t number, std::string_view singular, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", count(number), singular)
                        : fmt::format("{} {}", count(number), plural);
}

std::string bytes(uint64_t number) {
  if (number < 1000) return fmt::format("{} bytes", number);
  double value = static_cast<double>(number);
  const char* unit = "kB";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    unit = next;
    value /= 1000;
    if (value < 1000) break;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

std::string place(std::string_view path, uint32_t line_first, uint32_t line_last) {
  const std::string safe = safe_line(path);
  if (line_first == 0) return safe;
  if (line_last <= line_first) return fmt::format("{}:{}", safe, line_first);
  return fmt::format("{}:{}-{}", safe, line_first, line_last);
}

std::set<std::string> query_words(std::string_view query) {
  std::set<std::string> all, telling;
  bool has_bigrams = false;
  std::set<std::string> unigrams;
  text::tokenize(query, [&](const text::Token& token) {
    const std::string term(token.term);
    if (token.kind == text::TokenKind::kUnigram) {
      unigrams.insert(term);
      return;
    }
    has_bigrams = has_bigrams || token.kind == text::TokenKind::kBigram;
    all.insert(term);
    if (!text::is_stopword(term)) telling.insert(term);
  });
  // Painting "the" everywhere, or single characters of a longer word, shows nothing.
  std::set<std::string> out = telling.empty() ? std::move(all) : std::move(telling);
  if (!has_bigrams) out.merge(unigrams);
  return out;
}

std::string excerpt(std::string_view raw, const std::set<std::string>& words, const Style& style,
                    size_t used) {
  raw = raw.substr(0, utf8::floor_boundary(raw, kMaxLine));
  const std::string safe = safe_line(raw);
  std::string_view line = without_leading_spaces(safe);
  const std::vector<Range> matches = matches_in(line, words);
  const size_t width = style.width > used + 20 ? style.width - used : 20;

  // The window starts at the line's start when the first match fits then, else before it.
  size_t start = 0;
  const size_t whole = prefix_of_width(line, width);
  if (!matches.empty() && whole < line.size() && matches[0].end > whole - whole / 4) {
    start = matches[0].first;
    size_t context = width / 3;
    while (start > 0 && context > 0) {
      --start;
      start = utf8::floor_boundary(line, start);
      --context;
    }
  }
  const bool cut_before = start > 0;
  size_t room = width - (cut_before ? 1 : 0);
  size_t end = start + prefix_of_width(line.substr(start), room);
  const bool cut_after = end < line.size();
  if (cut_after) end = start + prefix_of_width(line.substr(start), --room);

  std::string out = cut_before ? std::string(kEllipsis) : std::string();
  size_t at = start;
  for (const Range& match : matches) {
    const size_t first = std::clamp(match.first, at, end);
    const size_t last = std::clamp(match.end, first, end);
    out += line.substr(at, first - at);
    out += style.match(line.substr(first, last - first));
    at = last;
  }
  out += line.substr(at, end - at);
  if (cut_after) out += kEllipsis;
  return out;
}

}  // namespace lectern::cli
