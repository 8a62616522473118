// The weights of a large model as far as a folder shows them: a safetensors header over a hole in the file.
#pragma once

#include <filesystem>

namespace roundpipe::testing {

// Of the model whose config.json lies in `folder`, as bf16 in model.safetensors. Takes no space on disk; all zeros.
void writeHollowWeights(const std::filesystem::path& folder);

} // namespace roundpipe::testing
