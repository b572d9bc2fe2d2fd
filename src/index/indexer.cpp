// The stages of an indexing run, in order; see indexer.h.
#include "index/indexer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/utf8.h"
#include "chunk/chunk.h"
#include "index/apply.h"
#include "index/link_pass.h"
#include "index/live_segments.h"
#include "index/plan.h"
#include "index/read_ahead.h"
#include "store/writer_lock.h"
#include "text/tokenize.h"
#include "vault/scan.h"

namespace lectern::index {

namespace {

// Below this many notes, losing more than half of them is everyday work.
constexpr size_t kGuardedNotes = 20;

struct Stage {
  const Config& config;
  const IndexRequest& request;
  std::string vault;  // its real path
  const ProgressFn& progress;
  const std::atomic<bool>* cancel;
  const Batching& batching;

  bool cancelled() const { return cancel != nullptr && cancel->load(); }
  void tell(const char* phase, uint64_t done, uint64_t total) const {
    if (progress) progress({phase, done, total});
  }
};

Result<std::string> real_path(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(folder, error);
  if (error) {
    return fail(ErrorCode::kVaultUnreachable, "the vault cannot be read: " + error.message(),
                folder, "check the path, or mount it");
  }
  return path.string();
}

// What notes are made into chunks and words with. When it differs from what the index has,
// all notes are read again.
std::string tokenizer_version() { return std::to_string(text::kTokenizerVersion); }
std::string chunk_fingerprint(const Config& config) {
  return chunk::fingerprint(config.chunk, kTokenCounter);
}

Result<bool> made_otherwise(store::Writer& writer, const Config& config) {
  TRY(const auto tokenizer, writer.meta("tokenizer_version"));
  TRY(const auto chunks, writer.meta("chunk_fingerprint"));
  return tokenizer != tokenizer_version() || chunks != chunk_fingerprint(config);
}

Status store_making(store::Writer& writer, const Config& config) {
  TRY_STATUS(writer.set_meta("tokenizer_version", tokenizer_version()));
  return writer.set_meta("chunk_fingerprint", chunk_fingerprint(config));
}

std::string lines(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out.append(item).push_back('\n');
  return out;
}

// New files that are old ones at another place, found before anything is written: only
// asked when so much seems to be gone that the run would be refused.
size_t count_moves(const Config& config, const Plan& plan) {
  std::multiset<Hash128> gone;
  std::set<uint64_t> sizes;
  for (const store::FileState& file : plan.gone) {
    gone.insert(file.hash);
    sizes.insert(file.stat.size);
  }
  size_t moves = 0;
  for (const PlannedRead& read : plan.reads) {
    if (read.known.note != 0 || !sizes.contains(read.stat.size)) continue;
    const auto bytes = read_file(config.vault + "/" + read.path, config.limits.note_bytes + 1);
    if (!bytes) continue;
    if (const auto found = gone.find(hash128(bytes->bytes)); found != gone.end()) {
      gone.erase(found);
      ++moves;
    }
  }
  return moves;
}

// An unmounted or emptied folder must not empty the index.
Status guard_deletions(const Stage& stage, const Plan& plan, size_t known) {
  if (stage.request.force_empty || plan.gone.empty()) return {};
  const auto too_many = [&](size_t deletions) {
    return deletions == known || (known >= kGuardedNotes && deletions * 2 > known);
  };
  if (!too_many(plan.gone.size())) return {};
  const size_t deletions = plan.gone.size() - count_moves(stage.config, plan);
  if (!too_many(deletions)) return {};
  return fail(ErrorCode::kRefused,
              "this would delete " + std::to_string(deletions) + " of " + std::to_string(known) +
                  " notes from the index",
              stage.config.vault,
              "check that the vault is mounted; `lectern index --force-empty` if it is meant");
}

// The scan has warned of each; here they count, with the notes beneath them that stay.
void count_unreadable(const vault::ScanResult& scan, const Plan& plan, RunReport& report) {
  for (const std::string& path : scan.unreadable) {
    const auto kept = static_cast<uint64_t>(
        std::count_if(plan.kept.begin(), plan.kept.end(),
                      [&](const std::string& note) { return is_within(note, path); }));
    report.index.failed += std::max<uint64_t>(kept, 1);
  }
}

// Which links to look at, as far as the notes themselves do not tell: all of them in a new
// index and after a run that did not get to them.
Status plan_links(store::Writer& writer, const vault::ScanResult& scan, bool empty_index,
                  LinkPass& links) {
  TRY(const auto unfinished, writer.meta("unfinished"));
  if (empty_index || (unfinished && !unfinished->empty())) links.everything();
  TRY(const auto before, writer.attachments());
  std::vector<std::string> now = scan.attachments;
  std::sort(now.begin(), now.end());
  std::vector<std::string> different;
  std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                std::back_inserter(different));
  for (const std::string& path : different) links.name_changed(path, {});
  return {};
}

Status read_and_apply(const Stage& stage, const Plan& plan, Apply& apply) {
  ReadAhead ahead(stage.config, plan.reads);
  for (size_t i = 0; i < plan.reads.size(); ++i) {
    if (stage.cancelled()) {
      TRY_STATUS(apply.finish_batch());
      return fail(ErrorCode::kCancelled, "stopped after " + std::to_string(i) + " of " +
                                             std::to_string(plan.reads.size()) +
                                             " notes; the rest comes next time");
    }
    TRY_STATUS(apply.take(plan.reads[i], ahead.next()));
    stage.tell("read", i + 1, plan.reads.size());
  }
  return {};
}

// Facts that hold from the first batch on, so that a run that is killed is continued by
// the next one rather than begun again.
Status begin_meta(store::Writer& writer, const Stage& stage, bool empty_index) {
  TRY_STATUS(writer.set_meta("vault", stage.vault));
  TRY_STATUS(writer.set_meta("unfinished", "1"));
  return empty_index ? store_making(writer, stage.config) : Status{};
}

Status end_meta(store::Writer& writer, const Config& config) {
  TRY_STATUS(store_making(writer, config));
  TRY_STATUS(writer.set_meta("include", lines(config.include)));
  TRY_STATUS(writer.set_meta("exclude", lines(config.exclude)));
  TRY_STATUS(writer.set_meta("last_indexed_at", iso_time(unix_now())));
  return writer.set_meta("unfinished", "");
}

void repair(std::vector<Warning>& warnings) {
  uint64_t replaced = 0;
  for (Warning& warning : warnings) {
    warning.path = utf8::repair(warning.path, replaced);
    warning.message = utf8::repair(warning.message, replaced);
  }
}

// Whether this vault may go into this index at all; says whether it is another one's.
Result<bool> guard_vault(const Stage& stage, store::Writer& writer) {
  TRY(const auto known, writer.meta("vault"));
  const bool other = known && *known != stage.vault;
  if (!other || stage.request.full) return other;
  return fail(ErrorCode::kRefused,
              "the index belongs to the vault " + *known + ", not to " + stage.vault,
              stage.config.index,
              "name another file with --index, or run `lectern index --full` to use this one");
}

Status finish(const Stage& stage, store::Writer& writer, const vault::ScanResult& scan,
              const LinkPass& links, RunReport& report) {
  TRY_STATUS(links.run(writer, scan.attachments));
  TRY_STATUS(writer.set_attachments(scan.attachments));
  TRY_STATUS(writer.set_run_warnings(report.of_run));
  TRY_STATUS(end_meta(writer, stage.config));
  TRY(const store::Counts counts, writer.counts());
  report.index.chunks_total = counts.chunks;
  report.index.links = counts.links;
  stage.tell("links", counts.links.total, counts.links.total);
  return writer.commit();
}

Result<IndexReport> bring_up_to_date(const Stage& stage, store::Writer& writer,
                                     const vault::ScanResult& scan) {
  RunReport report;
  for (const Warning& warning : scan.warnings) report.warn(warning);
  TRY(const bool other_vault, guard_vault(stage, writer));
  TRY(const auto known, writer.files());
  TRY(const bool remade, made_otherwise(writer, stage.config));
  const bool read_all = remade && !known.empty();
  if (read_all) {
    report.warn({"", 0, "notes are now cut or split into words differently; all were read again"});
  }
  Plan plan = make_plan(known, scan, stage.request.full || read_all);
  // Whoever gives the index to another vault means its old notes to go; but not to nothing.
  if (!other_vault || scan.files.empty()) TRY_STATUS(guard_deletions(stage, plan, known.size()));
  count_unreadable(scan, plan, report);
  report.index.seen = scan.files.size();
  report.index.unchanged = plan.unchanged;

  LinkPass links;
  TRY_STATUS(plan_links(writer, scan, known.empty(), links));
  TRY_STATUS(begin_meta(writer, stage, known.empty()));
  TRY(auto segments, LiveSegments::load(writer));
  Apply apply(writer, segments, links, report, std::move(plan.gone), stage.batching);
  TRY_STATUS(read_and_apply(stage, plan, apply));
  TRY_STATUS(apply.remove_gone());
  TRY_STATUS(apply.finish_batch());
  stage.tell("merge", 0, segments.count());
  TRY_STATUS(segments.settle());
  TRY_STATUS(finish(stage, writer, scan, links, report));
  return std::move(report.index);
}

Result<IndexReport> index_into(const Stage& stage, store::Store& store,
                               const vault::ScanResult& scan) {
  const auto attempt = [&](bool fresh) -> Result<IndexReport> {
    TRY(const auto writer, store.write(fresh));
    return bring_up_to_date(stage, *writer, scan);
  };
  auto report = attempt(false);
  const bool damaged = !report && report.error().code == ErrorCode::kBadIndex;
  if (!damaged || !stage.request.full) return report;
  if (scan.files.empty() && !stage.request.force_empty) {
    return fail(ErrorCode::kRefused, "the index is damaged and the vault has no notes", stage.vault,
                "check that the vault is mounted");
  }
  return attempt(true);
}

}  // namespace

Result<IndexReport> run(const Config& config, store::Store& store, const IndexRequest& request,
                        const ProgressFn& progress, const std::atomic<bool>* cancel,
                        const Batching& batching) {
  const auto start = std::chrono::steady_clock::now();
  TRY(const std::string vault, real_path(config.vault));
  TRY(const auto lock,
      store::WriterLock::acquire(config.index, config.limits.lock_wait_ms, cancel));
  const Stage stage{config, request, vault, progress, cancel, batching};
  stage.tell("scan", 0, 0);
  TRY(const auto scan,
      vault::scan(config.vault, {config.include, config.exclude, config.include_private}));
  stage.tell("scan", scan.files.size(), scan.files.size());
  TRY(auto report, index_into(stage, store, scan));
  report.vault = vault;
  report.index_path = config.index;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  repair(report.warnings);
  return report;
}

}  // namespace lectern::index
