// See test_vault.h.
#include "test_vault.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>

#include "lexical/evaluate.h"
#include "lexical/query.h"

namespace lectern::index {

namespace {

template <typename T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << to_line(result.error());
    std::abort();
  }
  return *std::move(result);
}

std::vector<lexical::SegmentView> load_segments(store::Reader& reader) {
  std::vector<lexical::SegmentView> views;
  for (const store::SegmentRow& row : must(reader.segments())) {
    lexical::SegmentView view;
    view.id = row.id;
    view.columns = std::make_shared<lexical::DocColumns>(must(reader.segment_columns(row.id)));
    view.names = std::make_shared<std::string>(must(reader.segment_names(row.id)));
    auto deleted = must(reader.segment_deleted(row.id));
    if (!deleted.empty()) view.deleted = std::make_shared<lexical::DeletedBits>(deleted);
    views.push_back(std::move(view));
  }
  return views;
}

void describe_search(store::Reader& reader, std::string& out) {
  const auto segments = load_segments(reader);
  const lexical::CorpusStats stats = lexical::corpus_stats(segments);
  out += fmt::format("docs {} length {:.6f}\n", stats.docs, stats.average_length);
  std::map<int64_t, std::string> paths;
  for (const store::NoteMeta& note : must(reader.all_note_meta())) paths[note.id] = note.path;
  for (const char* words : {"tea", "green tea", "coffee beans", "deploy", "alpha", "notes"}) {
    const auto query = lexical::parse_query(words, stats.langs);
    lexical::EvaluateOptions options;
    options.k = 50;
    const auto found = must(lexical::evaluate(query, segments, stats, reader, options));
    out += fmt::format("query {}:", words);
    for (const lexical::ScoredDoc& doc : found.docs) {
      out += fmt::format(" {}={:.6f}", to_hex(doc.id), doc.score);
    }
    out += "\ntitles:";
    for (const auto& note : must(lexical::evaluate_titles(query, segments, nullptr, 50))) {
      out += fmt::format(" {}={:.6f}", paths.at(note.note), note.score);
    }
    out += "\n";
  }
}

}  // namespace

void set_age(const std::string& path, int hours) {
  struct timespec when {};
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec -= 3600 * hours;
  const struct timespec times[2] = {when, when};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0) << path;
}

TestVault::TestVault() {
  std::string pattern = testing::TempDir() + "lectern-index-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) std::abort();
  root_ = pattern;
  std::filesystem::create_directory(root_ + "/vault");
}

TestVault::~TestVault() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void TestVault::write(const std::string& path, std::string_view text) const {
  std::filesystem::create_directories(std::filesystem::path(file(path)).parent_path());
  {
    std::ofstream out(file(path), std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  set_age(file(path), 1);
}

void TestVault::remove(const std::string& path) const { std::filesystem::remove(file(path)); }

void TestVault::rename(const std::string& from, const std::string& to) const {
  std::filesystem::create_directories(std::filesystem::path(file(to)).parent_path());
  std::filesystem::rename(file(from), file(to));
}

Config TestVault::config() const {
  Config config;
  config.vault = root_ + "/vault";
  config.index = root_ + "/index/index.db";
  config.limits.lock_wait_ms = 50;
  return config;
}

std::unique_ptr<store::Store> TestVault::store(const std::string& vfs) const {
  return store::open_sqlite({config().index, vfs});
}

Result<IndexReport> TestVault::try_index(const IndexRequest& request,
                                         const std::string& vfs) const {
  const auto opened = store(vfs);
  return run(config(), *opened, request, {}, nullptr, {.notes = 3});
}

IndexReport TestVault::index(const IndexRequest& request) const { return must(try_index(request)); }

std::string TestVault::contents() const {
  const auto opened = store();
  const auto reader = must(opened->read());
  std::string out;
  std::map<std::string, int64_t> notes;
  for (const store::FileState& file : must(reader->files())) notes[file.path] = file.note;
  for (const auto& [path, id] : notes) {
    const auto note = *must(reader->load_note(id));
    out += fmt::format("note {} title {} hash {}\n{}\n", path, note.title, to_hex(note.hash),
                       note.text);
    for (const store::ChunkRow& row : must(reader->chunks_of(id))) {
      out += fmt::format("chunk {} lines {}-{}\n", to_hex(row.chunk.id), row.chunk.span.line_first,
                         row.chunk.span.line_last);
    }
    for (const store::LinkRow& row : must(reader->outgoing(id))) {
      out += fmt::format("link {} state {} to {}\n", row.link.target, static_cast<int>(row.state),
                         row.path);
    }
  }
  for (const std::string& path : must(reader->attachments())) out += "attachment " + path + "\n";
  for (const Warning& warning : must(reader->warnings())) {
    out += fmt::format("warning {}:{} {}\n", warning.path, warning.line, warning.message);
  }
  const store::Counts counts = must(reader->counts());
  out += fmt::format("counts {} {} links {} {} {} {}\n", counts.notes, counts.chunks,
                     counts.links.total, counts.links.resolved, counts.links.unresolved,
                     counts.links.ambiguous);
  describe_search(*reader, out);
  return out;
}

std::string TestVault::integrity() const {
  sqlite3* raw = nullptr;
  std::string answer = "not opened";
  if (sqlite3_open(config().index.c_str(), &raw) == SQLITE_OK) {
    const auto keep = [](void* out, int, char** values, char**) {
      static_cast<std::string*>(out)->assign(values[0]);
      return 0;
    };
    char* message = nullptr;
    if (sqlite3_exec(raw, "PRAGMA integrity_check", keep, &answer, &message) != SQLITE_OK) {
      answer = message;
    }
    sqlite3_free(message);
  }
  sqlite3_close(raw);
  return answer;
}

}  // namespace lectern::index
