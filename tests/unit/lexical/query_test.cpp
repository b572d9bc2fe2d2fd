// Parsing of queries, and the hits that reports of real users ask for, over a small corpus.
#include "lexical/query.h"

#include <gtest/gtest.h>

#include "memory_index.h"

namespace lectern::lexical {
namespace {

using Notes = std::vector<int64_t>;
using Words = std::vector<std::string>;

Words surfaces(const std::vector<QueryWord>& words) {
  Words out;
  for (const QueryWord& word : words) out.push_back(word.surface);
  return out;
}

TEST(ParseQuery, WordsOnceWithStopWordsWeighedOut) {
  const ParsedQuery query = parse_query("What is the budget of the Budget?", {});
  EXPECT_EQ(surfaces(query.words), (Words{"what", "is", "the", "budget", "of"}));
  for (const QueryWord& word : query.words) {
    EXPECT_EQ(word.stopword, word.surface != "budget");
    EXPECT_EQ(word.weight, word.stopword ? 0.35 : 1);
  }
  EXPECT_EQ(parse_query("the who", {}).words[0].weight, 1);
}

TEST(ParseQuery, StemsOfEveryLanguageAreMembers) {
  const ParsedQuery query =
      parse_query("houses", {text::Lang::kEn, text::Lang::kDe, text::Lang::kRu, text::Lang::kZh});
  EXPECT_EQ(query.words[0].members, (Words{"houses", "hous", "en:hous", "de:hous"}));
}

TEST(ParseQuery, Names) {
  const ParsedQuery query = parse_query("What does Jonas earn at NASA in INC-0417", {});
  std::vector<std::string> names;
  for (const QueryWord& word : query.words) {
    if (word.name) names.push_back(word.surface);
  }
  EXPECT_EQ(names, (Words{"jonas", "nasa", "inc-0417"}));
  EXPECT_FALSE(parse_query("Budget", {}).words[0].name);
  EXPECT_FALSE(parse_query("ALL IN CAPITALS", {}).words[2].name);
}

TEST(ParseQuery, IdentifiersLeadTheirParts) {
  const ParsedQuery query = parse_query("INC-0417", {});
  EXPECT_EQ(surfaces(query.words), (Words{"inc-0417", "inc", "0417"}));
  EXPECT_EQ(query.words[0].part_of, -1);
  EXPECT_EQ(query.words[1].part_of, 0);
  EXPECT_EQ(query.words[2].part_of, 0);
}

TEST(ParseQuery, Contractions) {
  const ParsedQuery query = parse_query("Jonas's l'amour don't", {});
  EXPECT_EQ(surfaces(query.words), (Words{"jonas", "amour", "don't"}));
  EXPECT_EQ(query.words[0].members, (Words{"jonas's", "jonas"}));
  EXPECT_TRUE(query.words[2].stopword);
}

TEST(ParseQuery, Operators) {
  const ParsedQuery query = parse_query("\"open source\" -red --flag a-b - plain", {});
  ASSERT_EQ(query.phrases.size(), 1U);
  EXPECT_EQ(surfaces(query.phrases[0]), (Words{"open", "source"}));
  EXPECT_EQ(query.phrase_texts, Words{"open source"});
  EXPECT_EQ(surfaces(query.excluded), Words{"red"});
  EXPECT_EQ(surfaces(query.words), (Words{"open", "source", "flag", "a-b", "a", "b", "plain"}));
}

TEST(ParseQuery, WithoutOperatorsEverythingIsText) {
  const ParsedQuery query = parse_query("\"open source\" -red", {}, false);
  EXPECT_TRUE(query.phrases.empty());
  EXPECT_TRUE(query.excluded.empty());
  EXPECT_EQ(surfaces(query.words), (Words{"open", "source", "red"}));
}

TEST(ParseQuery, UnbalancedQuotesAndOldSyntaxAreText) {
  EXPECT_EQ(surfaces(parse_query("\"open source", {}).words), (Words{"open", "source"}));
  EXPECT_TRUE(parse_query("\"", {}).empty());
  EXPECT_TRUE(parse_query("*", {}).empty());
  EXPECT_TRUE(parse_query(" - ", {}).empty());
  EXPECT_EQ(surfaces(parse_query("NEAR(", {}).words), Words{"near"});
  EXPECT_EQ(surfaces(parse_query("alpha AND", {}).words), (Words{"alpha", "and"}));
  EXPECT_TRUE(parse_query(std::string(1 << 20, '"'), {}).empty());
}

TEST(ParseQuery, UnspacedTextGivesBigrams) {
  const ParsedQuery query = parse_query("合約轉換 水", {});
  // The single characters of a run come last and weigh little; one that stands alone is a word.
  EXPECT_EQ(surfaces(query.words), (Words{"合約", "約轉", "轉換", "水", "合", "約", "轉", "換"}));
  for (size_t i = 0; i < query.words.size(); ++i) {
    EXPECT_EQ(query.words[i].makeweight(), i >= 4) << query.words[i].surface;
  }
  const ParsedQuery hangul = parse_query("서울에서", {});
  EXPECT_EQ(surfaces(hangul.words), (Words{"서울에서", "서울", "울에", "에서"}));
}

// ---- what users report (kinds 17 to 21) ----

class Reports : public ::testing::Test {
 protected:
  Reports() {
    index_.add_segment({
        /* 0*/ {"Release on 2026-03-31 with ask-codex, a state-of-the-art tool."},
        /* 1*/ {"The entry point is src/main.py in @scope/pkg; link speed 10 GB/s."},
        /* 2*/ {"We don't use agents. What's the budget? Roughly 40,000."},
        /* 3*/ {"Incident INC-0417 was closed."},
        /* 4*/ {"Incident INC-0418 and ticket PIO-1384, order 0417 of another kind."},
        /* 5*/ {"Version 1.0.21 follows 1.0.20; see section 38.101 and room C-04."},
        /* 6*/ {"Version 1.0.2 and 21 others; 38 rooms, 101 beds, C and 04."},
        /* 7*/ {"中文合約轉換體驗課問題", "", "", text::Lang::kZh},
        /* 8*/ {"长期记忆与操作系统", "", "", text::Lang::kZh},
        /* 9*/ {"新しい記憶システムを作る", "", "", text::Lang::kJa},
        /*10*/ {"ประเทศไทยมีอากาศร้อน", "", "", text::Lang::kTh},
        /*11*/ {"우리는 서울에서 만났다", "", "", text::Lang::kKo},
        /*12*/ {"A-Company hosts on azure.com under § 12 of the contract."},
        /*13*/ {"Le Châtelier habite une grande Straße.", "", "", text::Lang::kFr},
        /*14*/ {"L'impo\u0302t est payé.", "", "", text::Lang::kFr},
        /*15*/ {"Wilhelmina Okonkwo leads procurement."},
    });
  }
  int64_t first(std::string_view query) {
    const Notes found = index_.notes(query);
    return found.empty() ? -1 : found[0];
  }
  bool finds(std::string_view query, int64_t note) {
    const Notes found = index_.notes(query);
    return std::find(found.begin(), found.end(), note) != found.end();
  }
  MemoryIndex index_;
};

TEST_F(Reports, SyntaxCharactersGiveASensibleHit) {
  EXPECT_EQ(first("2026-03-31"), 0);
  EXPECT_EQ(first("ask-codex"), 0);
  EXPECT_EQ(first("state-of-the-art"), 0);
  EXPECT_EQ(first("src/main.py"), 1);
  EXPECT_EQ(first("@scope/pkg"), 1);
  EXPECT_EQ(first("GB/s"), 1);
  EXPECT_EQ(first("don't use agents"), 2);
  EXPECT_EQ(first("what's the budget, roughly?"), 2);
  EXPECT_EQ(first("budget AND"), 2);
  EXPECT_EQ(first("NEAR(budget"), 2);
}

TEST_F(Reports, TheExactIdentifierIsFirstAndAPartFindsItToo) {
  EXPECT_EQ(first("\"PIO-1384\""), 4);
  EXPECT_EQ(first("INC-0417"), 3);
  EXPECT_EQ(first("inc-0417"), 3);
  EXPECT_EQ(first("1.0.21"), 5);
  EXPECT_EQ(first("38.101"), 5);
  EXPECT_EQ(first("C-04"), 5);
  EXPECT_TRUE(finds("0417", 3));
  EXPECT_TRUE(finds("main.py", 1));
  EXPECT_TRUE(finds("scope/pkg", 1));
}

TEST_F(Reports, UnspacedTextIsFound) {
  EXPECT_EQ(first("合約"), 7);
  EXPECT_EQ(first("记忆 系统"), 8);
  EXPECT_EQ(first("システム"), 9);
  EXPECT_EQ(first("ไทย"), 10);
  EXPECT_EQ(first("서울"), 11);
}

TEST_F(Reports, SpellingsOfOneWord) {
  EXPECT_EQ(first("A-Company"), 12);
  EXPECT_EQ(first("azure.com"), 12);
  EXPECT_EQ(first("azure"), 12);
  EXPECT_EQ(first("§ 12"), 12);
  EXPECT_EQ(first("Chatelier"), 13);
  EXPECT_EQ(first("Châtelier"), 13);
  EXPECT_EQ(first("strasse"), 13);
  EXPECT_EQ(first("impôt"), 14);
  EXPECT_EQ(first("impo\u0302t"), 14);
}

TEST_F(Reports, ANameAlone) {
  EXPECT_EQ(index_.notes("Okonkwo"), Notes{15});
  EXPECT_EQ(index_.notes("Wilhelmina"), Notes{15});
}

}  // namespace
}  // namespace lectern::lexical
