// Encoding and checked decoding of packed notes; see packed_note.h.
#include "store/packed_note.h"

#include <utility>

#include "store/binary.h"

namespace lectern::store {

namespace {

constexpr uint8_t kVersion = 1;

// What a block carries besides its place; most blocks carry none of it.
enum BlockFlag : uint8_t {
  kHasDate = 1,
  kHasAnchor = 2,
  kHasHidden = 4,
  kHasCanvas = 8,  // node id and unescaped text
  kHasParent = 16,
  kHasLead = 32,
  kAllFlags = 63,
};

void write_date(ByteWriter& out, const DateStamp& date) {
  out.byte(static_cast<uint8_t>(date.precision));
  out.byte(static_cast<uint8_t>(date.source));
  out.signed_number(date.day_first);
  out.signed_number(date.day_end);
}

void read_date(ByteReader& in, DateStamp& date) {
  const uint8_t precision = in.byte();
  const uint8_t source = in.byte();
  if (precision > static_cast<uint8_t>(DatePrecision::kDay) ||
      source > static_cast<uint8_t>(DateSource::kFrontmatter)) {
    return in.give_up();
  }
  date.precision = static_cast<DatePrecision>(precision);
  date.source = static_cast<DateSource>(source);
  date.day_first = in.signed32();
  date.day_end = in.signed32();
}

uint8_t flags_of(const Block& block) {
  unsigned flags = 0;
  if (block.date != DateStamp{}) flags |= kHasDate;
  if (!block.anchor.empty()) flags |= kHasAnchor;
  if (!block.hidden.empty()) flags |= kHasHidden;
  if (!block.node_id.empty() || !block.unescaped.empty()) flags |= kHasCanvas;
  if (block.parent >= 0) flags |= kHasParent;
  if (block.lead >= 0) flags |= kHasLead;
  return static_cast<uint8_t>(flags);
}

// Lines and bytes are written as differences to the block before: small numbers.
void write_block(ByteWriter& out, const Block& block, const SourceSpan& previous) {
  const uint8_t flags = flags_of(block);
  out.byte(static_cast<uint8_t>(block.kind));
  out.byte(flags);
  out.signed_number(int64_t{block.span.line_first} - previous.line_first);
  out.number(block.span.line_last - block.span.line_first);
  out.signed_number(int64_t{block.span.byte_first} - previous.byte_first);
  out.number(block.span.byte_end - block.span.byte_first);
  out.number(static_cast<uint64_t>(int64_t{block.heading} + 1));
  if (flags & kHasParent) out.number(static_cast<uint64_t>(block.parent));
  if (flags & kHasLead) out.number(static_cast<uint64_t>(block.lead));
  if (flags & kHasDate) write_date(out, block.date);
  if (flags & kHasAnchor) out.bytes(block.anchor);
  if (flags & kHasHidden) {
    out.number(block.hidden.size());
    for (const ByteSpan& span : block.hidden) {
      out.number(span.first);
      out.number(span.end - span.first);
    }
  }
  if (flags & kHasCanvas) {
    out.bytes(block.node_id);
    out.bytes(block.unescaped);
  }
}

uint32_t offset_by(ByteReader& in, uint32_t base) {
  // In unsigned arithmetic, so that a hostile difference cannot overflow a signed number.
  const uint64_t value = base + static_cast<uint64_t>(in.signed_number());
  if (value > UINT32_MAX) return in.give_up(), 0;
  return static_cast<uint32_t>(value);
}

// A span of at most `size`, given as its first byte and length.
void read_length(ByteReader& in, uint32_t first, uint64_t size, uint32_t& end) {
  if (first > size) return in.give_up();
  end = first + static_cast<uint32_t>(in.number_upto(size - first));
}

void read_block(ByteReader& in, const Note& note, const SourceSpan& previous, size_t index,
                Block& block) {
  const uint8_t kind = in.byte();
  const uint8_t flags = in.byte();
  if (kind > static_cast<uint8_t>(BlockKind::kCanvasText) || flags > kAllFlags) {
    return in.give_up();
  }
  block.kind = static_cast<BlockKind>(kind);
  block.span.line_first = offset_by(in, previous.line_first);
  block.span.line_last = block.span.line_first +
                         static_cast<uint32_t>(in.number_upto(UINT32_MAX - block.span.line_first));
  block.span.byte_first = offset_by(in, previous.byte_first);
  read_length(in, block.span.byte_first, note.text.size(), block.span.byte_end);
  block.heading = static_cast<int32_t>(in.number_upto(note.headings.size())) - 1;
  // What a block hangs on stands before it; so no walk upwards can go in circles.
  const uint64_t before = index == 0 ? 0 : index - 1;
  if ((flags & (kHasParent | kHasLead)) != 0 && index == 0) return in.give_up();
  if (flags & kHasParent) block.parent = static_cast<int32_t>(in.number_upto(before));
  if (flags & kHasLead) block.lead = static_cast<int32_t>(in.number_upto(before));
  if (flags & kHasDate) read_date(in, block.date);
  if (flags & kHasAnchor) block.anchor = in.bytes();
  if (flags & kHasHidden) {
    block.hidden.resize(in.count());
    for (ByteSpan& span : block.hidden) {
      span.first = in.number32();
      read_length(in, span.first, note.text.size(), span.end);
    }
  }
  if (flags & kHasCanvas) {
    block.node_id = in.bytes();
    block.unescaped = in.bytes();
  }
}

void write_strings(ByteWriter& out, const std::vector<std::string>& strings) {
  out.number(strings.size());
  for (const std::string& string : strings) out.bytes(string);
}

void read_strings(ByteReader& in, std::vector<std::string>& strings) {
  strings.resize(in.count());
  for (std::string& string : strings) string = in.bytes();
}

void write_headings(ByteWriter& out, const std::vector<Heading>& headings) {
  out.number(headings.size());
  for (const Heading& heading : headings) {
    out.byte(heading.level);
    out.number(static_cast<uint64_t>(int64_t{heading.parent} + 1));
    out.number(heading.line);
    out.bytes(heading.text);
  }
}

void read_headings(ByteReader& in, std::vector<Heading>& headings) {
  headings.resize(in.count());
  for (size_t i = 0; i < headings.size() && !in.failed(); ++i) {
    headings[i].level = in.byte();
    headings[i].parent = static_cast<int32_t>(in.number_upto(i)) - 1;
    headings[i].line = in.number32();
    headings[i].text = in.bytes();
  }
}

void write_skips(ByteWriter& out, const std::vector<Skip>& skips) {
  out.number(skips.size());
  for (const Skip& skip : skips) {
    out.byte(static_cast<uint8_t>(skip.kind));
    out.number(skip.line_first);
    out.number(skip.line_last);
  }
}

void read_skips(ByteReader& in, std::vector<Skip>& skips) {
  skips.resize(in.count());
  for (Skip& skip : skips) {
    const uint8_t kind = in.byte();
    if (kind > static_cast<uint8_t>(SkipKind::kOther)) return in.give_up();
    skip.kind = static_cast<SkipKind>(kind);
    skip.line_first = in.number32();
    skip.line_last = in.number32();
  }
}

}  // namespace

std::string pack_body(const Note& note) {
  ByteWriter out;
  out.byte(kVersion);
  out.bytes(note.text);
  write_headings(out, note.headings);
  out.number(note.blocks.size());
  SourceSpan previous;
  for (const Block& block : note.blocks) {
    write_block(out, block, previous);
    previous = block.span;
  }
  write_skips(out, note.skips);
  return out.take();
}

bool unpack_body(std::string_view blob, Note& note) {
  ByteReader in(blob);
  if (in.byte() != kVersion) return false;
  note.text = in.bytes();
  if (note.text.size() > UINT32_MAX) return false;
  read_headings(in, note.headings);
  note.blocks.clear();
  const uint64_t blocks = in.count();
  SourceSpan previous;
  for (uint64_t i = 0; i < blocks && !in.failed(); ++i) {
    read_block(in, note, previous, i, note.blocks.emplace_back());
    previous = note.blocks.back().span;
  }
  read_skips(in, note.skips);
  return in.finished();
}

std::string pack_facts(const Facts& facts) {
  ByteWriter out;
  out.byte(kVersion);
  write_strings(out, facts.aliases);
  write_strings(out, facts.tags);
  out.number(facts.properties.size());
  for (const Property& property : facts.properties) {
    out.bytes(property.key);
    write_strings(out, property.values);
    out.number(property.line);
  }
  return out.take();
}

bool unpack_facts(std::string_view blob, Facts& facts) {
  ByteReader in(blob);
  if (in.byte() != kVersion) return false;
  read_strings(in, facts.aliases);
  read_strings(in, facts.tags);
  facts.properties.resize(in.count());
  for (Property& property : facts.properties) {
    property.key = in.bytes();
    read_strings(in, property.values);
    property.line = in.number32();
  }
  return in.finished();
}

std::string pack_bits(const std::vector<bool>& bits) {
  std::string out((bits.size() + 7) / 8, '\0');
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) out[i / 8] = static_cast<char>(static_cast<uint8_t>(out[i / 8]) | 1U << (i % 8));
  }
  return out;
}

bool unpack_bits(std::string_view blob, uint64_t size, std::vector<bool>& bits) {
  if (blob.size() != size / 8 + (size % 8 != 0 ? 1 : 0)) return false;
  bits.assign(size, false);
  for (uint64_t i = 0; i < size; ++i) {
    bits[i] = (static_cast<uint8_t>(blob[i / 8]) >> (i % 8) & 1U) != 0;
  }
  return true;
}

}  // namespace lectern::store
