// get, links, status; see reading.h.
#include "engine/reading.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/settings.h"
#include "chunk/block_id.h"
#include "text/normalize.h"
#include "vault/parse.h"
#include "vault/resolve.h"

namespace lectern::engine {

namespace {

std::string clean_path(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

// The note a person means: its path with or without ".md", in any case or Unicode form,
// relative to the vault or absolute inside it, or its bare name when that is unique.
Result<store::NoteMeta> find_note(const std::string& wanted, const Config& config,
                                  store::Reader& reader) {
  std::string path = clean_path(wanted);
  if (path.starts_with(config.vault + "/")) path.erase(0, config.vault.size() + 1);
  while (path.starts_with('/')) path.erase(0, 1);
  for (const std::string& form : {path, path + ".md"}) {
    TRY(const auto id, reader.find_note(form));
    if (!id) continue;
    TRY(auto meta, reader.note_meta(*id));
    if (meta) return *std::move(meta);
  }
  TRY(auto notes, reader.all_note_meta());
  const auto key = [](std::string_view text) { return text::fold_case(text); };
  const std::string folded = key(path);
  std::vector<store::NoteMeta*> same_path;
  std::vector<store::NoteMeta*> same_name;
  std::vector<std::string> names;
  for (store::NoteMeta& note : notes) {
    const std::string note_key = key(note.path);
    const std::string stem = vault::stem_of(note.path);
    if (note_key == folded || note_key == folded + ".md") same_path.push_back(&note);
    if (key(stem) == folded || note_key.ends_with("/" + folded) ||
        note_key.ends_with("/" + folded + ".md")) {
      same_name.push_back(&note);
    }
    names.push_back(note.path);
    names.push_back(stem);
  }
  const auto& found = same_path.empty() ? same_name : same_path;
  if (found.size() == 1) return std::move(*found.front());
  if (found.size() > 1) {
    std::string all;
    for (size_t i = 0; i < std::min<size_t>(found.size(), 5); ++i) {
      all += (i == 0 ? "" : ", ") + found[i]->path;
    }
    return fail(ErrorCode::kInvalidArgument, "'" + wanted + "' names several notes: " + all, "path",
                "give the whole path");
  }
  const std::string near = nearest_name(path, names);
  return fail(
      ErrorCode::kNotFound, "there is no note '" + wanted + "' in the index", "path",
      near.empty() ? "lectern index brings the index up to date" : "did you mean '" + near + "'?");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string line_of(std::string_view text, uint32_t wanted) {
  size_t at = 0;
  for (uint32_t line = 1; line < wanted; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  return std::string(text.substr(at, std::min(text.find('\n', at), text.size()) - at));
}

Result<Note> read_note(const store::NoteMeta& meta, const Config& config) {
  TRY(const auto file, read_file(config.vault + "/" + meta.path, config.limits.note_bytes + 1));
  return vault::parse_note(meta.path, file.bytes, {config.limits.note_bytes});
}

Result<std::pair<store::NoteMeta, SourceSpan>> find_block(const GetRequest& request,
                                                          const Config& config,
                                                          store::Reader& reader) {
  const auto id = hash_from_hex(request.block_id);
  if (!id) {
    return fail(ErrorCode::kInvalidArgument, "'" + request.block_id + "' is not a block id", "id",
                "block ids are the 32 hex digits that citations carry");
  }
  std::vector<store::NoteMeta> notes;
  if (request.path.empty()) {
    TRY(notes, reader.all_note_meta());
  } else {
    TRY(auto meta, find_note(request.path, config, reader));
    notes.push_back(std::move(meta));
  }
  for (store::NoteMeta& meta : notes) {
    const std::string file = config.vault + "/" + meta.path;
    const auto stat = stat_file(file);
    Note note;
    if (stat && *stat == meta.stat) {
      TRY(auto stored, reader.load_note(meta.id));
      if (!stored) continue;
      note = *std::move(stored);
    } else if (auto live = read_note(meta, config); live) {
      note = *std::move(live);
    } else {
      continue;
    }
    const std::vector<Hash128> ids = chunk::block_ids(note);
    const auto at = std::find(ids.begin(), ids.end(), *id);
    if (at == ids.end()) continue;
    const SourceSpan span = note.blocks[static_cast<size_t>(at - ids.begin())].span;
    return std::pair(std::move(meta), span);
  }
  return fail(ErrorCode::kNotFound, "the cited block has changed or is gone", request.path,
              "search again for its text");
}

std::string_view kind_name(vault::LinkState state) {
  switch (state) {
    case vault::LinkState::kResolved:
      return "resolved";
    case vault::LinkState::kUnresolved:
      return "unresolved";
    case vault::LinkState::kAmbiguous:
      return "ambiguous";
    case vault::LinkState::kAlias:
      return "alias";
  }
  return "unresolved";
}

// Which notes an ambiguous link could mean; built only when there is one.
class Candidates {
 public:
  explicit Candidates(store::Reader& reader) : reader_(reader) {}

  Result<std::vector<std::string>> of(const std::string& from, const Link& link) {
    if (!index_) {
      TRY(const auto notes, reader_.all_note_meta());
      index_.emplace();
      for (const store::NoteMeta& note : notes) {
        index_->add_note(note.id, note.path, note.aliases);
        paths_[note.id] = note.path;
      }
    }
    std::vector<std::string> out;
    for (const int64_t id : index_->resolve(from, link).candidates) out.push_back(paths_[id]);
    return out;
  }

 private:
  store::Reader& reader_;
  std::optional<vault::LinkIndex> index_;
  std::map<int64_t, std::string> paths_;
};

}  // namespace

Result<GetReply> get(const GetRequest& request, const Config& config, store::Store& store) {
  TRY(const auto reader, store.read());
  store::NoteMeta meta;
  uint32_t first = request.line_first;
  uint32_t last = request.line_last;
  if (!request.block_id.empty()) {
    TRY(auto found, find_block(request, config, *reader));
    meta = std::move(found.first);
    first = found.second.line_first;
    last = found.second.line_last;
  } else {
    TRY(meta, find_note(request.path, config, *reader));
  }
  TRY(const Note note, read_note(meta, config));
  const std::vector<std::string_view> lines = lines_of(note.text);
  const auto count = static_cast<uint32_t>(lines.size());
  GetReply reply;
  reply.path = meta.path;
  reply.title = note.title;
  TRY(const auto stat, stat_file(config.vault + "/" + meta.path));
  reply.mtime = iso_time(stat.mtime_ns / 1'000'000'000);
  if (first == 0) first = 1;
  if (last == 0) last = request.line_first == 0 && request.block_id.empty() ? count : last;
  if (last == 0) last = first;
  if (count == 0) return reply;
  if (first > count || last < first) {
    return fail(ErrorCode::kInvalidArgument,
                "lines " + std::to_string(first) + "-" + std::to_string(last) +
                    " are not in the note, which has " + std::to_string(count),
                meta.path, "give lines from 1 to " + std::to_string(count));
  }
  if (last > count) {
    reply.warnings.push_back({meta.path, count, "the note ends at line " + std::to_string(count)});
    last = count;
  }
  reply.line_first = first;
  reply.line_last = last;
  for (uint32_t line = first; line <= last; ++line) {
    reply.lines.push_back({line, std::string(lines[line - 1])});
  }
  return reply;
}

Result<LinksReply> links(const std::string& note, const Config& config, store::Store& store) {
  TRY(const auto reader, store.read());
  TRY(const auto meta, find_note(note, config, *reader));
  LinksReply reply;
  reply.path = meta.path;
  Candidates candidates(*reader);
  TRY(const auto outgoing, reader->outgoing(meta.id));
  for (const store::LinkRow& row : outgoing) {
    OutgoingLink link;
    link.target = row.link.target;
    link.path = row.path;
    link.heading = row.link.heading;
    link.block = row.link.block;
    link.alias = row.link.alias;
    link.embed = row.link.embed;
    link.line = row.link.line;
    link.kind = kind_name(row.state);
    if (row.state == vault::LinkState::kAmbiguous) {
      TRY(link.candidates, candidates.of(meta.path, row.link));
    }
    reply.outgoing.push_back(std::move(link));
  }
  TRY(const auto incoming, reader->incoming(meta.id));
  std::map<int64_t, std::pair<std::string, Note>> sources;
  for (const store::LinkRow& row : incoming) {
    if (!sources.contains(row.note)) {
      TRY(auto source, reader->note_meta(row.note));
      TRY(auto stored, reader->load_note(row.note));
      if (!source || !stored) {
        return fail(ErrorCode::kBadIndex, "a link names a note that is not stored");
      }
      sources.emplace(row.note, std::pair(source->path, *std::move(stored)));
    }
    const auto& [path, source] = sources[row.note];
    reply.backlinks.push_back({path, row.link.line, line_of(source.text, row.link.line)});
  }
  return reply;
}

Result<StatusReply> status(const Config& config, store::Store& store) {
  TRY(const auto reader, store.read());
  StatusReply reply;
  reply.schema_version = store::kSchemaVersion;
  reply.generation = reader->generation();
  reply.index_path = config.index;
  reply.vault_path = config.vault;
  reply.index_bytes = store.bytes();
  TRY(const auto counts, reader->counts());
  reply.notes = counts.notes;
  reply.chunks = counts.chunks;
  reply.segments = counts.segments;
  reply.warnings = counts.warnings;
  reply.links = counts.links;
  reply.chunk_sizing = "estimate";
  TRY(const auto indexed_at, reader->meta("last_indexed_at"));
  reply.last_indexed_at = indexed_at.value_or("");
  std::error_code error;
  if (!std::filesystem::is_directory(config.vault, error)) reply.degraded.emplace_back("vault");
  return reply;
}

}  // namespace lectern::engine
