// Blocks of a Markdown body: cmark parses the skeleton, this walks its tree and paints the
// note's lines. The only file that sees cmark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vault/inline_scan.h"
#include "vault/lines.h"
#include "vault/note.h"
#include "vault/sheet.h"
#include "vault/skeleton.h"

namespace lectern::vault {

struct BodyOptions {
  bool excalidraw = false;  // drawing data in code blocks is skipped
};

// Paints `sheet`, fills note.headings, note.warnings; returns the reference definitions.
// Reads note.text and note.path.
References parse_body(Note& note, const LineTable& lines, const Skeleton& skeleton,
                      const BodyOptions& options, Sheet& sheet);

}  // namespace lectern::vault
