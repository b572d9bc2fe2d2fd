// LiveNotes: the notes a reply quotes, as they stand on disk at this moment.
//
// Every note is stat'ed once a query. One that changed since it was indexed is read and
// parsed again, and its passages are found by their content; what cannot be found is
// dropped by the caller. Nothing stale is ever cited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chunk/chunk.h"
#include "lectern/config.h"
#include "lectern/result.h"
#include "store/store.h"

namespace lectern::retrieve {

struct LiveNote {
  enum class State { kCurrent, kChanged, kGone };
  State state = State::kCurrent;
  store::NoteMeta meta;
  Note note;                            // as it stands now
  std::vector<store::ChunkRow> chunks;  // of `note`, by position
};

class LiveNotes {
 public:
  LiveNotes(const Config& config, store::Reader& reader) : config_(config), reader_(reader) {}

  // Null when the note is gone. The pointer lives as long as this object.
  Result<const LiveNote*> load(int64_t note_id);

  // The chunk as it stands in the live note: itself, or the place where its text is now
  // found. Nullopt when the text is no longer there.
  Result<std::optional<store::ChunkRow>> locate(const LiveNote& live, const store::ChunkRow& row);

  // The chunks of a live note, by position.
  Result<std::vector<store::ChunkRow>> chunks(const LiveNote& live);

  // The vault's folder cannot be reached (or is empty, as a mount point without its disk):
  // stored text is used and nothing counts as gone.
  bool vault_unreachable();

  // True when a note was taken from the index because the vault cannot be reached.
  bool used_stored_text() const { return unreachable_.value_or(false); }

 private:
  Result<LiveNote> load_stored(const store::NoteMeta& meta);
  LiveNote parse_again(const store::NoteMeta& meta, const std::string& bytes) const;

  const Config& config_;
  store::Reader& reader_;
  std::optional<bool> unreachable_;
  std::unordered_map<int64_t, LiveNote> notes_;
};

}  // namespace lectern::retrieve
