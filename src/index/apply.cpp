// Writing batches; see apply.h.
#include "index/apply.h"

#include <algorithm>
#include <set>
#include <utility>

#include "vault/parse.h"

namespace lectern::index {

namespace {

std::string join_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out.append(line).push_back('\n');
  return out;
}

std::vector<std::string> names_of(const Note& note) {
  std::vector<std::string> names = {note.title};
  names.insert(names.end(), note.aliases.begin(), note.aliases.end());
  names.push_back(vault::stem_of(note.path));
  return names;
}

}  // namespace

Apply::Apply(store::Writer& writer, LiveSegments& segments, LinkPass& links, RunReport& report,
             std::vector<store::FileState> gone, const Batching& batching)
    : writer_(writer),
      segments_(segments),
      links_(links),
      report_(report),
      gone_(std::move(gone)),
      taken_over_(gone_.size(), false),
      batching_(batching) {
  for (size_t i = 0; i < gone_.size(); ++i) gone_by_hash_.emplace(gone_[i].hash, i);
}

Status Apply::take(const PlannedRead& planned, ReadNote&& read) {
  switch (read.outcome) {
    case ReadOutcome::kFailed:
      ++report_.index.failed;
      report_.warn(
          {planned.path, 0,
           read.reason + (planned.known.note != 0 ? "; what was indexed before stays" : "")});
      return {};
    case ReadOutcome::kVanished:
      if (planned.known.note != 0) {
        gone_.push_back(planned.known);
        taken_over_.push_back(false);
      }
      return {};
    case ReadOutcome::kSame: {
      ++report_.index.unchanged;
      store::FileState file = planned.known;
      file.stat = read.stat;
      file.racy = read.racy;
      TRY_STATUS(writer_.touch_file(file));
      return count_note();
    }
    case ReadOutcome::kParsed:
      return write(planned, read);
  }
  return {};
}

Status Apply::write(const PlannedRead& planned, ReadNote& read) {
  store::FileState file;
  file.path = planned.path;
  file.stat = read.stat;
  file.hash = read.hash;
  file.racy = read.racy;
  file.note = planned.known.note != 0 ? planned.known.note : moved_from(read.hash, planned.path);
  if (planned.known.note != 0) {
    ++(planned.known.hash == read.hash ? report_.index.unchanged : report_.index.changed);
  } else {
    ++(file.note != 0 ? report_.index.moved : report_.index.added);
  }
  TRY_STATUS(note_names_changed(read.note, file.note));
  TRY_STATUS(retire_chunks(file.note, read.chunks));
  std::vector<store::LinkRow> links_before;
  if (planned.known.note != 0) {
    TRY(links_before, writer_.outgoing(file.note));
  }
  std::vector<int64_t> rowids;
  TRY_STATUS(writer_.put_note(file, read.note, read.chunks, rowids));
  add_documents(file, read, rowids);
  TRY_STATUS(carry_links(file, read.note, links_before));
  report_.index.warnings.insert(report_.index.warnings.end(), read.note.warnings.begin(),
                                read.note.warnings.end());
  return count_note();
}

int64_t Apply::moved_from(const Hash128& hash, const std::string& path) {
  const auto [first, last] = gone_by_hash_.equal_range(hash);
  if (first == last) return 0;
  // Among equal files the one of the same name: it was only put into another folder.
  const std::string stem = vault::stem_of(path);
  auto chosen = std::find_if(first, last, [&](const auto& entry) {
    return vault::stem_of(gone_[entry.second].path) == stem;
  });
  if (chosen == last) chosen = first;
  const size_t index = chosen->second;
  gone_by_hash_.erase(chosen);
  taken_over_[index] = true;
  return gone_[index].note;
}

Status Apply::note_names_changed(const Note& note, int64_t known) {
  if (known == 0) {
    links_.name_changed(note.path, note.aliases);
    return {};
  }
  TRY(const auto before, writer_.note_meta(known));
  if (before && before->path == note.path && before->aliases == note.aliases) return {};
  if (before) links_.name_changed(before->path, before->aliases);
  links_.name_changed(note.path, note.aliases);
  return {};
}

Status Apply::retire_chunks(int64_t note, const std::vector<chunk::Chunk>& instead) {
  std::set<Hash128> fresh;
  for (const chunk::Chunk& chunk : instead) fresh.insert(chunk.id);
  uint64_t kept = 0;
  if (note != 0) {
    TRY(const auto rows, writer_.chunks_of(note));
    for (const store::ChunkRow& row : rows) {
      retired_.push_back(row.rowid);
      kept += fresh.contains(row.chunk.id) ? 1 : 0;
    }
    report_.index.chunks_deleted += rows.size() - kept;
  }
  report_.index.chunks_added += instead.size() - std::min<uint64_t>(kept, instead.size());
  return {};
}

Status Apply::carry_links(const store::FileState& file, const Note& note,
                          const std::vector<store::LinkRow>& before) {
  std::map<std::pair<LinkSyntax, std::string_view>, const store::LinkRow*> known;
  for (const store::LinkRow& row : before) {
    known.emplace(std::pair(row.link.syntax, std::string_view(row.link.target)), &row);
  }
  bool all_known = true;
  for (size_t i = 0; i < note.links.size(); ++i) {
    const Link& link = note.links[i];
    const auto found = known.find({link.syntax, link.target});
    if (found == known.end()) {
      all_known = false;
      continue;
    }
    store::LinkRow row = *found->second;
    row.note = file.note;
    row.seq = static_cast<uint32_t>(i);
    TRY_STATUS(writer_.set_resolution(row));
  }
  if (!all_known) links_.note_written(file.note);
  return {};
}

void Apply::add_documents(const store::FileState& file, const ReadNote& read,
                          const std::vector<int64_t>& rowids) {
  const Note& note = read.note;
  const std::vector<std::string> names = names_of(note);
  const std::string title_text = join_lines(names);
  int32_t heading = -1;
  std::string heading_text;
  for (size_t i = 0; i < read.chunks.size(); ++i) {
    const chunk::Chunk& chunk = read.chunks[i];
    if (chunk.heading != heading) {
      heading = chunk.heading;
      heading_text = join_lines(vault::heading_path(note, heading));
    }
    lexical::DocInput doc;
    doc.note = file.note;
    doc.chunk = rowids[i];
    doc.id = chunk.id;
    doc.lang = chunk.lang;
    doc.property = chunk.kind == BlockKind::kProperty;
    doc.title_text = title_text;
    doc.heading_text = heading_text;
    doc.body = read.chunk_texts[i];
    builder_.add(doc);
  }
  if (!read.chunks.empty()) builder_.add_names(file.note, names);
}

Status Apply::count_note() {
  ++in_batch_;
  if (in_batch_ >= batching_.notes || builder_.memory_bytes() >= batching_.memory)
    return finish_batch();
  return {};
}

Status Apply::remove_gone() {
  for (size_t i = 0; i < gone_.size(); ++i) {
    if (taken_over_[i]) continue;
    TRY_STATUS(remove(gone_[i].note));
    ++report_.index.deleted;
    TRY_STATUS(count_note());
  }
  return {};
}

Status Apply::remove(int64_t note) {
  TRY(const auto meta, writer_.note_meta(note));
  if (meta) links_.name_changed(meta->path, meta->aliases);
  TRY_STATUS(retire_chunks(note, {}));
  return writer_.remove_note(note);
}

Status Apply::finish_batch() {
  if (in_batch_ == 0) return {};
  in_batch_ = 0;
  TRY_STATUS(segments_.remove_chunks(std::exchange(retired_, {})));
  if (builder_.docs() > 0) {
    const lexical::EncodedSegment segment =
        std::exchange(builder_, lexical::SegmentBuilder()).finish();
    TRY_STATUS(segments_.add(segment));
  }
  TRY_STATUS(segments_.merge());
  return writer_.commit();
}

}  // namespace lectern::index
