// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/room_on_disk.h"

#include "arch/tokenizer_file_names.h"
#include "base/error.h"
#include "base/file_draft.h"
#include "base/units.h"
#include "geometry/host_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace roundpipe::engine {

namespace fs = std::filesystem;
using session::RunText;
using session::RunTextCode;

namespace {

// The folder itself, or what it will be made in.
fs::path existingPartOf(fs::path folder) {
    std::error_code unseen;
    while (folder.has_relative_path() && !fs::exists(folder, unseen))
        folder = folder.parent_path();
    return folder;
}

int64_t tokenizerBytes(const runs::ModelFiles& files) {
    int64_t bytes = 0;
    std::error_code absent;
    for (const std::string_view name : arch::kTokenizerFileNames)
        if (const std::uintmax_t size = fs::file_size(fs::path(files.folder) / name, absent); !absent)
            bytes += static_cast<int64_t>(size);
    return bytes;
}

bool validates(const session::RunSpec& spec) {
    return spec.data.validationFraction > 0 || !spec.data.validationFile.empty();
}

// Of the adapter in full precision, or of the trained weights in the type that is computed in.
int64_t resultBytes(const model::Model& model) {
    int64_t bytes = 0;
    for (const geometry::TrainedBlock& block : geometry::trainedBlocks(model.layouts)) {
        const geometry::TrainedBytes each(block, model.operandType);
        bytes += model.trained.base ? each.version : each.masters;
    }
    return bytes;
}

// To its end: its own small files, the last checkpoint, where it validates the best one, the next of either, which is
// whole before it takes its place, and the result, each with the tokenizer's files beside it. Where the run goes on,
// all of them have a place already.
int64_t leastBytes(const session::RunSpec& spec, const model::Model& model, const runs::ModelFiles& files,
                   bool goesOn) {
    constexpr int64_t kOwnFiles = 64 * kKiB; // journal, log, settings, status, the trace's head, a few steps' curves
    const int64_t beside = tokenizerBytes(files);
    const int64_t checkpoint = checkpointBytes(spec, model) + beside;
    const int64_t result = resultBytes(model) + beside;
    const int64_t checkpoints = validates(spec) ? 2 * checkpoint : checkpoint;
    return kOwnFiles + (goesOn ? std::max(checkpoint, result) : checkpoints + checkpoint + result);
}

} // namespace

int64_t freeBytes(const fs::path& folder) {
    std::error_code failed;
    const fs::space_info space = fs::space(existingPartOf(folder), failed);
    return failed ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(space.available);
}

int64_t checkpointBytes(const session::RunSpec& spec, const model::Model& model) {
    const DType moments = momentTypeOf(spec.optimizer.moments, model.operandType);
    int64_t bytes = 0;
    for (const geometry::TrainedBlock& block : geometry::trainedBlocks(model.layouts)) {
        const geometry::TrainedBytes each(block, model.operandType);
        bytes +=
            each.masters + static_cast<int64_t>(geometry::kMoments) * geometry::bytesOf(moments, block.numElements);
        if (spec.optimizer.updates == Updates::kOneStepStale) bytes += each.version;
    }
    return bytes;
}

RunText checkpointTooLarge(int64_t bytes, const fs::path& folder) {
    return RunText(RunTextCode::kCheckpointTooLarge, formatBytes(bytes), folder.string(),
                   formatBytes(freeBytes(folder)));
}

std::vector<RunText> littleRoomFor(const session::RunSpec& spec, const model::Model& model,
                                   const runs::ModelFiles& files, bool goesOn, const fs::path& folder) {
    const int64_t least = leastBytes(spec, model, files, goesOn), free = freeBytes(folder);
    if (free >= least) return {};
    return {RunText(RunTextCode::kLittleRoom, formatBytes(least), formatBytes(checkpointBytes(spec, model)),
                    folder.string(), formatBytes(free), formatBytes(least - free))};
}

// A draft of the file that it writes first: what limits a user's share of the disk shows in no figure.
void requireRoomToBegin(const runs::RunFiles& files) {
    std::error_code unseen;
    const bool hasCurves = fs::exists(files.metrics(), unseen); // a run that goes on writes them anew
    const fs::path first = hasCurves ? files.metrics() : files.status();
    const FileDraft draft(existingPartOf(files.folder) / first.filename());
    const std::uintmax_t size = hasCurves ? fs::file_size(first, unseen) : 0;
    const auto bytes = unseen ? 1 : std::max<off_t>(static_cast<off_t>(size), 1);
    if (const int failed = ::posix_fallocate(draft.descriptor(), 0, bytes); failed != 0)
        throw ioError("write", first, failed);
    if (::fsync(draft.descriptor()) != 0) throw ioError("write", first, errno);
}

} // namespace roundpipe::engine
