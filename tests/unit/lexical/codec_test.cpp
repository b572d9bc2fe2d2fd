// Encodings: round trips, and every truncation or flipped byte is reported, never read past.
#include "lexical/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "lexical/names.h"
#include "memory_index.h"

namespace lectern::lexical {
namespace {

std::vector<Posting> sample() {
  return {{0, 1, 0},
          {1, 2, 0},
          {5, 1, 1},
          {6, 0, 7},
          {300, 70000, 4},
          {100000, 1, 0},
          {100001, kMaxBodyTf, 2}};
}

bool same(const std::vector<Posting>& a, const std::vector<Posting>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.doc == y.doc && x.body_tf == y.body_tf && x.fields == y.fields;
  });
}

TEST(Postings, RoundTrip) {
  std::vector<Posting> decoded;
  bool ok = false;
  decode_postings_into(encode_postings(sample()), 100002, decoded, ok);
  EXPECT_TRUE(ok);
  EXPECT_TRUE(same(decoded, sample()));
  decode_postings_into(encode_postings({}), 0, decoded, ok);
  EXPECT_TRUE(ok);
  EXPECT_TRUE(decoded.empty());
}

TEST(Postings, BytesAsDocumented) {
  // count 2; document 3, plain: 3 << 1 | 1 = 7; document 4 follows at gap 0, tf 2, title:
  // 0 << 1 = 0, then 2 << 3 | 1 = 17.
  EXPECT_EQ(encode_postings({{3, 1, 0}, {4, 2, 1}}), std::string("\x02\x07\x00\x11", 4));
}

TEST(Postings, OrdinalsOutsideTheSegmentAreRefused) {
  std::vector<Posting> decoded;
  bool ok = true;
  decode_postings_into(encode_postings(sample()), 100001, decoded, ok);
  EXPECT_FALSE(ok);
  for (const Posting& posting : decoded) EXPECT_LT(posting.doc, 100001U);
}

TEST(Postings, EveryTruncationIsReported) {
  const std::string blob = encode_postings(sample());
  for (size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(
        decode_postings(std::string_view(blob).substr(0, size), 100002, [](const Posting&) {}))
        << size;
  }
  EXPECT_FALSE(decode_postings(blob + "\x01", 100002, [](const Posting&) {}));
}

TEST(Postings, RandomBytesNeverGiveAnOrdinalOutside) {
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::string blob;
    for (auto i = random() % 40; i > 0; --i) blob.push_back(static_cast<char>(random()));
    const uint32_t docs = static_cast<uint32_t>(random() % 300);
    int64_t last = -1;
    decode_postings(blob, docs, [&](const Posting& posting) {
      EXPECT_LT(posting.doc, docs);
      EXPECT_GT(static_cast<int64_t>(posting.doc), last);
      last = posting.doc;
    });
  }
}

TEST(Columns, RoundTripAndTruncation) {
  DocColumns columns;
  columns.note = {7, -1};
  columns.chunk = {1, int64_t{1} << 40};
  columns.length = {3, 0xFFFFFFFF};
  columns.id = {{1, 2}, {~uint64_t{0}, 4}};
  columns.lang = {1, 32};
  const std::string blob = encode_columns(columns);
  const DocColumns back = decode_columns(blob).value();
  EXPECT_EQ(back.note, columns.note);
  EXPECT_EQ(back.chunk, columns.chunk);
  EXPECT_EQ(back.length, columns.length);
  EXPECT_EQ(back.id, columns.id);
  EXPECT_EQ(back.lang, columns.lang);
  for (size_t size = 0; size < blob.size(); ++size) {
    const auto cut = decode_columns(std::string_view(blob).substr(0, size));
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error().code, ErrorCode::kBadIndex);
  }
  EXPECT_FALSE(decode_columns(blob + "x").has_value());
}

TEST(Names, TruncatedOrFlippedNamesNeverCrash) {
  MemoryIndex index;
  index.add_segment({{"body", "Alpha INC-0417 beta"}, {"body", "Gamma delta"}});
  const std::string blob = index.encoded()[0].names;
  for (size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(NamesView::open(std::string_view(blob).substr(0, size), 2).has_value());
  }
  const ParsedQuery query = parse_query("alpha INC-0417 gamma delta", {});
  for (size_t at = 0; at < blob.size(); ++at) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string damaged = blob;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      SegmentView view = index.views()[0];
      view.names = std::make_shared<const std::string>(damaged);
      const auto result = evaluate_titles(query, {view}, nullptr, 10);
      if (!result) {
        EXPECT_EQ(result.error().code, ErrorCode::kBadIndex);
        continue;
      }
      for (const ScoredNote& note : *result) EXPECT_LT(note.first_doc.doc, 2U);
    }
  }
}

TEST(Segment, IndexTermsOfAWord) {
  MemoryIndex index;
  index.add_segment({{"Running run INC-0417"}});
  std::vector<std::string> terms;
  for (const auto& [term, blob] : index.encoded()[0].terms) terms.push_back(term);
  // Surface always; en:run for "running"; "run" is its own stem.
  EXPECT_EQ(terms,
            (std::vector<std::string>{"0417", "en:run", "inc", "inc-0417", "run", "running"}));
}

TEST(Segment, FieldsAndLength) {
  MemoryIndex index;
  index.add_segment(
      {{"word word other", "word", "heading word"}, {"word", "", "", text::Lang::kEn, true}});
  std::string blob;
  ASSERT_TRUE(index.postings(100, "word", blob).value());
  std::vector<Posting> postings;
  bool ok = false;
  decode_postings_into(blob, 2, postings, ok);
  ASSERT_TRUE(ok);
  EXPECT_TRUE(same(postings, {{0, 2, kTitleField | kHeadingField}, {1, 0, kPropertyField}}));
  EXPECT_EQ(index.views()[0].columns->length, (std::vector<uint32_t>{3, 1}));
}

}  // namespace
}  // namespace lectern::lexical
