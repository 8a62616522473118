// A training checkpoint: the adapter as PEFT reads it, the optimizer's moments, and where the run stands.
//
//   adapter_model.safetensors, adapter_config.json, tokenizer files   as in adapter.h
//   optimizer.safetensors   <tensor>.first and <tensor>.second for every adapter tensor
//   state.json              step, best validation loss, seed
//
// A checkpoint is written into a folder beside its place and renamed: a crash leaves the old one or the new one.
#pragma once

#include "artifact/adapter.h"

#include <optional>

namespace roundpipe::artifact {

struct TrainingState {
    int64_t step = 0; // optimizer steps done
    int64_t seed = 0;
    std::optional<double> bestValidationLoss;
};

struct CheckpointBlocks {
    AdapterSpans<const std::byte> masters;
    AdapterSpans<const std::byte> firstMoments;
    AdapterSpans<const std::byte> secondMoments;
};

void writeCheckpoint(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                     const arch::LoraConfig& lora, const CheckpointBlocks& blocks, const AdapterOrigin& origin,
                     const TrainingState& state);

// Only state.json. Throws kIo or kInvalidInput naming the file.
TrainingState readTrainingState(const std::filesystem::path& folder);

// The moments; the adapter is read by readAdapterWeights.
void readMoments(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                 const AdapterSpans<std::byte>& firstMoments, const AdapterSpans<std::byte>& secondMoments);

} // namespace roundpipe::artifact
