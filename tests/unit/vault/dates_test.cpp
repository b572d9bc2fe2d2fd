// Dates: what is one, in which languages, and above all what is none.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "vault/parse.h"

namespace lectern::vault {
namespace {

std::string heading(const std::string& text) { return iso(find_date(text, DateSource::kHeading)); }
std::string name(const std::string& text) { return iso(find_date(text, DateSource::kFileName)); }

TEST(Dates, InHeadings) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Update 2026-09-17", "2026-09-17"},
      {"2026-09", "2026-09"},
      {"17.09.2026", "2026-09-17"},
      {"September 17, 2026", "2026-09-17"},
      {"Sep 17th 2026", "2026-09-17"},
      {"17 September 2026", "2026-09-17"},
      {"3. März 2026", "2026-03-03"},
      {"Freitag, 4. Dezember 2026", "2026-12-04"},
      {"17 Agustus 2026", "2026-08-17"},
      {"5 мая 2026", "2026-05-05"},
      {"Сентябрь 2026", "2026-09"},
      {"2026年9月17日", "2026-09-17"},
      {"2026年9月", "2026-09"},
      {"September 2026", "2026-09"},
      {"2026", "2026"},
      {"2026/09/17 notes", "2026-09-17"},
      {"Log (2026-09-17)", "2026-09-17"},
      {"2026-09-17T10:00", "2026-09-17"},
      {"From 2026-02-30 to 2026-03-01", "2026-03-01"},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(heading(text), want) << text;
}

TEST(Dates, NoneInVersionsNumbersAndIds) {
  for (const std::string& text : std::vector<std::string>{
           "1.0.21", "20-12", "v2026.09", "version 12026-09-17", "1.2026-03-04", "+49 2026-11-5555",
           "030-2026-1234", "2026-13-01", "2026-02-30", "In 2026 we", "38.101", "INC-0417",
           "20260314", "May the 4th", "99.99.2026", "10.0.2026.1", "Q3 2026", "0000-01-01",
           "tel 2026-1234"}) {
    EXPECT_EQ(heading(text), "") << text;
  }
}

TEST(Dates, InFileNames) {
  EXPECT_EQ(name("2026-09-17"), "2026-09-17");
  EXPECT_EQ(name("2026-09-17-a-post"), "2026-09-17");
  EXPECT_EQ(name("20260917 Meeting"), "2026-09-17");
  EXPECT_EQ(name("202609171530"), "2026-09-17");
  EXPECT_EQ(name("Meeting 2026_09_17"), "2026-09-17");
  EXPECT_EQ(name("12345678"), "");
  EXPECT_EQ(name("20261399"), "");
}

TEST(Dates, PrecisionAndRange) {
  const DateStamp month = find_date("2026-02", DateSource::kHeading);
  EXPECT_EQ(month.precision, DatePrecision::kMonth);
  EXPECT_EQ(month.day_end - month.day_first, 28);
  EXPECT_EQ(parse_iso_date("1970-01-02").day_first, 1);
  EXPECT_EQ(parse_iso_date("2024").day_end - parse_iso_date("2024").day_first, 366);
}

TEST(Dates, IsoOfTheUser) {
  EXPECT_EQ(iso(parse_iso_date("2026")), "2026");
  EXPECT_EQ(iso(parse_iso_date("2026-03")), "2026-03");
  EXPECT_EQ(iso(parse_iso_date("2026-03-14")), "2026-03-14");
  EXPECT_EQ(iso(parse_iso_date("2026-03-14T09:00:00Z")), "2026-03-14");
  EXPECT_EQ(iso(parse_iso_date("2026-03-14T23:30:00-08:00")), "2026-03-14");
  for (const std::string& text :
       std::vector<std::string>{"", "soon", "2026-3-14x", "2026-00", "2026-03-32", "14.03.2026"}) {
    EXPECT_EQ(iso(parse_iso_date(text)), "") << text;
  }
}

}  // namespace
}  // namespace lectern::vault
