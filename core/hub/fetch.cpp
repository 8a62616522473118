// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/fetch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "hub/blob_fetch.h"
#include "hub/choose/dataset_splits.h"
#include "hub/choose/model_files.h"
#include "hub/repository.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCard = "README.md";
constexpr int64_t kMaxCardBytes = 4 << 20;
constexpr std::chrono::milliseconds kTellEvery{100};
constexpr std::size_t kMaxNamed = 5; // files in a message

// A snapshot as it stands, for one that was made by tools that keep no list of a commit's files.
Listing listingOfSnapshot(const RepositoryCache& cache, const std::string& commit) {
    Listing listing{.commit = commit, .files = {}};
    const fs::path snapshot = cache.snapshot(commit);
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(snapshot, failed);
         !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        std::error_code missing; // of a link that leads nowhere
        const auto size = entry->file_size(missing);
        if (!missing)
            listing.files.push_back(
                {.path = entry->path().lexically_relative(snapshot).string(), .sizeBytes = static_cast<int64_t>(size)});
    }
    return listing;
}

class Fetch {
public:
    Fetch(HubSettings settings, const HubName& name, const std::stop_token& stop, const OnProgress& onProgress)
        : m_settings(std::move(settings))
        , m_name(name)
        , m_onProgress(onProgress)
        , m_cache(m_settings.cache, name.kind, name.repository)
        , m_meter(name.repository)
        , m_onStop(stop, [this] { m_stop.request_stop(); }) {}

    session::HubFetched run() {
        m_listing = listed();
        std::vector<std::string> otherSplits;
        std::string split;
        std::vector<HubFile> files;
        if (m_name.kind == HubKind::kModel) {
            files = modelFiles(m_listing, m_name.repository);
        } else if (!m_name.file.empty()) {
            files = {fileNamed(m_name.file)};
        } else {
            const DatasetChoice choice = chooseSplit(m_listing, card(), m_name);
            files = choice.files;
            otherSplits = choice.otherSplits;
            split = choice.split;
        }
        bring(files);
        if (!m_settings.offline) m_cache.keepCommit(m_name.revision, m_listing.commit, m_stop.get_token());

        HubName pinned = m_name;
        pinned.revision = m_listing.commit;
        pinned.split = split;
        session::HubFetched fetched{.kind = m_name.kind,
                                    .name = pinned.text(),
                                    .folder = m_cache.snapshot(m_listing.commit).string(),
                                    .otherSplits = otherSplits,
                                    .bytesFetched = m_bytesFetched};
        for (const HubFile& file : files) {
            fetched.files.push_back(m_cache.linkOf(m_listing.commit, file).string());
            fetched.bytes += file.sizeBytes;
        }
        return fetched;
    }

private:
    Listing listed() {
        if (isCommit(m_name.revision) || m_settings.offline)
            if (const auto commit = m_cache.commitOf(m_name.revision)) {
                if (const auto kept = m_cache.listing(*commit)) return *kept;
                if (Listing found = listingOfSnapshot(m_cache, *commit); m_settings.offline && !found.files.empty())
                    return found;
            }
        if (m_settings.offline) throw notInCache("");
        Listing listing;
        inBackground(1, [&](std::size_t, const std::stop_token& stop) {
            HttpClient client(m_settings, stop);
            Retries retries(m_settings, stop, [&](double seconds) { m_meter.waits(seconds); });
            listing = listRepository(client, m_name, m_settings, retries);
        });
        m_cache.prepare(listing.commit, m_stop.get_token());
        m_cache.keepListing(listing, m_stop.get_token());
        return listing;
    }

    const HubFile& fileNamed(const std::string& path) const {
        if (const HubFile* const file = m_listing.find(path)) return *file;
        throw invalidInput(fmt::format("The dataset '{}' has no file '{}'.", m_name.repository, path),
                           fmt::format("Its files are on {}/tree/{}.", m_settings.pageOf(m_name), m_listing.commit));
    }

    std::vector<CardSubset> card() {
        const HubFile* const file = m_listing.find(kCard);
        if (file == nullptr || file->sizeBytes > kMaxCardBytes) return {};
        if (m_settings.offline && !m_cache.has(m_listing.commit, *file)) return {};
        bring({*file});
        return subsetsOfCard(readTextFile(m_cache.linkOf(m_listing.commit, *file), kMaxCardBytes));
    }

    Error notInCache(const std::string& missing) const {
        return invalidInput(fmt::format("'{}' is not in the cache '{}'{}, and the network is not to be used ({}).",
                                        m_name.text(), m_settings.cache.string(), missing, m_settings.offlineFrom),
                            "Fetch it once with the network, or copy its folder from a machine that has it into the "
                            "cache.");
    }

    // All of `files` into the snapshot.
    void bring(std::vector<HubFile> files) {
        std::erase_if(files, [&](const HubFile& file) { return m_cache.has(m_listing.commit, file); });
        if (files.empty()) return;
        if (m_settings.offline) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < std::min(files.size(), kMaxNamed); ++i)
                names.push_back(files[i].path);
            throw notInCache(fmt::format(" as a whole: {} of its files {} missing ({}{})", files.size(),
                                         files.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                                         files.size() > kMaxNamed ? ", …" : ""));
        }
        m_cache.prepare(m_listing.commit, m_stop.get_token());
        std::ranges::sort(files, std::greater(), &HubFile::sizeBytes); // the last ones to come are short
        std::vector<int64_t> sizes, there;
        for (const HubFile& file : files) {
            sizes.push_back(file.sizeBytes);
            there.push_back(m_cache.bytesThere(file));
        }
        m_meter.begin(sizes, there);
        requireSpace(m_meter.progress());

        const FetchScene scene{.settings = m_settings,
                               .name = m_name,
                               .commit = m_listing.commit,
                               .cache = m_cache,
                               .meter = m_meter,
                               .stop = m_stop.get_token()};
        std::atomic<std::size_t> next = 0;
        inBackground(std::min<std::size_t>(files.size(), static_cast<std::size_t>(m_settings.numConnections)),
                     [&](std::size_t, const std::stop_token& stop) {
                         HttpClient client(m_settings, stop);
                         for (std::size_t i = next++; i < files.size(); i = next++)
                             m_bytesFetched += fetchBlob(client, scene, files[i], i);
                     });
    }

    void requireSpace(const session::HubProgress& before) const {
        std::error_code failed;
        const auto room = static_cast<int64_t>(fs::space(m_cache.folder(), failed).available);
        const int64_t needed = before.bytes - before.bytesDone;
        if (failed || needed <= room) return;
        throw Error(ErrorKind::kNoSpace,
                    fmt::format("'{}' takes {} more, but '{}' has room for {}.", m_name.repository, formatBytes(needed),
                                m_settings.cache.string(), formatBytes(room)),
                    "Make room, or put the cache elsewhere (HF_HUB_CACHE).");
    }

    // Runs `work` in so many threads and tells of the progress meanwhile. The first error stops the others and is
    // thrown.
    void inBackground(std::size_t numThreads, const std::function<void(std::size_t, const std::stop_token&)>& work) {
        std::mutex mutex;
        std::condition_variable ended;
        std::size_t numEnded = 0;
        std::exception_ptr failure;
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < numThreads; ++i)
                threads.emplace_back([&, i] {
                    std::exception_ptr mine;
                    try {
                        work(i, m_stop.get_token());
                    } catch (...) {
                        mine = std::current_exception();
                    }
                    const std::lock_guard lock(mutex);
                    if (mine && !failure) {
                        failure = mine;
                        m_stop.request_stop();
                    }
                    ++numEnded;
                    ended.notify_all();
                });
            std::unique_lock lock(mutex);
            while (!ended.wait_for(lock, kTellEvery, [&] { return numEnded == numThreads; })) {
                lock.unlock();
                if (m_onProgress) m_onProgress(m_meter.progress());
                lock.lock();
            }
        }
        if (failure) std::rethrow_exception(failure);
    }

    const HubSettings m_settings;
    const HubName& m_name;
    const OnProgress& m_onProgress;
    RepositoryCache m_cache;
    FetchMeter m_meter;
    Listing m_listing;
    std::atomic<int64_t> m_bytesFetched = 0;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_onStop; // last: it uses m_stop
};

} // namespace

session::HubFetched fetch(const HubSettings& settings, const HubName& name, const std::stop_token& stop,
                          const OnProgress& onProgress) {
    return Fetch(settings.withKeyring(), name, stop, onProgress).run();
}

} // namespace roundpipe::hub
