// Freshness at reply time; see live_notes.h.
#include "retrieve/live_notes.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "text/token_estimate.h"
#include "vault/parse.h"

namespace lectern::retrieve {

bool LiveNotes::vault_unreachable() {
  if (!unreachable_) {
    std::error_code error;
    const std::filesystem::directory_iterator entries(config_.vault, error);
    unreachable_ = error || entries == std::filesystem::directory_iterator();
  }
  return *unreachable_;
}

Result<LiveNote> LiveNotes::load_stored(const store::NoteMeta& meta) {
  LiveNote live;
  live.meta = meta;
  TRY(auto note, reader_.load_note(meta.id));
  if (!note) return fail(ErrorCode::kBadIndex, "a note has no stored text", meta.path);
  live.note = *std::move(note);
  return live;
}

LiveNote LiveNotes::parse_again(const store::NoteMeta& meta, const std::string& bytes) const {
  LiveNote live;
  live.state = LiveNote::State::kChanged;
  live.meta = meta;
  live.note = vault::parse_note(meta.path, bytes, {config_.limits.note_bytes});
  live.meta.title = live.note.title;
  live.meta.tags = live.note.tags;
  const auto chunks = chunk::make_chunks(live.note, config_.chunk, text::estimate_tokens);
  for (const chunk::Chunk& chunk : chunks) {
    live.chunks.push_back({0, meta.id, static_cast<uint32_t>(live.chunks.size()), chunk});
  }
  return live;
}

Result<const LiveNote*> LiveNotes::load(int64_t note_id) {
  if (const auto known = notes_.find(note_id); known != notes_.end()) {
    return known->second.state == LiveNote::State::kGone ? nullptr : &known->second;
  }
  TRY(const auto meta, reader_.note_meta(note_id));
  if (!meta) return fail(ErrorCode::kBadIndex, "a posting names a note that is not stored");
  const std::string file = config_.vault + "/" + meta->path;
  LiveNote live;
  const auto stat = stat_file(file);
  const bool same = stat && *stat == meta->stat;
  if (same || (!stat && vault_unreachable())) {
    TRY(live, load_stored(*meta));
  } else if (!stat && stat.error().code == ErrorCode::kNotFound) {
    live.state = LiveNote::State::kGone;
  } else {
    const auto bytes = read_file(file, config_.limits.note_bytes + 1);
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
      live.state = LiveNote::State::kGone;
    } else if (!bytes || hash128(bytes->bytes) == meta->hash) {
      // Touched but equal; or there but not readable now: what was indexed still stands.
      TRY(live, load_stored(*meta));
    } else {
      live = parse_again(*meta, bytes->bytes);
    }
  }
  const LiveNote& kept = notes_.emplace(note_id, std::move(live)).first->second;
  return kept.state == LiveNote::State::kGone ? nullptr : &kept;
}

Result<std::vector<store::ChunkRow>> LiveNotes::chunks(const LiveNote& live) {
  if (live.state == LiveNote::State::kChanged) return live.chunks;
  return reader_.chunks_of(live.meta.id);
}

Result<std::optional<store::ChunkRow>> LiveNotes::locate(const LiveNote& live,
                                                         const store::ChunkRow& row) {
  if (live.state == LiveNote::State::kCurrent) return std::optional(row);
  for (const store::ChunkRow& candidate : live.chunks) {
    if (candidate.chunk.id == row.chunk.id) return std::optional(candidate);
  }
  // The passage's surroundings changed: its first block that is still there leads to the
  // chunk that holds it now.
  TRY(const auto stored, reader_.load_note(live.meta.id));
  if (!stored) return std::optional<store::ChunkRow>();
  for (uint32_t i = 0; i < row.chunk.block_count; ++i) {
    const size_t index = row.chunk.block_first + i;
    if (index >= stored->blocks.size()) break;
    if (stored->blocks[index].kind == BlockKind::kHeading) continue;
    const std::string_view text = stored->block_text(stored->blocks[index]);
    for (const store::ChunkRow& candidate : live.chunks) {
      for (uint32_t j = 0; j < candidate.chunk.block_count; ++j) {
        const Block& block = live.note.blocks[candidate.chunk.block_first + j];
        if (live.note.block_text(block) == text) return std::optional(candidate);
      }
    }
  }
  return std::optional<store::ChunkRow>();
}

}  // namespace lectern::retrieve
