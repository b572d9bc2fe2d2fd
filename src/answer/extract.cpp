// Chooses units and writes the extractive answer; see extract.h.
#include "answer/extract.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "chunk/block_id.h"
#include "retrieve/search.h"
#include "vault/parse.h"

namespace lectern::answer {

namespace {

// A further unit must add at least this share of the question's weight, and be about the
// question itself: hold a fair share of what the best unit and its surroundings hold.
constexpr double kMinGain = 0.2;
constexpr double kMinRelevance = 0.6;

bool ends_with_colon(std::string_view text) { return text.ends_with(':') || text.ends_with("："); }

// A citation of `unit`'s lines; an equal one that stands already is used again.
uint32_t cite(const Unit& unit, uint32_t line_first, uint32_t line_last, std::string quote,
              uint32_t block_index, const retrieve::Retrieved& found, const Config& config,
              AskReply& reply) {
  const retrieve::Passage& passage = found.passages[unit.passage];
  const Note& note = passage.live->note;
  for (const Citation& known : reply.citations) {
    if (known.path == passage.live->meta.path && known.line_first == line_first &&
        known.line_last == line_last && known.quote == quote) {
      return known.marker;
    }
  }
  const Block& block = note.blocks[block_index];
  Citation citation;
  citation.marker = static_cast<uint32_t>(reply.citations.size() + 1);
  citation.path = passage.live->meta.path;
  citation.line_first = line_first;
  citation.line_last = line_last;
  citation.quote = std::move(quote);
  citation.heading = vault::heading_path(note, block.heading);
  citation.chunk_id = to_hex(passage.row.chunk.id);
  citation.block_id = to_hex(chunk::block_ids(note)[block_index]);
  citation.node_id = block.node_id;
  citation.uri = retrieve::obsidian_uri(config, citation.path, citation.heading);
  reply.citations.push_back(std::move(citation));
  return reply.citations.back().marker;
}

bool is_list(BlockKind kind) {
  return kind == BlockKind::kListItem || kind == BlockKind::kTableRow;
}

}  // namespace

std::vector<const Unit*> choose_units(const std::vector<Unit>& units, const Question& question,
                                      const AnswerConfig& config) {
  std::vector<const Unit*> chosen;
  if (units.empty() || question.mass <= 0) return chosen;
  uint64_t own = units.front().own;
  uint64_t context = units.front().context;
  chosen.push_back(&units.front());
  const double wanted = kMinRelevance * coverage(question, own, context);
  while (chosen.size() < config.max_sentences) {
    const Unit* best = nullptr;
    double best_gain = kMinGain;
    const double now = coverage(question, own, context);
    for (const Unit& unit : units) {
      // Context alone does not earn a place: the unit itself must say something new.
      if ((unit.own & ~(own | context)) == 0) continue;
      if (coverage(question, unit.own, unit.context) < wanted) continue;
      const double gain = coverage(question, own | unit.own, context | unit.context) - now;
      if (gain > best_gain) {
        best_gain = gain;
        best = &unit;
      }
    }
    if (best == nullptr) break;
    chosen.push_back(best);
    own |= best->own;
    context |= best->context;
  }
  return chosen;
}

std::vector<Unit> with_items(const std::vector<const Unit*>& chosen, const std::vector<Unit>& units,
                             const retrieve::Retrieved& found, const AnswerConfig& config) {
  std::vector<Unit> out;
  std::set<std::string> said;
  const auto say = [&](const Unit& unit) {
    if (said.insert(unit.plain).second) out.push_back(unit);
  };
  for (const Unit* unit : chosen) {
    say(*unit);
    if (!ends_with_colon(unit->plain)) continue;
    const Note& note = found.passages[unit->passage].live->note;
    std::vector<const Unit*> items;
    for (const Unit& other : units) {
      if (other.passage != unit->passage || other.block <= unit->block) continue;
      const Block& block = note.blocks[other.block];
      const auto lead = static_cast<int32_t>(unit->block);
      if (is_list(block.kind) && (block.lead == lead || block.parent == lead)) {
        items.push_back(&other);
      }
    }
    std::sort(items.begin(), items.end(), [](const Unit* a, const Unit* b) {
      return std::pair(a->block, a->line_first) < std::pair(b->block, b->line_first);
    });
    for (const Unit* item : items) {
      if (out.size() >= 4ul * config.max_sentences) break;
      say(*item);
    }
  }
  return out;
}

void write_answer(const std::vector<Unit>& units, const retrieve::Retrieved& found,
                  const Config& config, AskReply& reply) {
  for (const Unit& unit : units) {
    const Note& note = found.passages[unit.passage].live->note;
    const Block& block = note.blocks[unit.block];
    Claim claim;
    claim.text = unit.plain;
    claim.verdict = "supported";  // verbatim by construction
    claim.citations.push_back(
        cite(unit, unit.line_first, unit.line_last, unit.quote, unit.block, found, config, reply));
    if (block.kind == BlockKind::kTableRow && block.parent >= 0) {
      // The column names in the text come from the header line.
      const auto header = static_cast<uint32_t>(block.parent);
      const Block& header_block = note.blocks[header];
      claim.citations.push_back(
          cite(unit, header_block.span.line_first, header_block.span.line_last,
               std::string(note.block_text(header_block)), header, found, config, reply));
    }
    claim.checks.push_back({"verbatim", unit.quote, unit.line_first});
    std::string sentence = claim.text;
    for (const uint32_t marker : claim.citations) sentence += " [" + std::to_string(marker) + "]";
    reply.answer += (reply.answer.empty() ? "" : "\n") + sentence;
    reply.claims.push_back(std::move(claim));
  }
  reply.answered = true;
}

}  // namespace lectern::answer
