// Speed and size on one vault, side by side with SQLite FTS5 over the same chunk texts.
//
// Prints: index time, memory and bytes; the runs after nothing and after one note changed;
// warm query times of Engine::search (keyword), of the keyword lane alone and of FTS5 (OR of
// the same words, bm25, top 20) for the same seeded queries of 2 to 8 words cut from the
// notes; the command line from a cold process; the memory of a process that answers.
//
//   bench_search [VAULT]      default: $LECTERN_BENCH_VAULT, else a synthetic vault of
//                             2,000 notes; the vault is copied, never written to
//   LECTERN_BENCH_QUERIES     number of queries (default 400)
#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "eval_set.h"
#include "lectern/engine.h"
#include "lexical/evaluate.h"
#include "lexical/query.h"
#include "store/store.h"

extern char** environ;

namespace lectern::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(share * last))];
}

// ---- memory ----------------------------------------------------------------

double resident_mb() {
  std::ifstream in("/proc/self/status");
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind("VmRSS:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

double peak_mb() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// ---- vaults ----------------------------------------------------------------

// Words with a Zipf distribution (exponent 1), so that postings have realistic lengths.
Status write_synthetic(const std::string& vault) {
  constexpr size_t kWords = 20000, kNotes = 2000;
  std::mt19937_64 random(7);
  std::vector<std::string> words(kWords);
  for (std::string& word : words) {
    const size_t length = 3 + random() % 7;
    for (size_t i = 0; i < length; ++i) {
      word += "aeioubcdfglmnprst"[i % 2 == 0 ? 5 + random() % 12 : random() % 5];
    }
  }
  std::vector<double> weights(kWords);
  for (size_t i = 0; i < kWords; ++i) weights[i] = 1.0 / static_cast<double>(i + 1);
  std::discrete_distribution<size_t> pick(weights.begin(), weights.end());

  std::error_code error;
  fs::create_directories(vault, error);
  for (size_t n = 0; n < kNotes; ++n) {
    std::ofstream out(vault + "/note-" + std::to_string(n) + ".md");
    out << "# " << words[pick(random)] << ' ' << words[pick(random)] << '\n';
    const size_t sections = 1 + random() % 5;
    for (size_t s = 0; s < sections; ++s) {
      out << "\n## " << words[pick(random)] << "\n\n";
      const size_t length = 40 + random() % 200;
      for (size_t w = 0; w < length; ++w) {
        out << words[pick(random)] << (w % 12 == 11 ? ".\n" : " ");
      }
      out << "[[note-" << random() % kNotes << "]]\n";
    }
    if (!out.flush()) return fail(ErrorCode::kIo, "cannot be written", vault);
  }
  return {};
}

uint64_t note_bytes(const std::string& vault) {
  uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(vault, error)) {
    if (entry.is_regular_file(error) && entry.path().extension() == ".md") {
      total += entry.file_size(error);
    }
  }
  return total;
}

std::string some_note(const std::string& vault) {
  std::error_code error;
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(vault, error)) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file(error) && entry.path().extension() == ".md" &&
        path.find("/.") == std::string::npos) {
      found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? "" : found[found.size() / 2];
}

// ---- what is compared ------------------------------------------------------

struct Lane {  // the keyword lane over the stored segments, nothing around it
  std::unique_ptr<store::Reader> reader;
  std::vector<lexical::SegmentView> segments;
  lexical::CorpusStats stats;
};

Result<Lane> open_lane(store::Store& store) {
  Lane lane;
  TRY(lane.reader, store.read());
  TRY(const std::vector<store::SegmentRow> rows, lane.reader->segments());
  for (const store::SegmentRow& row : rows) {
    lexical::SegmentView view;
    view.id = row.id;
    TRY(lexical::DocColumns columns, lane.reader->segment_columns(row.id));
    TRY(std::string names, lane.reader->segment_names(row.id));
    TRY(lexical::DeletedBits deleted, lane.reader->segment_deleted(row.id));
    view.columns = std::make_shared<const lexical::DocColumns>(std::move(columns));
    view.names = std::make_shared<const std::string>(std::move(names));
    if (!deleted.empty()) {
      view.deleted = std::make_shared<const lexical::DeletedBits>(std::move(deleted));
    }
    lane.segments.push_back(std::move(view));
  }
  lane.stats = lexical::corpus_stats(lane.segments);
  return lane;
}

Result<std::vector<std::string>> chunk_texts(store::Reader& reader) {
  std::vector<std::string> out;
  TRY(const std::vector<store::FileState> files, reader.files());
  for (const store::FileState& file : files) {
    TRY(const std::optional<Note> note, reader.load_note(file.note));
    if (!note) continue;
    TRY(const std::vector<store::ChunkRow> rows, reader.chunks_of(file.note));
    for (const store::ChunkRow& row : rows) out.push_back(chunk::chunk_text(*note, row.chunk));
  }
  return out;
}

bool word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text) {
    if (word_byte(c)) {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

using Queries = std::vector<std::vector<std::string>>;

Queries cut_queries(const std::vector<std::string>& texts, size_t count) {
  std::mt19937_64 random(11);
  Queries out;
  for (size_t tries = 0; out.size() < count && tries < count * 50 && !texts.empty(); ++tries) {
    const std::vector<std::string> words = words_of(texts[random() % texts.size()]);
    const size_t length = 2 + random() % 7;
    if (words.size() < length) continue;
    const size_t at = random() % (words.size() - length + 1);
    out.emplace_back(words.begin() + static_cast<long>(at),
                     words.begin() + static_cast<long>(at + length));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, const char* between, bool quoted) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += quoted ? '"' + word + '"' : word;
  }
  return out;
}

class Fts5 {
 public:
  static Result<std::unique_ptr<Fts5>> build(const std::string& path,
                                             const std::vector<std::string>& texts) {
    auto out = std::unique_ptr<Fts5>(new Fts5());
    if (sqlite3_open(path.c_str(), &out->database_) != SQLITE_OK) return out->failure();
    TRY_STATUS(out->run("PRAGMA journal_mode=WAL"));
    TRY_STATUS(out->run("CREATE VIRTUAL TABLE chunks USING fts5(body)"));
    TRY_STATUS(out->run("BEGIN"));
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(out->database_, "INSERT INTO chunks(body) VALUES (?1)", -1, &insert,
                       nullptr);
    for (const std::string& text : texts) {
      sqlite3_bind_text(insert, 1, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    TRY_STATUS(out->run("COMMIT"));
    TRY_STATUS(out->run("INSERT INTO chunks(chunks) VALUES ('optimize')"));
    if (sqlite3_prepare_v2(out->database_,
                           "SELECT rowid, rank FROM chunks WHERE chunks MATCH ?1 "
                           "ORDER BY rank LIMIT 20",
                           -1, &out->select_, nullptr) != SQLITE_OK) {
      return out->failure();
    }
    return out;
  }

  ~Fts5() {
    sqlite3_finalize(select_);
    sqlite3_close(database_);
  }
  Fts5(const Fts5&) = delete;
  Fts5& operator=(const Fts5&) = delete;

  size_t search(const std::string& match) {
    sqlite3_bind_text(select_, 1, match.data(), static_cast<int>(match.size()), SQLITE_STATIC);
    size_t rows = 0;
    while (sqlite3_step(select_) == SQLITE_ROW) ++rows;
    sqlite3_reset(select_);
    return rows;
  }

 private:
  Fts5() = default;
  tl::unexpected<Error> failure() {
    return fail(ErrorCode::kIo, sqlite3_errmsg(database_), "FTS5");
  }
  Status run(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure();
    return {};
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
};

// ---- measuring -------------------------------------------------------------

struct Timing {
  std::vector<double> ms;
  size_t hits = 0;
};

void print(const char* name, const Timing& timing) {
  std::printf("  %-28s p50 %8.3f  p99 %8.3f  max %8.3f ms", name, percentile(timing.ms, .5),
              percentile(timing.ms, .99), percentile(timing.ms, 1));
  if (timing.hits > 0) {
    std::printf("   hits a query %.1f",
                static_cast<double>(timing.hits) / static_cast<double>(timing.ms.size()));
  }
  std::printf("\n");
}

Result<Timing> time_engine(const Engine& engine, const Queries& queries) {
  Timing out;
  for (const auto& words : queries) {
    SearchRequest request;
    request.query = joined(words, " ", false);
    request.mode = "keyword";
    request.limit = 20;
    const auto start = Clock::now();
    TRY(const SearchReply reply, engine.search(request));
    out.ms.push_back(ms_since(start));
    out.hits += reply.results.size();
  }
  return out;
}

Result<Timing> time_lane(Lane& lane, const KeywordConfig& config, const Queries& queries) {
  Timing out;
  for (const auto& words : queries) {
    const std::string query = joined(words, " ", false);
    lexical::EvaluateOptions options;
    options.keyword = config;
    const auto start = Clock::now();
    const lexical::ParsedQuery parsed = lexical::parse_query(query, lane.stats.langs, false);
    TRY(const lexical::EvaluateResult result,
        lexical::evaluate(parsed, lane.segments, lane.stats, *lane.reader, options));
    out.ms.push_back(ms_since(start));
    out.hits += result.docs.size();
  }
  return out;
}

Timing time_fts5(Fts5& fts, const Queries& queries) {
  Timing out;
  for (const auto& words : queries) {
    const std::string match = joined(words, " OR ", true);
    const auto start = Clock::now();
    out.hits += fts.search(match);
    out.ms.push_back(ms_since(start));
  }
  return out;
}

// Wall time of a process of ours, its output thrown away; below 0 when it cannot run.
double run_process(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const auto start = Clock::now();
  const int failed =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool ran = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  return ran ? ms_since(start) : -1;
}

void time_command_line(const std::string& self, const Config& config, const Queries& queries) {
  const char* named = std::getenv("LECTERN_BIN");
  const std::string program =
      named != nullptr ? named : (fs::path(self).parent_path().parent_path() / "lectern").string();
  Timing timing;
  for (size_t i = 0; i < std::min<size_t>(30, queries.size()); ++i) {
    const double ms = run_process({program, "search", joined(queries[i], " ", false), "--vault",
                                   config.vault, "--index", config.index, "--json"});
    if (ms < 0) {
      std::printf("  command line: %s does not run here; left out\n", program.c_str());
      return;
    }
    timing.ms.push_back(ms);
  }
  print("command line, new process", timing);
}

Config config_for(const std::string& folder) {
  Config config;
  config.vault = folder + "/vault";
  config.vault_name = "vault";
  config.index = folder + "/index/index.db";
  return config;
}

// The memory of a process that only answers: this program again, with nothing indexed in it.
Status probe(const std::string& folder, const std::string& queries_file) {
  TRY(const Engine engine, Engine::open(config_for(folder)));
  std::ifstream in(queries_file);
  std::string line;
  while (std::getline(in, line)) {
    SearchRequest request;
    request.query = line;
    TRY(const SearchReply reply, engine.search(request));
  }
  std::printf("  process that answers          resident %.0f MB, peak %.0f MB\n", resident_mb(),
              peak_mb());
  std::fflush(stdout);
  return {};
}

Status time_indexing(Engine& engine, const std::string& vault) {
  auto start = Clock::now();
  TRY(const IndexReport first, engine.index({}));
  const double fresh = ms_since(start) / 1000;
  const double peak = peak_mb();
  start = Clock::now();
  TRY_STATUS(engine.index({}).map([](const IndexReport&) {}));
  const double unchanged = ms_since(start) / 1000;
  {
    std::ofstream out(some_note(vault), std::ios::app);
    out << "\nA line that was not there before: zyxwvut.\n";
  }
  start = Clock::now();
  TRY(const IndexReport changed, engine.index({}));
  const double one = ms_since(start) / 1000;
  TRY(const StatusReply status, engine.status());
  const auto text = static_cast<double>(std::max<uint64_t>(1, note_bytes(vault)));
  std::printf("  notes %llu, chunks %llu, segments %llu, text %.1f MB\n",
              static_cast<unsigned long long>(status.notes),
              static_cast<unsigned long long>(status.chunks),
              static_cast<unsigned long long>(status.segments), text / 1e6);
  std::printf("  index from nothing %.2f s (%.0f notes/s), peak memory %.0f MB\n", fresh,
              static_cast<double>(first.added) / fresh, peak);
  std::printf("  nothing changed %.3f s; one note changed %.3f s (changed: %llu)\n", unchanged, one,
              static_cast<unsigned long long>(changed.changed));
  std::printf("  index file %.1f MB = %.2f x the text\n",
              static_cast<double>(status.index_bytes) / 1e6,
              static_cast<double>(status.index_bytes) / text);
  return {};
}

Status time_queries(const Engine& engine, const std::string& folder, const std::string& self) {
  const Config& config = engine.config();
  const std::unique_ptr<store::Store> store = store::open_sqlite({config.index, ""});
  TRY(Lane lane, open_lane(*store));
  TRY(const std::vector<std::string> texts, chunk_texts(*lane.reader));
  const char* wanted = std::getenv("LECTERN_BENCH_QUERIES");
  const size_t count = wanted == nullptr ? 400 : std::strtoul(wanted, nullptr, 10);
  const Queries queries = cut_queries(texts, count);
  TRY(const std::unique_ptr<Fts5> fts, Fts5::build(folder + "/fts5.db", texts));

  // Once unmeasured, once measured: warm caches for all three.
  TRY_STATUS(time_engine(engine, queries).map([](const Timing&) {}));
  TRY(const Timing search, time_engine(engine, queries));
  TRY_STATUS(time_lane(lane, config.keyword, queries).map([](const Timing&) {}));
  TRY(const Timing alone, time_lane(lane, config.keyword, queries));
  time_fts5(*fts, queries);
  const Timing sqlite = time_fts5(*fts, queries);

  std::printf("queries: %zu of 2 to 8 words\n", queries.size());
  print("Engine::search, keyword", search);
  print("keyword lane alone", alone);
  print("SQLite FTS5", sqlite);
  for (const auto& [name, timing] :
       {std::pair{"Engine::search", &search}, std::pair{"keyword lane", &alone}}) {
    std::printf("  FTS5 / %-14s p50 %.1f x   p99 %.1f x\n", name,
                percentile(sqlite.ms, .5) / percentile(timing->ms, .5),
                percentile(sqlite.ms, .99) / percentile(timing->ms, .99));
  }
  time_command_line(self, config, queries);
  std::fflush(stdout);

  const std::string file = folder + "/queries.txt";
  {
    std::ofstream out(file);
    for (const auto& words : queries) out << joined(words, " ", false) << '\n';
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl(self.c_str(), self.c_str(), "--probe", folder.c_str(), file.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  if (child > 0) ::waitpid(child, &status, 0);
  return {};
}

Status run(const std::string& self, const std::string& vault) {
  TRY(const TemporaryFolder folder, TemporaryFolder::create());
  const std::string copy = folder.path() + "/vault";
  if (vault.empty()) {
    TRY_STATUS(write_synthetic(copy));
  } else {
    std::error_code error;
    fs::copy(vault, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
    if (error) return fail(ErrorCode::kIo, error.message(), vault);
  }
  std::printf("vault: %s\n",
              vault.empty() ? "synthetic, 2,000 notes" : fs::path(vault).filename().c_str());
  TRY(Engine engine, Engine::open(config_for(folder.path())));
  TRY_STATUS(time_indexing(engine, copy));
  return time_queries(engine, folder.path(), self);
}

int main_of(int argc, char** argv) {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  Status done;
  if (argc == 4 && std::string_view(argv[1]) == "--probe") {
    done = probe(argv[2], argv[3]);
  } else {
    const char* named = std::getenv("LECTERN_BENCH_VAULT");
    done = run(self, argc > 1 ? argv[1] : named != nullptr ? named : "");
  }
  if (!done) std::fprintf(stderr, "bench_search: %s\n", to_line(done.error()).c_str());
  return done ? 0 : 2;
}

}  // namespace
}  // namespace lectern::bench

int main(int argc, char** argv) { return lectern::bench::main_of(argc, argv); }
