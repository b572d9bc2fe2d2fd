// Block ids; see block_id.h.
#include "chunk/block_id.h"

#include <map>
#include <string_view>

namespace lectern::chunk {

std::vector<Hash128> block_ids(const Note& note) {
  std::vector<Hash128> ids;
  ids.reserve(note.blocks.size());
  std::map<std::string_view, uint64_t> seen;
  for (const Block& block : note.blocks) {
    const std::string_view text = block.kind == BlockKind::kCanvasText
                                      ? std::string_view(block.unescaped)
                                      : note.block_text(block);
    const uint64_t occurrence = seen[text]++;
    ids.push_back(Hasher().add(note.path).add(text).add(occurrence).finish());
  }
  return ids;
}

}  // namespace lectern::chunk
