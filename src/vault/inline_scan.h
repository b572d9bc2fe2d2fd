// What stands inside a block's lines: links, embeds and tags, outside code spans, math and
// HTML tags. One pass, linear in the text whatever it holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vault/note.h"

namespace lectern::vault {

// Reference definitions `[label]: target "title"` of a note, by normalised label.
struct Reference {
  std::string target;  // as written
  uint32_t line = 0;
  bool used = false;
};
using References = std::unordered_map<std::string, Reference>;

// Case-folded (ASCII), inner white space collapsed. Labels over 999 bytes give "".
std::string reference_label(std::string_view label);

struct Inlines {
  std::vector<Link> links;  // `line` counts from `line_first`
  std::vector<std::string> tags;
};

// Scans a block's visible text whose first line is `line_first`; marks references used.
void scan_inlines(std::string_view text, uint32_t line_first, References& references,
                  Inlines& found);

// The parts of a wikilink's inside: "Note#A#^b|alias". False when it is not a link to a
// vault file (empty, or a web address).
bool parse_wikilink(std::string_view inside, bool embed, Link& link);

// The parts of a Markdown link's destination ("Note%20name.md#Heading"). False when its
// target is outside the vault (has a scheme, or starts with "//") or empty.
bool parse_destination(std::string_view destination, Link& link);

// Length of the tag after '#' at `at` (0: no tag): letters, digits, marks, symbols (emoji),
// '_', '-', '/', at least one of them not a digit.
size_t tag_length(std::string_view text, size_t at);

// `(dest "title")` or `(<dest> "title")` at `open` (on the parenthesis). Returns the byte
// past the closing parenthesis and fills `destination`, or 0.
size_t parse_link_tail(std::string_view text, size_t open, std::string_view& destination);

// Byte past an inline HTML tag or autolink that starts at `at` (on '<') and ends on the
// same line; 0 when there is none.
size_t html_tag_end(std::string_view text, size_t at);

// Byte past `$...$` or `$$...$$` at `at`; 0 when it is not math. `failed` remembers that no
// `$$` closes any more.
size_t math_end(std::string_view text, size_t at, bool& failed);

}  // namespace lectern::vault
