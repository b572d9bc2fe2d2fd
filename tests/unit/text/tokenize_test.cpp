// The token stream of the spellings people type, and its bounds on hostile input.
#include "text/tokenize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/utf8.h"

namespace lectern::text {
namespace {

using Terms = std::vector<std::string>;

Terms terms(std::string_view text) {
  Terms out;
  tokenize(text, [&](const Token& token) { out.emplace_back(token.term); });
  return out;
}

TEST(Tokenize, PlainWords) {
  EXPECT_EQ(terms("The quick, brown (fox)!"), (Terms{"the", "quick", "brown", "fox"}));
  EXPECT_EQ(terms("  \t\n - -- * \" NEAR("), (Terms{"near"}));
  EXPECT_EQ(terms(""), Terms{});
}

TEST(Tokenize, IdentifiersWholeAndInParts) {
  EXPECT_EQ(terms("INC-0417"), (Terms{"inc-0417", "inc", "0417"}));
  EXPECT_EQ(terms("38.101"), (Terms{"38.101", "38", "101"}));
  EXPECT_EQ(terms("1.0.21"), (Terms{"1.0.21", "1", "0", "21"}));
  EXPECT_EQ(terms("C-04."), (Terms{"c-04", "c", "04"}));
  EXPECT_EQ(terms("A-Company"), (Terms{"a-company", "a", "company"}));
  EXPECT_EQ(terms("azure.com"), (Terms{"azure.com", "azure", "com"}));
  EXPECT_EQ(terms("2026-03-31"), (Terms{"2026-03-31", "2026", "03", "31"}));
  EXPECT_EQ(terms("GB/s"), (Terms{"gb/s", "gb", "s"}));
  EXPECT_EQ(terms("state-of-the-art"), (Terms{"state-of-the-art", "state", "of", "the", "art"}));
  EXPECT_EQ(terms("snake_case"), (Terms{"snake_case", "snake", "case"}));
  EXPECT_EQ(terms("10:32"), (Terms{"10:32", "10", "32"}));
  EXPECT_EQ(terms("std::vector"), (Terms{"std::vector", "std", "vector"}));
}

TEST(Tokenize, PathsGiveTheirComponents) {
  EXPECT_EQ(terms("src/main.py"), (Terms{"src/main.py", "src", "main.py", "main", "py"}));
  EXPECT_EQ(terms("@scope/pkg"), (Terms{"@scope/pkg", "scope/pkg", "scope", "pkg"}));
  EXPECT_EQ(terms("joe@example.com"),
            (Terms{"joe@example.com", "joe", "example.com", "example", "com"}));
}

TEST(Tokenize, SignsThatBelongToNames) {
  EXPECT_EQ(terms("C++"), (Terms{"c++", "c"}));
  EXPECT_EQ(terms("C#"), (Terms{"c#", "c"}));
  EXPECT_EQ(terms(".NET"), (Terms{".net", "net"}));
  EXPECT_EQ(terms("a #tag"), (Terms{"a", "#tag", "tag"}));
  EXPECT_EQ(terms("§ 12"), (Terms{"§12", "12"}));
  EXPECT_EQ(terms("§12"), (Terms{"§12", "12"}));
  EXPECT_EQ(terms("# Title"), (Terms{"title"}));
  EXPECT_EQ(terms("C++20"), (Terms{"c++20", "c++", "c", "20"}));
}

TEST(Tokenize, CamelCase) {
  EXPECT_EQ(terms("getUserName"), (Terms{"getusername", "get", "user", "name"}));
  EXPECT_EQ(terms("HTTPServer"), (Terms{"httpserver", "http", "server"}));
  EXPECT_EQ(terms("NASA Paris"), (Terms{"nasa", "paris"}));
}

TEST(Tokenize, Apostrophes) {
  EXPECT_EQ(terms("don't"), (Terms{"don't", "dont", "don"}));
  EXPECT_EQ(terms("don\u2019t"), (Terms{"don't", "dont", "don"}));
  EXPECT_EQ(terms("what's"), (Terms{"what's", "what"}));
  EXPECT_EQ(terms("l'amour"), (Terms{"l'amour", "amour"}));
  EXPECT_EQ(terms("the dogs' 'quoted'"), (Terms{"the", "dogs", "quoted"}));
}

TEST(Tokenize, NumbersWithThousands) {
  EXPECT_EQ(terms("1,234,567 people"), (Terms{"1234567", "people"}));
  EXPECT_EQ(terms("1,2,3"), (Terms{"1", "2", "3"}));
  EXPECT_EQ(terms("1234,567"), (Terms{"1234", "567"}));
}

TEST(Tokenize, UnicodeSpellings) {
  EXPECT_EQ(terms("Châtelier"), terms("Chatelier"));
  EXPECT_EQ(terms("Straße"), terms("strasse"));
  EXPECT_EQ(terms("ＩＮＣ－０４１７"), terms("INC-0417"));
  EXPECT_EQ(terms("impo\u0302t"), (Terms{"impot"}));
  EXPECT_EQ(terms("o\uFB03ce"), (Terms{"office"}));
  EXPECT_EQ(terms("ze\u200Bro\u00ADwidth"), (Terms{"zerowidth"}));
}

TEST(Tokenize, UnspacedScripts) {
  EXPECT_EQ(terms("中文合約"), (Terms{"中", "中文", "文", "文合", "合", "合約", "約"}));
  EXPECT_EQ(terms("水"), (Terms{"水"}));
  EXPECT_EQ(terms("ไทย"), (Terms{"ไ", "ไท", "ท", "ทย", "ย"}));
  EXPECT_EQ(terms("Docker容器"), (Terms{"docker", "容", "容器", "器"}));
  EXPECT_EQ(terms("記憶する"), (Terms{"記", "記憶", "憶", "憶す", "す", "する", "る"}));
  // AM as one code point and as two is the same text.
  EXPECT_EQ(terms("น\u0E33ไป"), terms("น\u0E4D\u0E32ไป"));
}

TEST(Tokenize, HangulWordsAndBigrams) {
  EXPECT_EQ(terms("서울에서"), (Terms{"서울에서", "서울", "울에", "에서"}));
  EXPECT_EQ(terms("서울"), (Terms{"서울"}));
  EXPECT_EQ(terms("Python은"), (Terms{"python", "은"}));
}

TEST(Tokenize, PositionsLengthAndBytes) {
  std::vector<Token> tokens;
  tokenize("an INC-04, ok", [&](const Token& token) { tokens.push_back(token); });
  ASSERT_EQ(tokens.size(), 5U);  // an inc-04 inc 04 ok
  EXPECT_EQ(tokens[1].kind, TokenKind::kIdentifier);
  EXPECT_EQ(tokens[2].kind, TokenKind::kPart);
  EXPECT_EQ(tokens[1].position, 1U);
  EXPECT_EQ(tokens[3].position, 1U);
  EXPECT_EQ(tokens[4].position, 2U);
  EXPECT_EQ(tokens[1].byte_first, 3U);
  EXPECT_EQ(tokens[1].byte_last, 9U);
  EXPECT_EQ(tokens[3].byte_first, 7U);
  EXPECT_EQ(count_words("an INC-04, ok"), 3U);
  EXPECT_EQ(count_words("中文合約"), 3U);
  EXPECT_EQ(count_words("水"), 1U);
  EXPECT_EQ(count_words("서울에서 what's"), 2U);
}

TEST(Tokenize, LongTermsAreCappedAndStayDistinct) {
  const std::string head(100, 'x');
  const Terms first = terms(head + "-1");
  const Terms second = terms(head + "-2");
  EXPECT_EQ(first[0].size(), kMaxTermBytes);
  EXPECT_NE(first[0], second[0]);
  EXPECT_EQ(terms(std::string(1 << 20, 'a')), (Terms{std::string(kMaxTermBytes, 'a')}));
}

TEST(Tokenize, AMegabyteOfJoinersIsItsLeaves) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "a-";
  size_t count = 0;
  tokenize(text, [&](const Token& token) { count += token.term == "a" ? 1 : 0; });
  EXPECT_EQ(count, 200000U);
}

TEST(Tokenize, AnyBytesGiveOrderedTokensInsideTheInput) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {
      "a",  "Z",      "9",      "-",    "_",        "'",      ".", "/",      "@",  "#",
      "::", "++",     " ",      "\n",   "§",        "中",     "ก", "\u0E33", "한", "\u1161",
      "é",  "\u0301", "\u200D", "\xFF", "\xE4\xB8", "\uFF0D", ",", "\u0640", "か", "\u3099"};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += pieces[random() % pieces.size()];
    uint32_t last = 0;
    tokenize(text, [&](const Token& token) {
      EXPECT_LE(last, token.byte_first);
      last = token.byte_first;
      EXPECT_LT(token.byte_first, token.byte_last);
      EXPECT_LE(token.byte_last, text.size());
      EXPECT_FALSE(token.term.empty());
      EXPECT_LE(token.term.size(), kMaxTermBytes);
      EXPECT_TRUE(utf8::is_valid(token.term));
    });
  }
}

TEST(AtomString, IgnoresPunctuationBetweenWords) {
  EXPECT_EQ(atom_string("PIO-1384: done"), " pio 1384 done ");
  EXPECT_EQ(atom_string("中文 서울"), " 中 文 서 울 ");
  EXPECT_EQ(atom_string("..."), "");
}

}  // namespace
}  // namespace lectern::text
