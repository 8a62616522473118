// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/weights_fingerprint.h"

#include "arch/checkpoint.h"
#include "arch/text_part.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/thread_team.h"
#include "base/user_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <sys/stat.h>
#include <vector>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 32;

// By parameter, as the cut into files means nothing, nor which of two names is stored.
struct Tensor {
    std::string parameter;
    const SafetensorsFile* file;
    const TensorEntry* entry;
};
std::vector<Tensor> tensorsOf(const Checkpoint& checkpoint) {
    std::vector<Tensor> tensors;
    for (const SafetensorsFile& file : checkpoint.files())
        for (const TensorEntry& entry : file.tensors())
            tensors.push_back({parameterOf(entry.name), &file, &entry});
    std::ranges::sort(tensors, {}, &Tensor::parameter);
    return tensors;
}

// Of pieces, side by side: a thread alone is slower than the disks that large models lie on.
std::string hashOf(const std::vector<Tensor>& tensors, const std::atomic<bool>& cancelled) {
    constexpr int64_t kPiece = int64_t{16} << 20;
    constexpr int kThreads = 4; // a run opens devices meanwhile, and takes its first steps
    struct Piece {
        const Tensor* tensor;
        int64_t begin;
    };
    std::vector<Piece> pieces;
    for (const Tensor& tensor : tensors)
        for (int64_t begin = 0; begin < tensor.entry->bytes; begin += kPiece)
            pieces.push_back({&tensor, begin});
    std::vector<std::string> hashes(pieces.size());
    forEachIndex(std::ssize(pieces), kThreads, [&](int64_t i) {
        if (cancelled) throw Error(ErrorKind::kCancelled, "Nobody wants to know the weights any more.");
        const auto& [tensor, begin] = pieces[static_cast<std::size_t>(i)];
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(kPiece, tensor->entry->bytes - begin)));
        tensor->file->read(*tensor->entry, begin, bytes);
        ContentHasher hasher;
        hasher.add(bytes);
        hashes[static_cast<std::size_t>(i)] = hasher.hex();
    });
    std::string all;
    for (const Tensor& tensor : tensors) {
        all += tensor.parameter + '\0' + toString(tensor.entry->dtype);
        for (const int64_t size : tensor.entry->shape)
            all += ' ' + std::to_string(size);
        all += '\n';
    }
    for (const std::string& hash : hashes)
        all += hash;
    return contentHash(all);
}

// The file in which the fingerprint is kept: named after what the system says of the model's files, which is another
// thing once one of them was written to. Nothing where one was a moment ago: clocks of file systems are coarse, and
// what is written next could look the same.
std::optional<fs::path> keptIn(const Checkpoint& checkpoint) {
    constexpr int64_t kMoment = 2; // seconds
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    std::vector<std::string> looks;
    for (const SafetensorsFile& file : checkpoint.files()) {
        struct stat seen {};
        if (::stat(file.path().c_str(), &seen) != 0 || seen.st_ctim.tv_sec + kMoment >= now.count())
            return std::nullopt;
        looks.push_back(fmt::format("{} {} {} {}.{:09} {}.{:09}\n", seen.st_dev, seen.st_ino, seen.st_size,
                                    seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec, seen.st_ctim.tv_sec,
                                    seen.st_ctim.tv_nsec));
    }
    std::ranges::sort(looks);
    std::string all = "1\n"; // the way in which it is made
    for (const std::string& look : looks)
        all += look;
    return userCacheFolder() / "fingerprints" / contentHash(all);
}

std::optional<std::string> keptAs(const fs::path& file) {
    try {
        std::error_code none;
        if (!fs::exists(file, none)) return std::nullopt;
        std::string text = readTextFile(file, kDigits);
        if (text.size() == kDigits) return text;
    } catch (const Error& error) {
        log::info(error.message());
    }
    return std::nullopt;
}

void keep(const std::string& fingerprint, const fs::path& file) {
    try {
        std::error_code failed;
        fs::create_directories(file.parent_path(), failed);
        writeFileAtomically(file, fingerprint);
    } catch (const Error& error) { // then it is made again
        log::info(error.message());
    }
}

} // namespace

std::optional<std::string> keptFingerprintOfWeights(const fs::path& modelFolder) {
    const std::optional<fs::path> file = keptIn(Checkpoint::open(modelFolder));
    return file ? keptAs(*file) : std::nullopt;
}

std::string fingerprintOfWeights(const fs::path& modelFolder, const std::atomic<bool>& cancelled) {
    const Checkpoint checkpoint = Checkpoint::open(modelFolder);
    const std::optional<fs::path> file = keptIn(checkpoint); // as they are before they are read
    if (file)
        if (const auto kept = keptAs(*file)) return *kept;
    const std::string fingerprint = hashOf(tensorsOf(checkpoint), cancelled);
    if (file) keep(fingerprint, *file);
    return fingerprint;
}

} // namespace roundpipe::arch
