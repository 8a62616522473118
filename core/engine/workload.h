// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is made of before any weight is read: the parts of a RunSpec, opened and checked.
#pragma once

#include "arch/layers.h"
#include "data/batches/batch_feeder.h"
#include "data/store/dataset.h"
#include "device/device.h"
#include "engine/chat/model_text.h"
#include "model/model.h"
#include "runs/model_files.h"
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
// starting adapter, base model id. One that goes on has them in its own checkpoint, where that adapter is gone.
session::RunSpec resolved(session::RunSpec spec, bool goesOn = false);

// Says what is being done, for the status line; false cancels.
using Report = std::function<bool(const session::Activity&)>;
data::Dataset loadDataset(const session::RunSpec& spec, const ModelText& text, const Report& report);
session::RunLengths lengthsOf(const data::Dataset& dataset); // copied: 8 bytes an example
// Base weights from the model's files, or made at random; adapters fresh, or from the starting adapter, unless the run
// goes on and has its own. All published.
void fillStore(transfer::HostWeightStore& store, const session::RunSpec& spec, const runs::ModelFiles& model,
               bool goesOn, const Report& report);

} // namespace roundpipe::engine
