// Dates in headings, file names and fields. Strict on purpose: a version, an identifier or
// a telephone number must never date a note.
#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "text/normalize.h"
#include "vault/lines.h"
#include "vault/parse.h"

namespace lectern::vault {

namespace {

constexpr int kFirstYear = 1900;
constexpr int kLastYear = 2100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int32_t day_number(std::chrono::year_month_day date) {
  return static_cast<int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

std::optional<DateStamp> make_date(int year, int month, int day, DateSource source) {
  using std::chrono::months;
  using std::chrono::years;
  if (year < kFirstYear || year > kLastYear) return std::nullopt;
  if (month < 0 || month > 12 || day < 0) return std::nullopt;
  const std::chrono::year_month_day first{
      std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month == 0 ? 1 : month)),
      std::chrono::day(static_cast<unsigned>(day == 0 ? 1 : day))};
  if (!first.ok()) return std::nullopt;
  DateStamp stamp;
  stamp.source = source;
  stamp.day_first = day_number(first);
  if (month == 0) {
    stamp.precision = DatePrecision::kYear;
    stamp.day_end = day_number(first + years(1));
  } else if (day == 0) {
    stamp.precision = DatePrecision::kMonth;
    stamp.day_end = day_number(first + months(1));
  } else {
    stamp.precision = DatePrecision::kDay;
    stamp.day_end = stamp.day_first + 1;
  }
  return stamp;
}

// First three or more letters of month names; en, de, id, ru (nominative and genitive), zh
// is written with digits. Folded.
struct MonthName {
  std::string_view name;
  int month;
};
constexpr MonthName kMonths[] = {
    {"january", 1},   {"february", 2},  {"march", 3},     {"april", 4},     {"may", 5},
    {"june", 6},      {"july", 7},      {"august", 8},    {"september", 9}, {"october", 10},
    {"november", 11}, {"december", 12}, {"jan", 1},       {"feb", 2},       {"mar", 3},
    {"apr", 4},       {"jun", 6},       {"jul", 7},       {"aug", 8},       {"sep", 9},
    {"sept", 9},      {"oct", 10},      {"nov", 11},      {"dec", 12},      {"januar", 1},
    {"janner", 1},    {"februar", 2},   {"marz", 3},      {"maerz", 3},     {"mai", 5},
    {"juni", 6},      {"juli", 7},      {"oktober", 10},  {"okt", 10},      {"dezember", 12},
    {"dez", 12},      {"januari", 1},   {"februari", 2},  {"maret", 3},     {"mei", 5},
    {"agustus", 8},   {"agt", 8},       {"desember", 12}, {"des", 12},      {"январь", 1},
    {"января", 1},    {"февраль", 2},   {"февраля", 2},   {"март", 3},      {"марта", 3},
    {"апрель", 4},    {"апреля", 4},    {"май", 5},       {"мая", 5},       {"июнь", 6},
    {"июня", 6},      {"июль", 7},      {"июля", 7},      {"август", 8},    {"августа", 8},
    {"сентябрь", 9},  {"сентября", 9},  {"октябрь", 10},  {"октября", 10},  {"ноябрь", 11},
    {"ноября", 11},   {"декабрь", 12},  {"декабря", 12},
};

int month_of(std::string_view word) {
  // The names above, in the folding of text/normalize.h (й and ё lose their marks).
  const std::string folded = text::fold(word);
  for (const MonthName& entry : kMonths) {
    if (folded == entry.name || folded == text::fold(entry.name)) return entry.month;
  }
  return 0;
}

struct Pattern {
  const char* text;
  // Group numbers: which capture is the year, the month, the day (0: none); a named month
  // is looked up.
  int year, month, day;
  bool named = false;
};

// A full number on the left would make it part of something longer: 1.2026-03-04, 12026.
#define LECTERN_LEFT "(?:^|[^0-9A-Za-z.])"
#define LECTERN_LEFT_NAME "(?:^|[\\s(,;:/_-])"
// A month's name or its abbreviation. No \\pL: its tables take RE2 a tenth of a second.
#define LECTERN_NAME "([^\\s\\d.,;:()/_-]{3,9})"

constexpr Pattern kPatterns[] = {
    // 2026-03-14, 2026/3/14, 2026.03.14, 2026_03_14, also before a time
    {LECTERN_LEFT "(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:[^\\dA-Za-z.]|[.](?:\\D|$)|[Tt_]\\d|$)", 1, 2,
     3},
    {LECTERN_LEFT "(\\d{4})/(\\d{1,2})/(\\d{1,2})(?:[^\\dA-Za-z./]|$)", 1, 2, 3},
    {LECTERN_LEFT "(\\d{4})[.](\\d{1,2})[.](\\d{1,2})(?:[^\\dA-Za-z.]|[.](?:\\D|$)|$)", 1, 2, 3},
    {LECTERN_LEFT "(\\d{4})_(\\d{1,2})_(\\d{1,2})(?:[^\\dA-Za-z]|$)", 1, 2, 3},
    {"(\\d{4})\\s*年\\s*(\\d{1,2})\\s*月\\s*(\\d{1,2})\\s*[日号號]", 1, 2, 3},
    // 17.09.2026
    {LECTERN_LEFT "(\\d{1,2})[.]\\s?(\\d{1,2})[.]\\s?(\\d{4})(?:[^\\dA-Za-z.]|[.](?:\\D|$)|$)", 3,
     2, 1},
    // September 17, 2026 / Sep 17th 2026
    {LECTERN_LEFT_NAME "" LECTERN_NAME
                       "[.]?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})(?:[^\\dA-Za-z]|$)",
     3, 1, 2, true},
    // 17. September 2026 / 17th of September, 2026 / 17 сентября 2026
    {LECTERN_LEFT "(\\d{1,2})(?:st|nd|rd|th|[.])?\\s+(?:of\\s+)?" LECTERN_NAME
                  "[.]?,?\\s+(\\d{4})(?:[^\\dA-Za-z]|$)",
     3, 2, 1, true},
    {"(\\d{4})\\s*年\\s*(\\d{1,2})\\s*月", 1, 2, 0},
    // September 2026
    {LECTERN_LEFT_NAME "" LECTERN_NAME "[.]?,?\\s+(\\d{4})(?:[^\\dA-Za-z]|$)", 2, 1, 0, true},
    // 2026-09
    {"(?:^|[^A-Za-z0-9.+/-])(\\d{4})-(\\d{2})(?:[^\\dA-Za-z./:-]|[.:-](?:\\D|$)|$)", 1, 2, 0},
    // 2026 and nothing else
    {"^\\s*(\\d{4})\\s*年?\\s*$", 1, 0, 0},
};
constexpr size_t kPatternCount = std::size(kPatterns);

const re2::RE2& compiled(size_t index) {
  static const auto* const kCompiled = [] {
    auto* all = new std::array<std::unique_ptr<re2::RE2>, kPatternCount>;
    for (size_t i = 0; i < kPatternCount; ++i) {
      (*all)[i] = std::make_unique<re2::RE2>(kPatterns[i].text);
    }
    return all;
  }();
  return *(*kCompiled)[index];
}

int to_int(re2::StringPiece digits) {
  int value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

std::optional<DateStamp> match(size_t index, std::string_view text, DateSource source) {
  const Pattern& pattern = kPatterns[index];
  re2::StringPiece rest(text.data(), text.size());
  // A match that is no date ("May 99, 2026") must not hide the one after it.
  for (int tries = 0; tries < 8; ++tries) {
    std::array<re2::StringPiece, 4> groups;
    const int wanted = 1 + (pattern.year > 0) + (pattern.month > 0) + (pattern.day > 0);
    if (!compiled(index).Match(rest, 0, rest.size(), re2::RE2::UNANCHORED, groups.data(), wanted)) {
      return std::nullopt;
    }
    const auto group = [&](int number) { return groups[static_cast<size_t>(number)]; };
    int month = 0;
    bool known = true;
    if (pattern.named) {
      const re2::StringPiece name = group(pattern.month);
      month = month_of({name.data(), name.size()});
      known = month > 0;
    } else if (pattern.month > 0) {
      month = to_int(group(pattern.month));
      known = month > 0;
    }
    const int day = pattern.day > 0 ? to_int(group(pattern.day)) : 0;
    known = known && (pattern.day == 0 || day > 0);
    if (known) {
      if (auto stamp = make_date(to_int(group(pattern.year)), month, day, source)) return stamp;
    }
    const re2::StringPiece first = groups[1];
    const size_t used = static_cast<size_t>(first.data() - rest.data()) + 1;
    // Step over the first character of the failed match, whole characters only.
    size_t next = used;
    while (next < rest.size() && (static_cast<unsigned char>(rest[next]) & 0xC0) == 0x80) ++next;
    while (next < rest.size() && is_digit(rest[next]) && is_digit(rest[next - 1])) ++next;
    rest.remove_prefix(next);
  }
  return std::nullopt;
}

// "20260314 Meeting", "202603141530": note ids of the Zettelkasten kind, at the start only.
std::optional<DateStamp> compact_date(std::string_view text, DateSource source) {
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits != 8 && digits != 12 && digits != 14) return std::nullopt;
  if (digits < text.size() && text[digits] == '.') return std::nullopt;
  const auto number = [&](size_t at, size_t length) { return to_int({text.data() + at, length}); };
  if (number(4, 2) == 0 || number(6, 2) == 0) return std::nullopt;
  if (digits > 8 && (number(8, 2) > 23 || number(10, 2) > 59)) return std::nullopt;
  return make_date(number(0, 4), number(4, 2), number(6, 2), source);
}

bool has_year(std::string_view text) {
  size_t run = 0;
  for (const char c : text) {
    run = is_digit(c) ? run + 1 : 0;
    if (run == 4) return true;
  }
  return false;
}

}  // namespace

std::string iso(const DateStamp& date) {
  if (!date.known()) return {};
  const std::chrono::year_month_day first{std::chrono::sys_days(std::chrono::days(date.day_first))};
  const int year = static_cast<int>(first.year());
  if (date.precision == DatePrecision::kYear) return fmt::format("{:04}", year);
  const unsigned month = static_cast<unsigned>(first.month());
  if (date.precision == DatePrecision::kMonth) return fmt::format("{:04}-{:02}", year, month);
  return fmt::format("{:04}-{:02}-{:02}", year, month, static_cast<unsigned>(first.day()));
}

DateStamp find_date(std::string_view text, DateSource source) {
  constexpr size_t kWindow = 300;  // a heading or file name; a longer one is prose
  text = text.substr(0, kWindow);
  if (!has_year(text)) return {};
  if (source == DateSource::kFileName) {
    if (const auto stamp = compact_date(text, source)) return *stamp;
  }
  for (size_t i = 0; i < kPatternCount; ++i) {
    if (const auto stamp = match(i, text, source)) return *stamp;
  }
  return {};
}

DateStamp parse_iso_date(std::string_view text) {
  static const re2::RE2 kIso(
      "(\\d{4})(?:-(\\d{1,2})(?:-(\\d{1,2})(?:[Tt ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?\\s*"
      "(?:[Zz]|[+-]\\d{2}:?\\d{2})?)?)?)?");
  text = trim(text);
  re2::StringPiece year;
  re2::StringPiece month;
  re2::StringPiece day;
  if (text.size() > 64 ||
      !re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kIso, &year, &month, &day)) {
    return {};
  }
  if (!month.empty() && to_int(month) == 0) return {};
  if (!day.empty() && to_int(day) == 0) return {};
  return make_date(to_int(year), month.empty() ? 0 : to_int(month), day.empty() ? 0 : to_int(day),
                   DateSource::kFrontmatter)
      .value_or(DateStamp{});
}

}  // namespace lectern::vault
