// Packed notes: a round trip, and that no bytes whatever lead outside the note.
#include "store/packed_note.h"

#include <gtest/gtest.h>

#include <random>

#include "store/binary.h"

namespace lectern::store {
namespace {

Note rich_note() {
  Note note;
  note.text = "# A\n- one\n  - two %%x%%\n| a |\n";
  note.headings = {{1, -1, 1, "A"}, {6, 0, 4, "Ü"}};
  Block heading;
  heading.kind = BlockKind::kHeading;
  heading.span = {1, 1, 0, 3};
  heading.heading = 0;
  Block item;
  item.kind = BlockKind::kListItem;
  item.span = {2, 2, 4, 9};
  item.heading = 0;
  item.anchor = "id-1";
  item.date = {-400, 30, DatePrecision::kMonth, DateSource::kFileName};
  Block nested = item;
  nested.span = {3, 3, 10, 23};
  nested.parent = 1;
  nested.lead = 0;
  nested.hidden = {{18, 23}, {0, 0}};
  nested.anchor.clear();
  Block canvas;  // stands before the others in the file, belongs to no section
  canvas.kind = BlockKind::kCanvasText;
  canvas.span = {1, 1, 0, 3};
  canvas.node_id = "n";
  canvas.unescaped = "text\nof it";
  note.blocks = {heading, item, nested, canvas};
  note.skips = {{SkipKind::kComment, 5, 9}, {SkipKind::kOther, 1, 1}};
  return note;
}

void expect_same(const Note& a, const Note& b) {
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.headings.size(), b.headings.size());
  for (size_t i = 0; i < a.headings.size(); ++i) {
    EXPECT_EQ(a.headings[i].level, b.headings[i].level);
    EXPECT_EQ(a.headings[i].parent, b.headings[i].parent);
    EXPECT_EQ(a.headings[i].line, b.headings[i].line);
    EXPECT_EQ(a.headings[i].text, b.headings[i].text);
  }
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].kind, b.blocks[i].kind);
    EXPECT_EQ(a.blocks[i].span, b.blocks[i].span);
    EXPECT_EQ(a.blocks[i].heading, b.blocks[i].heading);
    EXPECT_EQ(a.blocks[i].parent, b.blocks[i].parent);
    EXPECT_EQ(a.blocks[i].lead, b.blocks[i].lead);
    EXPECT_EQ(a.blocks[i].date, b.blocks[i].date);
    EXPECT_EQ(a.blocks[i].anchor, b.blocks[i].anchor);
    EXPECT_EQ(a.blocks[i].hidden, b.blocks[i].hidden);
    EXPECT_EQ(a.blocks[i].node_id, b.blocks[i].node_id);
    EXPECT_EQ(a.blocks[i].unescaped, b.blocks[i].unescaped);
  }
  ASSERT_EQ(a.skips.size(), b.skips.size());
  for (size_t i = 0; i < a.skips.size(); ++i) {
    EXPECT_EQ(a.skips[i].kind, b.skips[i].kind);
    EXPECT_EQ(a.skips[i].line_first, b.skips[i].line_first);
    EXPECT_EQ(a.skips[i].line_last, b.skips[i].line_last);
  }
}

// What every user of a note relies on.
void expect_inside(const Note& note) {
  for (size_t i = 0; i < note.blocks.size(); ++i) {
    const Block& block = note.blocks[i];
    EXPECT_LE(block.span.byte_first, block.span.byte_end);
    EXPECT_LE(block.span.byte_end, note.text.size());
    EXPECT_LT(block.heading, static_cast<int64_t>(note.headings.size()));
    EXPECT_GE(block.heading, -1);
    EXPECT_LT(block.parent, static_cast<int64_t>(i));
    EXPECT_LT(block.lead, static_cast<int64_t>(i));
    for (const ByteSpan& span : block.hidden) {
      EXPECT_LE(span.first, span.end);
      EXPECT_LE(span.end, note.text.size());
    }
  }
  for (size_t i = 0; i < note.headings.size(); ++i) {
    EXPECT_LT(note.headings[i].parent, static_cast<int64_t>(i));
  }
}

TEST(PackedNote, RoundTrip) {
  const Note note = rich_note();
  Note back;
  ASSERT_TRUE(unpack_body(pack_body(note), back));
  expect_same(note, back);
  expect_inside(back);
}

TEST(PackedNote, TheEmptyNote) {
  Note back;
  ASSERT_TRUE(unpack_body(pack_body(Note()), back));
  expect_same(Note(), back);
}

TEST(PackedNote, CutAnywhereItIsRefused) {
  const std::string blob = pack_body(rich_note());
  for (size_t size = 0; size < blob.size(); ++size) {
    Note back;
    EXPECT_FALSE(unpack_body(std::string_view(blob).substr(0, size), back)) << size;
  }
  Note back;
  EXPECT_FALSE(unpack_body(blob + '\0', back));
}

TEST(PackedNote, AnyByteChangedNeverLeadsOutside) {
  const std::string blob = pack_body(rich_note());
  size_t accepted = 0;
  for (size_t at = 0; at < blob.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = blob;
      changed[at] = static_cast<char>(value);
      Note back;
      if (!unpack_body(changed, back)) continue;
      ++accepted;
      expect_inside(back);
    }
  }
  EXPECT_GT(accepted, blob.size());  // each byte unchanged once, and letters of the text
}

TEST(PackedNote, RandomBytesNeverLeadOutside) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string blob(random() % 80, '\0');
    for (char& c : blob) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 6);
    if (!blob.empty()) blob[0] = 1;
    Note back;
    if (unpack_body(blob, back)) expect_inside(back);
    Facts facts;
    unpack_facts(blob, facts);
  }
}

TEST(PackedNote, FactsRoundTripAndCuts) {
  const Facts facts = {{"a", ""}, {"t/u"}, {{"k", {"v", "w"}, 3}, {"", {}, 0}}};
  const std::string blob = pack_facts(facts);
  Facts back;
  ASSERT_TRUE(unpack_facts(blob, back));
  EXPECT_EQ(back.aliases, facts.aliases);
  EXPECT_EQ(back.tags, facts.tags);
  ASSERT_EQ(back.properties.size(), 2U);
  EXPECT_EQ(back.properties[0].key, "k");
  EXPECT_EQ(back.properties[0].values, facts.properties[0].values);
  EXPECT_EQ(back.properties[0].line, 3U);
  for (size_t size = 0; size < blob.size(); ++size) {
    Facts cut;
    EXPECT_FALSE(unpack_facts(std::string_view(blob).substr(0, size), cut)) << size;
  }
}

TEST(PackedNote, AHugeCountReservesNothing) {
  ByteWriter out;
  out.byte(1);
  out.bytes("");                  // no text
  out.number(uint64_t{1} << 60);  // headings
  Note back;
  EXPECT_FALSE(unpack_body(out.take(), back));
  EXPECT_TRUE(back.headings.empty());
}

TEST(PackedNote, Bits) {
  const std::vector<bool> bits = {true, false, false, true, false, false, false, false, true};
  // Lowest bit first: 1 + 8 = 9 in the first byte, the ninth document in the second.
  EXPECT_EQ(pack_bits(bits), std::string("\x09\x01", 2));
  std::vector<bool> back;
  ASSERT_TRUE(unpack_bits(std::string("\x09\x01", 2), 9, back));
  EXPECT_EQ(back, bits);
  EXPECT_FALSE(unpack_bits("\x09", 9, back));
  EXPECT_FALSE(unpack_bits("\x09\x01", 17, back));
  EXPECT_FALSE(unpack_bits("", UINT64_MAX, back));
}

TEST(Binary, NumbersAtTheirLimits) {
  ByteWriter out;
  for (const uint64_t value : {uint64_t{0}, uint64_t{127}, uint64_t{128}, UINT64_MAX}) {
    out.number(value);
  }
  for (const int64_t value : {int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
    out.signed_number(value);
  }
  const std::string bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(in.number(), 0U);
  EXPECT_EQ(in.number(), 127U);
  EXPECT_EQ(in.number(), 128U);
  EXPECT_EQ(in.number(), UINT64_MAX);
  EXPECT_EQ(in.signed_number(), 0);
  EXPECT_EQ(in.signed_number(), -1);
  EXPECT_EQ(in.signed_number(), INT64_MIN);
  EXPECT_EQ(in.signed_number(), INT64_MAX);
  EXPECT_TRUE(in.finished());
  ByteReader too_long("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  EXPECT_EQ(too_long.number(), 0U);
  EXPECT_TRUE(too_long.failed());
  ByteReader too_big("\xff\xff\xff\xff\x10");  // 2^32 + more
  EXPECT_EQ(too_big.number32(), 0U);
  EXPECT_TRUE(too_big.failed());
}

}  // namespace
}  // namespace lectern::store
