// SPDX-License-Identifier: GPL-3.0-or-later
// A training checkpoint: what is trained, the adapter as PEFT reads it or a model folder, the optimizer's moments, and
// where the run stands.
//
//   adapter_model.safetensors, adapter_config.json, tokenizer files   as in adapter.h
//   or a model folder with weights in full precision                  as in model_folder.h
//   optimizer.safetensors   <tensor>.first and <tensor>.second for every trained tensor, in the optimizer's type for
//                           them; where updates are one step stale, <tensor>.before: the version that the next step
//                           reads
//   state.json              where the run stood (runs/training_state.h)
//   settings.json           those of the run
//   manifest.json           what all files were when they were written (runs/checkpoint_manifest.h)
//
// A checkpoint is written into a folder beside its place and takes that when it is on the disk: a crash leaves the old
// one or the new one.
#pragma once

#include "arch/safetensors_write.h"
#include "artifact/adapter.h"
#include "runs/training_state.h"

#include <optional>
#include <string>

namespace roundpipe::artifact {

struct CheckpointBlocks {
    AdapterSpans<const std::byte> masters;
    AdapterSpans<const std::byte> firstMoments;
    AdapterSpans<const std::byte> secondMoments;
    std::optional<AdapterSpans<const std::byte>> versionBefore = {}; // the newest one, in the operand type
    arch::DataReader read = {};                                      // of weights, where they change meanwhile
};

int64_t bytesOf(const CheckpointBlocks& blocks); // nearly all that a checkpoint takes on a disk

// Makes `folder`.part, which may be there where it holds nothing but half a checkpoint. What stood at `folder` is kept
// as `keepOld`, whose place is free; where that is empty it is removed, or left as `folder`.part.replaced where it
// holds more than was written. `runSpec`: the text of settings.json; empty: none. Throws kIo, for what is in the way,
// too, and kNoSpace, and leaves what stood there then. Returns its seal (runs::sealOf), as somebody may have moved it
// meanwhile.
std::string writeCheckpoint(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                            const arch::LoraConfig& lora, const CheckpointBlocks& blocks, const AdapterOrigin& origin,
                            const runs::TrainingState& state, const std::string& runSpec = {},
                            const std::filesystem::path& keepOld = {});

// The moments, converted to the type of `firstMoments` and `secondMoments`; gives the type that they had. An adapter is
// read by readAdapterWeights, a model as any other.
DType readMoments(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                  const AdapterSpans<std::byte>& firstMoments, const AdapterSpans<std::byte>& secondMoments);

// The version before the newest, converted to the type of `blocks`; false where the checkpoint has none.
bool readVersionBefore(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                       const AdapterSpans<std::byte>& blocks);

} // namespace roundpipe::artifact
