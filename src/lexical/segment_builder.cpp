// SegmentBuilder: documents in, sorted terms with posting blobs out.
//
// Every term keeps its postings already encoded, plus the one of the current document, so
// that memory stays near the size of the finished segment. Terms are found through an open
// table of ordinals; a stem is computed once a term and language.
#include <algorithm>
#include <array>
#include <deque>

#include "base/hash.h"
#include "lexical/codec.h"
#include "lexical/names.h"
#include "lexical/segment.h"
#include "text/tokenize.h"

namespace lectern::lexical {

namespace {

using TermOrd = uint32_t;
constexpr TermOrd kNoTerm = 0xFFFFFFFF;    // not computed yet
constexpr TermOrd kSameTerm = 0xFFFFFFFE;  // the stem is the surface

struct Term {
  std::string key;
  std::string postings;  // encoded, without the count
  uint64_t hash = 0;
  uint32_t count = 0;   // postings, the pending one included
  DocOrd expected = 0;  // see put_posting
  Posting pending;
};

}  // namespace

struct SegmentBuilder::Impl {
  DocColumns columns;
  NamesBuilder names;
  std::deque<Term> terms;      // by TermOrd; a deque does not move them
  std::vector<TermOrd> table;  // open addressing, a power of two, kNoTerm: free
  std::array<std::vector<TermOrd>, static_cast<size_t>(text::Lang::kCount)> stems;
  size_t bytes = 0;

  Impl() : table(1024, kNoTerm) {}

  void grow() {
    std::vector<TermOrd> wider(table.size() * 2, kNoTerm);
    const size_t mask = wider.size() - 1;
    for (TermOrd ord = 0; ord < terms.size(); ++ord) {
      size_t slot = terms[ord].hash & mask;
      while (wider[slot] != kNoTerm) slot = (slot + 1) & mask;
      wider[slot] = ord;
    }
    table.swap(wider);
  }

  TermOrd intern(std::string_view key) {
    const uint64_t hash = hash64(key);
    const size_t mask = table.size() - 1;
    size_t slot = hash & mask;
    for (; table[slot] != kNoTerm; slot = (slot + 1) & mask) {
      const Term& term = terms[table[slot]];
      if (term.hash == hash && term.key == key) return table[slot];
    }
    const auto ord = static_cast<TermOrd>(terms.size());
    table[slot] = ord;
    terms.emplace_back();
    terms.back().key = key;
    terms.back().hash = hash;
    bytes += sizeof(Term) + key.size() + 8;
    if (terms.size() * 2 > table.size()) grow();
    return ord;
  }

  // The term of the stem, kSameTerm when it is the surface itself.
  TermOrd stem_term(TermOrd surface, text::Lang lang) {
    std::vector<TermOrd>& known = stems[static_cast<size_t>(lang)];
    if (known.size() <= surface) known.resize(terms.size(), kNoTerm);
    if (known[surface] != kNoTerm) return known[surface];
    const std::string stem = text::stem(terms[surface].key, lang);
    const TermOrd found = stem == terms[surface].key
                              ? kSameTerm
                              : intern(std::string(text::lang_code(lang)) + ":" + stem);
    known[surface] = found;
    return found;
  }

  void flush(Term& term) {
    if (term.count == 0) return;
    const size_t before = term.postings.size();
    term.pending.body_tf = std::min(term.pending.body_tf, kMaxBodyTf);
    put_posting(term.postings, term.pending, term.expected);
    bytes += term.postings.size() - before;
  }

  // One occurrence in the current document: in its body (field 0) or in a field.
  void count(TermOrd ord, DocOrd doc, uint8_t field) {
    Term& term = terms[ord];
    if (term.count == 0 || term.pending.doc != doc) {
      flush(term);
      term.pending = Posting{doc, 0, 0};
      ++term.count;
    }
    if (field == 0) {
      ++term.pending.body_tf;
    } else {
      term.pending.fields |= field;
    }
  }

  // Returns the number of words for the document's length.
  uint32_t add_text(std::string_view input, DocOrd doc, text::Lang lang, uint8_t field) {
    uint32_t words = 0;
    const bool stemmed = text::has_stemmer(lang);
    text::tokenize(input, [&](const text::Token& token) {
      words += token.in_length ? 1 : 0;
      const TermOrd surface = intern(token.term);
      count(surface, doc, field);
      if (!stemmed || !token.stemmable) return;
      const TermOrd stem = stem_term(surface, lang);
      if (stem != kSameTerm) count(stem, doc, field);
    });
    return words;
  }
};

SegmentBuilder::SegmentBuilder() : impl_(std::make_unique<Impl>()) {}
SegmentBuilder::~SegmentBuilder() = default;
SegmentBuilder::SegmentBuilder(SegmentBuilder&&) noexcept = default;
SegmentBuilder& SegmentBuilder::operator=(SegmentBuilder&&) noexcept = default;

void SegmentBuilder::add(const DocInput& doc) {
  const auto ord = static_cast<DocOrd>(impl_->columns.size());
  impl_->add_text(doc.title_text, ord, doc.lang, kTitleField);
  impl_->add_text(doc.heading_text, ord, doc.lang, kHeadingField);
  const uint32_t length =
      impl_->add_text(doc.body, ord, doc.lang, doc.property ? uint8_t{kPropertyField} : uint8_t{0});
  impl_->columns.note.push_back(doc.note);
  impl_->columns.chunk.push_back(doc.chunk);
  impl_->columns.id.push_back(doc.id);
  impl_->columns.length.push_back(length);
  impl_->columns.lang.push_back(static_cast<uint8_t>(doc.lang));
}

void SegmentBuilder::add_names(int64_t note, const std::vector<std::string>& names) {
  const std::vector<int64_t>& notes = impl_->columns.note;
  // The note's documents were added last: walk back to the first of them.
  size_t first = notes.size();
  while (first > 0 && notes[first - 1] == note) --first;
  if (first == notes.size()) return;
  const auto lang = static_cast<text::Lang>(impl_->columns.lang[first]);
  for (const std::string& name : names) {
    impl_->names.add(note, static_cast<DocOrd>(first), name, lang);
  }
}

uint32_t SegmentBuilder::docs() const { return static_cast<uint32_t>(impl_->columns.size()); }

size_t SegmentBuilder::memory_bytes() const {
  return impl_->bytes + impl_->columns.size() * 40 + impl_->table.size() * sizeof(TermOrd) +
         impl_->names.memory_bytes();
}

EncodedSegment SegmentBuilder::finish() && {
  EncodedSegment out;
  out.docs = docs();
  out.columns = encode_columns(impl_->columns);
  out.names = std::move(impl_->names).encode();
  std::vector<Term*> order;
  order.reserve(impl_->terms.size());
  for (Term& term : impl_->terms) {
    impl_->flush(term);
    if (term.count > 0) order.push_back(&term);
  }
  std::sort(order.begin(), order.end(),
            [](const Term* a, const Term* b) { return a->key < b->key; });
  out.terms.reserve(order.size());
  for (Term* term : order) {
    std::string blob;
    put_varint(blob, term->count);
    blob += term->postings;
    out.terms.emplace_back(std::move(term->key), std::move(blob));
    term->postings = std::string();
  }
  return out;
}

}  // namespace lectern::lexical
