// layout: text for a terminal. Notes may hold escape sequences; nothing from them reaches a
// terminal but through safe_text and safe_line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lectern/types.h"

namespace lectern::cli {

struct Style {
  bool color = false;
  size_t width = 80;  // columns

  std::string strong(std::string_view text) const { return paint("1", text); }
  std::string faint(std::string_view text) const { return paint("2", text); }
  std::string accent(std::string_view text) const { return paint("36", text); }
  std::string match(std::string_view text) const { return paint("1;33", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const;
};

// Valid UTF-8 without control characters, except tab and newline: CR becomes a space, other
// C0, DEL, C1 and bidirectional overrides become U+FFFD.
std::string safe_text(std::string_view bytes);
// The same on one line: tabs and line ends become spaces.
std::string safe_line(std::string_view bytes);

// Columns that the text takes: two for East Asian characters, none for combining marks.
size_t display_width(std::string_view text);

// Lines of at most `width` columns, broken at spaces, between East Asian characters, and
// inside words that are longer. Newlines in `text` are kept. The result has no newlines.
std::vector<std::string> wrap(std::string_view text, size_t width);

// wrap, joined by newlines, later lines indented by `indent` columns.
std::string wrap_hanging(std::string_view text, size_t width, size_t indent);

// The text cut to `width` columns, "…" at its end when it was longer.
std::string fit(std::string_view text, size_t width);

// "12,345"
std::string count(uint64_t number);
// "1 note", "3 notes"
std::string count(uint64_t number, std::string_view singular, std::string_view plural = {});
// "4.2 MB"
std::string bytes(uint64_t number);

// "Ops/Gateway.md:41-47", as editors and `lectern get` read it.
std::string place(std::string_view path, uint32_t line_first, uint32_t line_last);

// The words of a query as the index sees them, for excerpt().
std::set<std::string> query_words(std::string_view query);

// One line of a note in at most style.width - `used` columns, cut around the first of
// `words` in it, with each of them painted.
std::string excerpt(std::string_view line, const std::set<std::string>& words, const Style& style,
                    size_t used);

}  // namespace lectern::cli
