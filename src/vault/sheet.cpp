// Painting lines, and turning runs of equally painted lines into blocks and skips.
#include "vault/sheet.h"

#include <algorithm>

namespace lectern::vault {

Sheet::Sheet(std::string_view text, const LineTable& lines)
    : text_(text), lines_(lines), owner_(lines.count(), 0) {}

int32_t Sheet::add_block(BlockKind kind, uint32_t first, uint32_t last, int32_t heading,
                         int32_t parent, int32_t lead) {
  first = std::max<uint32_t>(first, 1);
  last = std::min(last, lines_.count());
  if (drafts_.size() >= kMaxBlocks) {
    if (overflow_line_ == 0) overflow_line_ = first;
    add_skip(SkipKind::kOther, first, last);
    return -1;
  }
  const auto number = static_cast<int32_t>(drafts_.size());
  drafts_.push_back({kind, heading, parent, lead, -1});
  for (uint32_t line = first; line <= last; ++line) {
    if (owner_[line - 1] == 0) owner_[line - 1] = number + 1;
  }
  return number;
}

void Sheet::add_skip(SkipKind kind, uint32_t first, uint32_t last) {
  for (uint32_t line = std::max<uint32_t>(first, 1); line <= last && line <= lines_.count();
       ++line) {
    owner_[line - 1] = -(static_cast<int32_t>(kind) + 1);
  }
}

void Sheet::adopt_strays() {
  int32_t above = 0;  // owner of the line above when it may go on, else 0
  int32_t heading = -1;
  for (uint32_t line = 1; line <= lines_.count(); ++line) {
    int32_t& owner = owner_[line - 1];
    if (owner > 0) {
      heading = drafts_[static_cast<size_t>(owner - 1)].heading;
      const BlockKind kind = drafts_[static_cast<size_t>(owner - 1)].kind;
      const bool goes_on = kind == BlockKind::kQuote || kind == BlockKind::kCallout ||
                           kind == BlockKind::kListItem || kind == BlockKind::kParagraph;
      above = goes_on ? owner : 0;
      continue;
    }
    if (owner != 0 || lines_.blank(line)) {
      above = 0;
      continue;
    }
    if (above == 0) {
      const int32_t draft = add_block(BlockKind::kParagraph, line, line, heading, -1, -1);
      if (draft >= 0) above = draft + 1;
    } else {
      owner = above;
    }
  }
}

void Sheet::finish(std::vector<Block>& blocks, std::vector<Skip>& skips) {
  adopt_strays();
  std::vector<int32_t> draft_of;  // of each block
  for (uint32_t line = 1; line <= lines_.count();) {
    const int32_t owner = owner_[line - 1];
    if (owner == 0 || lines_.blank(line)) {
      ++line;
      continue;
    }
    uint32_t last = line;
    uint32_t end = line + 1;
    for (; end <= lines_.count() && owner_[end - 1] == owner; ++end) {
      if (!lines_.blank(end)) last = end;
    }
    if (owner < 0) {
      skips.push_back({static_cast<SkipKind>(-owner - 1), line, last});
    } else {
      Draft& draft = drafts_[static_cast<size_t>(owner - 1)];
      Block block;
      block.kind = draft.kind;
      block.heading = draft.heading;
      block.span = {line, last, lines_.first(line), lines_.end(last)};
      block.parent = draft.block;  // a later run goes on from the first one
      if (draft.block < 0) draft.block = static_cast<int32_t>(blocks.size());
      blocks.push_back(std::move(block));
      draft_of.push_back(owner - 1);
    }
    line = end;
  }
  const auto block_of = [&](int32_t draft, size_t before) {
    if (draft < 0) return -1;
    const int32_t block = drafts_[static_cast<size_t>(draft)].block;
    return block < static_cast<int32_t>(before) ? block : -1;
  };
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Draft& draft = drafts_[static_cast<size_t>(draft_of[i])];
    if (blocks[i].parent < 0) blocks[i].parent = block_of(draft.parent, i);
    blocks[i].lead = block_of(draft.lead, i);
  }
}

}  // namespace lectern::vault
