// The title lane's data of one segment: which names (titles, aliases, file stems) hold a
// word. Read in place from its blob, so that a cold process decodes nothing.
//
// Layout, little-endian, unaligned:
//   u32 magic, u32 names, u32 words, u32 entries
//   names   x { i64 note, u32 first_doc, u32 word_first }   a name's words are contiguous
//   words   x { u64 hash of the folded surface }
//   words   x { u8 flags }
//   entries x { u64 hash, u32 name, u32 word }               sorted; surface and stem hashes
// A name lives as long as its first_doc does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lectern/result.h"
#include "lexical/segment.h"
#include "text/language.h"

namespace lectern::lexical {

// The word is an identifier kept whole: it counts only when a query names it exactly; its
// parts are words of their own and make up the coverage.
constexpr uint8_t kExactWord = 1;

struct NameEntry {
  uint64_t hash = 0;
  uint32_t name = 0, word = 0;  // word: index within the name
  auto operator<=>(const NameEntry&) const = default;
};

class NamesBuilder {
 public:
  // `name`: as written. Nothing is added when it has no word.
  void add(int64_t note, DocOrd first_doc, std::string_view name, text::Lang lang);
  // Adds those names of an encoded segment whose first document has a new ordinal
  // (kDropped: none). Error: kBadIndex.
  Status append(std::string_view blob, const std::vector<DocOrd>& new_ordinal);
  std::string encode() &&;
  size_t memory_bytes() const;

  static constexpr DocOrd kDropped = 0xFFFFFFFF;

 private:
  struct Name {
    int64_t note;
    DocOrd first_doc;
    uint32_t word_first;
  };
  std::vector<Name> names_;
  std::vector<uint64_t> words_;
  std::vector<uint8_t> flags_;
  std::vector<NameEntry> entries_;
};

// A checked view of a blob: every access is inside it.
class NamesView {
 public:
  // `docs`: documents of the segment. Error: kBadIndex.
  static Result<NamesView> open(std::string_view blob, uint32_t docs);

  uint32_t names() const { return names_; }
  uint32_t entries() const { return entries_; }
  int64_t note(uint32_t name) const;
  DocOrd first_doc(uint32_t name) const;  // >= docs when the blob is damaged there
  // Half-open range of the name's words in the word table.
  std::pair<uint32_t, uint32_t> words(uint32_t name) const;
  uint64_t word_hash(uint32_t word) const;
  uint8_t word_flags(uint32_t word) const;
  NameEntry entry(uint32_t index) const;
  // Half-open range of the entries with this hash.
  std::pair<uint32_t, uint32_t> find(uint64_t hash) const;

 private:
  std::string_view blob_;
  uint32_t names_ = 0, words_ = 0, entries_ = 0;
  size_t hashes_at_ = 0, flags_at_ = 0, entries_at_ = 0;
};

}  // namespace lectern::lexical
