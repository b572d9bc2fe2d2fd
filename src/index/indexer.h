// The indexing run: scan -> plan -> read and parse -> apply in batches -> links -> merge.
#pragma once

#include <atomic>
#include <cstddef>

#include "lectern/config.h"
#include "lectern/engine.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "store/store.h"

namespace lectern::index {

// When a batch is committed: after so many notes, or so many bytes of postings in memory.
struct Batching {
  size_t notes = 1000;
  size_t memory = 64u << 20;
};

// Takes the writer's lock, brings `store` up to date with config.vault, reports. Errors:
// kVaultUnreachable, kBusy, kRefused (would delete most notes; --force-empty), kBadIndex
// (foreign file), kIo, kCancelled. A failing note is a warning, not an error.
Result<IndexReport> run(const Config& config, store::Store& store, const IndexRequest& request,
                        const ProgressFn& progress, const std::atomic<bool>* cancel,
                        const Batching& batching = {});

}  // namespace lectern::index
