// Queries: everything a Reader can ask, over one connection. The Reader and the Writer
// share it; the Writer sees its own uncommitted work through it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/sqlite/connection.h"
#include "store/store.h"

namespace lectern::store {

class Queries {
 public:
  explicit Queries(Connection& connection) : db_(connection) {}

  Result<std::optional<std::string>> meta(std::string_view key);
  Result<Counts> counts();
  Result<std::vector<FileState>> files();
  Result<std::optional<NoteMeta>> note_meta(int64_t id);
  Result<std::optional<int64_t>> find_note(std::string_view path);
  Result<std::vector<NoteMeta>> all_note_meta();
  Result<std::optional<Note>> load_note(int64_t id);
  Result<std::vector<Warning>> warnings();
  Result<std::optional<ChunkRow>> chunk(int64_t rowid);
  Result<std::vector<ChunkRow>> chunks_of(int64_t note);
  Result<std::vector<std::pair<int64_t, int32_t>>> chunk_days();
  Result<std::vector<SegmentRow>> segments();
  Result<lexical::DocColumns> segment_columns(uint32_t id);
  Result<std::string> segment_names(uint32_t id);
  Result<lexical::DeletedBits> segment_deleted(uint32_t id);
  Result<std::vector<LinkRow>> outgoing(int64_t note);
  Result<std::vector<LinkRow>> incoming(int64_t note);
  Result<std::vector<LinkRow>> links_with_key(std::string_view key);
  Result<std::vector<std::string>> attachments();
  Result<bool> postings(uint32_t segment, std::string_view term, std::string& blob);

 private:
  Result<std::vector<ChunkRow>> read_chunks(Statement& rows);
  Result<std::vector<LinkRow>> read_links(Statement& rows);
  tl::unexpected<Error> bad(std::string_view what) const { return damaged(db_.path(), what); }

  Connection& db_;
};

// Reader's methods for any class whose Base is Reader or derives from it.
template <class Base>
class WithQueries : public Base {
 public:
  explicit WithQueries(Connection& connection) : queries_(connection) {}

  Result<bool> postings(uint32_t segment, std::string_view term, std::string& blob) override {
    return queries_.postings(segment, term, blob);
  }
  Result<std::optional<std::string>> meta(std::string_view key) override {
    return queries_.meta(key);
  }
  Result<Counts> counts() override { return queries_.counts(); }
  Result<std::vector<FileState>> files() override { return queries_.files(); }
  Result<std::optional<NoteMeta>> note_meta(int64_t id) override { return queries_.note_meta(id); }
  Result<std::optional<int64_t>> find_note(std::string_view path) override {
    return queries_.find_note(path);
  }
  Result<std::vector<NoteMeta>> all_note_meta() override { return queries_.all_note_meta(); }
  Result<std::optional<Note>> load_note(int64_t id) override { return queries_.load_note(id); }
  Result<std::vector<Warning>> warnings() override { return queries_.warnings(); }
  Result<std::optional<ChunkRow>> chunk(int64_t rowid) override { return queries_.chunk(rowid); }
  Result<std::vector<ChunkRow>> chunks_of(int64_t note) override {
    return queries_.chunks_of(note);
  }
  Result<std::vector<std::pair<int64_t, int32_t>>> chunk_days() override {
    return queries_.chunk_days();
  }
  Result<std::vector<SegmentRow>> segments() override { return queries_.segments(); }
  Result<lexical::DocColumns> segment_columns(uint32_t id) override {
    return queries_.segment_columns(id);
  }
  Result<std::string> segment_names(uint32_t id) override { return queries_.segment_names(id); }
  Result<lexical::DeletedBits> segment_deleted(uint32_t id) override {
    return queries_.segment_deleted(id);
  }
  Result<std::vector<LinkRow>> outgoing(int64_t note) override { return queries_.outgoing(note); }
  Result<std::vector<LinkRow>> incoming(int64_t note) override { return queries_.incoming(note); }
  Result<std::vector<std::string>> attachments() override { return queries_.attachments(); }

 protected:
  Queries queries_;
};

}  // namespace lectern::store
