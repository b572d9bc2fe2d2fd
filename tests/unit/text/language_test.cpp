// Detection, stems, stop words and the token estimate.
#include "text/language.h"

#include <gtest/gtest.h>

#include "text/normalize.h"
#include "text/stopwords.h"
#include "text/token_estimate.h"

namespace lectern::text {
namespace {

TEST(Lang, CodesRoundTrip) {
  for (int i = 1; i < static_cast<int>(Lang::kCount); ++i) {
    const auto lang = static_cast<Lang>(i);
    EXPECT_EQ(lang_code(lang).size(), 2U);
    EXPECT_EQ(lang_from_code(lang_code(lang)), lang);
  }
  EXPECT_EQ(lang_code(Lang::kUnknown), "");
  EXPECT_EQ(lang_from_code("xx"), Lang::kUnknown);
}

TEST(Detect, LanguagesByWords) {
  EXPECT_EQ(detect("The committee will meet on Thursday to discuss the budget."), Lang::kEn);
  EXPECT_EQ(detect("Der Ausschuss trifft sich am Donnerstag, um den Haushalt zu besprechen."),
            Lang::kDe);
  EXPECT_EQ(detect("Комитет соберётся в четверг, чтобы обсудить бюджет на следующий год."),
            Lang::kRu);
  EXPECT_EQ(detect("Panitia akan bertemu pada hari Kamis untuk membahas anggaran tahun depan."),
            Lang::kId);
  EXPECT_EQ(detect("Le comité se réunira jeudi pour discuter du budget de l'année prochaine."),
            Lang::kFr);
}

TEST(Detect, ScriptsDecideAlone) {
  EXPECT_EQ(detect("記憶系統"), Lang::kZh);
  EXPECT_EQ(detect("記憶のシステムを作る"), Lang::kJa);
  EXPECT_EQ(detect("서울에서 만나요"), Lang::kKo);
  EXPECT_EQ(detect("ภาษาไทย"), Lang::kTh);
  EXPECT_EQ(detect("使用 Docker 容器部署應用程式"), Lang::kZh);
}

TEST(Detect, ShortTextIsTheHint) {
  EXPECT_EQ(detect("OK then"), Lang::kUnknown);
  EXPECT_EQ(detect("OK then", Lang::kDe), Lang::kDe);
  EXPECT_EQ(detect("12345 67890 -- !!", Lang::kEn), Lang::kEn);
  EXPECT_EQ(detect(std::string(100, '\xFF')), Lang::kUnknown);
}

TEST(Stem, JoinsFormsOfOneWord) {
  EXPECT_EQ(stem("running", Lang::kEn), "run");
  EXPECT_EQ(stem("haus", Lang::kDe), stem("hausern", Lang::kDe));
  EXPECT_EQ(stem(fold("новый"), Lang::kRu), stem(fold("новая"), Lang::kRu));
  EXPECT_EQ(stem(fold("читайте"), Lang::kRu), stem(fold("читай"), Lang::kRu));
  EXPECT_EQ(stem("水", Lang::kZh), "水");
  EXPECT_EQ(stem("word", Lang::kUnknown), "word");
  EXPECT_TRUE(has_stemmer(Lang::kYi));
  EXPECT_FALSE(has_stemmer(Lang::kZh));
}

TEST(Stopwords, FunctionWordsOfManyLanguages) {
  for (const char* word : {"the",    "what",  "und",  "welche", "les",    "pourquoi", "los",
                           "cuando", "degli", "nao",  "het",    "och",    "yang",     "что",
                           "какои",  "什么",  "です", "don't",  "what's", "we're"}) {
    EXPECT_TRUE(is_stopword(word)) << word;
  }
  // Words that carry meaning in some language.
  for (const char* word : {"war", "die", "hat", "budget", "москва", "jonas's", "", "'"}) {
    EXPECT_FALSE(is_stopword(word)) << word;
  }
}

// Counts of the XLM-RoBERTa tokenizer, without its two special tokens, by its own library.
TEST(TokenEstimate, NotUnderAndNotFarOver) {
  struct Case {
    const char* text;
    uint32_t tokens;
  };
  const Case cases[] = {
      {"The committee will meet on Thursday to discuss the budget for the next year.", 15},
      {"Die Straßenbahnhaltestelle wurde im März 2024 für 1.250.000 Euro umgebaut.", 18},
      {"Комитет соберётся в четверг, чтобы обсудить бюджет на следующий год.", 15},
      {"特斯拉以其成就和表现力而闻名，最终使他在流行文化中成为典型的代表。", 22},
      {"Panitia akan bertemu pada hari Kamis untuk membahas anggaran tahun depan.", 13},
      {"우리는 서울에서 만나 새로운 계획을 세웠다.", 10},
      {"新しい記憶システムを作るために、東京で会議を開きました。", 14},
      {"ประเทศไทยมีอากาศร้อนและมีฝนตกชุกตลอดทั้งปี", 14},
      {"f1_keywords: [\"CAtlPreviewCtrlImpl::GetFocus\", \"ATLPREVIEWCTRL/ATL\"]", 38},
      {"| INC-0417 | 10 GB/s | src/main.py | 192.168.0.1 |", 29},
  };
  for (const Case& c : cases) {
    const uint32_t estimate = estimate_tokens(c.text);
    EXPECT_GE(estimate, c.tokens) << c.text;
    EXPECT_LE(estimate, c.tokens * 2) << c.text;
  }
  EXPECT_EQ(estimate_tokens(""), 0U);
}

}  // namespace
}  // namespace lectern::text
