// ReadAhead: reads, parses and chunks the planned files on all processors, and hands the
// results out in the plan's order. At most a window of files and of bytes is in memory at
// once, however large the vault.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "chunk/chunk.h"
#include "index/plan.h"
#include "lectern/config.h"
#include "vault/note.h"

namespace lectern::index {

enum class ReadOutcome {
  kParsed,
  kSame,      // the bytes are those the index has
  kVanished,  // gone since the scan
  kFailed,    // could not be read; `reason` says why
};

struct ReadNote {
  ReadOutcome outcome = ReadOutcome::kFailed;
  FileStat stat;
  Hash128 hash;
  bool racy = false;
  std::string reason;
  Note note;
  std::vector<chunk::Chunk> chunks;
  std::vector<std::string> chunk_texts;  // beside chunks
};

// One file, in the calling thread.
ReadNote read_note(const Config& config, const PlannedRead& planned);

// What chunk::fingerprint is told about how tokens are counted here.
inline constexpr std::string_view kTokenCounter = "estimate";

class ReadAhead {
 public:
  // `config` and `reads` must outlive it.
  ReadAhead(const Config& config, const std::vector<PlannedRead>& reads);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The result for the next file of the plan; call at most reads.size() times.
  ReadNote next();

 private:
  void work();
  bool may_start() const;
  uint64_t weight(size_t index) const;

  const Config& config_;
  const std::vector<PlannedRead>& reads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, ReadNote> done_;
  size_t next_start_ = 0, next_out_ = 0;
  uint64_t bytes_ = 0;  // of files started and not yet handed out
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace lectern::index
