// The repair of foreign bytes, against values worked out from the Unicode standard.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace lectern {
namespace {

TEST(Utf8, RepairReplacesMaximalSubparts) {
  uint64_t replaced = 0;
  // Unicode 15, table 3-8: <41 C0 AF 41 F4 80 80 41> -> A, FFFD, FFFD, A, FFFD, A.
  EXPECT_EQ(utf8::repair("\x41\xC0\xAF\x41\xF4\x80\x80\x41", replaced), "A\uFFFD\uFFFDA\uFFFDA");
  EXPECT_EQ(replaced, 3U);
}

TEST(Utf8, SurrogatesAndOverlongFormsAreInvalid) {
  EXPECT_FALSE(utf8::is_valid("\xED\xA0\x80"));
  EXPECT_FALSE(utf8::is_valid("\xE0\x80\x80"));
  EXPECT_FALSE(utf8::is_valid("\xF4\x90\x80\x80"));
  EXPECT_TRUE(utf8::is_valid("na\u00EFve \u6771\u4EAC \U0001F600"));
}

TEST(Utf8, Utf16PairsAndLoneSurrogates) {
  uint64_t replaced = 0;
  const std::string little("\x3D\xD8\x00\xDE\x41\x00", 6);  // U+1F600, A
  EXPECT_EQ(utf8::from_utf16(little, false, replaced), "\U0001F600A");
  EXPECT_EQ(replaced, 0U);
  const std::string lone("\xD8\x3D\x00\x41", 4);
  EXPECT_EQ(utf8::from_utf16(lone, true, replaced), "\uFFFDA");
  EXPECT_EQ(replaced, 1U);
}

TEST(Hash, HexRoundTripAndRejection) {
  const Hash128 hash = hash128("lectern");
  EXPECT_EQ(hash_from_hex(to_hex(hash)), hash);
  EXPECT_FALSE(hash_from_hex("xyz").has_value());
  EXPECT_FALSE(hash_from_hex(std::string(31, 'a')).has_value());
  EXPECT_EQ(hash_from_bytes(to_bytes(hash).data()), hash);
}

TEST(Hash, PartsKeepTheirBorders) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
}

}  // namespace
}  // namespace lectern
