#include "pipeline/optimizer_thread.h"

#include "base/units.h"
#include "optim/clipping.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roundpipe::pipeline {
namespace {

// An update moves 28 bytes an element for a few operations: so many cores saturate a desktop's memory.
constexpr int kMaxTeam = 8;

template <class T>
void addTo(std::byte* sums, const std::byte* values, std::size_t bytes) {
    auto* to = reinterpret_cast<T*>(sums);
    const auto* from = reinterpret_cast<const T*>(values);
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i)
        to[i] += from[i];
}

} // namespace

OptimizerThread::OptimizerThread(Parts parts)
    : m_parts(std::move(parts))
    , m_team(std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, kMaxTeam))
    , m_producer(m_parts.recorder ? &m_parts.recorder->addProducer() : nullptr)
    , m_sums(static_cast<std::size_t>(m_parts.numLayers)) {
    for (int32_t l = 0; l < m_parts.numLayers; ++l)
        if (m_parts.adapters.numElements(LayerId(l)) > 0) m_layers.emplace_back(l);
    m_thread = std::thread([this] { work(); });
}

OptimizerThread::~OptimizerThread() {
    m_thread.join();
}

void OptimizerThread::submit(std::shared_ptr<ProgramRun> run) {
    m_parts.monitor->change([&] { m_runs.push_back(std::move(run)); });
}

void OptimizerThread::work() {
    try {
        for (;;) {
            const auto takeFirst = [this] {
                auto first = m_runs.front();
                m_runs.pop_front();
                return first;
            };
            runStep(*m_parts.monitor->waitFor([this] { return !m_runs.empty(); }, takeFirst));
        }
    } catch (const device::Poisoned&) {
        // Taken down, or another thread failed and has said so.
    } catch (...) {
        m_parts.fault->raise(std::current_exception());
    }
}

// Without clipping a layer is updated as soon as its last gradients are there, while shallower ones still compute; with
// clipping all updates wait for the norm. The norm is the same number either way.
void OptimizerThread::runStep(ProgramRun& run) {
    const bool clips = m_parts.maxGradNorm > 0;
    const DType dtype = m_parts.adapters.masterType();
    std::vector<const void*> gradients(m_sums.size());
    std::vector<double> squares(m_sums.size());
    for (int32_t round = 0; round < run.program.numRounds; ++round)
        for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer) {
            const std::size_t l = layer->index();
            gradients[l] = accumulate(run, *layer, round);
            if (round + 1 < run.program.numRounds) continue;
            squares[l] = optim::sumOfSquares(dtype, gradients[l], m_parts.adapters.numElements(*layer));
            if (!clips) update(run, *layer, gradients[l], 1.0);
        }
    double sum = 0;
    for (const double square : squares)
        sum += square;
    const double norm = std::sqrt(sum);
    if (clips)
        for (const LayerId layer : m_layers)
            update(run, layer, gradients[layer.index()], optim::clipCoefficient(norm, m_parts.maxGradNorm));

    put(trace::Kind::kStep, trace::LaneRole::kSession, run, run.startNs, LayerId());
    m_parts.monitor->change([&] {
        run.gradNorm = norm;
        run.updated = true;
    });
}

const void* OptimizerThread::accumulate(const ProgramRun& run, LayerId layer, int32_t round) {
    const std::byte* arrived = m_parts.gradients.await(layer, run.firstRound + round);
    if (run.program.numRounds == 1) return arrived; // released after the update
    const auto bytes = static_cast<std::size_t>(m_parts.gradients.bytes(layer));
    std::vector<std::byte>& sums = m_sums[layer.index()];
    sums.resize(bytes);
    if (round == 0)
        std::memcpy(sums.data(), arrived, bytes);
    else if (m_parts.adapters.masterType() == DType::kF64)
        addTo<double>(sums.data(), arrived, bytes);
    else
        addTo<float>(sums.data(), arrived, bytes);
    m_parts.gradients.release(layer);
    return sums.data();
}

void OptimizerThread::update(const ProgramRun& run, LayerId layer, const void* gradients, double coefficient) {
    const int64_t startNs = steadyNowNs();
    m_parts.adamw.update(layer, m_parts.adapters.masters(layer).data(), gradients, run.learningRate, run.step + 1,
                         coefficient, m_team);
    m_parts.adapters.publish(layer, m_team);
    if (run.program.numRounds == 1) m_parts.gradients.release(layer);
    m_parts.monitor->change([] {}); // whoever waits for the version looks again
    put(trace::Kind::kOptimizer, trace::LaneRole::kOptimizer, run, startNs, layer);
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
