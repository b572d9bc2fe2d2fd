// The invariant of a parsed note, as one function: the oracle of the property test and of
// the fuzzer. It shares nothing with the parser but the Note.
#pragma once

#include <string>

#include "vault/note.h"

namespace lectern::vault {

// Empty when all of this holds, else what does not:
// - text is valid UTF-8; spans are whole lines inside it, bytes and lines agree;
// - blocks and skips are in file order, and no line has two owners. Exception: canvas
//   blocks may share one physical line, because a canvas may be written on one line;
// - every non-blank line has an owner, and no owner starts or ends on a blank line; so that
//   blocks, skips and blank lines put together are the text;
// - heading, parent and lead refer to earlier entries; hidden spans lie in order in their
//   block; links, properties and headings name lines of the file.
std::string check_invariant(const Note& note);

}  // namespace lectern::vault
