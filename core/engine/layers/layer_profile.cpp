// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/layers/layer_profile.h"

#include "base/error.h"
#include "base/units.h"
#include "device/streams/thread_setup.h"
#include "engine/layers/layer_bench.h"
#include "plan/cost/layer_kinds.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

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

// What `both` takes beside `first`, which was measured by itself. Other programs may have lengthened that one more: but
// a backward is never next to nothing.
double restOf(double both, double first) {
    constexpr double kLeast = 0.1;
    return std::max(both - first, kLeast * first);
}

plan::LayerTimes timesOf(const Benches& benches, bool isTrained) {
    const LayerBench& bench = *benches.front();
    plan::LayerTimes times;
    times.forward = times.recompute = secondsOf(benches, &LayerBench::issueForward);
    if (bench.isBlock() && isTrained) {
        times.recompute = secondsOf(benches, &LayerBench::issueSaving); // and leaves what backward needs
        times.backward = restOf(secondsOf(benches, &LayerBench::issueBoth), times.recompute);
    }
    if (bench.isHead()) times.backward = restOf(secondsOf(benches, &LayerBench::issueBoth), times.forward);
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
    // Unpacking is counted beside the layers; products in FP8 are theirs.
    const WeightFormat weights = shape.weights == WeightFormat::kFp8 ? shape.weights : WeightFormat::kAsIs;
    const auto model = model::makeModel(spec, shape.trained(), shape.operandType, weights);
    for (const device::Device* device : devices)
        model::requireTrainableOn(*model, device->kind() == device::DeviceKind::kCuda);
    const std::vector<std::string> kinds = plan::layerKinds(spec, arch::trainedLayers(spec, shape.trained()));
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
            benches.push_back(std::make_unique<LayerBench>(*device, *model, static_cast<int32_t>(l), shape,
                                                           makeBatch(shape, spec.config.vocabSize)));
        profile.kinds[kinds[l]] = timesOf(benches, l > 0 && static_cast<int32_t>(l) >= model->firstTrainableLayer());
    }
    return profile;
}

} // namespace

plan::DeviceProfile profileLayers(const std::vector<device::Device*>& devices, const arch::ModelSpec& model,
                                  const plan::TrainingShape& shape,
                                  const std::function<bool(const std::string&)>& report) {
    RP_CHECK(!devices.empty());
    if (shape.trainsBase) arch::requireWholeTrainable(model.config);
    plan::validate(shape);
    // A thread of its own, because LibTorch's settings are the thread's.
    auto profile = std::async(std::launch::async, [&] { return measure(devices, model, shape, report); });
    return profile.get();
}

} // namespace roundpipe::engine
