// parse_note: bytes of one file -> Note. Pure: no disk, no clock; any bytes are input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vault/note.h"

namespace lectern::vault {

struct ParseOptions {
  uint64_t max_bytes = 16u << 20;  // the rest is left out at a line's end, with a warning
};

// `path` decides the format (.md, .markdown, .canvas), the stem and the file-name date.
Note parse_note(std::string path, std::string_view bytes, const ParseOptions& options = {});

// The block's text as a person reads it: comments blanked, emphasis, code ticks, link
// brackets, list and quote markers, callout type, block id, table pipes (cells joined by
// " | ") removed. Canvas blocks give their unescaped text.
std::string plain_text(const Note& note, const Block& block);

// Inline markup stripped from one line or sentence of Markdown.
std::string strip_inline(std::string_view markdown);

// The block's source text with hidden spans (comments) overwritten by spaces: same length,
// so offsets still hold. What is indexed and searched.
std::string visible_text(const Note& note, const Block& block);

// The heading path of a block or chunk, outermost first.
std::vector<std::string> heading_path(const Note& note, int32_t heading);

// Cells of a table row or header (pipes stripped, `\|` unescaped, trimmed, inline markup
// kept); `offsets` gets each cell's byte offset in the line.
std::vector<std::string> table_cells(std::string_view row);

// "2026-03-14", "2026-03", "2026" or "".
std::string iso(const DateStamp& date);

// Finds a date in a heading or file name; kNone when there is none.
DateStamp find_date(std::string_view text, DateSource source);

// Reads an ISO date or date-time of the user ("2026", "2026-03", "2026-03-14",
// "2026-03-14T09:00:00Z"); precision kNone when it is not one.
DateStamp parse_iso_date(std::string_view text);

// The file's name without folders and extension.
std::string stem_of(std::string_view path);

}  // namespace lectern::vault
