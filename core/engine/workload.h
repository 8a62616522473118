// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is made of before any weight is read: the parts of a RunSpec, opened and checked.
#pragma once

#include "arch/layers.h"
#include "data/batches/batch_feeder.h"
#include "data/store/dataset.h"
#include "device/device.h"
#include "engine/chat/model_text.h"
#include "model/model.h"
#include "session/activity.h"
#include "session/spec/run_shape.h"
#include "transfer/host_weight_store.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::engine {

bool onGpusOnly(const std::vector<std::unique_ptr<device::Device>>& devices);

// The spec with what was left open filled in, as it is written into the run folder: template date, LoRA settings of the
// starting adapter, base model id.
session::RunSpec resolved(session::RunSpec spec);

// Says what is being done, for the status line; false cancels.
using Report = std::function<bool(const session::Activity&)>;
data::Dataset loadDataset(const session::RunSpec& spec, const ModelText& text, const Report& report);
session::RunLengths lengthsOf(const data::Dataset& dataset); // copied: 8 bytes an example
// Base weights from the folder, or made at random; adapters fresh, or from the starting adapter. All published.
void fillStore(transfer::HostWeightStore& store, const session::RunSpec& spec, const Report& report);

} // namespace roundpipe::engine
