// SPDX-License-Identifier: GPL-3.0-or-later
// What of a model with pictures nobody trains, for the folder of its trained text part (internal to the folder): the
// tensors that see pictures, and the names under which its base stores those that are trained.
#pragma once

#include "arch/checkpoint.h"
#include "geometry/layout.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::artifact {

class UntrainedPart {
public:
    UntrainedPart(const UntrainedPart&) = delete;
    UntrainedPart(UntrainedPart&&) = default;
    UntrainedPart& operator=(const UntrainedPart&) = delete;
    // Nothing of a model that is text alone, nor of a folder without weights, which were random then.
    static std::optional<UntrainedPart> of(const std::filesystem::path& base,
                                           std::span<const geometry::LayerLayout> layouts);
    // As the base stores a parameter.
    std::string storedAs(const std::string& parameter, std::span<const int64_t> shape) const;
    struct Tensor {
        const arch::SafetensorsFile* file;
        const arch::TensorEntry* entry;
    };
    // As they stand in the base.
    const std::vector<Tensor>& tensors() const { return m_tensors; }
    // Byte for byte, a piece at a time.
    void write(const std::filesystem::path& file) const;

private:
    explicit UntrainedPart(arch::Checkpoint base);

    arch::Checkpoint m_base;
    std::vector<Tensor> m_tensors; // in m_base's files, which stay where they are when it is moved
};

} // namespace roundpipe::artifact
