// SPDX-License-Identifier: GPL-3.0-or-later
// The rehearsal's small random model, training in one of its ways.
#pragma once

#include "base/loss_scale.h"
#include "device/device.h"
#include "engine/rehearsal/ways.h"
#include "optim/adamw.h"
#include "pipeline/pipeline.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::engine {

struct Circumstances {
    device::OnSpan onSpan = {};
    device::OrderLog* order = nullptr;
    double hangSeconds = 0;
    LossScale lossScale = {};
};

// All that a way has come to; two that train the same must have the same bits.
struct Outcome {
    std::vector<double> losses, gradNorms; // of each step
    double validationLoss = 0;
    std::vector<std::byte> trained; // masters of all layers
};

// In words; empty where there is none.
std::string firstDifference(const Outcome& found, const Outcome& expected);

// One thread calls it. Throws where the devices can't be opened.
class SmallTraining {
public:
    SmallTraining(const Way& way, const std::vector<std::string>& names, const Circumstances& given = {});

    Outcome train(int64_t numSteps); // so many steps, and a validation
    pipeline::StepResult runStep(int64_t step) { return m_pipeline->await(submit(step)); }
    bool hangs() { return m_pipeline->hangs(); }
    std::vector<std::byte> masters() const; // of all layers
    int64_t numAllocations() const;         // of device memory so far, by us and by LibTorch

private:
    pipeline::Ticket submit(int64_t step);
    std::pair<int64_t, int64_t> memoryTaken() const;

    Way m_way;
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::unique_ptr<const model::Model> m_model;
    std::unique_ptr<transfer::HostWeightStore> m_store;
    std::unique_ptr<optim::AdamW> m_adamw;
    std::unique_ptr<pipeline::Pipeline> m_pipeline;
};

} // namespace roundpipe::engine
