// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/output/output_folder.h"

#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_draft.h"
#include "base/log.h"
#include "base/units.h"

#include <algorithm>
#include <cerrno>
#include <future>
#include <optional>
#include <set>
#include <vector>

#include <unistd.h>

namespace roundpipe::artifact {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kSpareBytes = 16 * kMiB;  // for the small files of an export, and the file system's own
constexpr std::size_t kCopyBytes = 4 << 20; // read at once
constexpr std::size_t kLong = 1 << 20;      // a piece that takes longer than starting a thread

constexpr const char* kReplaced = ".replaced"; // behind the draft's name: the export that it has replaced

// Whether an export wrote it, or was writing it.
bool isOurs(const std::string& name, const std::set<std::string>& ours) {
    return name == kChecksumsFile || ours.contains(name) || ours.contains(std::string(nameOfDrafted(name)));
}

// The list last: without it nobody would know the rest. What is not ours stays, and is given.
std::optional<fs::path> removeOurFiles(const fs::path& folder) {
    const std::set<std::string> ours = runs::filesOfExport(folder);
    std::optional<fs::path> other;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
        if (!isOurs(entry.path().filename().string(), ours) || entry.is_directory(failed))
            other = entry.path();
        else if (entry.path().filename() != kChecksumsFile && !fs::remove(entry.path(), failed))
            throw ioError("remove the interrupted export", folder, failed.value());
    if (!other) fs::remove(folder / kChecksumsFile, failed);
    return other;
}

// Nothing that is not an export's is ever replaced or removed.
void requireOurs(const fs::path& folder) {
    std::error_code failed;
    const fs::file_status status = fs::symlink_status(folder, failed);
    if (!fs::exists(status)) return;
    if (status.type() != fs::file_type::directory)
        throw invalidInput("'" + folder.string() + "' is no folder, and was left as it is.",
                           "Give a folder that is not there yet.");
    const std::set<std::string> ours = runs::filesOfExport(folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (!ours.contains(entry.path().filename().string()))
            throw invalidInput("'" + folder.string() + "' has '" + entry.path().filename().string() +
                                   "', which no export wrote there.",
                               "Give a folder that is not there yet, or move what is in this one.");
}

Error inTheWay(const fs::path& draft) {
    return invalidInput("'" + draft.string() + "' is in the way, and no export began it.",
                        "Move it, or give another folder.");
}

// The nearest folder above that is there: who has not made the place yet wants to know its disk all the same.
fs::path existingParent(fs::path path) {
    std::error_code ignored;
    while (path.has_relative_path() && !fs::exists(path, ignored))
        path = path.parent_path();
    return path.empty() ? fs::path(".") : path;
}

void requireSpace(const fs::path& target, int64_t neededBytes) {
    std::error_code failed;
    const fs::space_info space = fs::space(existingParent(target), failed);
    if (failed) throw ioError("look at the disk of", target, failed.value());
    if (const auto available = static_cast<int64_t>(space.available); available < neededBytes + kSpareBytes)
        throw Error(ErrorKind::kNoSpace,
                    "The export takes " + formatBytes(neededBytes) + ", but the disk of '" + target.string() +
                        "' has " + formatBytes(available) + " left.",
                    "Free some space, choose another disk, or a smaller type.");
}

// What an export that was killed has not removed any more.
void removeReplaced(const fs::path& draft) {
    const fs::path old = draft.string() + kReplaced;
    std::error_code none;
    if (!fs::exists(fs::symlink_status(old, none))) return;
    if (!fs::is_regular_file(old / kChecksumsFile, none) || removeOurFiles(old)) throw inTheWay(old);
    fs::remove(old, none);
}

// Makes the draft's folder, or empties the one that an interrupted export has left, and holds it: two exports into one
// folder would write and remove each other's files.
FolderLock lockedDraft(const fs::path& draft) {
    for (;;) {
        std::error_code failed;
        const fs::file_status status = fs::symlink_status(draft, failed);
        if (fs::exists(status) && status.type() != fs::file_type::directory) throw inTheWay(draft);
        fs::create_directory(draft, failed);
        if (failed) throw ioError("make the folder", draft, failed.value());
        FolderLock lock(draft);
        if (!lock.is(draft)) continue; // it has become an export meanwhile, or was removed
        if (!fs::is_empty(draft) && !fs::is_regular_file(draft / kChecksumsFile)) throw inTheWay(draft);
        if (removeOurFiles(draft)) throw inTheWay(draft);
        return lock;
    }
}

} // namespace

void OutputFolder::requirePlace(const fs::path& target, int64_t neededBytes) {
    requireOurs(target);
    requireSpace(target, neededBytes);
}

OutputFolder::OutputFolder(fs::path target, int64_t neededBytes, WriteProgress progress)
    : m_target(fs::absolute(target / "").parent_path())
    , m_draft(m_target.string() + ".part")
    , m_progress(std::move(progress)) {
    requirePlace(m_target, neededBytes);
    std::error_code failed;
    fs::create_directories(m_target.parent_path(), failed);
    if (failed) throw ioError("make the folder", m_target.parent_path(), failed.value());
    m_lock = lockedDraft(m_draft);
    try {
        const FolderLock nobodyElse(m_target); // an export that is there already may be being proved
        removeReplaced(m_draft);
        writeList();
    } catch (...) {
        fs::remove(m_draft, failed);
        throw;
    }
}

// Stands in the draft from the start, and names each file before it is written, so that an interrupted export is known
// for one, and what it has written from what others put there.
void OutputFolder::writeList() const {
    std::string list;
    for (const auto& [name, sum] : m_checksums)
        list += sum + "  " + name + "\n";
    writeFileAtomically(m_draft / kChecksumsFile, list);
}

OutputFolder::~OutputFolder() {
    if (m_committed) return;
    try {
        removeOurFiles(m_draft);
    } catch (const std::exception& error) { // the next export into the folder does it
        log::warning(error.what());
    }
    std::error_code hasOthers;
    fs::remove(m_draft, hasOthers);
}

void OutputFolder::write(const std::string& name, const std::function<void(const PutBytes&)>& produce) {
    RP_CHECK(!m_checksums.contains(name) && name != kChecksumsFile);
    m_checksums[name] = std::string(64, '0'); // to come
    writeList();
    Digest digest(DigestKind::kSha256, 0);
    writeFileAtomically(m_draft / name, [&](const auto& put) {
        produce([&](std::span<const std::byte> bytes) {
            const auto hash = [&] { digest.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); };
            std::future<void> hashed; // beside the writing, which takes about as long; waited for whatever happens
            if (bytes.size() >= kLong)
                hashed = std::async(std::launch::async, hash);
            else
                hash();
            put(bytes);
            if (hashed.valid()) hashed.get();
            m_bytes += static_cast<int64_t>(bytes.size());
            if (m_progress && !m_progress(m_bytes))
                throw Error(ErrorKind::kCancelled, "The export was stopped; nothing of it is left.");
        });
    });
    m_checksums[name] = digest.hex();
}

void OutputFolder::write(const std::string& name, std::string_view content) {
    write(name, [&](const PutBytes& put) { put(std::as_bytes(std::span(content))); });
}

void OutputFolder::copy(const fs::path& source, const std::string& name) {
    const FileReader file(source);
    write(name, [&](const PutBytes& put) {
        std::vector<std::byte> piece;
        for (int64_t done = 0; done < file.sizeBytes(); done += static_cast<int64_t>(piece.size())) {
            piece.resize(std::min(kCopyBytes, static_cast<std::size_t>(file.sizeBytes() - done)));
            file.readAt(done, piece);
            put(piece);
        }
    });
}

FolderLock OutputFolder::commit() {
    writeList();
    requireOurs(m_target); // somebody may have put a file there meanwhile
    const fs::path old = m_draft.string() + kReplaced;
    replaceFolder(m_draft, m_target, old);
    m_committed = true;
    std::error_code none;
    if (fs::is_directory(old, none) && removeOurFiles(old)) // put there in the last moment
        log::warning("What no export wrote into '" + m_target.string() + "' is kept in '" + old.string() + "'.");
    fs::remove(old, none);
    return std::move(m_lock);
}

} // namespace roundpipe::artifact
