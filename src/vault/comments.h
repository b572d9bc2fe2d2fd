// Comments of a note: `%%...%%` and `<!-- ... -->`, over any number of lines, outside code.
// They are never evidence. A comment that is never closed hides only to the end of its
// block (Obsidian would hide the rest of the note; a stray `%%` must not lose a note).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vault/lines.h"
#include "vault/note.h"

namespace lectern::vault {

struct Comments {
  std::vector<ByteSpan> closed;    // in order, markers included
  std::vector<uint32_t> unclosed;  // byte offsets of opening markers, in order
};

// Looks at lines `first_line` to the last one.
Comments find_comments(std::string_view text, const LineTable& lines, uint32_t first_line);

// Overwrites comments in a text without fences or frontmatter (a canvas node) by spaces.
void blank_comments(std::string& text);

}  // namespace lectern::vault
