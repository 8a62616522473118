// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/untrained_part.h"

#include "arch/safetensors_write.h"
#include "arch/text_part.h"
#include "base/file.h"
#include "base/units.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kCopiedBytes = 16 * kMiB; // at once

bool hasWeights(const fs::path& folder) {
    std::error_code unreadable;
    const fs::directory_iterator files(folder, unreadable);
    return std::any_of(begin(files), end(files), [](const auto& f) { return f.path().extension() == ".safetensors"; });
}

} // namespace

std::optional<UntrainedPart> UntrainedPart::of(const fs::path& base, std::span<const geometry::LayerLayout> layouts) {
    if (!arch::isOfTextPart(layouts.front().spec.tensors.front().name) || !hasWeights(base)) return std::nullopt;
    return UntrainedPart(arch::Checkpoint::open(base));
}

UntrainedPart::UntrainedPart(arch::Checkpoint base) : m_base(std::move(base)) {
    for (const arch::SafetensorsFile& file : m_base.files())
        for (const arch::TensorEntry& entry : file.tensors())
            if (arch::isOfPictures(arch::parameterOf(entry.name))) m_tensors.push_back({&file, &entry});
}

std::string UntrainedPart::storedAs(const std::string& parameter, std::span<const int64_t> shape) const {
    return m_base.require(parameter, shape).name;
}

void UntrainedPart::write(const fs::path& path) const {
    std::vector<arch::TensorToCome> toCome;
    for (const Tensor& tensor : m_tensors)
        toCome.push_back({tensor.entry->name, tensor.entry->dtype, tensor.entry->shape});
    const std::string start = arch::safetensorsStart(toCome, {{"format", "pt"}});
    writeFileAtomically(path, [&](const auto& put) {
        put(std::as_bytes(std::span(start)));
        std::vector<std::byte> piece;
        for (const Tensor& tensor : m_tensors)
            for (int64_t done = 0; done < tensor.entry->bytes; done += std::ssize(piece)) {
                piece.resize(static_cast<std::size_t>(std::min(kCopiedBytes, tensor.entry->bytes - done)));
                tensor.file->read(*tensor.entry, done, piece);
                put(piece);
            }
    });
}

} // namespace roundpipe::artifact
