// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/layer_profile.h"

#include "base/error.h"
#include "base/units.h"
#include "device/streams/thread_setup.h"
#include "model/init.h"
#include "pipeline/batch_block.h"
#include "plan/cost/layer_kinds.h"

#include <algorithm>
#include <cmath>
#include <future>

namespace roundpipe::engine {
namespace {

constexpr int64_t kCopyBytes = 64 * kMiB;
constexpr double kSampleSeconds = 0.03; // calls are repeated to last that long
constexpr int kSamples = 5;             // of which the median counts
constexpr double kLongSeconds = 1;      // a call that takes longer is measured once

// As many sequences as are usual, of the average length, trained as often as the shape says, spread evenly.
TokenBatch makeBatch(const plan::TrainingShape& shape, int64_t vocabSize) {
    const auto sequences = std::max<int64_t>(1, std::llround(shape.usualSequences()));
    const auto length = std::clamp<int64_t>(std::llround(shape.tokens() / static_cast<double>(sequences)), 1,
                                            shape.maxTokens() / sequences);
    TokenBatch batch;
    for (int64_t s = 0; s < sequences; ++s) {
        batch.starts.push_back(static_cast<int32_t>(s * length));
        batch.exampleIds.push_back(s);
        for (int64_t i = 0; i < length; ++i) {
            const int64_t t = s * length + i;
            const auto trainedBefore = [&](int64_t n) {
                return std::floor(static_cast<double>(n) * shape.trainedShare);
            };
            const bool trained = trainedBefore(t + 1) > trainedBefore(t);
            const auto token = static_cast<int32_t>((7919 * t + 13) % vocabSize);
            batch.ids.push_back(token);
            batch.labels.push_back(trained ? token : kIgnoredLabel);
            batch.positions.push_back(static_cast<int32_t>(i));
        }
    }
    batch.starts.push_back(static_cast<int32_t>(sequences * length));
    return batch;
}

// One layer on one device, ready to be called.
class LayerBench {
public:
    LayerBench(device::Device& device, const model::Model& model, int32_t layer, const plan::TrainingShape& shape)
        : m_device(device)
        , m_stream(device.stream(trace::LaneRole::kCompute))
        , m_model(model)
        , m_layer(layer)
        , m_batchMemory(geometry::BatchArrays::maxBytes(shape.maxTokens(), shape.sequences), device.pinnedHost())
        , m_batches({makeBatch(shape, model.spec.config.vocabSize)}, m_batchMemory)
        , m_firstTrainable(model.firstTrainableLayer()) {
        cut(shape);
        fill();
        m_view = m_batches.view(0, m_batch);
        m_view.gradientScale = 1e-3;
    }

    // Issues `count` calls; they have run after synchronize().
    void issueForward(int64_t count) {
        for (int64_t i = 0; i < count; ++i)
            m_stream.launch([this] { forward(); });
    }
    // Of a block: with what backward needs kept.
    void issueSaving(int64_t count) {
        for (int64_t i = 0; i < count; ++i)
            m_stream.launch([this] { forwardSaving(); });
    }
    // Forward and backward, which uses up what was kept.
    void issueBoth(int64_t count) {
        for (int64_t i = 0; i < count; ++i)
            m_stream.launch([this] {
                if (isBlock()) forwardSaving();
                backward();
            });
    }
    void synchronize() {
        m_stream.synchronize();
        if (m_device.fault()->raised()) std::rethrow_exception(m_device.fault()->error());
    }

    bool isBlock() const { return m_layer > 0 && !isHead(); }
    bool isHead() const { return m_layer + 1 == m_model.numLayers(); }

private:
    std::size_t block() const { return static_cast<std::size_t>(m_layer) - 1; }
    const geometry::LayerLayout& layout() const { return m_model.layouts[static_cast<std::size_t>(m_layer)]; }
    int64_t adapterBytes() const { return geometry::bytesOf(m_model.operandType, layout().adapter.numElements); }

    // All device memory, in one piece as in a run.
    void cut(const plan::TrainingShape& shape) {
        const int64_t tokens = shape.maxTokens();
        const int64_t hiddenBytes = m_model.hiddenBytes(tokens);
        int64_t savedBytes = 0, workspaceBytes = m_model.head->workspaceBytes(tokens);
        if (isBlock()) {
            savedBytes = m_model.blocks[block()]->savedBytes(tokens, kSaving);
            workspaceBytes = m_model.blocks[block()]->workspaceBytes(tokens);
        }
        const auto take = [&](geometry::Workspace& memory) {
            m_base = memory.take(layout().base.bytes);
            m_adapter = memory.take(adapterBytes());
            for (std::byte** hidden : {&m_in, &m_out, &m_dOut, &m_dIn})
                *hidden = memory.take(hiddenBytes);
            m_saved = memory.take(savedBytes);
            m_gradients = memory.take(geometry::bytesOf(shape.statisticsType(), layout().gradientElements()));
            m_batch = memory.take(m_batches.bytes());
            m_loss = memory.takeArray<double>(1);
            return memory.take(workspaceBytes);
        };
        geometry::Workspace counting;
        take(counting);
        m_memory = m_device.allocate(counting.usedBytes());
        geometry::Workspace memory(m_memory.data(), m_memory.bytes());
        std::byte* const workspace = take(memory);
        m_weights = {m_base, m_adapter};
        m_compute = {{m_device.kind() == device::DeviceKind::kCuda, m_stream.native()},
                     m_device.cudaIndex(),
                     m_device.computeCapability(),
                     m_model.operandType,
                     shape.deterministic,
                     geometry::Workspace(workspace, workspaceBytes)};
    }

    // Values like those of a run: NaNs and subnormal numbers would be slower, zeros would draw less power.
    void fill() {
        const auto upload = [&](std::byte* to, const device::HostBuffer& from) {
            m_stream.copy(to, from.data(), from.bytes());
            m_stream.synchronize();
        };
        device::HostBuffer base(layout().base.bytes, m_device.pinnedHost());
        model::fillRandom(layout(), 1, base.data());
        upload(m_base, base);
        for (const auto& [to, bytes] :
             {std::pair{m_adapter, adapterBytes()}, {m_in, hiddenBytes()}, {m_dOut, hiddenBytes()}}) {
            device::HostBuffer values(bytes, m_device.pinnedHost());
            fillNormal(values);
            if (bytes > 0) upload(to, values);
        }
        m_stream.copy(m_batch, m_batches.data(), m_batches.bytes());
        m_stream.synchronize();
    }
    int64_t hiddenBytes() const { return m_model.hiddenBytes(m_batches.numTokens(0)); }

    // As random weights are: a matrix in whose place any values may stand.
    void fillNormal(device::HostBuffer& values) const {
        const int64_t count = values.bytes() / static_cast<int64_t>(sizeOf(m_model.operandType));
        arch::TensorSpec spec{arch::TensorRole::kQ, "profile", {1, count}};
        if (count > 0) model::fillRandom({spec, m_model.operandType, 0, count}, 1, values.data());
    }

    void forward() {
        if (m_layer == 0)
            m_model.embedding->forward(m_compute, m_view, m_weights, m_out);
        else if (isHead())
            m_model.head->forward(m_compute, m_view, m_weights, m_in, m_loss);
        else
            m_model.blocks[block()]->forward(m_compute, m_view, m_weights, m_in, m_out);
    }
    void forwardSaving() {
        m_model.blocks[block()]->forwardSaving(m_compute, m_view, m_weights, m_in, m_out, m_saved, kSaving);
    }
    void backward() {
        std::byte* const dIn = m_layer > m_firstTrainable ? m_dIn : nullptr;
        const model::GradientView gradients{layout().gradientElements() == 0 ? nullptr : m_gradients, false};
        if (isHead())
            m_model.head->forwardBackward(m_compute, m_view, m_weights, m_in, m_loss, dIn, gradients);
        else
            m_model.blocks[block()]->backward(m_compute, m_view, m_weights, m_in, m_saved, kSaving, m_dOut, dIn,
                                              gradients);
    }

    static constexpr geometry::Saving kSaving = geometry::Saving::kAll; // what else is computed again follows from it

    device::Device& m_device;
    device::Stream& m_stream;
    const model::Model& m_model;
    int32_t m_layer;
    device::HostBuffer m_batchMemory;
    pipeline::BatchBlock m_batches;
    int32_t m_firstTrainable;
    device::DeviceBuffer m_memory;
    std::byte *m_base = nullptr, *m_adapter = nullptr, *m_saved = nullptr, *m_gradients = nullptr, *m_batch = nullptr;
    std::byte *m_in = nullptr, *m_out = nullptr, *m_dOut = nullptr, *m_dIn = nullptr;
    double* m_loss = nullptr;
    model::LayerWeights m_weights;
    model::BatchView m_view;
    model::Compute m_compute;
};

using Benches = std::vector<std::unique_ptr<LayerBench>>;
using Issue = void (LayerBench::*)(int64_t);

// Seconds of one call, all benches at once.
double secondsOf(const Benches& benches, Issue issue) {
    const auto run = [&](int64_t count) {
        const int64_t startNs = steadyNowNs();
        for (const auto& bench : benches)
            (*bench.*issue)(count);
        for (const auto& bench : benches)
            bench->synchronize();
        return 1e-9 * static_cast<double>(steadyNowNs() - startNs) / static_cast<double>(count);
    };
    const double first = run(1); // also warms up: kernels are loaded, workspaces made
    if (first > kLongSeconds) return first;
    const auto count = std::max<int64_t>(1, static_cast<int64_t>(kSampleSeconds / std::max(run(1), 1e-7)));
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
        samples.push_back(run(count));
    std::ranges::nth_element(samples, samples.begin() + kSamples / 2);
    return samples[kSamples / 2];
}

plan::LayerTimes timesOf(const Benches& benches, bool isTrained) {
    const LayerBench& bench = *benches.front();
    plan::LayerTimes times;
    times.forward = times.recompute = secondsOf(benches, &LayerBench::issueForward);
    if (bench.isBlock() && isTrained) {
        times.recompute = secondsOf(benches, &LayerBench::issueSaving); // and leaves what backward needs
        times.backward = std::max(0.0, secondsOf(benches, &LayerBench::issueBoth) - times.recompute);
    }
    if (bench.isHead()) times.backward = std::max(0.0, secondsOf(benches, &LayerBench::issueBoth) - times.forward);
    return times;
}

// Bytes a second of one long copy; the best of a few.
double copyRate(device::Device& device, bool up) {
    device::Stream& stream = device.stream(up ? trace::LaneRole::kWeightsUp : trace::LaneRole::kGradientsDown);
    device::HostBuffer host(kCopyBytes, device.pinnedHost());
    device::DeviceBuffer memory = device.allocate(kCopyBytes);
    double best = 0;
    for (int i = 0; i < kSamples; ++i) {
        const int64_t startNs = steadyNowNs();
        if (up)
            stream.copy(memory.data(), host.data(), kCopyBytes);
        else
            stream.copy(host.data(), memory.data(), kCopyBytes);
        stream.synchronize();
        best = std::max(best, static_cast<double>(kCopyBytes) / (1e-9 * static_cast<double>(steadyNowNs() - startNs)));
    }
    return best;
}

plan::DeviceProfile measure(const std::vector<device::Device*>& devices, const arch::ModelSpec& spec,
                            const plan::TrainingShape& shape, const std::function<bool(const std::string&)>& report) {
    device::setUpComputeThread();
    const auto model = model::makeModel(spec, shape.trained(), shape.operandType);
    const std::vector<std::string> kinds =
        plan::layerKinds(spec, arch::adaptedLinears(spec, shape.trained()), shape.trainsBase);
    plan::DeviceProfile profile{
        plan::deviceKey(devices.front()->name()), plan::modelKey(spec.config), plan::shapeKey(shape), "profile", {}};
    profile.upBytesPerSecond = copyRate(*devices.front(), true);
    profile.downBytesPerSecond = copyRate(*devices.front(), false);
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        if (profile.kinds.contains(kinds[l])) continue;
        if (!report("measuring on " + devices.front()->name() + ": " + kinds[l]))
            throw Error(ErrorKind::kCancelled, "The profile was stopped.");
        Benches benches;
        for (device::Device* device : devices)
            benches.push_back(std::make_unique<LayerBench>(*device, *model, static_cast<int32_t>(l), shape));
        profile.kinds[kinds[l]] = timesOf(benches, l > 0 && static_cast<int32_t>(l) >= model->firstTrainableLayer());
    }
    return profile;
}

} // namespace

plan::DeviceProfile profileLayers(const std::vector<device::Device*>& devices, const arch::ModelSpec& model,
                                  const plan::TrainingShape& shape,
                                  const std::function<bool(const std::string&)>& report) {
    RP_CHECK(!devices.empty());
    arch::requireRunnable(model.config);
    plan::validate(shape);
    // A thread of its own, because LibTorch's settings are the thread's.
    auto profile = std::async(std::launch::async, [&] { return measure(devices, model, shape, report); });
    return profile.get();
}

} // namespace roundpipe::engine
