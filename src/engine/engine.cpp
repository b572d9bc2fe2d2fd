// Engine: owns the configuration, the store and the snapshot that queries share, and hands
// each call to the folder that does the work.
#include "lectern/engine.h"

#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

#include "answer/answer.h"
#include "engine/reading.h"
#include "index/indexer.h"
#include "retrieve/search.h"
#include "retrieve/snapshot.h"
#include "store/store.h"

namespace lectern {

struct Engine::Impl {
  Config config;
  std::unique_ptr<store::Store> store;
  retrieve::SnapshotCache snapshots;

  mutable std::atomic<bool> vault_checked{false};

  // An index answers only for the vault it was made from. Asked once: neither changes while
  // an Engine lives, but through its own index().
  Status check_vault() const {
    if (vault_checked.load(std::memory_order_relaxed)) return {};
    TRY(const auto reader, store->read());
    TRY(const auto vault, reader->meta("vault"));
    std::error_code error;
    const std::filesystem::path here = std::filesystem::canonical(config.vault, error);
    if (!error && vault && *vault == here.string()) vault_checked = true;
    if (error || !vault || *vault == here.string()) return {};
    return fail(ErrorCode::kRefused, "the index belongs to the vault " + *vault, config.index,
                "give that vault, or another --index");
  }
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

Result<Engine> Engine::open(Config config) {
  if (config.vault.empty()) {
    return fail(ErrorCode::kNoVault, "no vault was given", "vault",
                "name it with --vault PATH or LECTERN_VAULT");
  }
  if (config.index.empty()) {
    return fail(ErrorCode::kConfig, "no index file was given", "index",
                "name it with --index FILE or LECTERN_INDEX");
  }
  const ChunkConfig& chunk = config.chunk;
  if (chunk.min_tokens > chunk.target_tokens || chunk.target_tokens > chunk.max_tokens ||
      chunk.max_tokens < 16) {
    return fail(ErrorCode::kConfig, "chunk sizes must rise: min, target, max (at least 16)",
                "chunk", "mend them in the configuration");
  }
  auto impl = std::make_unique<Impl>();
  impl->store = store::open_sqlite({config.index, ""});
  impl->config = std::move(config);
  return Engine(std::move(impl));
}

Result<IndexReport> Engine::index(const IndexRequest& request, const ProgressFn& progress,
                                  const std::atomic<bool>* cancel) {
  return index::run(impl_->config, *impl_->store, request, progress, cancel);
}

Result<SearchReply> Engine::search(const SearchRequest& request) const {
  TRY_STATUS(impl_->check_vault());
  return retrieve::search(request, impl_->config, *impl_->store, impl_->snapshots);
}

Result<AskReply> Engine::ask(const AskRequest& request) const {
  TRY_STATUS(impl_->check_vault());
  return answer::ask(request, impl_->config, *impl_->store, impl_->snapshots);
}

Result<GetReply> Engine::get(const GetRequest& request) const {
  TRY_STATUS(impl_->check_vault());
  return engine::get(request, impl_->config, *impl_->store);
}

Result<LinksReply> Engine::links(const std::string& note) const {
  TRY_STATUS(impl_->check_vault());
  return engine::links(note, impl_->config, *impl_->store);
}

Result<StatusReply> Engine::status() const { return engine::status(impl_->config, *impl_->store); }

const Config& Engine::config() const { return impl_->config; }

std::string_view version() { return LECTERN_VERSION; }

}  // namespace lectern
