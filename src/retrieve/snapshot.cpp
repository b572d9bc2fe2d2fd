// Loads and shares snapshots; see snapshot.h.
#include "retrieve/snapshot.h"

#include <utility>

namespace lectern::retrieve {

namespace {

// The part of `previous` that is the same segment, or null.
const lexical::SegmentView* find_segment(const Snapshot* previous, uint32_t id) {
  if (previous == nullptr) return nullptr;
  for (const lexical::SegmentView& view : previous->segments) {
    if (view.id == id) return &view;
  }
  return nullptr;
}

Result<lexical::SegmentView> load_segment(store::Reader& reader, const store::SegmentRow& row,
                                          const Snapshot* previous) {
  lexical::SegmentView view;
  view.id = row.id;
  const lexical::SegmentView* known = find_segment(previous, row.id);
  if (known != nullptr) {
    view.columns = known->columns;
    view.names = known->names;
    const auto index = static_cast<size_t>(known - previous->segments.data());
    if (previous->deleted_versions[index] == row.deleted_version) {
      view.deleted = known->deleted;
      return view;
    }
  } else {
    TRY(auto columns, reader.segment_columns(row.id));
    TRY(auto names, reader.segment_names(row.id));
    view.columns = std::make_shared<const lexical::DocColumns>(std::move(columns));
    view.names = std::make_shared<const std::string>(std::move(names));
  }
  TRY(auto deleted, reader.segment_deleted(row.id));
  if (!deleted.empty()) {
    view.deleted = std::make_shared<const lexical::DeletedBits>(std::move(deleted));
  }
  return view;
}

}  // namespace

Result<std::shared_ptr<const NoteTable>> Snapshot::notes(store::Reader& reader) const {
  const std::lock_guard lock(mutex_);
  if (notes_ != nullptr) return notes_;
  auto table = std::make_shared<NoteTable>();
  TRY(table->notes, reader.all_note_meta());
  table->by_id.reserve(table->notes.size());
  for (size_t i = 0; i < table->notes.size(); ++i) table->by_id.emplace(table->notes[i].id, i);
  TRY(const auto days, reader.chunk_days());
  table->chunk_day.reserve(days.size());
  for (const auto& [chunk, day] : days) table->chunk_day.emplace(chunk, day);
  notes_ = std::move(table);
  return notes_;
}

Result<std::shared_ptr<const Snapshot>> SnapshotCache::of(store::Reader& reader) {
  std::shared_ptr<const Snapshot> previous;
  {
    const std::lock_guard lock(mutex_);
    previous = latest_;
  }
  if (previous != nullptr && previous->generation == reader.generation()) return previous;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->generation = reader.generation();
  TRY(const auto rows, reader.segments());
  for (const store::SegmentRow& row : rows) {
    TRY(auto view, load_segment(reader, row, previous.get()));
    snapshot->segments.push_back(std::move(view));
    snapshot->deleted_versions.push_back(row.deleted_version);
  }
  snapshot->stats = lexical::corpus_stats(snapshot->segments);
  const std::lock_guard lock(mutex_);
  if (latest_ == nullptr || latest_->generation < snapshot->generation) latest_ = snapshot;
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

}  // namespace lectern::retrieve
