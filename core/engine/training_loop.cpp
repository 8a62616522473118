// SPDX-License-Identifier: GPL-3.0-or-later
// Its steps.
#include "engine/training.h"

#include "base/log.h"
#include "engine/session_span.h"
#include "session/spec/run_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <utility>

namespace roundpipe::engine {

using session::RunState;
using session::RunText;
using session::RunTextCode;

bool Training::train() {
    const int64_t firstStep = m_state.step;
    m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    for (;;) {
        if (!m_underWay) carryOutCommands();
        if (m_state.step == m_totalSteps || endsEarly() || m_board.stopRequested()) break;
        withinMemory([this] { trainStep(); });
        lookAtMachine();
    }
    m_saves = false;
    withinMemory([this] { // it had begun when the stop came
        if (m_underWay) finish(*std::exchange(m_underWay, std::nullopt));
    });
    log::info(fmt::format("waited {:.3f} s for data in all steps", m_feeder->secondsWaited()));
    if (const auto& scale = m_state.lossScale)
        log::info(fmt::format("{} of {} steps updated nothing; the loss scale is {} now", scale->skippedSteps,
                              m_state.step, scale->scale));
    m_feeder.reset();
    rememberTimes(firstStep + 1); // the first one warms up
    return m_state.step == m_totalSteps || endsEarly();
}

// The next step begins when the devices have computed this one, before the last layers are updated: by then it is known
// whether it should. One that reads no update of this one begins at once.
void Training::trainStep() {
    if (!m_underWay) m_underWay = begin(m_state.step);
    if (!isStale()) pipeline().awaitDevices(m_underWay->ticket);
    const StepUnderWay step = *std::exchange(m_underWay, std::nullopt);
    std::exception_ptr failure;
    m_saves = savesAfter(m_state.step + 1); // once: time goes on
    if (nothingIsDueAfter(m_state.step + 1)) {
        try {
            m_underWay = begin(m_state.step + 1);
        } catch (...) {
            failure = std::current_exception(); // this step is whole all the same, unless the pipeline has failed
        }
    }
    try {
        finish(step);
    } catch (...) {
        if (!failure) throw;
    }
    if (failure) std::rethrow_exception(failure);
}

bool Training::nothingIsDueAfter(int64_t step) const {
    return step < m_totalSteps && !m_board.stopRequested() && !m_board.hasCommands() && !evaluatesAfter(step) &&
           !m_saves;
}

bool Training::savesAfter(int64_t step) const {
    const int64_t every = m_spec.output.saveEverySteps;
    return step < m_totalSteps && ((every > 0 && step % every == 0) || m_saver->isDue());
}

Training::StepUnderWay Training::begin(int64_t step) {
    const double learningRate = m_schedule.at(step);
    return {pipeline().submit(m_feeder->next(), learningRate), learningRate};
}

void Training::finish(const StepUnderWay& step) {
    session::StepMetrics metrics = take(step);
    followFolder(); // before its line is written
    if (evaluatesAfter(m_state.step)) {
        m_board.setState(RunState::kEvaluating);
        metrics.validationLoss = evaluate();
    }
    writeDown(metrics); // before there is a checkpoint of this step: a run that goes on from that has its line
    if (metrics.validationLoss) {
        if (!m_saver->saveIfBest(*metrics.validationLoss, m_state)) ++m_state.validationsNotLower;
        m_board.setState(RunState::kTraining);
    }
    m_board.stepDone(metrics, m_batcher->steps().epochAt(m_state.step));
    if (endsEarly()) tellOfEarlyEnd();
    lookAt(metrics);
    if (m_saves && m_notFinite.empty()) m_saver->saveLast(m_state); // else it holds what was there before
}

session::StepMetrics Training::take(const StepUnderWay& step) {
    const pipeline::StepResult result = m_pipeline->await(step.ticket);
    session::StepMetrics metrics;
    metrics.learningRate = step.learningRate;
    m_state.step = step.ticket.step + 1;
    metrics.step = m_state.step;
    metrics.loss = std::isnan(result.loss) ? std::abs(result.loss) : result.loss; // "nan", whatever its sign
    metrics.gradNorm = result.gradNorm;
    metrics.tokens = result.tokens;
    metrics.trainedTokens = result.trainedTokens;
    metrics.seconds = result.seconds;
    metrics.lossScale = result.usedScale;
    metrics.skipped = result.skipped;
    if (result.lossScale) m_state.lossScale = result.lossScale;
    m_notFinite = result.notFinite;
    if (result.skipped && m_notFinite.empty())
        log::info(fmt::format("step {} was skipped: its gradients are too large for fp16 with a loss scale of {}",
                              m_state.step, result.usedScale));
    m_stepSeconds.push_back(result.seconds);
    return metrics;
}

void Training::writeDown(const session::StepMetrics& metrics) {
    try {
        m_folder.appendMetrics(metrics);
        m_writesMetrics = true;
    } catch (const Error& error) {
        if (std::exchange(m_writesMetrics, false)) // once, not with each step
            warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kCurvesNotWritten), error);
    }
}

bool Training::evaluatesAfter(int64_t step) const {
    if (m_dataset->validation().size() == 0 || m_board.discardRequested()) return false;
    const int64_t every =
        m_spec.output.evalEverySteps > 0 ? m_spec.output.evalEverySteps : m_batcher->steps().perEpoch();
    return step % every == 0 || step == m_totalSteps;
}

double Training::evaluate() {
    const auto batches = data::batchesInOrder(m_dataset->validation(), session::stepRulesOf(m_spec));
    return withinMemory([&] {
        pipeline::Pipeline& ready = pipeline();
        const SessionSpan span(m_session, static_cast<int>(m_devices.size()), trace::Kind::kEvaluate);
        return ready.evaluate(batches).loss;
    });
}

} // namespace roundpipe::engine
