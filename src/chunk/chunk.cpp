// Packs a note's blocks into chunks. The order of the work: sections, packing within a
// section, merging of short sections, splitting of blocks that no chunk can hold, ids.
#include "chunk/chunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "text/sentences.h"
#include "vault/parse.h"

namespace lectern::chunk {

namespace {

struct SizedBlock {
  uint32_t index = 0;
  uint32_t tokens = 0;
};

// A chunk in the making: consecutive blocks and their size.
struct Draft {
  std::vector<SizedBlock> blocks;
  uint32_t tokens = 0;

  void push(SizedBlock block) {
    blocks.push_back(block);
    tokens += block.tokens;
  }
  void take(Draft& other) {
    blocks.insert(blocks.end(), other.blocks.begin(), other.blocks.end());
    tokens += other.tokens;
    other = Draft{};
  }
};

bool is_property(const Block& block) { return block.kind == BlockKind::kProperty; }

// The readable text of a whole block: unescaped for canvas nodes, else comments blanked.
std::string readable_text(const Note& note, const Block& block) {
  return block.kind == BlockKind::kCanvasText ? block.unescaped : vault::visible_text(note, block);
}

// The part of a block's readable text that a chunk's span names, without making the whole:
// a long block has as many parts as it is long.
std::string slice_of(const Note& note, const Block& block, const SourceSpan& span) {
  const bool canvas = block.kind == BlockKind::kCanvasText;
  const std::string_view whole =
      canvas ? std::string_view(block.unescaped) : note.block_text(block);
  const size_t from = std::min<size_t>(span.byte_first - block.span.byte_first, whole.size());
  std::string text(whole.substr(from, span.byte_end - span.byte_first));
  if (canvas) return text;
  for (const ByteSpan& hidden : block.hidden) {
    const uint32_t first = std::max(hidden.first, span.byte_first);
    const uint32_t end = std::min(hidden.end, span.byte_end);
    for (uint32_t at = first; at < end; ++at) {
      char& c = text[at - span.byte_first];
      if (c != '\n') c = ' ';
    }
  }
  return text;
}

class Chunker {
 public:
  Chunker(const Note& note, const ChunkConfig& config, const TokenCounter& count)
      : note_(note), config_(config), count_(count) {}

  std::vector<Chunk> run() {
    const text::Lang note_lang = text::detect(note_.text);
    std::vector<Draft> drafts;
    size_t at = 0;
    while (at < note_.blocks.size()) {
      const size_t end = section_end(at);
      pack_section(at, end, drafts);
      at = end;
    }
    for (const Draft& draft : merge_short(std::move(drafts))) emit(draft, note_lang);
    return std::move(chunks_);
  }

 private:
  size_t section_end(size_t at) const {
    const Block& first = note_.blocks[at];
    size_t end = at + 1;
    while (end < note_.blocks.size()) {
      const Block& next = note_.blocks[end];
      const bool same =
          next.heading == first.heading && is_property(next) == is_property(first) &&
          next.date == first.date &&
          (next.kind == BlockKind::kCanvasText) == (first.kind == BlockKind::kCanvasText);
      if (!same) break;
      ++end;
    }
    return end;
  }

  uint32_t size_of(size_t index) const {
    // One more for the line break that joins it to the next block.
    return count_(readable_text(note_, note_.blocks[index])) + 1;
  }

  void pack_section(size_t at, size_t end, std::vector<Draft>& drafts) const {
    const size_t first_draft = drafts.size();
    Draft open;
    for (size_t i = at; i < end; ++i) {
      const SizedBlock block{static_cast<uint32_t>(i), size_of(i)};
      const bool full = !open.blocks.empty() && (open.tokens >= config_.target_tokens ||
                                                 open.tokens + block.tokens > config_.max_tokens);
      if (full) {
        drafts.push_back(std::move(open));
        open = Draft{};
      }
      open.push(block);
    }
    if (open.blocks.empty()) return;
    // A short tail joins the chunk before it where that still fits.
    if (drafts.size() > first_draft && open.tokens < config_.min_tokens &&
        drafts.back().tokens + open.tokens <= config_.max_tokens) {
      drafts.back().take(open);
    } else {
      drafts.push_back(std::move(open));
    }
  }

  // Short sections run on into the ones that follow, up to the target size. Dates and
  // properties are borders: a citation's date must be that of its own section.
  std::vector<Draft> merge_short(std::vector<Draft> drafts) const {
    std::vector<Draft> out;
    for (Draft& draft : drafts) {
      if (!out.empty() && out.back().tokens < config_.min_tokens && mergeable(out.back(), draft) &&
          out.back().tokens + draft.tokens <= config_.max_tokens) {
        out.back().take(draft);
      } else {
        out.push_back(std::move(draft));
      }
    }
    return out;
  }

  bool mergeable(const Draft& a, const Draft& b) const {
    const Block& left = note_.blocks[a.blocks.front().index];
    const Block& right = note_.blocks[b.blocks.front().index];
    return is_property(left) == is_property(right) && left.date == right.date &&
           left.kind != BlockKind::kCanvasText && right.kind != BlockKind::kCanvasText;
  }

  void emit(const Draft& draft, text::Lang note_lang) {
    if (draft.blocks.size() == 1 && draft.tokens > config_.max_tokens) {
      split_block(draft.blocks.front().index, note_lang);
      return;
    }
    const Block& first = note_.blocks[draft.blocks.front().index];
    const Block& last = note_.blocks[draft.blocks.back().index];
    Chunk chunk;
    chunk.block_first = draft.blocks.front().index;
    chunk.block_count = static_cast<uint32_t>(draft.blocks.size());
    chunk.span = {first.span.line_first, last.span.line_last, first.span.byte_first,
                  last.span.byte_end};
    if (first.kind == BlockKind::kCanvasText) {
      chunk.span.byte_end = first.span.byte_first + static_cast<uint32_t>(first.unescaped.size());
    }
    chunk.tokens = draft.tokens;
    finish(std::move(chunk), note_lang);
  }

  // Cuts one block that is over the window: at line ends, else sentence ends, else white
  // space, else anywhere between characters.
  void split_block(uint32_t index, text::Lang note_lang) {
    const Block& block = note_.blocks[index];
    const std::string text = readable_text(note_, block);
    uint32_t line = block.span.line_first;
    size_t at = 0;
    while (at < text.size()) {
      const size_t end = piece_end(text, at);
      const std::string_view piece = std::string_view(text).substr(at, end - at);
      const auto breaks = static_cast<uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
      const bool ends_line = !piece.empty() && piece.back() == '\n';
      if (piece.find_first_not_of(" \t\n\r") != std::string_view::npos) {
        Chunk chunk;
        chunk.block_first = index;
        chunk.block_count = 1;
        const bool canvas = block.kind == BlockKind::kCanvasText;
        const uint32_t line_last = line + breaks - (ends_line ? 1 : 0);
        chunk.span = {canvas ? block.span.line_first : line,
                      canvas ? block.span.line_last : line_last,
                      block.span.byte_first + static_cast<uint32_t>(at),
                      block.span.byte_first + static_cast<uint32_t>(end - (ends_line ? 1 : 0))};
        chunk.tokens = count_(piece);
        finish(std::move(chunk), note_lang);
      }
      line += breaks;
      at = end;
    }
  }

  // End of the longest piece from `at` that fits max_tokens, at the best border in it.
  size_t piece_end(std::string_view text, size_t at) const {
    const std::string_view rest = text.substr(at);
    // No tokenizer needs more than 16 bytes a token on average over a whole window, so the
    // search looks at no more than that: a long block costs linear time.
    size_t fit =
        utf8::floor_boundary(rest, std::min<size_t>(rest.size(), 16ul * config_.max_tokens));
    if (fit == rest.size() && count_(rest) <= config_.max_tokens) return text.size();
    size_t low = 0;
    size_t high = fit;
    while (low + 1 < high) {  // largest prefix that fits
      const size_t middle = utf8::floor_boundary(rest, (low + high) / 2);
      if (middle <= low) break;
      if (count_(rest.substr(0, middle)) <= config_.max_tokens) {
        low = middle;
      } else {
        high = middle;
      }
    }
    fit = low > 0 ? low : utf8::decode(rest, 0).bytes;
    const std::string_view window = rest.substr(0, fit);
    const size_t half = fit / 2;  // a border in the first half would waste the window
    if (const size_t lf = window.rfind('\n'); lf != std::string_view::npos && lf >= half) {
      return at + lf + 1;
    }
    const std::vector<text::ByteRange> sentences = text::split_sentences(window);
    if (sentences.size() > 1 && sentences.back().first >= half) return at + sentences.back().first;
    if (const size_t space = window.find_last_of(" \t\n");
        space != std::string_view::npos && space >= half) {
      return at + space + 1;
    }
    return at + fit;
  }

  void finish(Chunk chunk, text::Lang note_lang) {
    const Block& first = note_.blocks[chunk.block_first];
    chunk.kind = first.kind;
    chunk.heading = first.heading;
    chunk.date = first.date.known() ? first.date : note_.date;
    const std::string body = chunk_text(note_, chunk);
    chunk.lang = text::detect(body, note_lang);
    if (chunk.lang == text::Lang::kUnknown) chunk.lang = note_lang;
    Hasher hasher;
    hasher.add(note_.path);
    for (const std::string& heading : vault::heading_path(note_, chunk.heading))
      hasher.add(heading);
    hasher.add(body);
    const uint32_t occurrence = seen_[hasher.finish()]++;
    chunk.id = hasher.add(occurrence).finish();
    chunks_.push_back(std::move(chunk));
  }

  const Note& note_;
  const ChunkConfig& config_;
  const TokenCounter& count_;
  std::map<Hash128, uint32_t> seen_;
  std::vector<Chunk> chunks_;
};

}  // namespace

std::vector<Chunk> make_chunks(const Note& note, const ChunkConfig& config,
                               const TokenCounter& count_tokens) {
  return Chunker(note, config, count_tokens).run();
}

std::string chunk_text(const Note& note, const Chunk& chunk) {
  std::string out;
  for (uint32_t i = 0; i < chunk.block_count; ++i) {
    const Block& block = note.blocks[chunk.block_first + i];
    if (i > 0) out.push_back('\n');
    out += chunk.block_count == 1 ? slice_of(note, block, chunk.span) : readable_text(note, block);
  }
  return out;
}

std::string fingerprint(const ChunkConfig& config, std::string_view counter_name) {
  constexpr int kChunkerVersion = 1;
  return fmt::format("v{} {} {}/{}/{}", kChunkerVersion, counter_name, config.min_tokens,
                     config.target_tokens, config.max_tokens);
}

}  // namespace lectern::chunk
