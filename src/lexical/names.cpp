// Names of notes: from text to hashed words, encoding, merging, and lookups in place.
#include "lexical/names.h"

#include <algorithm>

#include "base/hash.h"
#include "lexical/codec.h"
#include "text/stopwords.h"
#include "text/tokenize.h"

namespace lectern::lexical {

namespace {

constexpr uint32_t kMagic = 0x314D4E4C;  // "LNM1"
constexpr size_t kHeaderBytes = 16;
constexpr size_t kNameBytes = 16;
constexpr size_t kEntryBytes = 16;
constexpr size_t kMaxNameWords = 256;

struct NameWord {
  std::string term;
  bool exact = false;
  bool stemmable = false;
};

// The words a name is covered by: atoms; of unspaced scripts bigrams, or the one character.
std::vector<NameWord> words_of(std::string_view name) {
  std::vector<NameWord> words;
  text::tokenize(name, [&](const text::Token& token) {
    if (words.size() >= kMaxNameWords) return;
    const bool unspaced = token.kind == text::TokenKind::kBigram ||
                          (token.kind == text::TokenKind::kUnigram && token.in_length);
    const bool atom = token.atom && token.kind != text::TokenKind::kUnigram;
    const bool whole = !token.atom && !unspaced &&
                       (token.kind == text::TokenKind::kIdentifier ||
                        token.kind == text::TokenKind::kPart || token.in_length);
    if (!unspaced && !atom && !whole) return;
    const auto same = [&](const NameWord& word) { return word.term == token.term; };
    if (std::any_of(words.begin(), words.end(), same)) return;
    words.push_back({std::string(token.term), whole, token.stemmable});
  });
  return words;
}

// Function words say nothing about a name unless it consists of them.
void drop_stopwords(std::vector<NameWord>& words) {
  const auto stop = [](const NameWord& word) { return text::is_stopword(word.term); };
  const auto counts = [&](const NameWord& word) { return !word.exact && !stop(word); };
  if (std::none_of(words.begin(), words.end(), counts)) return;
  std::erase_if(words, [&](const NameWord& word) { return !word.exact && stop(word); });
}

}  // namespace

void NamesBuilder::add(int64_t note, DocOrd first_doc, std::string_view name, text::Lang lang) {
  std::vector<NameWord> words = words_of(name.substr(0, 4096));
  drop_stopwords(words);
  if (words.empty()) return;
  const auto ordinal = static_cast<uint32_t>(names_.size());
  names_.push_back({note, first_doc, static_cast<uint32_t>(words_.size())});
  for (uint32_t i = 0; i < words.size(); ++i) {
    const uint64_t hash = hash64(words[i].term);
    words_.push_back(hash);
    flags_.push_back(words[i].exact ? kExactWord : 0);
    entries_.push_back({hash, ordinal, i});
    if (!words[i].stemmable || !text::has_stemmer(lang)) continue;
    const std::string stem = text::stem(words[i].term, lang);
    if (stem == words[i].term) continue;
    entries_.push_back({hash64(std::string(text::lang_code(lang)) + ":" + stem), ordinal, i});
  }
}

Status NamesBuilder::append(std::string_view blob, const std::vector<DocOrd>& new_ordinal) {
  TRY(const NamesView view, NamesView::open(blob, static_cast<uint32_t>(new_ordinal.size())));
  std::vector<uint32_t> new_name(view.names(), kDropped);
  for (uint32_t name = 0; name < view.names(); ++name) {
    const DocOrd doc = view.first_doc(name);
    if (doc >= new_ordinal.size() || new_ordinal[doc] == kDropped) continue;
    new_name[name] = static_cast<uint32_t>(names_.size());
    names_.push_back({view.note(name), new_ordinal[doc], static_cast<uint32_t>(words_.size())});
    const auto [first, last] = view.words(name);
    for (uint32_t word = first; word < last; ++word) {
      words_.push_back(view.word_hash(word));
      flags_.push_back(view.word_flags(word));
    }
  }
  for (uint32_t i = 0; i < view.entries(); ++i) {
    const NameEntry entry = view.entry(i);
    if (entry.name >= new_name.size() || new_name[entry.name] == kDropped) continue;
    entries_.push_back({entry.hash, new_name[entry.name], entry.word});
  }
  return {};
}

std::string NamesBuilder::encode() && {
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  std::string out;
  out.reserve(kHeaderBytes + names_.size() * kNameBytes + words_.size() * 9 +
              entries_.size() * kEntryBytes);
  store(out, kMagic);
  store(out, static_cast<uint32_t>(names_.size()));
  store(out, static_cast<uint32_t>(words_.size()));
  store(out, static_cast<uint32_t>(entries_.size()));
  for (const Name& name : names_) {
    store(out, name.note);
    store(out, name.first_doc);
    store(out, name.word_first);
  }
  for (const uint64_t hash : words_) store(out, hash);
  for (const uint8_t flags : flags_) store(out, flags);
  for (const NameEntry& entry : entries_) {
    store(out, entry.hash);
    store(out, entry.name);
    store(out, entry.word);
  }
  return out;
}

size_t NamesBuilder::memory_bytes() const {
  return names_.size() * sizeof(Name) + words_.size() * 9 + entries_.size() * sizeof(NameEntry);
}

Result<NamesView> NamesView::open(std::string_view blob, uint32_t docs) {
  const auto bad = [] { return fail(ErrorCode::kBadIndex, "damaged note names"); };
  if (blob.size() < kHeaderBytes || load<uint32_t>(blob.data()) != kMagic) return bad();
  NamesView view;
  view.blob_ = blob;
  view.names_ = load<uint32_t>(blob.data() + 4);
  view.words_ = load<uint32_t>(blob.data() + 8);
  view.entries_ = load<uint32_t>(blob.data() + 12);
  view.hashes_at_ = kHeaderBytes + static_cast<size_t>(view.names_) * kNameBytes;
  view.flags_at_ = view.hashes_at_ + static_cast<size_t>(view.words_) * 8;
  view.entries_at_ = view.flags_at_ + view.words_;
  const size_t end = view.entries_at_ + static_cast<size_t>(view.entries_) * kEntryBytes;
  if (blob.size() != end || (docs == 0 && view.names_ > 0)) return bad();
  return view;
}

int64_t NamesView::note(uint32_t name) const {
  return load<int64_t>(blob_.data() + kHeaderBytes + static_cast<size_t>(name) * kNameBytes);
}

DocOrd NamesView::first_doc(uint32_t name) const {
  return load<uint32_t>(blob_.data() + kHeaderBytes + static_cast<size_t>(name) * kNameBytes + 8);
}

std::pair<uint32_t, uint32_t> NamesView::words(uint32_t name) const {
  const char* at = blob_.data() + kHeaderBytes + static_cast<size_t>(name) * kNameBytes + 12;
  const uint32_t last = name + 1 < names_ ? load<uint32_t>(at + kNameBytes) : words_;
  const uint32_t first = load<uint32_t>(at);
  // A damaged blob gives an empty range.
  if (last > words_ || first > last) return {0, 0};
  return {first, last};
}

uint64_t NamesView::word_hash(uint32_t word) const {
  return load<uint64_t>(blob_.data() + hashes_at_ + static_cast<size_t>(word) * 8);
}

uint8_t NamesView::word_flags(uint32_t word) const {
  return static_cast<uint8_t>(blob_[flags_at_ + word]);
}

NameEntry NamesView::entry(uint32_t index) const {
  const char* at = blob_.data() + entries_at_ + static_cast<size_t>(index) * kEntryBytes;
  return {load<uint64_t>(at), load<uint32_t>(at + 8), load<uint32_t>(at + 12)};
}

std::pair<uint32_t, uint32_t> NamesView::find(uint64_t hash) const {
  const auto hash_at = [&](uint32_t index) {
    return load<uint64_t>(blob_.data() + entries_at_ + static_cast<size_t>(index) * kEntryBytes);
  };
  uint32_t low = 0;
  uint32_t high = entries_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (hash_at(middle) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  uint32_t last = low;
  while (last < entries_ && hash_at(last) == hash) ++last;
  return {low, last};
}

}  // namespace lectern::lexical
