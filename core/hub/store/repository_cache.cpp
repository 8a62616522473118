// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/repository_cache.h"

#include "base/error.h"
#include "base/file.h"
#include "hub/store/file_lock.h"

#include <atomic>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kTreeFormat = 1; // of trees/COMMIT.json
constexpr int64_t kMaxTreeBytes = 256 << 20;
constexpr int64_t kMaxRefBytes = 1 << 12;
// The mark of folders that back-ups need not hold (bford.info/cachedir).
constexpr const char* kCacheMark = "Signature: 8a477f597d28d172789f06886806bc55\n";

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw ioError("make", folder, failed.value());
}

std::string folderName(HubKind kind, const std::string& repository) {
    std::string name = fmt::format("{}s--{}", spellingOf(kind), repository);
    if (const std::size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
    return name;
}

HubFile fileOf(const std::string& path, const Json& about) {
    return {.path = path,
            .sizeBytes = about.at("size"),
            .gitName = about.at("blob_id"),
            .sha256 = about.value("lfs_sha256", ""),
            .xetHash = about.value("xet_hash", "")};
}

Json jsonOf(const HubFile& file) {
    Json about = {{"size", file.sizeBytes}, {"blob_id", file.gitName}};
    if (!file.sha256.empty()) {
        about["lfs_sha256"] = file.sha256;
        about["lfs_size"] = file.sizeBytes;
    }
    if (!file.xetHash.empty()) about["xet_hash"] = file.xetHash;
    return about;
}

} // namespace

RepositoryCache::RepositoryCache(fs::path cache, HubKind kind, const std::string& repository)
    : m_cache(std::move(cache)), m_folder(m_cache / folderName(kind, repository)) {}

fs::path RepositoryCache::blob(const HubFile& file) const {
    return m_folder / "blobs" / file.blobName();
}

fs::path RepositoryCache::incomplete(const HubFile& file) const {
    return m_folder / "blobs" / (file.blobName() + ".incomplete");
}

fs::path RepositoryCache::lockOf(const HubFile& file) const {
    return m_cache / ".locks" / m_folder.filename() / (file.blobName() + ".lock");
}

fs::path RepositoryCache::ownLock() const {
    return m_cache / ".locks" / m_folder.filename() / "roundpipe.lock";
}

fs::path RepositoryCache::snapshot(const std::string& commit) const {
    return m_folder / "snapshots" / commit;
}

fs::path RepositoryCache::linkOf(const std::string& commit, const HubFile& file) const {
    return snapshot(commit) / file.path;
}

bool RepositoryCache::has(const std::string& commit, const HubFile& file) const {
    std::error_code failed;
    const auto size = fs::file_size(linkOf(commit, file), failed); // of what the link leads to
    return !failed && static_cast<int64_t>(size) == file.sizeBytes;
}

int64_t RepositoryCache::bytesThere(const HubFile& file) const {
    for (const fs::path& path : {blob(file), incomplete(file)}) {
        std::error_code failed;
        const auto size = fs::file_size(path, failed);
        if (!failed) return std::min(static_cast<int64_t>(size), file.sizeBytes);
    }
    return 0;
}

void RepositoryCache::prepare(const std::string& commit, const std::stop_token& stop) const {
    makeFolder(m_folder / "blobs");
    makeFolder(snapshot(commit));
    const fs::path mark = m_cache / "CACHEDIR.TAG";
    std::error_code ignored;
    const FileLock lock(ownLock(), stop);
    if (!fs::exists(mark, ignored)) writeFileAtomically(mark, kCacheMark);
}

void RepositoryCache::link(const std::string& commit, const HubFile& file) const {
    static std::atomic<int> number = 0;
    const fs::path link = linkOf(commit, file);
    makeFolder(link.parent_path());
    const fs::path target = fs::relative(blob(file), link.parent_path()); // holds wherever the cache is moved to
    const fs::path draft = fmt::format("{}.{}-{}.link", link.string(), ::getpid(), ++number);
    std::error_code failed;
    fs::create_symlink(target, draft, failed);
    if (!failed) fs::rename(draft, link, failed); // over an old one, and over that of a process that was faster
    if (failed) throw ioError("link", link, failed.value());
}

std::optional<std::string> RepositoryCache::commitOf(const std::string& revision) const {
    if (isCommit(revision)) return revision;
    const fs::path ref = m_folder / "refs" / revision;
    std::error_code ignored;
    if (!fs::is_regular_file(ref, ignored)) return std::nullopt;
    std::string commit = readTextFile(ref, kMaxRefBytes);
    commit.erase(commit.find_last_not_of(" \r\n") + 1);
    return isCommit(commit) ? std::optional(commit) : std::nullopt;
}

void RepositoryCache::keepCommit(const std::string& revision, const std::string& commit,
                                 const std::stop_token& stop) const {
    if (commitOf(revision) == commit) return;
    const fs::path ref = m_folder / "refs" / revision;
    makeFolder(ref.parent_path());
    const FileLock lock(ownLock(), stop);
    writeFileAtomically(ref, commit);
}

std::optional<Listing> RepositoryCache::listing(const std::string& commit) const {
    const fs::path path = m_folder / "trees" / (commit + ".json");
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    Listing kept{.commit = commit, .files = {}};
    try {
        const Json tree = Json::parse(readTextFile(path, kMaxTreeBytes));
        if (tree.at("format_version") != kTreeFormat) return std::nullopt;
        for (const auto& [name, about] : tree.at("files").items())
            kept.files.push_back(fileOf(name, about));
        for (const HubFile& file : kept.files)
            checkFile(file);
    } catch (const Json::exception&) {
        return std::nullopt; // damaged: the Hub knows better
    }
    return kept;
}

void RepositoryCache::keepListing(const Listing& listing, const std::stop_token& stop) const {
    Json files = Json::object();
    for (const HubFile& file : listing.files)
        files[file.path] = jsonOf(file);
    makeFolder(m_folder / "trees");
    const FileLock lock(ownLock(), stop);
    writeFileAtomically(m_folder / "trees" / (listing.commit + ".json"),
                        Json{{"format_version", kTreeFormat}, {"files", files}}.dump(1));
}

} // namespace roundpipe::hub
