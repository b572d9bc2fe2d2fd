// ask: a cited answer in the notes' own words, or an abstention with the nearest misses.
#pragma once

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "retrieve/snapshot.h"
#include "store/store.h"

namespace lectern::answer {

Result<AskReply> ask(const AskRequest& request, const Config& config, store::Store& store,
                     retrieve::SnapshotCache& snapshots);

}  // namespace lectern::answer
