// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/optimizer_thread.h"

#include "base/error.h"
#include "base/units.h"
#include "geometry/workspace.h"
#include "optim/clipping.h"
#include "optim/passes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace roundpipe::pipeline {

using device::Awaited;

namespace {

// An update moves 28 bytes an element for a few operations: half of a processor's threads come near to what its memory
// gives, and leave the other half to what issues the next step meanwhile. Where that waits for the update anyway, all
// but a thread for each device make it shorter.
int teamSize(const OptimizerThread::Parts& parts) {
    constexpr int kMaxTeam = 16;
    const auto threads = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(parts.runsBesideSteps ? threads / 2 : threads - parts.numDevices, 1, kMaxTeam);
}

constexpr int64_t kGrain = 65536; // elements: adding one takes a fifth of a nanosecond

// By layer: 0 where gradients are updated from where they arrive.
std::vector<int64_t> sizesOfSums(const OptimizerThread::Parts& parts) {
    std::vector<int64_t> sizes;
    for (std::size_t l = 0; l < parts.layers.size(); ++l) {
        const LayerId layer(static_cast<int32_t>(l));
        const bool isSummed = parts.maxRounds > 1 || parts.adapters.shape(layer).gathers;
        sizes.push_back(isSummed ? parts.adapters.bytes(layer).masters : 0);
    }
    return sizes;
}

} // namespace

OptimizerThread::OptimizerThread(Parts parts)
    : m_parts(std::move(parts))
    , m_team(teamSize(m_parts))
    , m_producer(m_parts.recorder ? &m_parts.recorder->addProducer() : nullptr)
    , m_sums(sizesOfSums(m_parts), "sums of gradients")
    , m_lossScale(m_parts.lossScale) {
    for (int32_t l = 0; l < static_cast<int32_t>(m_parts.layers.size()); ++l)
        if (m_parts.adapters.isTrained(LayerId(l))) m_layers.emplace_back(l);
    for (const LayerId layer : m_layers)
        for (const geometry::TrainedPiece& piece : m_parts.adapters.shape(layer).pieces)
            if (piece.owner != layer.index()) m_shared.push_back({layer, LayerId(static_cast<int32_t>(piece.owner))});
    m_thread = std::thread([this] { work(); });
}

OptimizerThread::~OptimizerThread() {
    m_thread.join();
}

const device::HostNotes& OptimizerThread::notes() const {
    return m_parts.monitor->notes();
}

void OptimizerThread::submit(std::shared_ptr<ProgramRun> run) {
    m_parts.monitor->change([&] { m_runs.push_back(std::move(run)); });
}

void OptimizerThread::work() {
    notes().isThread("the optimizer");
    try {
        for (;;) {
            const auto takeFirst = [this] {
                auto first = m_runs.front();
                m_runs.pop_front();
                return first;
            };
            const std::shared_ptr<ProgramRun> run =
                m_parts.monitor->waitFor([this] { return !m_runs.empty(); }, takeFirst);
            notes().awaited(Awaited::kProgramSubmitted, run.get());
            runStep(*run);
        }
    } catch (const device::Poisoned&) {
        // Taken down, or another thread failed and has said so.
    } catch (...) {
        m_parts.fault->raise(std::current_exception());
    }
}

// All updates wait for the norm of the whole step: clipping needs it, and a step with a value that is not finite must
// not change any layer: it is skipped. A step that has begun to be updated is whole, whatever fails after: its losses
// are there, too. Shallow layers come first, so that the next step begins while deeper ones are still updated. A step
// that is skipped publishes what there was: whoever waits for its version gets it, and neither moments nor the count of
// updates, by which their bias is corrected, know of it.
void OptimizerThread::runStep(ProgramRun& run) {
    const Gradients gradients = gather(run);
    run.waitForDevices(*m_parts.monitor, m_parts.numDevices);
    const double norm = normOf(run, gradients.squares);
    const bool isFinite = std::isfinite(norm);
    if (std::isnan(norm))
        m_lossScale.stepSkipped();
    else
        m_lossScale.stepDone(run.lossScale, isFinite);
    notes().happened(Awaited::kNormKnown, &run);
    m_parts.monitor->change([&] {
        run.gradNorm = norm;
        if (std::isnan(norm)) run.notFinite = notFiniteIn(gradients.squares);
        run.lossScaleAfter = m_lossScale;
        run.hasNorm = true;
    });
    const double scale = optim::clipCoefficient(norm, m_parts.maxGradNorm) / run.lossScale;
    for (const LayerId layer : m_layers)
        if (isFinite)
            update(run, layer, gradients.values[layer.index()], scale, run.step + 1 - m_lossScale.skippedSteps);
        else
            skip(run, layer);

    const int64_t startNs = std::max(run.startNs, m_lastEndNs); // steps follow each other on their lane
    put(trace::Kind::kStep, trace::LaneRole::kSession, run, startNs);
    m_lastEndNs = steadyNowNs();
    notes().happened(Awaited::kStepUpdated, &run);
    m_parts.monitor->change([&] {
        run.endNs = m_lastEndNs;
        run.updated = true;
    });
}

// Takes whatever has arrived: rounds of replicas come together, others one after another, deep layers first.
OptimizerThread::Gradients OptimizerThread::gather(const ProgramRun& run) {
    const std::size_t numLayers = m_parts.layers.size();
    Gradients gathered{std::vector<const void*>(numLayers), std::vector<double>(numLayers)};
    for (const SharedTable& table : m_shared) { // whoever comes first adds
        std::byte* sums = m_sums.block(table.owner.index());
        notes().writes(sums, m_parts.adapters.bytes(table.owner).masters, "sums of gradients");
        m_team.split(m_parts.adapters.bytes(table.owner).masters, kGrain, [&](int64_t begin, int64_t end) {
            std::memset(sums + begin, 0, static_cast<std::size_t>(end - begin));
        });
    }
    std::vector<int32_t> rounds(numLayers); // that are taken
    std::size_t numComplete = 0;
    const auto take = [&](LayerId layer) {
        int32_t& round = rounds[layer.index()];
        const void* values = accumulate(run, layer, round);
        if (++round < run.program.numRounds) return;
        gathered.values[layer.index()] = values;
        gathered.squares[layer.index()] =
            optim::sumOfSquares(gradientType(run, layer), values, m_parts.adapters.numElements(layer), m_team);
        ++numComplete;
    };
    const auto fewestRounds = [&](LayerId a, LayerId b) { return rounds[a.index()] < rounds[b.index()]; };
    while (numComplete < m_layers.size()) {
        take(*std::min_element(m_layers.rbegin(), m_layers.rend(), fewestRounds)); // waits for it
        for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer)
            while (rounds[layer->index()] < run.program.numRounds && isNext(*layer, rounds) &&
                   m_parts.gradients.isThere(*layer, run.firstRound + rounds[layer->index()]))
                take(*layer);
    }
    return gathered;
}

// Where layers share a table their gradients are added round by round, the deeper layer's first.
bool OptimizerThread::isNext(LayerId layer, const std::vector<int32_t>& rounds) const {
    return std::ranges::all_of(m_shared, [&](const SharedTable& table) {
        if (layer == table.user) return rounds[table.owner.index()] >= rounds[layer.index()];
        return layer != table.owner || rounds[table.user.index()] > rounds[layer.index()];
    });
}

// Without the loss scale, a power of two, so that it shows in no bit. Infinite where a smaller one may do, no number
// where none does.
double OptimizerThread::normOf(const ProgramRun& run, const std::vector<double>& squares) const {
    const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
    const bool hasLoss = std::isfinite(run.summedLoss(notes()));
    if (std::isfinite(sum) && hasLoss) return std::sqrt(sum) / run.lossScale;
    return run.lossScale > 1 && hasLoss ? std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN();
}

std::string OptimizerThread::notFiniteIn(const std::vector<double>& squares) const {
    const auto first = std::ranges::find_if_not(squares, [](double square) { return std::isfinite(square); });
    return first == squares.end() ? "loss" : m_parts.layers[static_cast<std::size_t>(first - squares.begin())].name;
}

const void* OptimizerThread::accumulate(const ProgramRun& run, LayerId layer, int32_t round) {
    const std::byte* arrived = m_parts.gradients.await(layer, run.firstRound + round);
    notes().reads(arrived, m_parts.gradients.bytes(layer), "gradients");
    const geometry::TrainedBlock& shape = m_parts.adapters.shape(layer);
    for (const geometry::TrainedPiece& piece : shape.pieces)
        if (piece.owner != layer.index() || !isDirect(run, layer))
            sum(piece, m_parts.adapters.bytes(layer).gradientType, arrived,
                round == 0 && piece.owner == layer.index() && !shape.gathers);
    if (isDirect(run, layer)) return arrived; // released after the update
    m_parts.gradients.release(layer);
    return m_sums.block(layer.index());
}

bool OptimizerThread::isDirect(const ProgramRun& run, LayerId layer) const {
    return run.program.numRounds == 1 && !m_parts.adapters.shape(layer).gathers;
}

DType OptimizerThread::gradientType(const ProgramRun& run, LayerId layer) const {
    return isDirect(run, layer) ? m_parts.adapters.bytes(layer).gradientType : m_parts.adapters.masterType();
}

void OptimizerThread::sum(const geometry::TrainedPiece& piece, DType type, const std::byte* arrived, bool begins) {
    const DType sumsType = m_parts.adapters.masterType();
    std::byte* to = m_sums.block(piece.owner) + geometry::bytesOf(sumsType, piece.from);
    const std::byte* from = arrived + geometry::bytesOf(type, piece.to);
    notes().writes(to, geometry::bytesOf(sumsType, piece.count), "sums of gradients");
    m_team.split(piece.count, kGrain, [&](int64_t begin, int64_t end) {
        optim::passes().addTo(sumsType, to, type, from, begins, begin, end);
    });
}

void OptimizerThread::update(const ProgramRun& run, LayerId layer, const void* gradients, double gradientScale,
                             int64_t count) {
    const int64_t startNs = steadyNowNs();
    transfer::AdapterBlocks& adapters = m_parts.adapters;
    if (isDirect(run, layer))
        notes().reads(gradients, m_parts.gradients.bytes(layer), "gradients");
    else
        notes().reads(gradients, adapters.bytes(layer).masters, "sums of gradients");
    m_parts.optimizer.willChange(layer, m_team);
    notes().writes(adapters.masters(layer).data(), adapters.bytes(layer).masters, "masters");
    for (const std::span<const std::byte> moments : m_parts.optimizer.kept(layer))
        notes().writes(moments.data(), std::ssize(moments), "moments");
    notes().writes(adapters.nextVersion(layer), adapters.blockBytes(layer), "a version");
    m_parts.optimizer.update(layer,
                             {adapters.masters(layer).data(), gradients, gradientType(run, layer),
                              adapters.nextVersion(layer), adapters.operandType()},
                             {run.learningRate, count, gradientScale}, m_team);
    // Its end before anybody is told: whom it wakes may go on before this thread does.
    put(trace::Kind::kOptimizer, trace::LaneRole::kOptimizer, run, startNs, layer);
    doneWith(run, layer);
}

void OptimizerThread::skip(const ProgramRun& run, LayerId layer) {
    const std::span<const std::byte> newest = m_parts.adapters.newest(layer);
    std::byte* const next = m_parts.adapters.nextVersion(layer);
    m_parts.optimizer.willChange(layer, m_team);
    notes().reads(newest.data(), std::ssize(newest), "a version");
    notes().writes(next, std::ssize(newest), "a version");
    m_team.split(std::ssize(newest), kGrain, [&](int64_t begin, int64_t end) {
        std::copy(newest.data() + begin, newest.data() + end, next + begin);
    });
    doneWith(run, layer);
}

void OptimizerThread::doneWith(const ProgramRun& run, LayerId layer) {
    notes().happened(Awaited::kVersionPublished, &m_parts.adapters.shape(layer), m_parts.adapters.version(layer) + 1);
    m_parts.adapters.publishNext(layer);
    if (isDirect(run, layer)) m_parts.gradients.release(layer);
    m_parts.monitor->change([] {}); // whoever waits for the version looks again
}

void OptimizerThread::put(trace::Kind kind, trace::LaneRole role, const ProgramRun& run, int64_t startNs,
                          LayerId layer) {
    if (!m_producer) return;
    trace::Record record;
    record.kind = kind;
    record.lane = trace::hostLane(m_parts.numDevices, role);
    record.step = static_cast<int32_t>(run.step);
    record.layer = layer;
    record.queuedNs = startNs;
    record.startNs = startNs;
    record.endNs = steadyNowNs();
    m_producer->put(record);
}

} // namespace roundpipe::pipeline
