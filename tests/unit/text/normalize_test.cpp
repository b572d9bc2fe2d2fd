// Folding and normalisation, against values read off the Unicode tables.
#include "text/normalize.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace lectern::text {
namespace {

TEST(Fold, CaseAccentsAndCompatibilityForms) {
  EXPECT_EQ(fold("Hello WORLD 42"), "hello world 42");
  EXPECT_EQ(fold("Châtelier"), "chatelier");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("STRASSE"), "strasse");
  EXPECT_EQ(fold("ＩＮＣ－０４１７"), "inc-0417");
  EXPECT_EQ(fold("\uFB01ne"), "fine");  // the ligature fi
  EXPECT_EQ(fold("Łódź Ørsted Æsir œuvre"), "lodz orsted aesir oeuvre");
  EXPECT_EQ(fold("İstanbul ırmak"), "istanbul irmak");
  EXPECT_EQ(fold("Ἀθήνα Σίσυφος"), "αθηνα σισυφοσ");
}

TEST(Fold, DecomposedEqualsComposed) {
  EXPECT_EQ(fold("impo\u0302t"), "impot");
  EXPECT_EQ(fold("imp\u00F4t"), "impot");
  EXPECT_EQ(fold("\u1112\u1161\u11AB"), "\uD55C");  // Hangul letters give the syllable
  EXPECT_EQ(fold("\u304B\u3099"), "\u304C");        // ka + voicing mark: ga
  EXPECT_EQ(fold("\uFF76\uFF9E"), "\u30AC");        // the same in half width
}

TEST(Fold, CyrillicShortIAndIo) {
  EXPECT_EQ(fold("Йод ёлка"), "иод елка");
  EXPECT_EQ(fold("и\u0306од"), "иод");
}

TEST(Fold, MarksThatCarryMeaningStay) {
  EXPECT_EQ(fold("की"), "की");
  EXPECT_EQ(fold("ที่"), "ที่");
  EXPECT_EQ(fold("が"), "が");
}

TEST(Fold, ZeroWidthCharactersVanishAndBadBytesAreReplaced) {
  EXPECT_EQ(fold("ze\u200Bro\u00ADwidth\uFEFF"), "zerowidth");
  EXPECT_EQ(fold("a\xFF"
                 "b"),
            "a\uFFFD"
            "b");
  EXPECT_EQ(fold(""), "");
}

TEST(Fold, MarksWithoutEndAreLinear) {
  // Alternating combining classes (230, 220) are the worst case of canonical ordering.
  std::string marks = "a";
  for (int i = 0; i < 200000; ++i) marks += "\u0301\u0323";
  EXPECT_TRUE(fold(marks) == "a");
  std::string thai = "ก";
  for (int i = 0; i < 100000; ++i) thai += "\u0E49\u0E38";  // classes 107 and 103
  EXPECT_TRUE(utf8::is_valid(fold(thai)));
  EXPECT_EQ(nfc(std::string("=\u0338")), "\u2260");
}

TEST(FoldCase, KeepsAccents) {
  EXPECT_EQ(fold_case("E\u0301TE\u0301"), "été");
  EXPECT_EQ(fold_case("STRAßE"), "strasse");
  EXPECT_EQ(fold_case("ﬁ"), "fi");  // full case folding takes the ligature apart
}

TEST(Nfc, ComposesAndKeepsCase) {
  EXPECT_EQ(nfc("Cafe\u0301.md"), "Café.md");
  EXPECT_EQ(nfc("ＡＢ"), "ＡＢ");
}

}  // namespace
}  // namespace lectern::text
