// The title lane: notes by how much of a name (title, alias, file stem) the query says.
//
// coverage = idf of the name's words that the query has / idf of all its words, with
// idf = ln(1 + (N - df + .5) / (df + .5)) over live names. An identifier of the name counts
// in both sums when the query has exactly it. score = coverage * idf matched.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/hash.h"
#include "lexical/evaluate.h"
#include "lexical/names.h"
#include "text/char_class.h"

namespace lectern::lexical {

namespace {

constexpr double kMinCoverage = 0.5;

struct Match {
  uint32_t segment = 0, name = 0, word = 0;
  bool exact = false;  // by an identifier of the query
  auto operator<=>(const Match&) const = default;
};

// Digits or joiners make a spelling specific; GitHub alone does not.
bool is_specific(const QueryWord& word) {
  return word.kind == text::TokenKind::kIdentifier &&
         std::any_of(word.surface.begin(), word.surface.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x80 && !text::ascii_letter(c);
         });
}

class TitleLane {
 public:
  TitleLane(const std::vector<SegmentView>& segments, const DocFilter* filter)
      : segments_(segments), filter_(filter) {}

  Status open() {
    for (const SegmentView& segment : segments_) {
      const auto docs = static_cast<uint32_t>(segment.columns->size());
      TRY(const NamesView view, NamesView::open(*segment.names, docs));
      views_.push_back(view);
      const auto s = static_cast<uint32_t>(views_.size() - 1);
      if (!has_deleted(s)) {
        live_names_ += view.names();
        continue;
      }
      for (uint32_t name = 0; name < view.names(); ++name) live_names_ += is_live(s, name) ? 1 : 0;
    }
    return {};
  }

  std::vector<ScoredNote> run(const ParsedQuery& query, uint32_t k) {
    std::vector<Match> matches;
    for (const QueryWord& word : query.words) {
      if (!word.makeweight()) find_word(word, matches);
    }
    std::sort(matches.begin(), matches.end());
    for (size_t i = 0; i < matches.size();) {
      size_t end = i + 1;
      while (end < matches.size() && matches[end].segment == matches[i].segment &&
             matches[end].name == matches[i].name) {
        ++end;
      }
      score_name(matches.data() + i, matches.data() + end);
      i = end;
    }
    return best(k);
  }

 private:
  bool has_deleted(uint32_t s) const {
    return segments_[s].deleted != nullptr && !segments_[s].deleted->empty();
  }

  bool is_live(uint32_t s, uint32_t name) const {
    const DocOrd doc = views_[s].first_doc(name);
    if (doc >= segments_[s].columns->size()) return false;
    const DeletedBits* deleted = segments_[s].deleted.get();
    return deleted == nullptr || doc >= deleted->size() || !(*deleted)[doc];
  }

  void find_word(const QueryWord& word, std::vector<Match>& matches) const {
    const bool specific = is_specific(word);
    for (const std::string& member : word.members) {
      const uint64_t hash = hash64(member);
      for (uint32_t s = 0; s < views_.size(); ++s) {
        const auto [first, last] = views_[s].find(hash);
        for (uint32_t i = first; i < last; ++i) {
          const NameEntry entry = views_[s].entry(i);
          if (entry.name >= views_[s].names() || !is_live(s, entry.name)) continue;
          matches.push_back({s, entry.name, entry.word, specific && member == word.surface});
        }
      }
    }
  }

  double idf(uint64_t hash) {
    const auto [at, fresh] = idfs_.try_emplace(hash, 0.0);
    if (!fresh) return at->second;
    double df = 0;
    for (uint32_t s = 0; s < views_.size(); ++s) {
      const auto [first, last] = views_[s].find(hash);
      if (!has_deleted(s)) {
        df += last - first;
        continue;
      }
      for (uint32_t i = first; i < last; ++i) {
        const NameEntry entry = views_[s].entry(i);
        df += entry.name < views_[s].names() && is_live(s, entry.name) ? 1 : 0;
      }
    }
    const double all = std::max(static_cast<double>(live_names_), df);
    at->second = std::log(1 + (all - df + 0.5) / (df + 0.5));
    return at->second;
  }

  // `first`..`last`: the matches of one name, by word.
  void score_name(const Match* first, const Match* last) {
    const NamesView& view = views_[first->segment];
    const auto [word_first, word_last] = view.words(first->name);
    double all = 0;
    double matched = 0;
    bool exact = false;
    for (uint32_t word = word_first; word < word_last; ++word) {
      const Match* here = first;
      while (here < last && here->word != word - word_first) ++here;
      bool here_exact = false;
      for (const Match* m = here; m < last && m->word == word - word_first; ++m) {
        here_exact = here_exact || m->exact;
      }
      exact = exact || here_exact;
      const bool whole = (view.word_flags(word) & kExactWord) != 0;
      if (whole && !here_exact) continue;
      const double mass = idf(view.word_hash(word));
      all += mass;
      if (here < last) matched += mass;
    }
    if (all <= 0 || matched <= 0) return;
    const double coverage = matched / all;
    if (coverage < kMinCoverage && !exact) return;
    add(first->segment, first->name, coverage, matched);
  }

  void add(uint32_t s, uint32_t name, double coverage, double matched) {
    const DocRef ref{s, views_[s].first_doc(name)};
    if (filter_ != nullptr && !(*filter_)(ref)) return;
    const ScoredNote scored{views_[s].note(name), ref, coverage * matched, coverage};
    const auto [at, fresh] = notes_.try_emplace(scored.note, scored);
    if (!fresh && better(scored, at->second)) at->second = scored;
  }

  const Hash128& id_of(const ScoredNote& note) const {
    return segments_[note.first_doc.segment_index].columns->id[note.first_doc.doc];
  }

  bool better(const ScoredNote& a, const ScoredNote& b) const {
    if (a.score != b.score) return a.score > b.score;
    if (a.coverage != b.coverage) return a.coverage > b.coverage;
    return id_of(a) < id_of(b);
  }

  std::vector<ScoredNote> best(uint32_t k) const {
    std::vector<ScoredNote> out;
    out.reserve(notes_.size());
    for (const auto& [id, note] : notes_) out.push_back(note);
    std::sort(out.begin(), out.end(),
              [&](const ScoredNote& a, const ScoredNote& b) { return better(a, b); });
    if (out.size() > k) out.resize(k);
    return out;
  }

  const std::vector<SegmentView>& segments_;
  const DocFilter* filter_;
  std::vector<NamesView> views_;
  uint64_t live_names_ = 0;
  std::unordered_map<uint64_t, double> idfs_;
  std::unordered_map<int64_t, ScoredNote> notes_;
};

}  // namespace

Result<std::vector<ScoredNote>> evaluate_titles(const ParsedQuery& query,
                                                const std::vector<SegmentView>& segments,
                                                const DocFilter* filter, uint32_t k) {
  TitleLane lane(segments, filter);
  TRY_STATUS(lane.open());
  return lane.run(query, k);
}

}  // namespace lectern::lexical
