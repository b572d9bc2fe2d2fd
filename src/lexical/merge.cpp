// Merging segments: a k-way walk over their sorted terms, one term in memory at a time.
// Documents keep their order: input by input, without the deleted ones.
#include <optional>

#include "lexical/codec.h"
#include "lexical/names.h"
#include "lexical/segment.h"

namespace lectern::lexical {

namespace {

struct Source {
  TermStream* terms = nullptr;
  std::vector<DocOrd> new_ordinal;  // NamesBuilder::kDropped: deleted
  std::string_view term, postings;
  bool live = false;

  Status advance() {
    TRY(live, terms->next(term, postings));
    return {};
  }
};

bool is_deleted(const DeletedBits* deleted, size_t doc) {
  return deleted != nullptr && doc < deleted->size() && (*deleted)[doc];
}

// Appends the live documents of one input and says where each went.
std::vector<DocOrd> append_columns(const MergeInput& input, DocColumns& merged) {
  const DocColumns& from = *input.columns;
  std::vector<DocOrd> new_ordinal(from.size(), NamesBuilder::kDropped);
  for (size_t doc = 0; doc < from.size(); ++doc) {
    if (is_deleted(input.deleted, doc)) continue;
    new_ordinal[doc] = static_cast<DocOrd>(merged.size());
    merged.note.push_back(from.note[doc]);
    merged.chunk.push_back(from.chunk[doc]);
    merged.id.push_back(from.id[doc]);
    merged.length.push_back(from.length[doc]);
    merged.lang.push_back(from.lang[doc]);
  }
  return new_ordinal;
}

// The smallest term any source stands at; empty optional at the end.
std::optional<std::string> smallest(const std::vector<Source>& sources) {
  const Source* best = nullptr;
  for (const Source& source : sources) {
    if (source.live && (best == nullptr || source.term < best->term)) best = &source;
  }
  if (best == nullptr) return std::nullopt;
  return std::string(best->term);
}

// Gathers the postings of `term` from every source that has it, and moves those on.
Status gather(std::string_view term, std::vector<Source>& sources, std::string& body,
              uint32_t& count) {
  DocOrd expected = 0;
  for (Source& source : sources) {
    if (!source.live || source.term != term) continue;
    const auto docs = static_cast<uint32_t>(source.new_ordinal.size());
    const bool ok =
        for_each_posting(source.postings, docs, [&](DocOrd doc, uint32_t body_tf, uint8_t fields) {
          if (source.new_ordinal[doc] == NamesBuilder::kDropped) return;
          put_posting(body, {source.new_ordinal[doc], body_tf, fields}, expected);
          ++count;
        });
    if (!ok) return fail(ErrorCode::kBadIndex, "damaged posting list", std::string(term));
    TRY_STATUS(source.advance());
    if (source.live && source.term <= term) {
      return fail(ErrorCode::kBadIndex, "terms out of order", std::string(term));
    }
  }
  return {};
}

}  // namespace

Result<MergedHeader> merge_segments(
    const std::vector<MergeInput>& inputs,
    const std::function<Status(std::string_view term, std::string_view postings)>& emit) {
  DocColumns merged;
  NamesBuilder names;
  std::vector<Source> sources(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    sources[i].terms = inputs[i].terms;
    sources[i].new_ordinal = append_columns(inputs[i], merged);
    TRY_STATUS(names.append(inputs[i].names, sources[i].new_ordinal));
    TRY_STATUS(sources[i].advance());
  }
  std::string body;
  std::string blob;
  while (const std::optional<std::string> term = smallest(sources)) {
    body.clear();
    uint32_t count = 0;
    TRY_STATUS(gather(*term, sources, body, count));
    if (count == 0) continue;
    blob.clear();
    put_varint(blob, count);
    blob += body;
    TRY_STATUS(emit(*term, blob));
  }
  MergedHeader header;
  header.docs = static_cast<uint32_t>(merged.size());
  header.columns = encode_columns(merged);
  header.names = std::move(names).encode();
  return header;
}

}  // namespace lectern::lexical
