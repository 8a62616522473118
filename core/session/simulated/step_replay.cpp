// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/simulated/step_replay.h"

#include "plan/program.h"

#include <algorithm>
#include <utility>

namespace roundpipe::session {
namespace {

void moveBy(trace::Record& record, int64_t ns) {
    record.queuedNs += ns;
    record.startNs += ns;
    record.endNs += ns;
}

// A step has ended when nothing of it is left to do: its update, or the last copy. What is loaded for the step after
// the last one counts for none.
std::vector<int64_t> endsOfSteps(const std::vector<trace::Record>& records, int32_t numSteps) {
    std::vector<int64_t> ends(static_cast<std::size_t>(numSteps));
    for (const trace::Record& record : records) {
        if (record.step >= numSteps) continue;
        int64_t& end = ends[static_cast<std::size_t>(record.step)];
        end = std::max(end, record.endNs);
    }
    return ends;
}

// Without the waits: whoever collects the trace finds those that there are between what is really shown.
std::vector<trace::Record> inOrderOfEnds(std::vector<trace::Record> records) {
    std::erase_if(records, [](const trace::Record& record) { return record.kind == trace::Kind::kWait; });
    std::ranges::stable_sort(records, {}, &trace::Record::endNs);
    return records;
}

} // namespace

StepReplay::StepReplay(plan::ModelChoice found, plan::Rig rig) : m_found(std::move(found)), m_rig(std::move(rig)) {
    const plan::EvaluatedPlan& choice = m_found.choice;
    const plan::Program program = plan::trainingProgram(choice.plan, m_found.costs.firstTrainable, choice.shape, 0);
    const int32_t numDifferent = 1 + 2 * plan::stepsOfRotation(choice.plan, program.numSlots());
    plan::DispatchOptions options;
    options.numSteps = numDifferent + 1; // the last one for what is loaded ahead for it
    options.keepsRecords = true;
    const std::vector<trace::Record> records =
        inOrderOfEnds(plan::simulateDispatch(choice.plan, m_found.costs, m_rig, choice.shape, options).records);
    const std::vector<int64_t> ends = endsOfSteps(records, options.numSteps);
    auto next = records.begin();
    int64_t beginNs = 0;
    for (int32_t step = 0; step < numDifferent; ++step) {
        const int64_t endNs = ends[static_cast<std::size_t>(step)];
        ReplayedStretch stretch{endNs - beginNs, {}};
        for (; next != records.end() && next->endNs <= endNs; ++next) {
            stretch.records.push_back(*next);
            moveBy(stretch.records.back(), -beginNs);
        }
        m_steps.push_back(std::move(stretch));
        beginNs = endNs;
    }
}

ReplayedStretch StepReplay::step(int64_t step, int64_t numSteps) const {
    const auto numRepeated = static_cast<int64_t>(m_steps.size()) / 2;
    const int64_t numOnce = 1 + numRepeated;
    const int64_t simulated = step < numOnce ? step : numOnce + (step - numOnce) % numRepeated;
    ReplayedStretch stretch = m_steps[static_cast<std::size_t>(simulated)];
    for (trace::Record& record : stretch.records)
        record.step += static_cast<int32_t>(step - simulated);
    std::erase_if(stretch.records, [&](const trace::Record& record) { return record.step >= numSteps; });
    return stretch;
}

ReplayedStretch StepReplay::evaluation(int32_t numMicrobatches, int64_t number) const {
    ReplayedStretch stretch;
    stretch.records =
        inOrderOfEnds(plan::simulateEvaluation(m_found.choice.plan, m_found.costs, m_rig, numMicrobatches).records);
    for (trace::Record& record : stretch.records)
        record.step = static_cast<int32_t>(number);
    if (!stretch.records.empty()) stretch.durationNs = stretch.records.back().endNs;
    return stretch;
}

} // namespace roundpipe::session
