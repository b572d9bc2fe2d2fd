// Cuts passages into units and scores them; see evidence.h.
#include "answer/evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "text/sentences.h"
#include "text/stopwords.h"
#include "text/tokenize.h"
#include "vault/parse.h"

namespace lectern::answer {

namespace {

using retrieve::Passage;

// A word in the title or heading says what a sentence is about nearly as well as one in
// the sentence.
constexpr double kContextShare = 0.8;
constexpr size_t kMaxUnitBytes = 2000;

// Holds a number that the question did not bring along.
bool has_new_number(std::string_view text, const Question& question) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_not_of("0123456789.,:", at), text.size());
    std::string_view number = text.substr(at, end - at);
    while (number.ends_with('.') || number.ends_with(',') || number.ends_with(':')) {
      number.remove_suffix(1);
    }
    const bool known = std::any_of(question.words.begin(), question.words.end(),
                                   [&](const QuestionWord& w) { return w.surface == number; });
    if (!known) return true;
    at = end;
  }
  return false;
}

// Spelled numbers and words of time, folded; as with digits, one is enough.
constexpr std::array<std::string_view, 72> kNumberWords = {
    "one",     "two",      "three",   "four",    "five",   "six",     "seven",     "eight",
    "nine",    "ten",      "eleven",  "twelve",  "twenty", "thirty",  "forty",     "fifty",
    "hundred", "thousand", "half",    "dozen",   "once",   "twice",   "every",     "never",
    "always",  "daily",    "weekly",  "monthly", "yearly", "spring",  "summer",    "autumn",
    "winter",  "morning",  "evening", "night",   "monday", "tuesday", "wednesday", "thursday",
    "friday",  "saturday", "sunday",  "zwei",    "drei",   "vier",    "funf",      "sechs",
    "sieben",  "acht",     "neun",    "zehn",    "zwolf",  "hundert", "satu",      "dua",
    "tiga",    "empat",    "lima",    "enam",    "tujuh",  "delapan", "sembilan",  "sepuluh",
    "ratus",   "ribu",     "один",    "два",     "три",    "четыре",  "пять",      "десять"};

bool has_number_word(std::string_view text) {
  bool found = false;
  text::tokenize(text, [&](const text::Token& token) {
    found = found ||
            std::find(kNumberWords.begin(), kNumberWords.end(), token.term) != kNumberWords.end();
  });
  return found;
}

bool has_cjk(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

// Holds a capitalised word after its first one, or is in a script without capitals.
bool has_name(std::string_view text) {
  bool word_start = true;
  bool first = true;
  for (size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text, at);
    const bool upper = (next.code >= 'A' && next.code <= 'Z') ||
                       (next.code >= 0xC0 && next.code <= 0xDE) ||
                       (next.code >= 0x410 && next.code <= 0x42F);
    const bool letter = upper || next.code >= 0x80 || (next.code >= 'a' && next.code <= 'z');
    if (upper && word_start && !first) return true;
    if (letter) first = false;
    word_start = !letter;
    at += next.bytes;
  }
  return has_cjk(text);
}

bool fits(std::string_view plain, const Question& question) {
  switch (question.kind) {
    case AnswerKind::kTime:
    case AnswerKind::kQuantity:
      return has_new_number(plain, question) || has_cjk(plain) || has_number_word(plain);
    case AnswerKind::kPerson:
      return has_name(plain);
    case AnswerKind::kAny:
    case AnswerKind::kReason:
      return true;
  }
  return true;
}

class Collector {
 public:
  Collector(const retrieve::Retrieved& found, const Question& question,
            const retrieve::WordMatcher& matcher)
      : found_(found), question_(question), matcher_(matcher) {}

  std::vector<Unit> run() {
    for (size_t i = 0; i < found_.passages.size(); ++i) {
      const chunk::Chunk& chunk = found_.passages[i].row.chunk;
      for (uint32_t b = 0; b < chunk.block_count; ++b) add_block(i, chunk.block_first + b);
    }
    return std::move(units_);
  }

 private:
  const Note& note_of(size_t passage) const { return found_.passages[passage].live->note; }

  uint64_t block_bits(const Note& note, int32_t index) const {
    if (index < 0) return 0;
    return matcher_.match(vault::visible_text(note, note.blocks[static_cast<size_t>(index)]));
  }

  // What a block's surroundings say: names of the note, headings, lead-in, parent, date.
  uint64_t context_bits(size_t passage, const Block& block) const {
    const Note& note = note_of(passage);
    std::string words = note.title + "\n" + vault::stem_of(note.path);
    for (const std::string& alias : note.aliases) words += "\n" + alias;
    for (const std::string& alias : found_.passages[passage].live->meta.aliases) {
      words += "\n" + alias;
    }
    for (const std::string& heading : vault::heading_path(note, block.heading)) {
      words += "\n" + heading;
    }
    const DateStamp& date = block.date.known() ? block.date : note.date;
    if (date.known()) words += "\n" + vault::iso(date);
    return matcher_.match(words) | block_bits(note, block.parent) | block_bits(note, block.lead);
  }

  void add_block(size_t passage, uint32_t index) {
    const Note& note = note_of(passage);
    const Block& block = note.blocks[index];
    if (block.kind == BlockKind::kTableHeader) return;  // context of its rows
    if (!seen_.emplace(note.path, index).second) return;
    const uint64_t context = context_bits(passage, block);
    switch (block.kind) {
      case BlockKind::kTableRow:
      case BlockKind::kProperty:
      case BlockKind::kHeading:
        add_unit(passage, index, whole(block, note), context);
        return;
      case BlockKind::kCode:
      case BlockKind::kHtml:
      case BlockKind::kMath:
        add_lines(passage, index, context);
        return;
      default:
        add_sentences(passage, index, context);
    }
  }

  static text::ByteRange whole(const Block& block, const Note& note) {
    const std::string_view text = note.block_text(block);
    const uint32_t first = block.kind == BlockKind::kHeading ? content_offset(text) : 0;
    return {first, static_cast<uint32_t>(text.size())};
  }

  void add_lines(size_t passage, uint32_t index, uint64_t context) {
    const Note& note = note_of(passage);
    const std::string_view text = note.block_text(note.blocks[index]);
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      add_unit(passage, index, {static_cast<uint32_t>(at), static_cast<uint32_t>(end)}, context);
      at = end + 1;
    }
  }

  // Sentences of the visible text; a comment inside parts the text like a border. The
  // sentence before counts as context: "It" and "there" point back.
  void add_sentences(size_t passage, uint32_t index, uint64_t context) {
    const Note& note = note_of(passage);
    const Block& block = note.blocks[index];
    const bool canvas = block.kind == BlockKind::kCanvasText;
    const std::string visible = canvas ? block.unescaped : vault::visible_text(note, block);
    uint64_t before = 0;
    for (const text::ByteRange& piece : without_hidden(block, visible)) {
      const std::string_view part =
          std::string_view(visible).substr(piece.first, piece.last - piece.first);
      for (const text::ByteRange& sentence : text::split_sentences(part)) {
        const text::ByteRange range{piece.first + sentence.first, piece.first + sentence.last};
        const uint64_t own =
            matcher_.match(std::string_view(visible).substr(range.first, range.last - range.first));
        add_unit(passage, index, range, context | before);
        before = own;
      }
    }
  }

  // The visible text without its opening markup and its comments.
  static std::vector<text::ByteRange> without_hidden(const Block& block,
                                                     const std::string& visible) {
    std::vector<text::ByteRange> out;
    uint32_t at = content_offset(visible);
    for (const ByteSpan& hidden : block.hidden) {
      const uint32_t first = hidden.first - block.span.byte_first;
      if (first > at) out.push_back({at, first});
      at = std::max(at, hidden.end - block.span.byte_first);
    }
    size_t end = visible.size();
    if (!block.anchor.empty() && std::string_view(visible).ends_with("^" + block.anchor)) {
      end -= block.anchor.size() + 1;
    }
    // A callout's title is a line of its own, not the beginning of its first sentence.
    const size_t title = block.kind == BlockKind::kCallout ? visible.find('\n', at) : end;
    if (out.empty() && title < end) {
      out.push_back({at, static_cast<uint32_t>(title)});
      at = static_cast<uint32_t>(
          std::min(visible.find_first_not_of("> \t", title + 1), visible.size()));
    }
    if (at < end) out.push_back({at, static_cast<uint32_t>(end)});
    return out;
  }

  void add_unit(size_t passage, uint32_t index, text::ByteRange range, uint64_t context) {
    const Note& note = note_of(passage);
    const Block& block = note.blocks[index];
    const bool canvas = block.kind == BlockKind::kCanvasText;
    const std::string_view text =
        canvas ? std::string_view(block.unescaped) : note.block_text(block);
    std::string_view quote = text.substr(range.first, range.last - range.first);
    const auto breaks_before = static_cast<uint32_t>(
        std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(range.first), '\n'));
    quote = quote.substr(0, utf8::floor_boundary(quote, kMaxUnitBytes));
    Unit unit;
    unit.passage = passage;
    unit.block = index;
    unit.quote = std::string(quote);
    if (canvas) {
      unit.line_first = block.span.line_first;
      unit.line_last = block.span.line_last;
    } else {
      unit.line_first = block.span.line_first + breaks_before;
      unit.line_last =
          unit.line_first + static_cast<uint32_t>(std::count(quote.begin(), quote.end(), '\n'));
    }
    unit.plain = readable(note, block, quote);
    if (unit.plain.empty()) return;
    // What a reader sees counts, not the addresses behind its links.
    const uint64_t own = matcher_.match(unit.plain);
    const uint64_t all = question_.whole_names(own | context);
    unit.own = own & all;
    unit.context = context & all;
    // A property's key is a label; only its value can be news.
    const size_t value = block.kind == BlockKind::kProperty ? unit.plain.find(':') : 0;
    unit.news = new_words(value == std::string::npos ? unit.plain : unit.plain.substr(value));
    unit.label =
        unit.news == 0 && (block.kind == BlockKind::kHeading || block.kind == BlockKind::kProperty);
    const std::string_view plain = unit.plain;
    unit.opening = matcher_.match(plain.substr(0, utf8::floor_boundary(plain, 60)));
    unit.fits_kind = fits(unit.plain, question_);
    units_.push_back(std::move(unit));
  }

  // Content words that the question did not bring along, counted up to three.
  uint32_t new_words(const std::string& plain) const {
    uint32_t count = 0;
    text::tokenize(plain, [&](const text::Token& token) {
      if (count >= 3 || !token.in_length || text::is_stopword(token.term)) return;
      if (matcher_.match(token.term) == 0) ++count;
    });
    return count;
  }

  // A table row reads with its column names; everything else without its markup.
  std::string readable(const Note& note, const Block& block, std::string_view quote) const {
    if (block.kind == BlockKind::kCode) return std::string(trimmed(quote));
    if (block.kind != BlockKind::kTableRow) return one_line(vault::strip_inline(quote));
    std::vector<std::string> names;
    if (block.parent >= 0) {
      names = vault::table_cells(note.block_text(note.blocks[static_cast<size_t>(block.parent)]));
    }
    std::string out;
    const std::vector<std::string> cells = vault::table_cells(quote);
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = vault::strip_inline(cells[i]);
      if (cell.empty()) continue;
      if (!out.empty()) out += "; ";
      const std::string name = i < names.size() ? vault::strip_inline(names[i]) : std::string();
      out += name.empty() ? cell : name + ": " + cell;
    }
    return out;
  }

  // Wrapped lines read as one; the quote marks of their beginnings are markup.
  static std::string one_line(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!space) {
        out.push_back(c);
        continue;
      }
      bool line_start = c == '\n';
      while (at + 1 < text.size() &&
             (std::string_view(" \t\n\r").find(text[at + 1]) != std::string_view::npos ||
              (line_start && text[at + 1] == '>'))) {
        ++at;
        line_start = line_start || text[at] == '\n';
      }
      if (!out.empty()) out.push_back(' ');
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
  }

  // Bytes of a block's opening markup: quote signs, callout type, list marker, task box,
  // hashes. The quote begins after them.
  static uint32_t content_offset(std::string_view text) {
    size_t at = 0;
    const auto skip = [&](std::string_view set) {
      while (at < text.size() && set.find(text[at]) != std::string_view::npos) ++at;
    };
    const auto marker = [&](size_t end) {  // a marker counts when white space follows it
      if (end > at && end < text.size() && (text[end] == ' ' || text[end] == '\t')) at = end;
      skip(" \t");
    };
    skip("> \t");
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("[!") || rest.starts_with("[^")) {  // callout type, footnote label
      const size_t close = text.find(']', at);
      if (close != std::string_view::npos) at = close + 1;
      skip("+-: \t");
      return static_cast<uint32_t>(at);
    }
    if (at < text.size() && std::string_view("-*+").find(text[at]) != std::string_view::npos) {
      marker(at + 1);
    } else if (const size_t digits = text.find_first_not_of("0123456789", at);
               digits != std::string_view::npos && digits > at && digits - at <= 9 &&
               (text[digits] == '.' || text[digits] == ')')) {
      marker(digits + 1);
    } else if (at < text.size() && text[at] == '#') {
      marker(std::min(text.find_first_not_of('#', at), text.size()));
    }
    if (text.size() > at + 3 && text[at] == '[' && text[at + 2] == ']' && text[at + 3] == ' ') {
      at += 4;
    }
    return static_cast<uint32_t>(at);
  }

  static std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }
  static std::string trimmed(const std::string& text) {
    return std::string(trimmed(std::string_view(text)));
  }

  const retrieve::Retrieved& found_;
  const Question& question_;
  const retrieve::WordMatcher& matcher_;
  std::set<std::pair<std::string, uint32_t>> seen_;
  std::vector<Unit> units_;
};

// "A CRDT is ...", "Trust means ...": the thing asked about opens the sentence, then a verb of
// being.
bool defines(const Unit& unit, const Question& question) {
  static constexpr std::array<std::string_view, 18> kBeing = {
      " is ",        " are ",    " means ", " refers ", " was ", " were ",
      " describes ", " ist ",    " sind ",  " war ",    " это ", " — ",
      " – ",         " adalah ", " ialah ", "是",       "指",    ": "};
  const std::string_view opening = std::string_view(unit.plain).substr(0, 90);
  const bool being = std::any_of(kBeing.begin(), kBeing.end(), [&](std::string_view verb) {
    return opening.find(verb) != std::string_view::npos;
  });
  return being && 2 * question.weight_of(unit.opening) >= question.mass;
}

int32_t day_of(const Unit& unit, const retrieve::Retrieved& found) {
  const Note& note = found.passages[unit.passage].live->note;
  const DateStamp& date = note.blocks[unit.block].date;
  return date.known() ? date.day_first : note.date.known() ? note.date.day_first : 0;
}

}  // namespace

std::vector<Unit> collect_units(const retrieve::Retrieved& found, const Question& question,
                                const retrieve::WordMatcher& matcher) {
  return Collector(found, question, matcher).run();
}

double coverage(const Question& question, uint64_t own, uint64_t context) {
  if (question.mass <= 0) return 0;
  const double held = question.weight_of(own) + kContextShare * question.weight_of(context & ~own);
  return held / question.mass;
}

void score_units(std::vector<Unit>& units, const Question& question,
                 const retrieve::Retrieved& found) {
  int32_t newest = 0;
  for (const Unit& unit : units) newest = std::max(newest, day_of(unit, found));
  for (Unit& unit : units) {
    const Note& note = found.passages[unit.passage].live->note;
    const Block& block = note.blocks[unit.block];
    double score = coverage(question, unit.own, unit.context);
    if (!unit.fits_kind) score -= 0.2;
    if (block.kind == BlockKind::kHeading) score -= 0.25;  // names an answer, rarely is one
    // Nothing of its own: the surroundings alone carry it.
    if (unit.own == 0) score -= 0.2;
    // Nothing but the question's own words: a label tells nothing, a sentence may still say yes.
    if (unit.label) {
      score -= 0.4;
    } else if (unit.news < 2) {
      score -= 0.1;
    }
    if (question.wants_definition && defines(unit, question)) score += 0.15;
    // A long unit covers more by chance.
    const double words = static_cast<double>(unit.plain.size()) / 6.0;
    if (words > 40) score -= std::min(0.1, (words - 40) * 0.001);
    // Passages come ranked; newer ones win among equals.
    score -= 0.004 * static_cast<double>(std::min<size_t>(unit.passage, 20));
    if (newest > 0 && day_of(unit, found) == newest) score += question.wants_newest ? 0.2 : 0.02;
    unit.score = score;
  }
  std::stable_sort(units.begin(), units.end(),
                   [](const Unit& a, const Unit& b) { return a.score > b.score; });
}

}  // namespace lectern::answer
