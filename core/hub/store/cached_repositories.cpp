// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/cached_repositories.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;
using session::HubKind;

// "models--org--name", as the folder of a repository is called; nothing for other folders.
std::optional<CachedRepository> namedBy(const std::string& folder) {
    for (const HubKind kind : {HubKind::kModel, HubKind::kDataset}) {
        const std::string begin = std::string(spellingOf(kind)) + "s--";
        if (!folder.starts_with(begin)) continue;
        std::string name = folder.substr(begin.size());
        if (const std::size_t dashes = name.find("--"); dashes != std::string::npos) name.replace(dashes, 2, "/");
        return CachedRepository{.kind = kind, .repository = name, .commits = {}};
    }
    return std::nullopt;
}

} // namespace

std::vector<CachedRepository> cachedRepositories(const fs::path& cache) {
    std::vector<CachedRepository> found;
    std::error_code unread; // what cannot be read is passed over
    for (fs::directory_iterator entry(cache, unread); entry != fs::directory_iterator(); entry.increment(unread)) {
        std::optional<CachedRepository> repository = namedBy(entry->path().filename().string());
        if (!repository) continue;
        for (fs::directory_iterator at(entry->path() / "snapshots", unread); at != fs::directory_iterator();
             at.increment(unread))
            repository->commits.push_back(at->path().filename().string());
        for (fs::directory_iterator at(entry->path() / "blobs", unread); at != fs::directory_iterator();
             at.increment(unread)) {
            const uintmax_t size = at->file_size(unread);
            if (unread) continue;
            const bool isWhole = at->path().extension() != ".incomplete";
            (isWhole ? repository->bytes : repository->incompleteBytes) += static_cast<int64_t>(size);
        }
        std::ranges::sort(repository->commits);
        found.push_back(*std::move(repository));
    }
    std::ranges::sort(found, {}, [](const CachedRepository& one) { return std::tuple(one.kind, one.repository); });
    return found;
}

} // namespace roundpipe::hub
