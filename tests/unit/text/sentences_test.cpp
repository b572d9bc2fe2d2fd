// Sentence boundaries in several scripts; every range is checked as text.
#include "text/sentences.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace lectern::text {
namespace {

using Texts = std::vector<std::string>;

Texts sentences(std::string_view text) {
  Texts out;
  for (const ByteRange& range : split_sentences(text)) {
    out.emplace_back(text.substr(range.first, range.last - range.first));
  }
  return out;
}

TEST(Sentences, Plain) {
  EXPECT_EQ(sentences("One. Two! Three? Four"), (Texts{"One.", "Two!", "Three?", "Four"}));
  EXPECT_EQ(sentences("  One.\n"), (Texts{"One."}));
  EXPECT_EQ(sentences(" \n\t "), Texts{});
}

TEST(Sentences, LineBreaks) {
  EXPECT_EQ(sentences("A line\nthat goes on. Next\none."),
            (Texts{"A line\nthat goes on.", "Next\none."}));
  EXPECT_EQ(sentences("no stop\n \nnew block"), (Texts{"no stop", "new block"}));
}

TEST(Sentences, AbbreviationsAndInitials) {
  EXPECT_EQ(sentences("Dr. Smith met J. R. Tolkien. They left."),
            (Texts{"Dr. Smith met J. R. Tolkien.", "They left."}));
  EXPECT_EQ(sentences("Use tools, e.g. Make or the U.S. Army list. Done."),
            (Texts{"Use tools, e.g. Make or the U.S. Army list.", "Done."}));
  EXPECT_EQ(sentences("Das gilt z. B. Montags. Am 3. Oktober ist frei, vgl. Abs. 2. Ende."),
            (Texts{"Das gilt z. B. Montags.", "Am 3. Oktober ist frei, vgl. Abs. 2.", "Ende."}));
  EXPECT_EQ(sentences("Это т. е. Москва. См. рис. 5. Он умер в 1998 г. Потом тишина."),
            (Texts{"Это т. е. Москва.", "См. рис. 5.", "Он умер в 1998 г.", "Потом тишина."}));
  EXPECT_EQ(sentences("Mme. Curie vit. Fin."), (Texts{"Mme. Curie vit.", "Fin."}));
  EXPECT_EQ(sentences("Menurut Yth. Bapak, selesai. Jl. Sudirman ramai."),
            (Texts{"Menurut Yth. Bapak, selesai.", "Jl. Sudirman ramai."}));
  EXPECT_EQ(sentences("See No. 5 and Fig. 3. He said no. Then he left."),
            (Texts{"See No. 5 and Fig. 3.", "He said no.", "Then he left."}));
}

TEST(Sentences, NumbersVersionsAddresses) {
  EXPECT_EQ(sentences("It costs 3.50 in v1.0.21. See https://a.b/c?d=e. OK."),
            (Texts{"It costs 3.50 in v1.0.21.", "See https://a.b/c?d=e.", "OK."}));
  EXPECT_EQ(sentences("1. First item. Second part."), (Texts{"1. First item.", "Second part."}));
  EXPECT_EQ(sentences("It happened in 2019. Five left."),
            (Texts{"It happened in 2019.", "Five left."}));
}

TEST(Sentences, EllipsesAndQuotes) {
  EXPECT_EQ(sentences("Well... maybe. Yes… No."), (Texts{"Well... maybe.", "Yes…", "No."}));
  EXPECT_EQ(sentences("\"Really?\" she asked. (He left.) \"Go!\" Then silence."),
            (Texts{"\"Really?\" she asked.", "(He left.)", "\"Go!\"", "Then silence."}));
  EXPECT_EQ(sentences("**Bold end.** Next."), (Texts{"**Bold end.**", "Next."}));
}

TEST(Sentences, EasternScripts) {
  EXPECT_EQ(sentences("今天下雨。我們回家！好嗎？「好。」他說。"),
            (Texts{"今天下雨。", "我們回家！", "好嗎？", "「好。」", "他說。"}));
  EXPECT_EQ(sentences("यह एक है। वह दो है।"), (Texts{"यह एक है।", "वह दो है।"}));
  EXPECT_EQ(sentences("هل هذا؟ نعم. لا"), (Texts{"هل هذا؟", "نعم.", "لا"}));
}

TEST(Sentences, CoverEveryNonBlankByteInOrder) {
  std::mt19937 random(3);
  const Texts pieces = {"a",  "B",  "1", ".",  "!",    "…",  "。",     " ",
                        "\n", "\"", ")", "Dr", "\xFF", "中", "\u00A0", "\xE3\x80"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 120; ++i) text += pieces[random() % pieces.size()];
    uint32_t at = 0;
    const auto blank = [&](uint32_t from, uint32_t to) {
      std::string_view gap = std::string_view(text).substr(from, to - from);
      return gap.find_first_not_of(" \n\xC2\xA0") == std::string_view::npos;
    };
    for (const ByteRange& range : split_sentences(text)) {
      EXPECT_LE(at, range.first);
      EXPECT_LT(range.first, range.last);
      EXPECT_TRUE(blank(at, range.first));
      at = range.last;
    }
    EXPECT_LE(at, text.size());
    EXPECT_TRUE(blank(at, static_cast<uint32_t>(text.size())));
  }
}

TEST(Sentences, HostileRunsAreLinear) {
  EXPECT_EQ(sentences(std::string(1 << 20, '.')).size(), 1U);
  std::string stops;
  for (int i = 0; i < 200000; ++i) stops += ".)";
  EXPECT_GE(sentences(stops).size(), 1U);
  EXPECT_EQ(sentences("Go." + std::string(1 << 20, ' ') + "b").size(), 2U);
}

}  // namespace
}  // namespace lectern::text
