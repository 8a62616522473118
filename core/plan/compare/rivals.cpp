// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/compare/rivals.h"

#include "base/error.h"
#include "geometry/batch_arrays.h"
#include "plan/compare/bound_schedules.h"
#include "plan/search/even_cuts.h"
#include "plan/search/groupings.h"
#include "plan/search/replicas.h"
#include "plan/simulate/stream_simulation.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace roundpipe::plan {
namespace {

using trace::LaneRole;

double timeOf(const Costs& costs, LayerRange layers, DeviceId device, double LayerTimes::*part) {
    double seconds = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        if (part != &LayerTimes::backward || l >= costs.firstTrainable)
            seconds += costs.times[device.index()][static_cast<std::size_t>(l)].*part;
    return seconds;
}

// Stages of even cost, stage s on device s mod N.
class BoundRival {
public:
    BoundRival(BoundSchedule schedule, int32_t stagesPerDevice, const Rig& rig, const Costs& costs,
               const StepShape& shape)
        : m_rig(rig), m_costs(costs), m_numMicrobatches(shape.numMicrobatches()) {
        const int32_t numStages = stagesPerDevice * rig.numDevices();
        std::vector<double> sums(1);
        for (int32_t l = 0; l < costs.numLayers(); ++l) {
            const DeviceId first(0);
            const LayerRange layer{l, l + 1};
            sums.push_back(sums.back() + timeOf(costs, layer, first, &LayerTimes::forward) +
                           timeOf(costs, layer, first, &LayerTimes::recompute) +
                           timeOf(costs, layer, first, &LayerTimes::backward));
        }
        m_stages = evenCuts(sums, {0, costs.numLayers()}, numStages);
        m_operations = boundOperations(schedule, numStages, rig.numDevices(), m_numMicrobatches);
    }

    // The second of two: what the first one trained comes up before a stage's first forward.
    Simulated step() {
        StreamSimulation simulation(m_rig, false);
        std::array<int32_t, 2> updated{-1, -1};
        int32_t firstTask = 0;
        for (std::size_t s = 0; s < updated.size(); ++s) {
            firstTask = simulation.numTasks();
            addUploads(simulation, s > 0 ? updated[s - 1] : -1);
            addOperations(simulation);
            updated[s] = addUpdate(simulation);
        }
        simulation.run();
        return summedUp(simulation, firstTask, 1, simulation.endOf(updated[1]) - simulation.endOf(updated[0]));
    }

    // Weights and gradients of all its stages, the inputs of the microbatches under way, and one stage's recompute.
    std::vector<DeviceMemoryTable> memory() const {
        const int64_t packet = geometry::alignUp(m_costs.packetBytes);
        std::vector<DeviceMemoryTable> tables(m_rig.devices.size());
        std::vector<int64_t> saved(m_rig.devices.size());
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            const std::size_t d = deviceOf(s).index();
            int64_t ofStage = 0;
            for (int32_t l = m_stages[s].begin; l < m_stages[s].end; ++l) {
                const geometry::LayerSizes& layer = m_costs.layers[static_cast<std::size_t>(l)];
                tables[d].residents += layer.weights;
                tables[d].weights = std::max(tables[d].weights, layer.assembled); // of packed ones, one at a time
                tables[d].gradients += layer.gradients;
                tables[d].workspace = std::max(tables[d].workspace, layer.workspace);
                ofStage += layer.saved + packet;
            }
            saved[d] = std::max(saved[d], ofStage);
        }
        for (std::size_t d = 0; d < tables.size(); ++d) {
            tables[d].activations = saved[d] + mostUnderWay(DeviceId(static_cast<int32_t>(d))) * packet;
            tables[d].batches = geometry::ProgramArrays(m_numMicrobatches, m_costs.batchBytes).total();
            tables[d].context = m_costs.contextBytes[d];
        }
        return tables;
    }

private:
    DeviceId deviceOf(std::size_t stage) const { return DeviceId(static_cast<int32_t>(stage) % m_rig.numDevices()); }
    double secondsOf(const BoundOperation& op, double LayerTimes::*part) const {
        return timeOf(m_costs, m_stages[static_cast<std::size_t>(op.stage)], op.device, part);
    }

    int64_t mostUnderWay(DeviceId device) const {
        int64_t underWay = 0;
        int64_t most = 0;
        for (const BoundOperation& op : m_operations) {
            if (op.device != device) continue;
            underWay += op.backward ? -1 : 1;
            most = std::max(most, underWay);
        }
        return most;
    }

    int64_t bytesOf(std::size_t stage, int64_t geometry::LayerSizes::*part) const {
        int64_t bytes = 0;
        for (int32_t l = m_stages[stage].begin; l < m_stages[stage].end; ++l)
            bytes += m_costs.layers[static_cast<std::size_t>(l)].*part;
        return bytes;
    }

    // Of what is trained, once it is updated.
    void addUploads(StreamSimulation& simulation, int32_t updated) {
        m_uploaded.assign(m_stages.size(), -1);
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            StreamTask copy;
            copy.device = deviceOf(s);
            copy.role = LaneRole::kWeightsUp;
            copy.bytes = bytesOf(s, &geometry::LayerSizes::adapterUp);
            if (copy.bytes == 0) continue;
            const std::array inputs{updated};
            m_uploaded[s] = simulation.add(copy, std::span(inputs).first(updated < 0 ? 0 : 1));
        }
    }

    // By the host, as of ours: once the gradients of all stages have arrived and are in the norm.
    int32_t addUpdate(StreamSimulation& simulation) const {
        std::vector<int32_t> arrived;
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            StreamTask copy;
            copy.device = deviceOf(s);
            copy.role = LaneRole::kGradientsDown;
            copy.bytes = bytesOf(s, &geometry::LayerSizes::gradientsDown);
            if (copy.bytes > 0) arrived.push_back(simulation.add(copy, std::array{m_lastBackward[s]}));
        }
        StreamTask update;
        update.role = LaneRole::kOptimizer;
        update.seconds =
            m_costs.optimizerSeconds() + std::reduce(m_costs.normSeconds.begin(), m_costs.normSeconds.end());
        return simulation.add(update, arrived);
    }

    // A recompute need not wait for the gradient.
    void addOperations(StreamSimulation& simulation) {
        m_done.clear();
        m_lastBackward.assign(m_stages.size(), -1);
        for (const BoundOperation& op : m_operations) {
            const auto stage = static_cast<std::size_t>(op.stage);
            std::vector<int32_t> inputs;
            for (const int32_t input : op.inputs)
                inputs.push_back(receive(op, static_cast<std::size_t>(input), simulation));
            if (!op.backward && m_uploaded[stage] >= 0) inputs.push_back(m_uploaded[stage]);
            StreamTask task;
            task.device = op.device;
            if (op.backward) {
                task.seconds = secondsOf(op, &LayerTimes::recompute);
                simulation.add(task, {});
            }
            task.seconds = secondsOf(op, op.backward ? &LayerTimes::backward : &LayerTimes::forward);
            m_done.push_back(simulation.add(task, inputs));
            if (op.backward) m_lastBackward[stage] = m_done.back();
        }
    }

    int32_t receive(const BoundOperation& op, std::size_t producer, StreamSimulation& simulation) {
        const StreamTask& done = simulation.task(m_done[producer]);
        if (done.device == op.device) return m_done[producer];
        StreamTask copy;
        copy.device = done.device;
        copy.role = LaneRole::kActivationsDown;
        copy.bytes = m_costs.packetBytes;
        const PeerPath* peer = m_rig.peer(done.device.value, op.device.value);
        if (peer) copy.seconds = peer->latencySeconds + static_cast<double>(copy.bytes) / peer->bytesPerSecond;
        const int32_t down = simulation.add(copy, std::array{m_done[producer]});
        if (peer) return down;
        copy.device = op.device;
        copy.role = LaneRole::kActivationsUp;
        return simulation.add(copy, std::array{down});
    }

    const Rig& m_rig;
    const Costs& m_costs;
    int32_t m_numMicrobatches;
    std::vector<LayerRange> m_stages;
    std::vector<BoundOperation> m_operations;
    std::vector<int32_t> m_uploaded;     // [stage]: the task that ends it; -1: nothing of it is trained
    std::vector<int32_t> m_done;         // [operation]: the task that ends it
    std::vector<int32_t> m_lastBackward; // [stage]
};

Misfit whatIsMissing(const std::vector<DeviceMemoryTable>& memory, const Costs& costs, const Rig& rig) {
    EvaluatedPlan choice;
    choice.deviceMemory = memory;
    choice.hostMemory.pageable = costs.hostBytes;
    return misfitOf(choice, rig);
}

Misfit asSaid(const Error& error) {
    Misfit misfit;
    misfit.obstacle = Misfit::Obstacle::kAsSaid;
    misfit.said = error.what();
    return misfit;
}

Rival bound(ComparedSchedule schedule, BoundSchedule order, const Rig& rig, const Costs& costs,
            const StepShape& shape) {
    Rival rival;
    rival.schedule = schedule;
    const bool single = order == BoundSchedule::kGpipe || order == BoundSchedule::k1f1b;
    const int32_t perDevice = single ? 1 : std::max(1, costs.numLayers() / rig.numDevices());
    rival.numStages = perDevice * rig.numDevices();
    if (costs.numLayers() < rig.numDevices()) {
        rival.problem.obstacle = Misfit::Obstacle::kFewLayers;
        return rival;
    }
    try {
        BoundRival simulation(order, perDevice, rig, costs, shape);
        rival.step = simulation.step();
        rival.deviceMemory = simulation.memory();
        rival.problem = whatIsMissing(rival.deviceMemory, costs, rig);
    } catch (const Error& error) {
        rival.problem = asSaid(error);
    }
    return rival;
}

Rival rivalOf(ComparedSchedule schedule, EvaluatedPlan choice, const Rig& rig) {
    Rival rival;
    rival.schedule = schedule;
    rival.outline = outlineOf(choice.plan);
    rival.rounds = choice.shape.rounds;
    rival.problem = misfitOf(choice, rig);
    rival.step = std::move(choice.step);
    rival.deviceMemory = std::move(choice.deviceMemory);
    return rival;
}

// `choose`: gives an EvaluatedPlan, or throws why there is none.
template <class Choose>
Rival searched(ComparedSchedule schedule, const Rig& rig, const Choose& choose) {
    Rival rival;
    rival.schedule = schedule;
    if (schedule == ComparedSchedule::kReplicas) rival.outline.replicas = rig.numDevices();
    try {
        return rivalOf(schedule, choose(), rig);
    } catch (const DoesNotFit& error) {
        rival.problem = error.misfit();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kCancelled) throw;
        rival.problem = asSaid(error);
    }
    return rival;
}

// The same microbatches in all other equal rounds.
std::vector<StepShape> inOtherRounds(const StepShape& shape) {
    std::vector<StepShape> others = groupings(shape.mostMicrobatches(), shape.oneStepStale);
    std::erase_if(others, [&](const StepShape& other) { return other.rounds == shape.rounds; });
    for (StepShape& other : others)
        other.usual = shape.usual;
    return others;
}

} // namespace

std::string Rival::how() const {
    switch (schedule) {
    case ComparedSchedule::kGpipe:
    case ComparedSchedule::k1f1b:
    case ComparedSchedule::kInterleaved1f1b:
    case ComparedSchedule::kLoopedBfs:
        return std::to_string(numStages) + " stages bound to their devices";
    case ComparedSchedule::kReplicas:
        if (outline.replicas == 1) return "1 copy of the model with all microbatches";
        return std::to_string(outline.replicas) + " copies of the model, each with its part of the microbatches";
    case ComparedSchedule::kRoundPipe:
    case ComparedSchedule::kRoundPipeStale:
    case ComparedSchedule::kRoundPipeOtherRounds:
        break;
    }
    if (rounds == 0) return {}; // nothing fits
    return outline.text() + ", " + std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
}

std::vector<Rival> compareSchedules(const Rig& rig, const Costs& costs, const EvaluatedPlan& chosen,
                                    const SearchOptions& options) {
    validate(rig);
    validate(costs);
    const StepShape& shape = chosen.shape;
    const bool isReplicas = chosen.plan.replicas > 1;
    const auto inTurn = [&](ComparedSchedule schedule, bool oneStepStale) {
        if (!isReplicas && shape.oneStepStale == oneStepStale) return rivalOf(schedule, chosen, rig);
        StepShape other = shape;
        other.oneStepStale = oneStepStale;
        return searched(schedule, rig, [&] { return choosePlan(rig, costs, {&other, 1}, options); });
    };
    std::vector<Rival> rivals{
        bound(ComparedSchedule::kGpipe, BoundSchedule::kGpipe, rig, costs, shape),
        bound(ComparedSchedule::k1f1b, BoundSchedule::k1f1b, rig, costs, shape),
        bound(ComparedSchedule::kInterleaved1f1b, BoundSchedule::kInterleaved1f1b, rig, costs, shape),
        bound(ComparedSchedule::kLoopedBfs, BoundSchedule::kLoopedBfs, rig, costs, shape),
        searched(ComparedSchedule::kReplicas, rig,
                 [&] { return isReplicas ? chosen : chooseReplicas(rig, costs, shape, options); }),
        inTurn(ComparedSchedule::kRoundPipe, false),
        inTurn(ComparedSchedule::kRoundPipeStale, true)};
    if (const std::vector<StepShape> others = inOtherRounds(shape); !others.empty())
        rivals.push_back(searched(ComparedSchedule::kRoundPipeOtherRounds, rig,
                                  [&] { return choosePlan(rig, costs, others, options); }));
    return rivals;
}

} // namespace roundpipe::plan
