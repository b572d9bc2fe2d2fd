// From what a person typed to words, phrases and exclusions.
//
// First the operators cut the input into pieces (ordinary text, phrases, exclusions), then
// the tokenizer, the same as for documents, makes words of each piece.
#include <algorithm>
#include <span>

#include "base/utf8.h"
#include "lexical/query.h"
#include "text/char_class.h"
#include "text/normalize.h"
#include "text/stopwords.h"

namespace lectern::lexical {

namespace {

using text::Token;
using text::TokenKind;

constexpr size_t kMaxQueryBytes = 8192;  // a longer query is cut; a page pasted by mistake
constexpr size_t kMaxWords = 256;
// A character of an unspaced run beside its bigrams, and a stop word beside other words.
// Both carry a little: chosen on the development sets, where leaving either out costs up to
// .005 nDCG@10 (Chinese) and .007 (long questions).
constexpr double kUnigramWeight = 0.25;
constexpr double kStopwordWeight = 0.35;
constexpr double kHangulWholeWeight = 0.5;  // a word with its endings, beside its bigrams

enum class PieceKind : uint8_t { kText, kPhrase, kExcluded };
struct Piece {
  PieceKind kind;
  std::string_view text;
};

// ---- operators ----

bool starts_word(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const utf8::Decoded next = utf8::decode(text, at);
  const text::CharClass found = next.valid ? text::classify(next.code) : text::CharClass::kOther;
  return found != text::CharClass::kOther && found != text::CharClass::kMark &&
         found != text::CharClass::kIgnorable;
}

// Bytes of a double quotation mark at `at`, 0 when there is none.
size_t quote_bytes(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '"') return 1;
  const std::string_view three = text.substr(at, 3);
  return three == "\u201C" || three == "\u201D" || three == "\u201E" ? 3 : 0;
}

size_t find_quote(std::string_view text, size_t at) {
  while (at < text.size() && quote_bytes(text, at) == 0) ++at;
  return at;
}

size_t space_after(std::string_view text, size_t at) {
  while (at < text.size()) {
    const utf8::Decoded next = utf8::decode(text, at);
    if (text::is_space(next.code)) return at;
    at += next.bytes;
  }
  return at;
}

bool after_space(std::string_view text, size_t at) {
  if (at == 0) return true;
  size_t before = at - 1;
  while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
  return text::is_space(utf8::decode(text, before).code);
}

bool has_lower(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text, at);
    if (next.valid && text::classify(next.code) == text::CharClass::kLetter &&
        !text::is_upper(next.code)) {
      return true;
    }
    at += next.bytes;
  }
  return false;
}

std::vector<Piece> cut(std::string_view query) {
  std::vector<Piece> pieces;
  size_t from = 0;
  size_t last_quote = query.size() + 1;  // where an unbalanced quote was met: look no further
  const auto end_text = [&](size_t at) {
    if (at > from) pieces.push_back({PieceKind::kText, query.substr(from, at - from)});
  };
  for (size_t at = 0; at < query.size();) {
    if (query[at] == '-' && after_space(query, at) && starts_word(query, at + 1)) {
      end_text(at);
      const size_t end = space_after(query, at);
      pieces.push_back({PieceKind::kExcluded, query.substr(at + 1, end - at - 1)});
      at = from = end;
      continue;
    }
    const size_t open = quote_bytes(query, at);
    if (open > 0 && last_quote > query.size()) {
      const size_t close = find_quote(query, at + open);
      if (close < query.size()) {
        end_text(at);
        pieces.push_back({PieceKind::kPhrase, query.substr(at + open, close - at - open)});
        at = from = close + quote_bytes(query, close);
        continue;
      }
      last_quote = at;
    }
    ++at;
  }
  end_text(query.size());
  return pieces;
}

// ---- words ----

bool stems_apply(text::Lang lang, bool ascii) {
  if (!text::has_stemmer(lang)) return false;
  switch (lang) {  // languages not written in Latin letters
    case text::Lang::kRu:
    case text::Lang::kAr:
    case text::Lang::kEl:
    case text::Lang::kHi:
    case text::Lang::kHy:
    case text::Lang::kNe:
    case text::Lang::kTa:
    case text::Lang::kYi:
      return !ascii;
    default:
      return true;
  }
}

class Parser {
 public:
  explicit Parser(const std::vector<text::Lang>& langs) : langs_(langs) {}

  ParsedQuery parse(std::string_view query, bool operators) {
    any_lower_ = has_lower(query);
    if (!operators) {
      add_text(query);
    } else {
      for (const Piece& piece : cut(query)) add_piece(piece);
    }
    for (QueryWord& word : unigrams_) add_word(std::move(word));  // last: they matter least
    weigh_stopwords(query_.words);
    return std::move(query_);
  }

 private:
  struct Seen {
    Token token;
    std::string term;
  };

  static std::vector<Seen> tokens_of(std::string_view text) {
    std::vector<Seen> tokens;
    text::tokenize(text, [&](const Token& token) {
      if (tokens.size() < kMaxWords * 4) tokens.push_back({token, std::string(token.term)});
    });
    return tokens;
  }

  void add_piece(const Piece& piece) {
    switch (piece.kind) {
      case PieceKind::kText:
        add_text(piece.text);
        break;
      case PieceKind::kPhrase:
        add_phrase(piece.text);
        break;
      case PieceKind::kExcluded:
        add_excluded(piece.text);
        break;
    }
  }

  QueryWord make_word(const Seen& seen) const {
    QueryWord word;
    word.surface = seen.term;
    word.kind = seen.token.kind;
    word.members.push_back(seen.term);
    if (seen.token.stemmable) add_stems(seen.term, word.members);
    word.stopword = text::is_stopword(seen.term);
    return word;
  }

  static void add_member(std::string member, std::vector<std::string>& members) {
    if (std::find(members.begin(), members.end(), member) == members.end()) {
      members.push_back(std::move(member));
    }
  }

  void add_stems(const std::string& term, std::vector<std::string>& members) const {
    const bool ascii = std::all_of(term.begin(), term.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    for (const text::Lang lang : langs_) {
      if (!stems_apply(lang, ascii)) continue;
      const std::string stem = text::stem(term, lang);
      add_member(stem, members);
      add_member(std::string(text::lang_code(lang)) + ":" + stem, members);
    }
  }

  // Its index in words; an equal surface is kept once, as the stronger of the two.
  int32_t add_word(QueryWord word) {
    for (size_t i = 0; i < query_.words.size(); ++i) {
      QueryWord& known = query_.words[i];
      if (known.surface != word.surface) continue;
      if (word.part_of < 0) known.part_of = -1;
      known.weight = std::max(known.weight, word.weight);
      known.name = known.name || word.name;
      for (std::string& member : word.members) add_member(std::move(member), known.members);
      return static_cast<int32_t>(i);
    }
    if (query_.words.size() >= kMaxWords) return -1;
    query_.words.push_back(std::move(word));
    return static_cast<int32_t>(query_.words.size() - 1);
  }

  // Capitalised, but not just because it opens the sentence or everything is in capitals.
  bool is_name(const Token& token, std::string_view text) const {
    if (token.kind == TokenKind::kIdentifier) return true;
    if (token.byte_first >= text.size()) return false;
    if (!text::is_upper(utf8::decode(text, token.byte_first).code)) return false;
    return any_lower_ && (!first_ || is_acronym(token, text));
  }

  static bool is_acronym(const Token& token, std::string_view text) {
    const std::string_view raw = text.substr(token.byte_first, token.byte_last - token.byte_first);
    return raw.size() >= 2 && std::all_of(raw.begin(), raw.end(), text::ascii_upper) &&
           raw != "AND" && raw != "OR" && raw != "NOT" && raw != "NEAR";
  }

  void add_text(std::string_view text) {
    const std::vector<Seen> tokens = tokens_of(text);
    for (size_t i = 0; i < tokens.size();) {
      // A top token and what belongs to it: its parts, or the bigrams of a Hangul word.
      size_t end = i + 1;
      while (end < tokens.size() && !tokens[end].token.in_length &&
             tokens[end].token.kind != TokenKind::kUnigram &&
             tokens[end].token.position == tokens[i].token.position) {
        ++end;
      }
      add_group(std::span(tokens).subspan(i, end - i), text);
      first_ = false;
      i = end;
    }
  }

  void add_group(std::span<const Seen> group, std::string_view text) {
    const Seen& top = group.front();
    if (top.token.kind == TokenKind::kUnigram && !top.token.in_length) {
      QueryWord word = make_word(top);
      word.weight = kUnigramWeight;
      unigrams_.push_back(std::move(word));
      return;
    }
    if (top.token.kind == TokenKind::kWord && !top.token.atom) {
      add_contraction(group, text);
      return;
    }
    QueryWord whole = make_word(top);
    whole.name = is_name(top.token, text);
    if (whole.name && any_lower_ && is_acronym(top.token, text)) whole.stopword = false;
    const bool hangul = group.size() > 1 && group[1].token.kind == TokenKind::kBigram;
    if (hangul) whole.weight = kHangulWholeWeight;
    const int32_t index = add_word(std::move(whole));
    for (size_t i = 1; i < group.size(); ++i) {
      QueryWord part = make_word(group[i]);
      if (part.surface == top.term) continue;
      part.part_of = hangul ? -1 : index;
      add_word(std::move(part));
    }
  }

  // `what's`, `l'amour`, `Jonas's`: one word, led by its longest part.
  void add_contraction(std::span<const Seen> group, std::string_view text) {
    QueryWord word = make_word(group.front());
    word.name = is_name(group.front().token, text);
    const Seen* longest = nullptr;
    for (size_t i = 1; i < group.size(); ++i) {
      if (!group[i].token.atom) {
        for (std::string& member : make_word(group[i]).members) add_member(member, word.members);
      } else if (longest == nullptr || group[i].term.size() > longest->term.size()) {
        longest = &group[i];
      }
    }
    if (longest != nullptr && !word.stopword) {
      word.surface = longest->term;
      word.stopword = text::is_stopword(longest->term);
      for (std::string& member : make_word(*longest).members) add_member(member, word.members);
    }
    add_word(std::move(word));
  }

  // A phrase's words must all occur; atoms, or the bigrams of unspaced scripts.
  void add_phrase(std::string_view text) {
    std::vector<QueryWord> words;
    for (const Seen& seen : tokens_of(text)) {
      const Token& token = seen.token;
      const bool lone = token.kind == TokenKind::kUnigram && token.in_length;
      const bool atom = token.atom && token.kind != TokenKind::kUnigram;
      if (!atom && !lone && token.kind != TokenKind::kBigram) continue;
      QueryWord word = make_word(seen);
      word.members = {seen.term};
      words.push_back(std::move(word));
    }
    add_text(text);
    if (words.empty()) return;
    query_.phrases.push_back(std::move(words));
    query_.phrase_texts.push_back(text::fold(text));
  }

  void add_excluded(std::string_view text) {
    std::vector<QueryWord> words;
    for (const Seen& seen : tokens_of(text)) {
      if (!seen.token.in_length) continue;
      QueryWord word = make_word(seen);
      word.members = {seen.term};
      words.push_back(std::move(word));
    }
    if (words.size() == 1) {
      query_.excluded.push_back(std::move(words.front()));
    } else if (!words.empty()) {
      query_.excluded_runs.push_back(std::move(words));
    }
  }

  static void weigh_stopwords(std::vector<QueryWord>& words) {
    const bool others =
        std::any_of(words.begin(), words.end(), [](const QueryWord& w) { return !w.stopword; });
    if (!others) return;
    for (QueryWord& word : words) {
      if (word.stopword) word.weight *= kStopwordWeight;
    }
  }

  const std::vector<text::Lang>& langs_;
  ParsedQuery query_;
  std::vector<QueryWord> unigrams_;
  bool first_ = true;
  bool any_lower_ = false;
};

}  // namespace

ParsedQuery parse_query(std::string_view query, const std::vector<text::Lang>& langs,
                        bool operators) {
  query = query.substr(0, utf8::floor_boundary(query, kMaxQueryBytes));
  ParsedQuery parsed = Parser(langs).parse(query, operators);
  const bool excludes = !parsed.excluded.empty() || !parsed.excluded_runs.empty();
  if (operators && parsed.empty() && excludes) return Parser(langs).parse(query, false);
  return parsed;
}

}  // namespace lectern::lexical
