// How search, ask and their traces look to a person; see views.h.
#include <fmt/format.h>

#include <algorithm>

#include "cli/views.h"

namespace lectern::cli {

namespace {

constexpr size_t kMaxHighlights = 3;  // lines shown of a passage
constexpr size_t kMaxTraceCandidates = 12;
constexpr size_t kMaxQuote = 400;  // columns of a quote under an answer

std::string first_line_with_text(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return std::string(line);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return {};
}

std::string trail(const SearchResult& result) {
  std::vector<std::string> parts;
  for (const std::string& heading : result.heading) parts.push_back(safe_line(heading));
  const std::string title = safe_line(result.title);
  if (!title.empty() && (parts.empty() || parts.front() != title)) {
    parts.insert(parts.begin(), title);
  }
  return fmt::format("{}", fmt::join(parts, " › "));
}

std::string view_result(const SearchResult& result, const std::set<std::string>& words,
                        const Style& style) {
  constexpr size_t kIndent = 4;
  const std::string where = place(result.path, result.line_first, result.line_last);
  std::string out = fmt::format("{:>2}  {}", result.rank, style.strong(where));
  const std::string headings = trail(result);
  const size_t used = kIndent + display_width(where) + 2;
  if (used + display_width(headings) <= style.width) {
    out += "  " + style.faint(headings) + "\n";
  } else {
    out +=
        "\n" + std::string(kIndent, ' ') + style.faint(fit(headings, style.width - kIndent)) + "\n";
  }
  const auto add_line = [&](const std::string& number, std::string_view text) {
    out +=
        style.faint(fmt::format("{:>9}", number)) + "  " + excerpt(text, words, style, 11) + "\n";
  };
  if (result.highlights.empty()) add_line("", first_line_with_text(result.text));
  for (size_t i = 0; i < result.highlights.size() && i < kMaxHighlights; ++i) {
    add_line(std::to_string(result.highlights[i].line), result.highlights[i].text);
  }
  return out;
}

std::string view_nearest(const std::vector<Nearest>& nearest, const Style& style) {
  if (nearest.empty()) return {};
  std::string out = "\nNearest:\n";
  for (const Nearest& miss : nearest) {
    out += "  " + style.strong(place(miss.path, miss.line_first, miss.line_last)) + "\n";
    const std::string quote = fit(safe_line(miss.quote), kMaxQuote / 2);
    out += "    " + wrap_hanging(fmt::format("\"{}\"", quote), style.width, 4) + "\n";
    if (!miss.why_not.empty()) {
      out += "    " + style.faint(wrap_hanging(safe_line(miss.why_not), style.width, 4)) + "\n";
    }
  }
  return out;
}

std::string view_source(const Citation& source, size_t marker_width, const Style& style) {
  const std::string marker = fmt::format("[{}]", source.marker);
  const std::string where = place(source.path, source.line_first, source.line_last);
  const size_t indent = marker_width + 1;
  std::string out = marker + std::string(indent - marker.size(), ' ') + style.strong(where);
  const std::string quote = fmt::format("\"{}\"", fit(safe_line(source.quote), kMaxQuote));
  const size_t used = indent + display_width(where) + 2;
  if (used + display_width(quote) <= style.width) return out + "  " + quote + "\n";
  return out + "\n" + std::string(indent, ' ') + wrap_hanging(quote, style.width, indent) + "\n";
}

std::string view_answered(const AskReply& reply, const Style& style) {
  std::string out = wrap_hanging(safe_text(reply.answer), style.width, 0) + "\n";
  size_t marker_width = 0;
  for (const Citation& source : reply.citations) {
    marker_width = std::max(marker_width, fmt::format("[{}]", source.marker).size());
  }
  if (!reply.citations.empty()) out += "\n";
  for (const Citation& source : reply.citations) out += view_source(source, marker_width, style);
  if (!reply.superseded.empty()) out += "\nSuperseded:\n";
  for (const Superseded& old : reply.superseded) {
    out += fmt::format(
        "  {}  \"{}\"  {}\n", style.strong(place(old.path, old.line_first, old.line_last)),
        fit(safe_line(old.quote), kMaxQuote), style.faint(fmt::format("replaced by [{}]", old.by)));
  }
  if (!reply.gaps.empty()) out += "\nNot in the notes:\n";
  for (const std::string& gap : reply.gaps) {
    out += "  " + wrap_hanging(safe_line(gap), style.width, 2) + "\n";
  }
  return out;
}

std::string lane_facts(const TraceCandidate& candidate) {
  std::string out;
  for (const auto& [name, hit] : candidate.lanes) {
    out += fmt::format("  {} #{} {:.2f}", name, hit.rank, hit.score);
  }
  if (candidate.fused != 0) out += fmt::format("  fused {:.4f}", candidate.fused);
  return out;
}

std::string view_candidate(const TraceCandidate& candidate, const Style& style) {
  const std::string where = candidate.path.empty()
                                ? candidate.chunk_id.substr(0, 12)
                                : place(candidate.path, candidate.line_first, candidate.line_last);
  std::string decision = safe_line(candidate.decision);
  if (!candidate.drop_reason.empty()) decision += ": " + safe_line(candidate.drop_reason);
  return fmt::format("    {}{}  {}\n", style.strong(safe_line(where)), lane_facts(candidate),
                     style.faint(decision));
}

}  // namespace

std::string view_search(const SearchReply& reply, const Style& style) {
  std::string out;
  const std::set<std::string> words = query_words(reply.query);
  for (const SearchResult& result : reply.results) {
    if (!out.empty()) out += "\n";
    out += view_result(result, words, style);
  }
  if (reply.results.empty()) {
    out = fmt::format("Nothing found for {}\n", style.strong(fit(safe_line(reply.query), 60)));
  }
  if (reply.abstain) {
    out += wrap_hanging(safe_text(reply.abstain->message), style.width, 0) + "\n";
    out += view_nearest(reply.abstain->nearest, style);
  }
  if (reply.trace) out += "\n" + view_trace(*reply.trace, style);
  return out;
}

std::string view_ask(const AskReply& reply, const Style& style) {
  std::string out;
  if (reply.answered) {
    out = view_answered(reply, style);
  } else {
    out = style.strong("NOT_IN_NOTES") + "\n";
    if (reply.abstain) {
      out += wrap_hanging(safe_text(reply.abstain->message), style.width, 0) + "\n";
      out += view_nearest(reply.abstain->nearest, style);
    }
  }
  if (reply.trace) out += "\n" + view_trace(*reply.trace, style);
  return out;
}

std::string view_trace(const Trace& trace, const Style& style) {
  std::string out = "Stages:\n";
  for (const TraceStage& stage : trace.stages) {
    out += fmt::format("  {:<10} {:>8.2f} ms", safe_line(stage.name), stage.ms);
    if (!stage.candidates.empty()) {
      const auto kept = std::count_if(
          stage.candidates.begin(), stage.candidates.end(),
          [](const TraceCandidate& candidate) { return candidate.drop_reason.empty(); });
      out += style.faint(
          fmt::format("  {}, {} kept", count(stage.candidates.size(), "candidate"), kept));
    }
    out += "\n";
    for (const auto& [name, value] : stage.facts) {
      out += fmt::format("    {} = {}\n", safe_line(name), safe_line(value));
    }
    for (size_t i = 0; i < stage.candidates.size() && i < kMaxTraceCandidates; ++i) {
      out += view_candidate(stage.candidates[i], style);
    }
    if (stage.candidates.size() > kMaxTraceCandidates) {
      out += style.faint(fmt::format("    and {} more; --json lists all\n",
                                     stage.candidates.size() - kMaxTraceCandidates));
    }
  }
  return out;
}

std::string view_degraded(const std::vector<std::string>& degraded) {
  if (degraded.empty()) return {};
  return fmt::format("answered without: {}", fmt::join(degraded, ", "));
}

}  // namespace lectern::cli
