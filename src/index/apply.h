// Apply: writes what was read into the index, a thousand notes a transaction: notes,
// chunks and links, one new segment, the deletions of what they replace. A killed run
// loses at most the open batch, and the next one goes on from there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/indexer.h"
#include "index/link_pass.h"
#include "index/live_segments.h"
#include "index/plan.h"
#include "index/read_ahead.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "lexical/segment.h"
#include "store/store.h"

namespace lectern::index {

// What a run has to tell. Warnings about a note's text are stored with the note; those of
// the run itself (unreadable files and the like) apart.
struct RunReport {
  IndexReport index;
  std::vector<Warning> of_run;
  void warn(Warning warning) {
    index.warnings.push_back(warning);
    of_run.push_back(std::move(warning));
  }
};

class Apply {
 public:
  // `gone`: entries whose files are no more. A new file with the bytes of one of them is
  // that note, moved. All references must outlive it.
  Apply(store::Writer& writer, LiveSegments& segments, LinkPass& links, RunReport& report,
        std::vector<store::FileState> gone, const Batching& batching);

  // Takes one file into the open batch; commits when the batch is full.
  Status take(const PlannedRead& planned, ReadNote&& read);
  // Removes the entries of `gone` that no new file took over. Last, so that a note is never
  // missing in between.
  Status remove_gone();
  // Commits what is in the open batch.
  Status finish_batch();

 private:
  Status write(const PlannedRead& planned, ReadNote& read);
  int64_t moved_from(const Hash128& hash, const std::string& path);
  // The chunks the note has now are replaced: out of the segments, and counted by id.
  Status retire_chunks(int64_t note, const std::vector<chunk::Chunk>& instead);
  Status note_names_changed(const Note& note, int64_t known);
  // Links that the note had before, at the same path, mean what they meant; only for others
  // does the link pass have to look at the note.
  Status carry_links(const store::FileState& file, const Note& note,
                     const std::vector<store::LinkRow>& before);
  void add_documents(const store::FileState& file, const ReadNote& read,
                     const std::vector<int64_t>& rowids);
  Status remove(int64_t note);
  Status count_note();

  store::Writer& writer_;
  LiveSegments& segments_;
  LinkPass& links_;
  RunReport& report_;
  std::vector<store::FileState> gone_;
  std::multimap<Hash128, size_t> gone_by_hash_;  // indices into gone_
  std::vector<bool> taken_over_;                 // beside gone_
  lexical::SegmentBuilder builder_;
  std::vector<int64_t> retired_;  // chunk rowids
  Batching batching_;
  size_t in_batch_ = 0;
};

}  // namespace lectern::index
