// SPDX-License-Identifier: GPL-3.0-or-later
// One layer of a model on one device, with random weights and inputs, ready to be called: what is measured, and what is
// compared with the same on another device.
#pragma once

#include "base/token_batch.h"
#include "device/buffer.h"
#include "device/device.h"
#include "model/model.h"
#include "pipeline/batch_block.h"
#include "plan/cost/training_shape.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::engine {

// The device, the model and the calling thread's set-up (device/streams/thread_setup.h) outlive it. One thread.
class LayerBench {
public:
    // `batch` is no larger than the largest of `shape`. Weights and inputs depend on the layer and the batch alone.
    // Where the layer's weights may be multiplied in FP8, a GPU does so if it can, and a CPU as the `twin` of one that
    // does.
    LayerBench(device::Device& device, const model::Model& model, int32_t layer, const plan::TrainingShape& shape,
               TokenBatch batch, model::Fp8Products twin = model::Fp8Products::kNone);

    // Issue `count` calls; they have run after synchronize().
    void issueForward(int64_t count);
    // Of a block: with what backward needs kept.
    void issueSaving(int64_t count);
    // Forward and backward, which uses up what was kept.
    void issueBoth(int64_t count);
    void synchronize(); // throws what the device failed with

    bool isBlock() const { return m_layer > 0 && !isHead(); }
    model::Fp8Products fp8() const { return m_compute.fp8; }
    bool isHead() const { return m_layer + 1 == m_model.numLayers(); }

    // Bytes on the device after the calls of a block: hidden states in the operand type, and gradients of what is
    // trained in the statistics type.
    std::vector<std::byte> output() { return downloaded(m_out, hiddenBytes()); }
    std::vector<std::byte> inputGradient() { return downloaded(m_dIn, hiddenBytes()); }
    std::vector<std::byte> trainedGradient() { return downloaded(m_gradients, m_gradientBytes); }

private:
    std::size_t block() const { return static_cast<std::size_t>(m_layer) - 1; }
    const geometry::LayerLayout& layout() const { return m_model.layouts[static_cast<std::size_t>(m_layer)]; }
    int64_t adapterBytes() const { return geometry::bytesOf(m_model.operandType, layout().adapter.numElements); }
    int64_t hiddenBytes() const { return m_model.hiddenBytes(m_batches.numTokens(0)); }

    void cut(const plan::TrainingShape& shape);
    void fill();
    void fillFp8();
    void upload(std::byte* to, const device::HostBuffer& from);
    void fillNormal(device::HostBuffer& values, double scale) const;
    std::vector<std::byte> downloaded(const std::byte* from, int64_t bytes);
    void forward();
    void forwardSaving();
    void backward();

    device::Device& m_device;
    device::Stream& m_stream;
    const model::Model& m_model;
    int32_t m_layer;
    device::HostBuffer m_batchMemory;
    pipeline::BatchBlock m_batches;
    int32_t m_firstTrainable;
    device::DeviceBuffer m_memory;
    std::byte *m_packed = nullptr, *m_base = nullptr, *m_adapter = nullptr, *m_saved = nullptr, *m_gradients = nullptr,
              *m_batch = nullptr;
    std::byte *m_in = nullptr, *m_out = nullptr, *m_dOut = nullptr, *m_dIn = nullptr;
    double* m_loss = nullptr;
    int64_t m_gradientBytes = 0;
    model::LayerWeights m_weights;
    model::BatchView m_view;
    model::Compute m_compute;
};

} // namespace roundpipe::engine
