// SqliteWriter: one write transaction at a time on a connection of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/sqlite/connection.h"
#include "store/sqlite/queries.h"
#include "store/store.h"

namespace lectern::store {

class SqliteWriter final : public WithQueries<Writer> {
 public:
  // Begins the first transaction; `fresh` empties every table in it.
  static Result<std::unique_ptr<Writer>> begin(std::unique_ptr<Connection> connection, bool fresh);
  ~SqliteWriter() override;

  uint64_t generation() const override { return state_.generation; }
  Result<Counts> counts() override {
    TRY_STATUS(save_state());  // the counters are kept here until the commit
    return queries_.counts();
  }

  Status put_note(FileState& file, const Note& note, const std::vector<chunk::Chunk>& chunks,
                  std::vector<int64_t>& chunk_rowids) override;
  Status touch_file(const FileState& file) override;
  Status remove_note(int64_t id) override;
  Result<uint32_t> put_segment(const lexical::EncodedSegment& segment) override;
  Result<uint32_t> begin_segment() override;
  Status add_term(uint32_t segment, std::string_view term, std::string_view blob) override;
  Status finish_segment(uint32_t segment, const lexical::MergedHeader& header) override;
  Status drop_segment(uint32_t id) override;
  Status set_deleted(uint32_t segment, const lexical::DeletedBits& bits) override;
  Result<std::unique_ptr<lexical::TermStream>> terms(uint32_t segment) override;
  Result<std::vector<LinkRow>> links_with_key(std::string_view key) override {
    return queries_.links_with_key(key);
  }
  Status set_resolution(const LinkRow& row) override;
  Status set_attachments(const std::vector<std::string>& paths) override;
  Status set_meta(std::string_view key, std::string_view value) override;
  Status set_run_warnings(const std::vector<Warning>& warnings) override;
  Status commit() override;

 private:
  // The one row of table state.
  struct State {
    uint64_t generation = 0;
    int64_t next_note = 1, next_chunk = 1, next_segment = 1, next_version = 1;
    int64_t links = 0, links_unresolved = 0, links_ambiguous = 0;
  };

  explicit SqliteWriter(std::unique_ptr<Connection> connection)
      : WithQueries<Writer>(*connection), db_(std::move(connection)) {}
  Status begin_transaction();
  Status load_state();
  Status save_state();
  Status delete_parts(int64_t note);
  Status unresolve_links_to(int64_t note);
  // Takes the links whose states `sql` gives out of the counters.
  Status uncount_links(std::string_view sql, int64_t parameter);
  void count_link(vault::LinkState state, int64_t by);
  Status put_row(const FileState& file, const Note& note);
  Status put_body(int64_t id, const Note& note);
  Status put_chunks(int64_t id, const std::vector<chunk::Chunk>& chunks,
                    std::vector<int64_t>& rowids);
  Status put_links(int64_t id, const std::vector<Link>& links);
  Status put_warnings(int64_t id, const std::vector<Warning>& warnings);
  Status run_with(std::string_view sql, int64_t id);
  void shrink();

  std::unique_ptr<Connection> db_;
  State state_;
};

}  // namespace lectern::store
