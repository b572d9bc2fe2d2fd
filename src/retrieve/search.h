// search: the pipeline's passages as a reply, with highlights and neighbour windows.
#pragma once

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "retrieve/pipeline.h"
#include "retrieve/snapshot.h"
#include "store/store.h"

namespace lectern::retrieve {

Result<SearchReply> search(const SearchRequest& request, const Config& config, store::Store& store,
                           SnapshotCache& snapshots);

// "obsidian://open?vault=...&file=..." of a note, with its heading when there is one.
std::string obsidian_uri(const Config& config, std::string_view path,
                         const std::vector<std::string>& heading);

}  // namespace lectern::retrieve
