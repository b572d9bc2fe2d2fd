// Store: where the index lives. One interface, several places (SQLite file now).
//
// A Reader sees one generation for its whole life. A Writer is the only one of its kind
// at a time (src/store/writer_lock.h) and makes everything it did visible at once by
// commit(), which bumps the generation. Neither is thread-safe; the Store is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "chunk/chunk.h"
#include "lectern/result.h"
#include "lexical/evaluate.h"
#include "lexical/segment.h"
#include "vault/note.h"
#include "vault/resolve.h"

namespace lectern::store {

// Version of the file format, docs/formats/index.md. A newer one is refused, an older one
// is rebuilt by `lectern index` (kBadIndex for readers, with that hint).
constexpr uint32_t kSchemaVersion = 1;

struct FileState {  // one row a note, enough to see whether the file changed
  int64_t note = 0;
  std::string path;
  FileStat stat;
  Hash128 hash;
  bool racy = false;  // mtime not older than the scan that read it: hash again next time
};

struct NoteMeta {
  int64_t id = 0;
  std::string path, title;
  std::vector<std::string> aliases, tags;
  std::vector<Property> properties;
  DateStamp date;
  FileStat stat;
  Hash128 hash;
};

struct ChunkRow {
  int64_t rowid = 0, note = 0;
  uint32_t seq = 0;  // 0-based within its note
  chunk::Chunk chunk;
};

struct LinkRow {
  int64_t note = 0;
  uint32_t seq = 0;  // 0-based within its note
  Link link;
  vault::LinkState state = vault::LinkState::kUnresolved;
  int64_t destination = -1;  // note id; -1 for attachments and unresolved
  std::string path;          // of the destination
};

struct SegmentRow {
  uint32_t id = 0;  // never reused
  uint32_t docs = 0;
  uint64_t deleted_version = 0;  // changes whenever its deleted bits do
};

struct Counts {
  uint64_t notes = 0, chunks = 0, segments = 0, warnings = 0;
  LinkCounts links;
};

class Reader : public lexical::PostingSource {
 public:
  ~Reader() override = default;
  virtual uint64_t generation() const = 0;
  // Free-form facts of the index: "vault", "last_indexed_at", "chunk_fingerprint", ...
  virtual Result<std::optional<std::string>> meta(std::string_view key) = 0;
  virtual Result<Counts> counts() = 0;

  virtual Result<std::vector<FileState>> files() = 0;  // by path
  virtual Result<std::optional<NoteMeta>> note_meta(int64_t id) = 0;
  virtual Result<std::optional<int64_t>> find_note(std::string_view path) = 0;  // exact bytes
  virtual Result<std::vector<NoteMeta>> all_note_meta() = 0;                    // by id
  // The parsed note as it was indexed, without links and properties' warnings.
  virtual Result<std::optional<Note>> load_note(int64_t id) = 0;
  virtual Result<std::vector<Warning>> warnings() = 0;

  virtual Result<std::optional<ChunkRow>> chunk(int64_t rowid) = 0;
  virtual Result<std::vector<ChunkRow>> chunks_of(int64_t note) = 0;  // by seq
  // Chunk rowid and first day of its date, for every chunk that has one (date filters).
  virtual Result<std::vector<std::pair<int64_t, int32_t>>> chunk_days() = 0;

  virtual Result<std::vector<SegmentRow>> segments() = 0;  // by id
  virtual Result<lexical::DocColumns> segment_columns(uint32_t id) = 0;
  virtual Result<std::string> segment_names(uint32_t id) = 0;
  virtual Result<lexical::DeletedBits> segment_deleted(uint32_t id) = 0;  // empty: none

  virtual Result<std::vector<LinkRow>> outgoing(int64_t note) = 0;  // by seq
  virtual Result<std::vector<LinkRow>> incoming(int64_t note) = 0;  // by note, seq
  virtual Result<std::vector<std::string>> attachments() = 0;
};

class Writer : public Reader {
 public:
  // Writes note, chunks, links (unresolved) and warnings; replaces what `file.note` had
  // when it is not 0. Sets file.note and each row's ids.
  virtual Status put_note(FileState& file, const Note& note,
                          const std::vector<chunk::Chunk>& chunks,
                          std::vector<int64_t>& chunk_rowids) = 0;
  virtual Status touch_file(const FileState& file) = 0;  // stat, hash and racy only
  virtual Status remove_note(int64_t id) = 0;            // with chunks, links, warnings

  virtual Result<uint32_t> put_segment(const lexical::EncodedSegment& segment) = 0;  // new id
  // A segment written term by term: begin, add in byte order, then header.
  virtual Result<uint32_t> begin_segment() = 0;
  virtual Status add_term(uint32_t segment, std::string_view term, std::string_view blob) = 0;
  virtual Status finish_segment(uint32_t segment, const lexical::MergedHeader& header) = 0;
  virtual Status drop_segment(uint32_t id) = 0;
  virtual Status set_deleted(uint32_t segment, const lexical::DeletedBits& bits) = 0;
  virtual Result<std::unique_ptr<lexical::TermStream>> terms(uint32_t segment) = 0;

  // Links whose target has one of these keys (vault::LinkIndex::link_key), or of one note.
  virtual Result<std::vector<LinkRow>> links_with_key(std::string_view key) = 0;
  virtual Status set_resolution(const LinkRow& row) = 0;  // state, destination, path
  virtual Status set_attachments(const std::vector<std::string>& paths) = 0;

  virtual Status set_meta(std::string_view key, std::string_view value) = 0;
  virtual Status set_run_warnings(const std::vector<Warning>& warnings) = 0;
  // Makes it durable and visible; the Writer goes on in a new transaction.
  virtual Status commit() = 0;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual Result<std::unique_ptr<Reader>> read() = 0;
  // The caller holds the writer's lock. `fresh`: drop everything first (full rebuild).
  virtual Result<std::unique_ptr<Writer>> write(bool fresh) = 0;
  virtual uint64_t bytes() const = 0;  // of the index on disk, its log included
};

// Opens lazily: read() gives kNoIndex when the file is absent, kBadIndex when it is not a
// Lectern index or is damaged. A file that is not ours is never overwritten.
struct OpenOptions {
  std::string path;
  std::string vfs;  // empty: the default; tests name a fault-injecting one
};
std::unique_ptr<Store> open_sqlite(OpenOptions options);

}  // namespace lectern::store
