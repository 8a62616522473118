// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/memory_table.h"

#include "base/error.h"
#include "geometry/batch_arrays.h"
#include "geometry/host_bytes.h"
#include "plan/program.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace roundpipe::plan {

namespace {

using geometry::SlotKind;

SlotKind kindOf(const geometry::LayerSizes& layer) {
    return layer.isBlock ? SlotKind::kBlock : SlotKind::kTable;
}

// Shared slots of a kind.
struct SharedCount {
    int64_t slots = 0;
    int64_t bytes = 0; // of each
};

// Looks at every turn of a device, with what is uploaded ahead meanwhile.
class SharedSlots {
public:
    SharedSlots(const Plan& plan, const geometry::ModelSizes& sizes, const DeviceRound& turns)
        : m_plan(plan), m_sizes(sizes), m_device(turns.device), m_seenInLook(static_cast<std::size_t>(plan.numLayers)) {
        for (const std::vector<Slot>& order : turns.orders) {
            std::vector<Slot> twice = order; // the last one's next are the first ones
            twice.insert(twice.end(), order.begin(), order.end());
            for (std::size_t i = 0; i < order.size(); ++i)
                look(order[i], std::span<const Slot>(twice).subspan(i + 1, order.size() - 1));
        }
    }
    const SharedCount& of(SlotKind kind) const { return m_shared[static_cast<std::size_t>(kind)]; }

private:
    void look(const Slot& now, std::span<const Slot> coming) {
        ++m_look;
        m_counts = {};
        for (int32_t l = now.layers.begin; l < now.layers.end; ++l)
            count(l);
        for (const LayerAhead& ahead : layersAhead(m_plan, m_device, coming))
            count(ahead.layer);
    }
    void count(int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        if (m_seenInLook[l] == m_look || m_plan.isResident(m_device, layer)) return;
        m_seenInLook[l] = m_look;
        const auto kind = static_cast<std::size_t>(kindOf(m_sizes.layers[l]));
        m_shared[kind].slots = std::max(m_shared[kind].slots, ++m_counts[kind]);
        m_shared[kind].bytes = std::max(m_shared[kind].bytes, m_sizes.layers[l].weights);
    }

    const Plan& m_plan;
    const geometry::ModelSizes& m_sizes;
    DeviceId m_device;
    int32_t m_look = 0;                // counted from 1
    std::vector<int32_t> m_seenInLook; // [layer]: the last one in which it was there
    std::array<int64_t, 2> m_counts{};
    std::array<SharedCount, 2> m_shared{};
};

void takeAssembled(geometry::WeightRoom& room, const geometry::ModelSizes& sizes, const DeviceRound& turns) {
    for (const Slot& slot : turns.slots) {
        int64_t packed = 0;
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            const int64_t bytes = sizes.layers[static_cast<std::size_t>(l)].assembled;
            room.assembledBytes = std::max(room.assembledBytes, bytes);
            if (bytes > 0) ++packed;
        }
        room.numAssembled = std::max(room.numAssembled, geometry::numAssembled(packed));
    }
}

} // namespace

geometry::WeightRoom weightRoom(const Plan& plan, const geometry::ModelSizes& sizes, const DeviceRound& turns) {
    geometry::WeightRoom room;
    room.kinds.reserve(sizes.layers.size());
    for (int32_t l = 0; l < sizes.numLayers(); ++l) {
        const geometry::LayerSizes& layer = sizes.layers[static_cast<std::size_t>(l)];
        room.kinds.push_back(kindOf(layer));
        if (plan.isResident(turns.device, l)) room.allSlots.push_back({kindOf(layer), layer.weights, l});
    }
    const SharedSlots shared(plan, sizes, turns);
    for (const SlotKind kind : {SlotKind::kTable, SlotKind::kBlock})
        room.allSlots.insert(room.allSlots.end(), static_cast<std::size_t>(shared.of(kind).slots),
                             {kind, shared.of(kind).bytes, -1});
    takeAssembled(room, sizes, turns);
    return room;
}

geometry::SavedRoom savedRoom(const Plan& plan, const geometry::ModelSizes& sizes, LayerRange layers) {
    geometry::SavedRoom room;
    for (int32_t l = std::max(layers.begin, sizes.firstTrainable); l < layers.end; ++l)
        room.add(sizes.layers[static_cast<std::size_t>(l)], plan.savingOf(l));
    return room;
}

int64_t gradientBytes(const geometry::ModelSizes& sizes, LayerRange layers) {
    int64_t bytes = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        bytes += sizes.layers[static_cast<std::size_t>(l)].gradients;
    return bytes;
}

namespace {

constexpr int64_t kAlternating = 2; // what one layer gives the next lies in two buffers in turn, where it is not kept

int64_t keptBytes(const Plan& plan, const geometry::ModelSizes& sizes, int32_t layer) {
    const int64_t saved =
        geometry::savedOnHost(sizes.layers[static_cast<std::size_t>(layer)], plan.savingOf(layer).what);
    return geometry::KeptPlace(saved, sizes.packetBytes).bytes;
}

// Two buffers in turn. Where a round has an even number of such slots, and each round the same, a slot always meets the
// same one: all but an embedding may need little of theirs. Else either may be any slot's.
std::array<int64_t, 2> gradientsInTurn(const geometry::ModelSizes& sizes, const DeviceRound& turns) {
    std::array<int64_t, 2> most{};
    std::size_t numSlots = 0;
    for (const Slot& slot : turns.slots) {
        if (slot.work == Work::kForward) continue;
        int64_t& ofBuffer = most[numSlots++ % most.size()];
        ofBuffer = std::max(ofBuffer, gradientBytes(sizes, slot.layers));
    }
    if (!turns.everyRoundIsAlike || numSlots % most.size() != 0) most.fill(std::max(most[0], most[1]));
    return most;
}

} // namespace

int64_t packetsKept(const Plan& plan, const StepShape& shape) {
    return plan.keepsPackets ? plan.roundSize(shape.mostMicrobatches(), shape.roundSize) : 0;
}

geometry::DeviceNeeds deviceNeeds(const Plan& plan, const geometry::ModelSizes& sizes, const StepShape& shape,
                                  DeviceId device) {
    return deviceNeeds(plan, sizes, shape, roundOn(plan, sizes.firstTrainable, device));
}

geometry::DeviceNeeds deviceNeeds(const Plan& plan, const geometry::ModelSizes& sizes, const StepShape& shape,
                                  const DeviceRound& turns) {
    geometry::DeviceNeeds needs;
    needs.weights = weightRoom(plan, sizes, turns);
    needs.gradients = gradientsInTurn(sizes, turns);
    for (const geometry::LayerSizes& layer : sizes.layers)
        needs.workspace = std::max(needs.workspace, layer.workspace);
    for (const Slot& slot : turns.slots) {
        const int64_t inner = slot.layers.size() - 1; // outputs that no other slot reads
        if (slot.work == Work::kForward) {
            needs.hidden = std::max(needs.hidden, std::min(inner, kAlternating));
            continue;
        }
        const int32_t firstOnHost = slot.work == Work::kFused ? slot.layers.end : plan.firstOnHost(slot.layers);
        needs.hidden = std::max<int64_t>(needs.hidden, firstOnHost - slot.layers.begin - 1);
        const bool endsHere = slot.layers.begin <= sizes.firstTrainable && // at the first trained layer
                              sizes.layers[static_cast<std::size_t>(sizes.firstTrainable)].needsInputGradient;
        needs.innerGradients = std::max(needs.innerGradients, std::min(inner + (endsHere ? 1 : 0), kAlternating));
        needs.saved = std::max(needs.saved, savedRoom(plan, sizes, slot.layers).bytes());
    }
    for (const Slot& slot : turns.slots)
        for (int32_t l = slot.layers.begin; l < slot.layers.end && slot.work != Work::kFused; ++l)
            if (plan.isOnHost(l)) needs.kept = std::max(needs.kept, keptBytes(plan, sizes, l));
    needs.packet = sizes.packetBytes;
    needs.batch = sizes.batchBytes;
    needs.packetsKept = packetsKept(plan, shape);
    needs.numMicrobatches = shape.mostMicrobatches();
    return needs;
}

DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    return deviceMemory(plan, costs, shape, roundOn(plan, costs.firstTrainable, device));
}

DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, const DeviceRound& turns) {
    return deviceMemory(deviceNeeds(plan, costs, shape, turns), costs, turns.device);
}

DeviceMemoryTable deviceMemory(const geometry::DeviceNeeds& needs, const Costs& costs, DeviceId device) {
    geometry::Workspace counting;
    const geometry::DeviceBuffers buffers(needs, counting);
    DeviceMemoryTable table;
    table.weights = buffers.weights.sharedBytes;
    table.residents = buffers.weights.residentBytes;
    table.activations = buffers.inputs.bytes() + buffers.outputGradients.bytes() + buffers.outgoing.bytes() +
                        buffers.hidden.bytes() + buffers.saved.bytes() + buffers.kept.bytes() +
                        buffers.scratchGradients.bytes();
    for (const geometry::Buffers& ofSlots : buffers.trainedGradients)
        table.gradients += ofSlots.bytes();
    table.workspace = buffers.workspace.bytes();
    table.batches = buffers.batches.bytes() + buffers.losses.bytes();
    RP_CHECK(table.ownBytes() == counting.usedBytes()); // no buffer is forgotten

    table.context = costs.contextBytes[device.index()];
    return table;
}

namespace {

// Of a microbatch that has gone through the first n slots of its round: how many of its packets are still to be read.
std::vector<int32_t> packetsBehind(const Plan& plan, const Program& round) {
    std::vector<int32_t> inputReaders(round.inputReaders.size()), gradientReaders(round.gradientReaders.size());
    int32_t alive = 0;
    std::vector<int32_t> behind{alive};
    const auto read = [&](std::vector<int32_t>& readers, int32_t layer) {
        if (--readers[static_cast<std::size_t>(layer)] == 0) --alive;
    };
    const auto post = [&](std::vector<int32_t>& readers, const std::vector<int32_t>& all, int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        readers[l] = all[l];
        if (all[l] > 0) ++alive;
    };
    for (const Slot& slot : round.slots) {
        for (const int32_t layer : inputsRead(plan, slot))
            read(inputReaders, layer);
        if (slot.work == Work::kBackward && !round.keepsPackets) read(gradientReaders, slot.layers.end);
        if (slot.work == Work::kForward)
            for (int32_t l = slot.layers.begin + 1; l <= slot.layers.end; ++l)
                post(inputReaders, round.inputReaders, l);
        else
            post(gradientReaders, round.gradientReaders, slot.layers.begin);
        behind.push_back(alive);
    }
    return behind;
}

// And of how many layers it has something saved in host memory, beside their inputs.
std::vector<int32_t> savedBehind(const Plan& plan, const Program& round) {
    int32_t saved = 0;
    std::vector<int32_t> behind{saved};
    for (const Slot& slot : round.slots) {
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l)
            if (plan.sendsSaved(l)) saved += slot.work == Work::kForward ? 1 : -1;
        behind.push_back(saved);
    }
    return behind;
}

// Devices that have no time for a later round.
class BusyDevices {
public:
    explicit BusyDevices(std::size_t numIds) : m_isBusy(numIds) {}
    bool contains(std::size_t device) const { return m_isBusy[device]; }
    std::size_t size() const { return m_size; }
    void insert(std::size_t device) {
        if (!m_isBusy[device]) ++m_size;
        m_isBusy[device] = true;
    }

private:
    std::vector<bool> m_isBusy;
    std::size_t m_size = 0;
};

// How far rounds that follow one another can be apart. A device issues its slots in order, and a slot is issued after
// the one before it in its round: so a round gets as far as to the first slot of a device that has not issued all that
// it has in the rounds before.
class RoundsApart {
public:
    // `behind`: of a microbatch, what there is of it once it has gone through the first n slots.
    RoundsApart(const Plan& plan, const Program& round, const StepShape& shape, std::vector<int32_t> behind)
        : m_plan(plan), m_shape(shape), m_numSlots(round.numSlots()), m_behind(std::move(behind)) {
        m_mostUpTo = m_behind;
        std::partial_sum(m_behind.begin(), m_behind.end(), m_mostUpTo.begin(),
                         [](int32_t a, int32_t b) { return std::max(a, b); });
        for (const DeviceId device : plan.deviceTable)
            m_numIds = std::max(m_numIds, device.index() + 1);
        BusyDevices all(m_numIds);
        for (const DeviceId device : plan.deviceTable)
            all.insert(device.index());
        m_numDevices = all.size();
        for (int32_t r = 0; r < numDifferentRounds(); ++r) {
            Turns& turns = m_turns.emplace_back(m_numIds, Turn{m_numSlots, -1});
            for (int32_t slot = m_numSlots - 1; slot >= 0; --slot) {
                Turn& turn = turns[deviceOf(r, slot)];
                turn.first = slot;
                turn.last = std::max(turn.last, slot);
            }
        }
    }

    // Of the next step, beside a synchronous one: layers that are not trained wait for no update. A round goes through
    // the stages of such layers, and with its first microbatch as far as to the first layer that is trained; there its
    // device waits, and with it what comes after.
    int64_t begunEarly(const Program& round, int32_t firstTrainable) const {
        int32_t frozen = 0;
        while (frozen < m_numSlots && slotOf(round, frozen).layers.end <= firstTrainable)
            ++frozen;
        const Slot& waiting = slotOf(round, frozen);
        int64_t inside = 0;
        for (int32_t l = waiting.layers.begin + 1; waiting.work == Work::kForward && l <= firstTrainable; ++l)
            inside += round.inputReaders[static_cast<std::size_t>(l)] > 0 ? 1 : 0;
        const int64_t ofFrozen = m_mostUpTo[static_cast<std::size_t>(frozen)];
        if (m_plan.replicas > 1) return ofFrozen * m_shape.mostMicrobatches() + inside * m_plan.replicas;
        int64_t most = 0;
        for (int32_t first = 0; first < numDifferentRounds(); ++first) {
            BusyDevices busy(m_numIds);
            int64_t packets = 0;
            for (int32_t r = first; r < first + m_shape.rounds && busy.size() < m_numDevices; ++r) {
                const int32_t slot = std::min(frozen, firstSlotOf(busy, r));
                packets += int64_t{m_mostUpTo[static_cast<std::size_t>(slot)]} * m_shape.roundSize;
                if (slot == frozen && !busy.contains(deviceOf(r, slot))) packets += inside;
                addDevicesFrom(slot, r, busy);
            }
            most = std::max(most, packets);
        }
        return most;
    }

    int32_t mostOfARound() const { return m_mostUpTo.back(); }

    // Of a microbatch of each round that is under way, whichever slot of whichever round is the one that waits.
    int32_t mostAtATime() const {
        int32_t most = mostOfARound();
        for (int32_t r = 0; r < numDifferentRounds(); ++r) {
            BusyDevices busy(m_numIds);
            int32_t mostFrom = 0, ahead = 0;
            for (int32_t waiting = m_numSlots - 1; waiting >= 0 && busy.size() < m_numDevices; --waiting) {
                const std::size_t numBusy = busy.size();
                busy.insert(deviceOf(r, waiting));
                if (busy.size() > numBusy) ahead = mostAhead(r, busy);
                mostFrom = std::max(mostFrom, m_behind[static_cast<std::size_t>(waiting)]);
                most = std::max(most, mostFrom + ahead);
            }
        }
        return most;
    }

private:
    struct Turn {
        int32_t first = 0; // slot of a device's in a round; behind all where it has none
        int32_t last = 0;  // -1: none
    };
    using Turns = std::vector<Turn>; // [device]

    static const Slot& slotOf(const Program& round, int32_t n) { return round.slots[static_cast<std::size_t>(n)]; }
    // By their devices.
    int32_t numDifferentRounds() const {
        const auto table = static_cast<int32_t>(m_plan.deviceTable.size());
        const int32_t period = std::lcm(table, m_numSlots) / m_numSlots;
        const bool breaksOff = m_plan.tableRestarts && period > 0 && m_shape.rounds % period != 0; // at a step's end
        return breaksOff ? m_shape.rounds : period;
    }
    std::size_t deviceOf(int32_t round, int32_t slot) const {
        const int64_t n = int64_t{round % numDifferentRounds()} * m_numSlots + slot;
        return m_plan.deviceOf(n).index();
    }
    const Turns& turnsOf(int32_t round) const {
        return m_turns[static_cast<std::size_t>(round % numDifferentRounds())];
    }
    int32_t firstSlotOf(const BusyDevices& busy, int32_t round) const {
        int32_t first = m_numSlots;
        for (std::size_t d = 0; d < m_numIds; ++d)
            if (busy.contains(d)) first = std::min(first, turnsOf(round)[d].first);
        return first;
    }
    // Of those that have this slot of the round, or a later one.
    void addDevicesFrom(int32_t slot, int32_t round, BusyDevices& busy) const {
        for (std::size_t d = 0; d < m_numIds; ++d)
            if (turnsOf(round)[d].last >= slot) busy.insert(d);
    }
    // Of the rounds after `round` whose devices are busy in part.
    int32_t mostAhead(int32_t round, BusyDevices busy) const {
        const int32_t numUnderWay = m_shape.oneStepStale ? 2 * m_shape.rounds : m_shape.rounds;
        int32_t most = 0;
        for (int32_t r = round + 1; r < round + numUnderWay && busy.size() < m_numDevices; ++r) {
            const int32_t slot = firstSlotOf(busy, r);
            most += m_mostUpTo[static_cast<std::size_t>(slot)];
            addDevicesFrom(slot, r, busy);
        }
        return most;
    }

    const Plan& m_plan;
    const StepShape& m_shape;
    int32_t m_numSlots;
    std::size_t m_numIds = 0;        // of devices: beyond the largest of the table
    std::size_t m_numDevices = 0;    // in it
    std::vector<Turns> m_turns;      // [round]
    std::vector<int32_t> m_behind;   // [slots passed]
    std::vector<int32_t> m_mostUpTo; // the most of those with as many slots or fewer
};

// Of all microbatches that are under way.
int64_t mostUnderWay(const Plan& plan, const RoundsApart& apart, const StepShape& shape) {
    const int64_t ofStep = int64_t{apart.mostOfARound()} * shape.mostMicrobatches();
    const int64_t ofRounds = plan.replicas > 1 ? ofStep : int64_t{apart.mostAtATime()} * shape.roundSize;
    return std::min(ofRounds, shape.oneStepStale ? 2 * ofStep : ofStep);
}

} // namespace

int64_t numPackets(const Plan& plan, int32_t firstTrainable, const StepShape& shape) {
    const Program round = trainingProgram(plan, firstTrainable, 1, 1, 0);
    const RoundsApart apart(plan, round, shape, packetsBehind(plan, round));
    return mostUnderWay(plan, apart, shape) + (shape.oneStepStale ? 0 : apart.begunEarly(round, firstTrainable));
}

int64_t numSavedOnHost(const Plan& plan, int32_t firstTrainable, const StepShape& shape) {
    if (std::ranges::none_of(plan.saving, &geometry::LayerSaving::onHost)) return 0;
    const Program round = trainingProgram(plan, firstTrainable, 1, 1, 0);
    return mostUnderWay(plan, {plan, round, shape, savedBehind(plan, round)}, shape);
}

int64_t savedOnHostBytes(const Plan& plan, const geometry::ModelSizes& sizes) {
    int64_t bytes = 0;
    for (int32_t l = 0; l < plan.numLayers; ++l)
        if (plan.sendsSaved(l))
            bytes = std::max(bytes,
                             geometry::savedOnHost(sizes.layers[static_cast<std::size_t>(l)], plan.savingOf(l).what));
    return bytes;
}

int64_t packetBytes(const Plan& plan, const Costs& costs, const StepShape& shape) {
    return numPackets(plan, costs.firstTrainable, shape) * geometry::alignUp(costs.packetBytes);
}

int64_t gradientRounds(const Plan& plan, bool oneStepStale) {
    return std::max<int64_t>(oneStepStale ? 2 : 1, plan.replicas);
}

namespace {

HostMemoryTable hostMemoryWith(int64_t numPackets, int64_t numSaved, const Plan& plan, const Costs& costs,
                               const StepShape& shape) {
    const geometry::HostBytes kept = geometry::hostBytes(costs.layers);
    const int64_t moreGradients = (gradientRounds(plan, shape.oneStepStale) - 1) * kept.gradients;
    const int64_t arrays = geometry::ProgramArrays(shape.mostMicrobatches(), costs.batchBytes).total();
    HostMemoryTable table;
    table.parts.activations =
        numPackets * geometry::alignUp(costs.packetBytes) + numSaved * geometry::alignUp(savedOnHostBytes(plan, costs));
    table.parts.rows = geometry::kProgramsInFlight * arrays;
    const bool hasSums = plan.replicas > 1 || shape.rounds > 1;
    table.parts.weights = kept.base + kept.versions;
    table.parts.optimizer = kept.masters + kept.moments;
    table.parts.gradients = kept.gradients + moreGradients;
    table.parts.gradientSums = kept.usesSums + (hasSums ? kept.gradientSums : 0);

    const int64_t crossing = table.parts.activations + table.parts.rows + moreGradients; // beside what the costs have
    const bool anyGpu = costs.hostPinnedBytes > 0;
    table.pinned = costs.hostPinnedBytes + (anyGpu ? crossing : 0);
    table.pageable =
        costs.hostBytes - costs.hostPinnedBytes + (anyGpu ? 0 : crossing) + (hasSums ? costs.gradientSumBytes : 0);
    table.disk = costs.diskBytes;
    table.checkpointBytes = kept.checkpoint;
    table.resultBytes = kept.adapterFile;
    return table;
}

} // namespace

HostMemoryTable hostMemory(const Plan& plan, const Costs& costs, const StepShape& shape) {
    return hostMemoryWith(numPackets(plan, costs.firstTrainable, shape),
                          numSavedOnHost(plan, costs.firstTrainable, shape), plan, costs, shape);
}

HostMemoryTable hostMemoryAtMost(const Plan& plan, const Costs& costs, const StepShape& shape) {
    const Program round = trainingProgram(plan, costs.firstTrainable, 1, 1, 0);
    const int64_t ofSteps = int64_t{2} * shape.mostMicrobatches(); // one, and what is begun of the next
    const int64_t begun = int64_t{plan.numLayers} * std::max(shape.rounds, plan.replicas); // a microbatch of each round
    const auto most = [](const std::vector<int32_t>& behind) { return int64_t{std::ranges::max(behind)}; };
    return hostMemoryWith(most(packetsBehind(plan, round)) * ofSteps + begun, most(savedBehind(plan, round)) * ofSteps,
                          plan, costs, shape);
}

} // namespace roundpipe::plan
