// How index, get, links, status and config show look to a person; see views.h.
#include <fmt/format.h>

#include <algorithm>

#include "cli/views.h"

namespace lectern::cli {

namespace {

constexpr size_t kMaxCandidates = 5;  // notes shown that an ambiguous link may mean

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("{:<16}{}\n", name, value);
}

void add_part(std::vector<std::string>& parts, uint64_t number, std::string_view what) {
  if (number > 0) parts.push_back(fmt::format("{} {}", count(number), what));
}

std::string link_counts(const LinkCounts& links) {
  std::string out = count(links.total, "link");
  std::vector<std::string> parts;
  add_part(parts, links.unresolved, "unresolved");
  add_part(parts, links.ambiguous, "ambiguous");
  if (!parts.empty()) out += fmt::format(" ({})", fmt::join(parts, ", "));
  return out;
}

// The link as it stands in the note, without its alias.
std::string written(const OutgoingLink& link) {
  std::string out = link.target;
  if (!link.heading.empty()) out += "#" + link.heading;
  if (!link.block.empty()) out += "#^" + link.block;
  return fmt::format("{}[[{}]]", link.embed ? "!" : "", safe_line(out));
}

std::string outgoing_line(const OutgoingLink& link, const Style& style) {
  std::string out =
      fmt::format("  {}  {}", style.faint(fmt::format("{:>5}", link.line)), written(link));
  if (!link.path.empty()) out += "  " + style.strong(safe_line(link.path));
  if (link.kind == "alias") out += style.faint("  by alias");
  out += "\n";
  if (link.kind != "ambiguous") return out;
  for (size_t i = 0; i < link.candidates.size() && i < kMaxCandidates; ++i) {
    if (link.candidates[i] == link.path) continue;
    out += "         or " + safe_line(link.candidates[i]) + "\n";
  }
  if (link.candidates.size() > kMaxCandidates) {
    out += fmt::format("         and {} more\n", link.candidates.size() - kMaxCandidates);
  }
  return out;
}

std::string outgoing_group(const LinksReply& reply, std::string_view title, std::string_view kind,
                           const Style& style) {
  std::string lines;
  size_t number = 0;
  for (const OutgoingLink& link : reply.outgoing) {
    const std::string_view shown = link.kind == "alias" ? "resolved" : std::string_view(link.kind);
    if (shown != kind) continue;
    lines += outgoing_line(link, style);
    ++number;
  }
  if (number == 0) return {};
  return fmt::format("\n{} ({})\n{}", title, number, lines);
}

}  // namespace

std::string view_index(const IndexReport& report, const Style& style) {
  std::vector<std::string> parts;
  add_part(parts, report.added, "added");
  add_part(parts, report.changed, "changed");
  add_part(parts, report.moved, "moved");
  add_part(parts, report.deleted, "deleted");
  add_part(parts, report.failed, "failed");
  add_part(parts, report.unchanged, "unchanged");
  const std::string changes =
      parts.empty() ? std::string() : fmt::format(": {}", fmt::join(parts, ", "));
  return fmt::format("{}{}; {}, {}; {:.2f} s\n", style.strong(count(report.seen, "note")), changes,
                     count(report.chunks_total, "chunk"), link_counts(report.links),
                     report.seconds);
}

std::string view_get(const GetReply& reply, const Style& style) {
  std::string out;
  const size_t digits = std::to_string(std::max(reply.line_last, reply.line_first)).size();
  for (const NumberedLine& line : reply.lines) {
    out += style.faint(fmt::format("{:>{}}", line.line, digits + 2));
    const std::string text = safe_text(line.text);
    if (!text.empty()) out += "  " + text;
    out += "\n";
  }
  return out;
}

std::string view_links(const LinksReply& reply, const Style& style) {
  std::string out = style.strong(safe_line(reply.path)) + "\n";
  out += outgoing_group(reply, "Outgoing", "resolved", style);
  out += outgoing_group(reply, "Ambiguous", "ambiguous", style);
  out += outgoing_group(reply, "Unresolved", "unresolved", style);
  if (!reply.backlinks.empty()) out += fmt::format("\nBacklinks ({})\n", reply.backlinks.size());
  for (const Backlink& link : reply.backlinks) {
    const std::string where = place(link.path, link.line, link.line);
    out += fmt::format("  {}\n       {}\n", style.strong(where), excerpt(link.text, {}, style, 7));
  }
  if (reply.outgoing.empty() && reply.backlinks.empty()) out += "\nNo links.\n";
  return out;
}

std::string view_status(const StatusReply& reply, const Style&) {
  std::string out;
  out += row("vault", safe_line(reply.vault_path));
  out +=
      row("index", fmt::format("{}  ({})", safe_line(reply.index_path), bytes(reply.index_bytes)));
  out += row("last indexed", reply.last_indexed_at.empty() ? "never" : reply.last_indexed_at);
  out += row("notes", count(reply.notes));
  out += row("chunks", count(reply.chunks));
  out += row("links", fmt::format("{}: {} resolved, {} unresolved, {} ambiguous",
                                  count(reply.links.total), count(reply.links.resolved),
                                  count(reply.links.unresolved), count(reply.links.ambiguous)));
  if (reply.warnings > 0) out += row("warnings", count(reply.warnings));
  if (reply.embeddings.model.empty()) {
    out += row("model", "no model installed: keyword and title lanes only");
  } else {
    out += row("model", safe_line(reply.embeddings.model));
    out += row("embeddings", fmt::format("{}, {} pending", count(reply.embeddings.embedded),
                                         count(reply.embeddings.pending)));
  }
  out += row("chunk sizes", safe_line(reply.chunk_sizing));
  out += row("generation", fmt::format("{}, schema {}, {}", reply.generation, reply.schema_version,
                                       count(reply.segments, "segment")));
  if (!reply.degraded.empty()) out += row("degraded", view_degraded(reply.degraded));
  return out;
}

std::string view_config(const LoadedConfig& loaded, const Style& style) {
  size_t name_width = 0, value_width = 0;
  constexpr size_t kMaxValueColumn = 36;
  for (const Setting& setting : settings()) {
    name_width = std::max(name_width, setting.name.size());
    const size_t width = display_width(safe_line(shown_value(setting, loaded)));
    if (width <= kMaxValueColumn) value_width = std::max(value_width, width);
  }
  std::string out;
  for (const Setting& setting : settings()) {
    const std::string value = safe_line(shown_value(setting, loaded));
    const size_t width = display_width(value);
    const std::string pad(width < value_width ? value_width - width : 0, ' ');
    out += fmt::format("{:<{}}  {}{}  {}\n", setting.name, name_width, value, pad,
                       style.faint(loaded.origin.at(std::string(setting.name))));
  }
  return out;
}

std::string view_warning(const Warning& warning) {
  std::string out;
  if (!warning.path.empty()) out += place(warning.path, warning.line, warning.line) + ": ";
  return out + safe_line(warning.message);
}

}  // namespace lectern::cli
