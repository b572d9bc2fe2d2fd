// Block ids: how a citation is found again after the note around it changed.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "vault/note.h"

namespace lectern::chunk {

// One id a block: hash of the note's path, the block's text, and its occurrence number
// among blocks of the same text. Lines above may come and go without renaming it.
std::vector<Hash128> block_ids(const Note& note);

}  // namespace lectern::chunk
