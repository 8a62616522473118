// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/run_profile.h"

#include "plan/cost/cost_model.h"
#include "plan/cost/layer_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace roundpipe::plan {
namespace {

using trace::Kind;

// Mean seconds of a stage's microbatches, by kind of record.
class StageMeans {
public:
    // A slot's first microbatch waits for weights that are still under way, and starts cold after each wait; where a
    // slot has more, it is left out. The pieces into which waits cut a microbatch count as one.
    StageMeans(std::span<const trace::Record> records, LaneId lane, int32_t firstStep, std::size_t numStages)
        : m_sums(numStages) {
        std::map<std::pair<int32_t, int32_t>, std::pair<int32_t, int32_t>>
            microbatches; // by step and slot: least, most
        const auto wanted = [&](const trace::Record& record) {
            return record.lane == lane && record.kind <= Kind::kFused && record.step >= firstStep &&
                   record.stage.valid() && record.stage.index() < numStages;
        };
        for (const trace::Record& record : records) {
            if (!wanted(record)) continue;
            const int32_t m = record.microbatch.value;
            const auto [entry, isNew] = microbatches.try_emplace({record.step, record.slot}, m, m);
            entry->second = {std::min(entry->second.first, m), std::max(entry->second.second, m)};
        }
        std::set<std::tuple<int32_t, int32_t, int32_t, Kind>> counted;
        for (const trace::Record& record : records) {
            if (!wanted(record)) continue;
            const auto [least, most] = microbatches.at({record.step, record.slot});
            if (most > least && record.microbatch.value == least) continue;
            Sum& sum = m_sums[record.stage.index()][static_cast<std::size_t>(record.kind)];
            sum.seconds += 1e-9 * static_cast<double>(record.endNs - record.startNs);
            const bool isNew = counted.emplace(record.step, record.slot, record.microbatch.value, record.kind).second;
            if (isNew) ++sum.count;
        }
    }
    std::optional<double> of(std::size_t stage, Kind kind) const {
        const Sum& sum = m_sums[stage][static_cast<std::size_t>(kind)];
        return sum.count == 0 ? std::nullopt : std::optional(sum.seconds / sum.count);
    }

private:
    struct Sum {
        double seconds = 0;
        int32_t count = 0;
    };
    std::vector<std::array<Sum, 4>> m_sums; // [stage][kForward, kRecompute, kBackward, kFused]
};

// Factors between measured and estimated times of one device.
class Fit {
public:
    Fit(const StageMeans& means, const Plan& plan, const std::vector<LayerTimes>& estimated, int32_t firstTrainable)
        : m_plan(plan), m_estimated(estimated), m_firstTrainable(firstTrainable) {
        const std::vector<Stage> stages = plan.stages();
        m_forward = factorOver(stages, means, Kind::kForward);
        m_recompute = factorOver(stages, means, Kind::kRecompute);
        m_backward = factorOver(stages, means, Kind::kBackward);
        if (!m_forward) m_forward = m_recompute;
        if (!m_recompute) m_recompute = m_forward;
        fitFused(stages[plan.forward.size()].layers, means.of(plan.forward.size(), Kind::kFused));
    }
    std::optional<RunFactors> factors() const {
        if (!m_forward || !m_recompute || !m_backward) return std::nullopt;
        return RunFactors{*m_forward, *m_recompute, *m_backward, m_head};
    }

private:
    double forwardOf(LayerRange layers) const {
        double sum = 0;
        for (int32_t l = layers.begin; l < layers.end; ++l)
            sum += forwardSeconds(m_estimated[static_cast<std::size_t>(l)], m_plan.savingOf(l));
        return sum;
    }
    // `last`: the layer whose output nobody reads, if there is one.
    PassTimes passOf(LayerRange layers, int32_t last) const {
        PassTimes sum;
        for (int32_t l = layers.begin; l < layers.end; ++l) {
            const bool makes = l != last && (l + 1 >= layers.end || !m_plan.isOnHost(l + 1));
            const PassTimes one = passTimes(m_estimated[static_cast<std::size_t>(l)], m_plan.savingOf(l), makes);
            sum.forward += one.forward;
            sum.backward += one.backward;
        }
        return sum;
    }

    std::optional<double> factorOver(const std::vector<Stage>& stages, const StageMeans& means, Kind kind) {
        double measured = 0, estimated = 0;
        for (std::size_t s = 0; s < stages.size(); ++s)
            if (const auto mean = means.of(s, kind)) {
                LayerRange layers = stages[s].layers;
                if (layers.end <= 1) continue; // the embedding alone says nothing of blocks
                if (kind != Kind::kForward) layers.begin = std::max(layers.begin, m_firstTrainable);
                const PassTimes pass = passOf(layers, layers.end - 1);
                measured += *mean;
                estimated += kind == Kind::kForward     ? forwardOf(layers)
                             : kind == Kind::kRecompute ? pass.forward
                                                        : pass.backward;
            }
        if (measured <= 0 || estimated <= 0) return std::nullopt;
        if (kind != Kind::kForward) m_otherSeconds += measured;
        return measured / estimated;
    }

    // The fused stage: blocks as elsewhere, the head the rest. Where that leaves the head next to nothing, what each
    // call costs weighs on the short stages: then all stages of the backward pass together say what a block takes, and
    // the head, too. It is not left to be scaled as what nobody measured is, by the forward stages among others, which
    // may be the shortest of all.
    void fitFused(LayerRange layers, std::optional<double> mean) {
        if (!mean) return;
        const LayerRange blocks{layers.begin, layers.end - 1};
        const LayerRange head{layers.end - 1, layers.end};
        const PassTimes all = passOf(head, -1);
        const double ofHead = all.forward + all.backward;
        const auto [recompute, backward] = passOf(blocks, -1);
        if (!m_recompute && !m_backward) { // nothing but a fused stage
            m_forward = m_recompute = m_backward = m_head = *mean / (recompute + backward + ofHead);
            return;
        }
        if (!m_recompute) m_recompute = m_forward = m_backward;
        if (!m_backward) m_backward = m_recompute;
        const double ofBlocks = *m_recompute * recompute + *m_backward * backward;
        const double likeBlocks = *m_recompute * ofHead;
        const double rest = *mean - ofBlocks;
        if (ofHead > 0 && rest > 0.2 * likeBlocks) {
            m_head = rest / ofHead;
            return;
        }
        const double shrink = (m_otherSeconds + *mean) / (m_otherSeconds + ofBlocks + likeBlocks);
        m_recompute = m_head = shrink * *m_recompute;
        m_backward = shrink * *m_backward;
    }

    const Plan& m_plan;
    const std::vector<LayerTimes>& m_estimated;
    int32_t m_firstTrainable;
    std::optional<double> m_forward, m_recompute, m_backward, m_head;
    double m_otherSeconds = 0; // of the backward pass' stages but for the fused one
};

} // namespace

std::vector<std::optional<RunFactors>> factorsOfRun(std::span<const trace::Record> records, const Plan& plan,
                                                    const Costs& estimated, int32_t firstStep) {
    std::vector<std::optional<RunFactors>> factors;
    for (std::size_t d = 0; d < estimated.times.size(); ++d) {
        const LaneId lane = trace::laneOf(DeviceId(static_cast<int32_t>(d)), trace::LaneRole::kCompute);
        const StageMeans means(records, lane, firstStep, static_cast<std::size_t>(plan.numStages()));
        factors.push_back(Fit(means, plan, estimated.times[d], estimated.firstTrainable).factors());
    }
    return factors;
}

std::vector<DeviceProfile> profilesOfRun(const std::vector<std::optional<RunFactors>>& factors,
                                         const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig) {
    const std::vector<std::string> kinds = layerKinds(model, arch::trainedLayers(model, shape.trained()));
    const Costs estimated = modelCosts(model, shape, rig);
    std::map<std::string, DeviceProfile> profiles; // of equal devices the last one's
    for (std::size_t d = 0; d < factors.size(); ++d) {
        if (!factors[d]) continue;
        const auto& [forward, recompute, backward, head] = *factors[d];
        DeviceProfile profile{deviceKey(rig.devices[d].name), modelKey(model.config), shapeKey(shape), "run", {}};
        const std::vector<LayerTimes>& times = estimated.times[d];
        for (std::size_t l = 0; l + 1 < kinds.size(); ++l)
            profile.kinds[kinds[l]] = {forward * times[l].forward, recompute * times[l].recompute,
                                       backward * times[l].backward};
        if (head)
            profile.kinds[kinds.back()] = {*head * times.back().forward, *head * times.back().recompute,
                                           *head * times.back().backward};
        profiles[profile.device] = std::move(profile);
    }
    std::vector<DeviceProfile> result;
    for (auto& [device, profile] : profiles)
        result.push_back(std::move(profile));
    return result;
}

} // namespace roundpipe::plan
