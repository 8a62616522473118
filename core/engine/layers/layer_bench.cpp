// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/layers/layer_bench.h"

#include "model/compute/fp8_choice.h"
#include "model/init.h"
#include "transfer/assembled_layers.h"
#include "transfer/random_weights.h"

#include <exception>
#include <span>
#include <utility>

namespace roundpipe::engine {
namespace {

constexpr geometry::Saving kSaving = geometry::Saving::kAll; // what else is computed again follows from it
constexpr double kLossScale = 1024; // of gradients in fp16, which are too small for it otherwise

} // namespace

LayerBench::LayerBench(device::Device& device, const model::Model& model, int32_t layer,
                       const plan::TrainingShape& shape, TokenBatch batch, model::Fp8Products twin)
    : m_device(device)
    , m_stream(device.stream(trace::LaneRole::kCompute))
    , m_model(model)
    , m_layer(layer)
    , m_batchMemory(geometry::BatchArrays::maxBytes(shape.maxTokens(), shape.sequences), device.pinnedHost())
    , m_batches({std::move(batch)}, m_batchMemory)
    , m_firstTrainable(model.firstTrainableLayer()) {
    cut(shape);
    if (m_device.kind() == device::DeviceKind::kCuda)
        m_compute.fp8 = model::chooseFp8Products(m_compute, std::span(&layout(), 1));
    else if (layout().mayMultiplyFp8())
        m_compute.fp8 = twin;
    fill();
    m_view = m_batches.view(0, m_batch);
    m_view.gradientScale = 1e-3;
}

void LayerBench::issueForward(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        m_stream.launch([this] { forward(); });
}

void LayerBench::issueSaving(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        m_stream.launch([this] { forwardSaving(); });
}

void LayerBench::issueBoth(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        m_stream.launch([this] {
            if (isBlock()) forwardSaving();
            backward();
        });
}

void LayerBench::synchronize() {
    m_stream.synchronize();
    if (m_device.fault()->raised()) std::rethrow_exception(m_device.fault()->error());
}

// All device memory, in one piece as in a run.
void LayerBench::cut(const plan::TrainingShape& shape) {
    const int64_t tokens = shape.maxTokens();
    const int64_t mostHiddenBytes = m_model.hiddenBytes(tokens);
    int64_t savedBytes = 0, workspaceBytes = m_model.head->workspaceBytes(tokens);
    if (isBlock()) {
        savedBytes = m_model.blocks[block()]->savedBytes(tokens, kSaving);
        workspaceBytes = m_model.blocks[block()]->workspaceBytes(tokens);
    }
    m_gradientBytes = geometry::bytesOf(shape.statisticsType(), layout().gradientElements);
    const auto take = [&](geometry::Workspace& memory) {
        m_base = memory.take(layout().base.bytes);
        if (layout().mayMultiplyFp8()) m_packed = memory.take(layout().base.slotBytes);
        m_adapter = memory.take(adapterBytes());
        for (std::byte** hidden : {&m_in, &m_out, &m_dOut, &m_dIn})
            *hidden = memory.take(mostHiddenBytes);
        m_saved = memory.take(savedBytes);
        m_gradients = memory.take(m_gradientBytes);
        m_batch = memory.take(m_batches.bytes());
        m_loss = memory.takeArray<double>(1);
        return memory.take(workspaceBytes);
    };
    geometry::Workspace counting;
    take(counting);
    m_memory = m_device.allocate(counting.usedBytes());
    geometry::Workspace memory(m_memory.data(), m_memory.bytes());
    std::byte* const workspace = take(memory);
    m_weights = {m_base, m_adapter, m_packed};
    m_compute = {{m_device.kind() == device::DeviceKind::kCuda, m_stream.native()},
                 m_device.cudaIndex(),
                 m_device.computeCapability(),
                 m_model.operandType,
                 shape.deterministic,
                 geometry::Workspace(workspace, workspaceBytes)};
}

// Values like those of a run: NaNs and subnormal numbers would be slower, zeros would draw less power.
void LayerBench::fill() {
    device::HostBuffer base(layout().base.bytes, m_device.pinnedHost());
    model::fillRandom(layout(), 1, base.data());
    upload(m_base, base);
    if (m_compute.fp8 != model::Fp8Products::kNone) fillFp8();
    for (const auto& [to, bytes] :
         {std::pair{m_adapter, adapterBytes()}, {m_in, hiddenBytes()}, {m_dOut, hiddenBytes()}}) {
        device::HostBuffer values(bytes, m_device.pinnedHost());
        fillNormal(values, to == m_dOut && m_model.operandType == DType::kF16 ? kLossScale : 1);
        if (bytes > 0) upload(to, values);
    }
    m_stream.copy(m_batch, m_batches.data(), m_batches.bytes());
    m_stream.synchronize();
}

// The weights as they travel, and of them what a backward multiplies.
void LayerBench::fillFp8() {
    device::HostBuffer packed(layout().base.slotBytes, m_device.pinnedHost());
    for (const geometry::TensorPlace& place : layout().base.tensors)
        transfer::fillRandomly(
            {LayerId(m_layer), &place, packed.data() + place.slotOffset, place.rows(), place.spec.shape.back()}, 1);
    upload(m_packed, packed);
    m_stream.launch(
        [this] { transfer::assemble(m_compute.target, layout(), transfer::Assembly::kBackwardFp8, m_packed, m_base); });
    m_stream.synchronize();
}

void LayerBench::upload(std::byte* to, const device::HostBuffer& from) {
    m_stream.copy(to, from.data(), from.bytes());
    m_stream.synchronize();
}

// As random weights are: a matrix in whose place any values may stand.
void LayerBench::fillNormal(device::HostBuffer& values, double scale) const {
    const int64_t count = values.bytes() / static_cast<int64_t>(sizeOf(m_model.operandType));
    arch::TensorSpec spec{arch::TensorRole::kQ, "profile", {1, count}};
    if (count == 0) return;
    model::fillRandom({spec, m_model.operandType, 0, count}, 1, values.data());
    const Matrix all{values.data(), m_model.operandType, 1, count, count};
    if (scale != 1) kernels::convert({}, all, scale, all);
}

std::vector<std::byte> LayerBench::downloaded(const std::byte* from, int64_t bytes) {
    device::HostBuffer host(bytes, m_device.pinnedHost());
    m_stream.copy(host.data(), from, bytes);
    synchronize();
    return {host.data(), host.data() + bytes};
}

void LayerBench::forward() {
    if (m_layer == 0)
        m_model.embedding->forward(m_compute, m_view, m_weights, m_out);
    else if (isHead())
        m_model.head->forward(m_compute, m_view, m_weights, m_in, m_loss);
    else
        m_model.blocks[block()]->forward(m_compute, m_view, m_weights, m_in, m_out);
}

void LayerBench::forwardSaving() {
    m_model.blocks[block()]->forwardSaving(m_compute, m_view, m_weights, m_in, m_out, m_saved, kSaving);
}

void LayerBench::backward() {
    std::byte* const dIn = m_layer > m_firstTrainable || geometry::needsInputGradient(layout()) ? m_dIn : nullptr;
    const model::GradientView gradients{m_gradientBytes == 0 ? nullptr : m_gradients, false};
    if (isHead())
        m_model.head->forwardBackward(m_compute, m_view, m_weights, m_in, m_loss, dIn, gradients);
    else
        m_model.blocks[block()]->backward(m_compute, m_view, m_weights, m_in, m_saved, kSaving, m_dOut, dIn, gradients);
}

} // namespace roundpipe::engine
