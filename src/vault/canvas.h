// JSON Canvas 1.0: text nodes become blocks, file nodes become links. Read through
// nlohmann's SAX interface with a counting iterator, which gives the physical line of every
// string; nesting is bounded at 64 and no tree is built.
#pragma once

#include "vault/inline_scan.h"
#include "vault/lines.h"
#include "vault/note.h"

namespace lectern::vault {

// Fills blocks, skips and links of `note` from note.text. Text nodes that share a physical
// line give several blocks with the same span: the one exception to "one block a line".
void parse_canvas(Note& note, const LineTable& lines);

}  // namespace lectern::vault
