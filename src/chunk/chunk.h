// Chunks: runs of blocks of one section, sized to the embedding model's window. A chunk is
// what lanes rank; a block is what is cited.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "lectern/config.h"
#include "text/language.h"
#include "vault/note.h"

namespace lectern::chunk {

struct Chunk {
  Hash128 id;  // of path, heading path, text, occurrence among identical ones
  BlockKind kind = BlockKind::kParagraph;  // of its first block
  int32_t heading = -1;  // index into Note::headings; of its first section when merged
  DateStamp date;
  SourceSpan span;  // a part of one block when block_count is 1 and it was split; for a
                    // canvas block, bytes count from byte_first into its unescaped text
  uint32_t tokens = 0;
  uint32_t block_first = 0, block_count = 0;  // a contiguous run of Note::blocks
  text::Lang lang = text::Lang::kUnknown;
};

using TokenCounter = std::function<uint32_t(std::string_view)>;

// Cuts a note. Blocks of kind kProperty form chunks of their own. Every block is in at
// least one chunk; a block over max_tokens is split at lines, then sentences, then words,
// then characters, and no chunk is over max_tokens. Pure.
std::vector<Chunk> make_chunks(const Note& note, const ChunkConfig& config,
                               const TokenCounter& count_tokens);

// The text of a chunk: its blocks' visible text (comments blanked) joined by LF.
std::string chunk_text(const Note& note, const Chunk& chunk);

// Changes when any input of make_chunks but the note does; stored in the catalog.
std::string fingerprint(const ChunkConfig& config, std::string_view counter_name);

}  // namespace lectern::chunk
