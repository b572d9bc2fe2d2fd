// Keyword lane: BM25 with top-k over the snapshot's segments; see lanes.h.
#include <unordered_map>
#include <utility>

#include "chunk/chunk.h"
#include "retrieve/lanes.h"
#include "text/normalize.h"

namespace lectern::retrieve {

namespace {

Candidate to_candidate(const lexical::ScoredDoc& doc, const Snapshot& snapshot) {
  Candidate candidate;
  candidate.ref = doc.ref;
  candidate.note = snapshot.note_of(doc.ref);
  candidate.chunk = snapshot.chunk_of(doc.ref);
  candidate.id = doc.id;
  return candidate;
}

// The folded text that phrases are looked for in: title and passage.
lexical::DocText doc_text(const LaneInput& input) {
  return [&input](lexical::DocRef ref) -> Result<std::string> {
    TRY(const auto row, input.reader.chunk(input.snapshot.chunk_of(ref)));
    TRY(const auto note, input.reader.load_note(input.snapshot.note_of(ref)));
    if (!row || !note) {
      return fail(ErrorCode::kBadIndex, "a posting names a chunk that is not stored");
    }
    return text::fold(note->title + "\n" + chunk::chunk_text(*note, row->chunk));
  };
}

}  // namespace

Result<KeywordLane> keyword_lane(const LaneInput& input) {
  const lexical::DocFilter accepts = [&](lexical::DocRef ref) { return input.filter.accepts(ref); };
  const lexical::DocText folded_text = doc_text(input);
  lexical::EvaluateOptions options;
  options.keyword = input.config.keyword;
  // Deeper than asked, so that the cap of passages a note leaves enough notes.
  options.k = input.depth * 4;
  options.filter = input.filter.everything() ? nullptr : &accepts;
  options.text = &folded_text;
  TRY(auto found, lexical::evaluate(input.query, input.snapshot.segments, input.snapshot.stats,
                                    input.reader, options));

  KeywordLane out;
  out.lane.name = "keyword";
  out.lane.weight = input.config.fusion.keyword_weight;
  out.word_idf = std::move(found.word_idf);
  out.word_df = std::move(found.word_df);
  out.phrase_cut = found.phrase_cut;
  std::unordered_map<int64_t, uint32_t> taken;  // note -> passages
  for (const lexical::ScoredDoc& doc : found.docs) {
    if (out.lane.candidates.size() >= input.depth) break;
    Candidate candidate = to_candidate(doc, input.snapshot);
    if (++taken[candidate.note] > input.config.search.max_per_note) continue;
    const auto rank = static_cast<uint32_t>(out.lane.candidates.size() + 1);
    candidate.lanes["keyword"] = {rank, doc.score};
    out.lane.candidates.push_back(std::move(candidate));
  }
  return out;
}

Result<Lane> title_lane(const LaneInput& input) {
  Lane lane;
  lane.name = "title";
  lane.weight = input.config.fusion.title_weight;
  // A note passes when any of its chunks does; the filter is asked again for the chunk.
  std::unordered_map<int64_t, bool> note_passes;
  const lexical::DocFilter accepts = [&](lexical::DocRef ref) {
    if (input.filter.accepts(ref)) return true;
    const int64_t note = input.snapshot.note_of(ref);
    const auto [known, fresh] = note_passes.try_emplace(note, false);
    if (fresh) {
      const auto& notes = input.snapshot.segments[ref.segment_index].columns->note;
      for (lexical::DocOrd doc = ref.doc; doc < notes.size() && notes[doc] == note; ++doc) {
        if (input.filter.accepts({ref.segment_index, doc})) known->second = true;
      }
    }
    return known->second;
  };
  TRY(const auto notes,
      lexical::evaluate_titles(input.query, input.snapshot.segments,
                               input.filter.everything() ? nullptr : &accepts, input.depth));
  if (notes.empty()) return lane;

  std::unordered_map<int64_t, lexical::DocRef> best;
  const lexical::DocFilter of_these = [&](lexical::DocRef ref) {
    return best.contains(input.snapshot.note_of(ref)) && input.filter.accepts(ref);
  };
  for (const lexical::ScoredNote& note : notes) best.emplace(note.note, note.first_doc);
  lexical::EvaluateOptions options;
  options.keyword = input.config.keyword;
  options.k = input.depth * 8;
  options.filter = &of_these;
  // Phrases and exclusions bind this lane too: then only passages that hold to them count.
  const bool strict = !input.query.phrases.empty() || !input.query.excluded.empty();
  const lexical::DocText folded_text = doc_text(input);
  options.text = &folded_text;
  TRY(const auto found, lexical::evaluate(input.query, input.snapshot.segments,
                                          input.snapshot.stats, input.reader, options));
  std::unordered_map<int64_t, bool> placed;
  for (const lexical::ScoredDoc& doc : found.docs) {
    const int64_t note = input.snapshot.note_of(doc.ref);
    if (placed.emplace(note, true).second) best[note] = doc.ref;
  }
  for (const lexical::ScoredNote& note : notes) {
    const lexical::DocRef ref = best[note.note];
    if (!input.filter.accepts(ref) || (strict && !placed.contains(note.note))) continue;
    lexical::ScoredDoc doc;
    doc.ref = ref;
    doc.id = input.snapshot.segments[ref.segment_index].columns->id[ref.doc];
    Candidate candidate = to_candidate(doc, input.snapshot);
    const auto rank = static_cast<uint32_t>(lane.candidates.size() + 1);
    candidate.lanes["title"] = {rank, note.score};
    lane.candidates.push_back(std::move(candidate));
  }
  return lane;
}

}  // namespace lectern::retrieve
