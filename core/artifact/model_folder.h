// SPDX-License-Identifier: GPL-3.0-or-later
// A trained model as Hugging Face's folders hold it: config.json, the tokenizer's files, and weights in safetensors, in
// several files with an index where they are large. Of a model with pictures, whose text part is trained, what sees
// those is copied from its base, and names are the base's.
#pragma once

#include "arch/safetensors_write.h"
#include "artifact/adapter.h"

namespace roundpipe::artifact {

// The weights in the type of `blocks`, straight from them, by `read` where there is one. Into `folder`, which exists;
// not atomic as a whole: write into a new folder and rename it.
void writeModel(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin,
                const arch::DataReader& read = {});

} // namespace roundpipe::artifact
