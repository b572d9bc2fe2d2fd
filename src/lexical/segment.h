// Segments of the inverted index: how postings are built, encoded, merged and read back.
// Pure data structures: where the blobs live is the store's business (src/store).
//
// A segment holds documents (chunks) numbered 0..n-1, for every term the list of
// documents with their counts, and for the title lane the names of its notes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "lectern/result.h"
#include "text/language.h"

namespace lectern::lexical {

using DocOrd = uint32_t;

enum FieldBit : uint8_t { kTitleField = 1, kHeadingField = 2, kPropertyField = 4 };

struct Posting {
  DocOrd doc = 0;
  uint32_t body_tf = 0;  // occurrences in the chunk's own text
  uint8_t fields = 0;    // FieldBits the term occurs in besides
};

// One document's columns, kept for all documents of a live segment in memory.
struct DocColumns {
  std::vector<int64_t> note;     // catalog note id
  std::vector<int64_t> chunk;    // catalog chunk rowid
  std::vector<uint32_t> length;  // words of the chunk's own text
  std::vector<Hash128> id;       // chunk id, for ties
  std::vector<uint8_t> lang;     // text::Lang
  size_t size() const { return note.size(); }
};

// A name of a note: its title, an alias or its file stem, as a set of folded words.
struct NoteName {
  int64_t note = 0;
  DocOrd first_doc = 0;            // the note's first chunk in this segment
  std::vector<std::string> words;  // folded, distinct, in order
};

struct DocInput {
  int64_t note = 0, chunk = 0;
  Hash128 id;
  text::Lang lang = text::Lang::kUnknown;
  bool property = false;          // body words go to the property field
  std::string_view title_text;    // title, aliases and stem, one a line
  std::string_view heading_text;  // heading path, one a line
  std::string_view body;
};

// Encoded segment, ready to be stored.
struct EncodedSegment {
  std::string columns;  // DocColumns
  std::string names;    // title lane, see names.h
  // Terms in byte order with their posting blobs.
  std::vector<std::pair<std::string, std::string>> terms;
  uint32_t docs = 0;
};

// Collects documents in memory. Index terms of a token: its folded surface; and
// "<lang>:<stem>" when the stem of the document's language differs from the surface.
class SegmentBuilder {
 public:
  SegmentBuilder();
  ~SegmentBuilder();
  SegmentBuilder(SegmentBuilder&&) noexcept;
  SegmentBuilder& operator=(SegmentBuilder&&) noexcept;

  void add(const DocInput& doc);
  // Call after the note's first document was added.
  void add_names(int64_t note, const std::vector<std::string>& names);
  uint32_t docs() const;
  size_t memory_bytes() const;  // rough
  EncodedSegment finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Bits of deleted documents of one segment.
using DeletedBits = std::vector<bool>;

// Decodes; a malformed blob gives kBadIndex, never a crash or an out-of-range ordinal.
Result<DocColumns> decode_columns(std::string_view blob);
std::string encode_columns(const DocColumns& columns);

// Calls `visit` for each posting in document order. Returns false on a malformed blob.
bool decode_postings(std::string_view blob, uint32_t docs,
                     const std::function<void(const Posting&)>& visit);
void decode_postings_into(std::string_view blob, uint32_t docs, std::vector<Posting>& out,
                          bool& ok);
std::string encode_postings(const std::vector<Posting>& postings);

// Where a merge reads its inputs from: terms in byte order.
class TermStream {
 public:
  virtual ~TermStream() = default;
  // False at the end. Views stay valid until the next call.
  virtual Result<bool> next(std::string_view& term, std::string_view& postings) = 0;
};

struct MergeInput {
  TermStream* terms = nullptr;
  const DocColumns* columns = nullptr;
  const DeletedBits* deleted = nullptr;
  std::string_view names;
};

// Merges in input order, dropping deleted documents. `emit` gets each term in byte order.
struct MergedHeader {
  std::string columns, names;
  uint32_t docs = 0;
};
Result<MergedHeader> merge_segments(
    const std::vector<MergeInput>& inputs,
    const std::function<Status(std::string_view term, std::string_view postings)>& emit);

}  // namespace lectern::lexical
