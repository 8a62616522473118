// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters on disk, as PEFT writes and reads them: adapter_model.safetensors and adapter_config.json.
// Format: PEFT developer guide "Checkpoint format"; names are base_model.model.<module>.lora_A.weight (rank, in) and
// lora_B.weight (out, rank), the adapter's name left out.
#pragma once

#include "arch/layers.h"
#include "base/dtype.h"
#include "geometry/layout.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::artifact {

// Per layer the elements of its trained block (geometry/trained_block.h): masters or moments in fp32 or fp64, a version
// in the operand type.
template <class Byte>
struct AdapterSpans {
    DType dtype = DType::kF32;
    std::vector<std::span<Byte>> layers;
};

struct AdapterOrigin {
    std::filesystem::path modelFolder;   // its tokenizer files are copied beside the adapter
    std::filesystem::path chatTemplate;  // template file used instead of the folder's; empty: none
    std::string baseModelId;             // empty: the model folder's path
    std::string baseModelRevision;       // empty: none
    std::string weightsFingerprint = {}; // of the model folder (arch/weights_fingerprint.h); empty: not known
};

// Writes the files into `folder`, which exists. Not atomic as a whole: write into a new folder and rename it.
void writeAdapter(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                  const arch::LoraConfig& lora, const AdapterSpans<const std::byte>& blocks,
                  const AdapterOrigin& origin);

// Fills `blocks` from the adapter's tensors, converting their type. Throws kInvalidInput naming a missing, misshapen or
// unknown tensor.
void readAdapterWeights(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const AdapterSpans<std::byte>& blocks);

} // namespace roundpipe::artifact
