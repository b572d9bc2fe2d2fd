// The indexing run: scan -> plan -> read and parse -> apply in batches -> links -> merge.
#pragma once

#include <atomic>

#include "lectern/config.h"
#include "lectern/engine.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "store/store.h"

namespace lectern::index {

// Takes the writer's lock, brings `store` up to date with config.vault, reports. Errors:
// kVaultUnreachable, kBusy, kRefused (would delete most notes; --force-empty), kBadIndex
// (foreign file), kIo, kCancelled. A failing note is a warning, not an error.
Result<IndexReport> run(const Config& config, store::Store& store, const IndexRequest& request,
                        const ProgressFn& progress, const std::atomic<bool>* cancel);

}  // namespace lectern::index
