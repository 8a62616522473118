// SPDX-License-Identifier: GPL-3.0-or-later
// What Hugging Face's cache holds.
#pragma once

#include "session/hub.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::hub {

struct CachedRepository {
    session::HubKind kind = session::HubKind::kModel;
    std::string repository;
    std::vector<std::string> commits; // whose snapshots stand there, by name
    int64_t bytes = 0;                // of its blobs
    int64_t incompleteBytes = 0;      // of those that were not fetched to their end
};

// Models and datasets, by kind and name; empty where there is no cache.
std::vector<CachedRepository> cachedRepositories(const std::filesystem::path& cache);

} // namespace roundpipe::hub
