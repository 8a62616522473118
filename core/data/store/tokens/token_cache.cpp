// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/token_cache.h"

#include "base/content_hash.h"
#include "base/error.h"
#include "base/log.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStoreEnding = ".tokens";
constexpr const char* kStampEnding = ".stamp";
constexpr auto kDraftAge = std::chrono::hours(24);
constexpr std::size_t kBlockBytes = 1 << 20;

struct Found {
    fs::path path;
    fs::file_time_type time; // of its last use
    int64_t bytes = 0;
};

std::vector<Found> storesIn(const fs::path& folder) {
    std::vector<Found> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (entry->path().extension() != kStoreEnding) continue;
        std::error_code gone; // another run may be removing it
        const auto time = entry->last_write_time(gone);
        const auto bytes = entry->file_size(gone);
        if (!gone) found.push_back({entry->path(), time, static_cast<int64_t>(bytes)});
    }
    return found;
}

void removeOldDrafts(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (entry->path().filename().string().find(".part.") == std::string::npos) continue;
        std::error_code gone;
        if (entry->last_write_time(gone) < fs::file_time_type::clock::now() - kDraftAge)
            fs::remove(entry->path(), gone);
    }
}

struct stat statusOf(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) throw ioError("read", file, errno);
    return status;
}

// What changes whenever the content does.
std::string stampOf(const struct stat& status) {
    return fmt::format("{} {} {} {}.{:09} {}.{:09}", status.st_dev, status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

std::string readAndHash(const fs::path& file, const std::function<void(int64_t)>& progress) {
    const FileReader reader(file);
    ContentHasher hasher;
    std::vector<std::byte> block(kBlockBytes);
    for (int64_t offset = 0; offset < reader.sizeBytes(); offset += static_cast<int64_t>(block.size())) {
        block.resize(std::min(kBlockBytes, static_cast<std::size_t>(reader.sizeBytes() - offset)));
        reader.readAt(offset, block);
        hasher.add(block);
        progress(offset + static_cast<int64_t>(block.size()));
    }
    return hasher.hex();
}

std::chrono::nanoseconds sinceEpoch(const timespec& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Small, and under a name of its own first, as several runs may write it at once. Failing costs a second reading only.
void writeStamp(const fs::path& path, const std::string& content) {
    std::string draft = path.string() + ".part.XXXXXX";
    const int descriptor = ::mkostemp(draft.data(), O_CLOEXEC);
    if (descriptor < 0) return;
    const bool written = ::write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    ::close(descriptor);
    if (!written || ::rename(draft.c_str(), path.c_str()) != 0) ::unlink(draft.c_str());
}

} // namespace

TokenCache::TokenCache(fs::path folder, int64_t maxBytes) : m_folder(std::move(folder)), m_maxBytes(maxBytes) {
    std::error_code failed;
    fs::create_directories(m_folder.parent_path(), failed);
    if (::mkdir(m_folder.c_str(), 0700) == 0 || errno == EEXIST) return;
    throw ioError("make the folder", m_folder, errno);
}

fs::path TokenCache::pathOf(const std::string& key) const {
    return m_folder / (key + kStoreEnding);
}

std::shared_ptr<const TokenStore> TokenCache::find(const std::string& key) const {
    const fs::path path = pathOf(key);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return nullptr;
    try {
        auto store = TokenStore::open(path);
        fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); // marks its use
        return store;
    } catch (const Error& error) {
        log::warning("The tokenised data are made anew: " + std::string(error.message()));
        fs::remove(path, ignored);
        return nullptr;
    }
}

void TokenCache::tidy(const std::string& keptKey) const {
    removeOldDrafts(m_folder);
    std::vector<Found> stores = storesIn(m_folder);
    std::ranges::sort(stores, {}, &Found::time);
    int64_t bytes = 0;
    for (const Found& store : stores)
        bytes += store.bytes;
    for (const Found& store : stores) {
        if (bytes <= m_maxBytes) return;
        if (store.path == pathOf(keptKey)) continue;
        std::error_code ignored;
        fs::remove(store.path, ignored);
        bytes -= store.bytes;
    }
}

std::string TokenCache::hashOf(const fs::path& file, const std::function<void(int64_t)>& progress) const {
    const fs::path stampFile = m_folder / (contentHash(fs::absolute(file).lexically_normal().string()) + kStampEnding);
    const struct stat before = statusOf(file);
    const std::string stamp = stampOf(before) + "\n";
    std::error_code ignored;
    if (fs::exists(stampFile, ignored)) {
        constexpr std::size_t kHexDigits = 32;
        const std::string known = readTextFile(stampFile, 4096);
        if (known.starts_with(stamp) && known.size() == stamp.size() + kHexDigits) return known.substr(stamp.size());
    }
    // By the clock that file systems stamp with: std::time() may be a tick behind it.
    const std::chrono::nanoseconds readAt = std::chrono::system_clock::now().time_since_epoch();
    std::string hash = readAndHash(file, progress);
    const bool settled = sinceEpoch(before.st_ctim) + std::chrono::seconds(kSettledSeconds) <= readAt &&
                         stampOf(statusOf(file)) + "\n" == stamp;
    if (settled) writeStamp(stampFile, stamp + hash);
    return hash;
}

} // namespace roundpipe::data
