// Sheet: the lines of a note, each painted with the one block or skip that owns it. What
// makes the invariant (every non-blank line has exactly one owner) hold by construction,
// whatever positions the Markdown parser reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vault/lines.h"
#include "vault/note.h"

namespace lectern::vault {

class Sheet {
 public:
  Sheet(std::string_view text, const LineTable& lines);

  // Paints the unowned lines of [first, last]; returns the block's draft number, by which
  // other drafts name it as `parent` or `lead` (-1: none).
  int32_t add_block(BlockKind kind, uint32_t first, uint32_t last, int32_t heading, int32_t parent,
                    int32_t lead);
  // Paints lines over whatever owns them.
  void add_skip(SkipKind kind, uint32_t first, uint32_t last);
  bool owned(uint32_t line) const { return owner_[line - 1] != 0; }

  // Gives every unowned non-blank line to the quote or item above it, or to a paragraph of
  // its own, then turns runs of lines into blocks and skips. A block that a skip interrupts
  // goes on as a second block whose parent is the first.
  void finish(std::vector<Block>& blocks, std::vector<Skip>& skips);

  // More blocks than this and the rest of a note becomes one skip: bounded memory.
  static constexpr size_t kMaxBlocks = 500'000;
  uint32_t overflow_line() const { return overflow_line_; }  // 0: none

 private:
  struct Draft {
    BlockKind kind;
    int32_t heading, parent, lead;
    int32_t block = -1;  // index of its first run among the blocks
  };
  void adopt_strays();

  std::string_view text_;
  const LineTable& lines_;
  std::vector<int32_t> owner_;  // 0 none, draft + 1, or -(skip kind + 1)
  std::vector<Draft> drafts_;
  uint32_t overflow_line_ = 0;
};

}  // namespace lectern::vault
