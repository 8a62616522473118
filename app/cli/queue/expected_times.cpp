// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/expected_times.h"

#include "base/error.h"
#include "console/progress.h"
#include "console/table.h"
#include "plan/engine_parts.h"
#include "queue/device_sets.h"
#include "queue/line_time.h"
#include "runs/run_library.h"
#include "session/planning/plan_answer.h"

#include <fmt/format.h>

#include <ctime>
#include <map>
#include <optional>
#include <utility>

namespace roundpipe::cli {
namespace {

// Answers that several runs share.
class Expectations {
public:
    Expectations(const EngineParts& engine, bool readsRows) : m_engine(engine), m_readsRows(readsRows) {
        runs::RunLibrary library = runs::RunLibrary::ofUser();
        const queue::RunQueue line = queue::RunQueue::ofUser();
        for (const runs::StoredRun& run : library.list())
            if (run.outcome == runs::RunOutcome::kRunning)
                m_busy.emplace_back(run.name, runs::devicesAskedBy(run.folder));
        for (const queue::LeftRun& run : queue::leftRunsOf(line.begun(), library, line.isTrained()))
            if (run.isUnderWay() || run.isStarting) m_busy.emplace_back(run.name(), run.devices());
    }

    ExpectedTime of(const queue::QueuedRun& run) {
        ExpectedTime time;
        try {
            const session::RunSpec spec = run.spec.lora.initFrom.empty() ? run.spec : m_engine.resolved(run.spec);
            const session::RunLengths& lengths = lengthsOf(spec);
            const session::PlanAnswer& answer = answerTo(spec, lengths);
            if (!answer.hasPlan || !answer.problem.empty()) {
                time.why = "it does not fit: " + answer.problem.text();
                return time;
            }
            time.stepSeconds = answer.choice.step.stepSeconds;
            time.steps = session::stepsOf(session::asPlanned(spec, answer), lengths).total;
            time.seconds = session::wholeSecondsOf(spec, answer, lengths).value_or(0);
            if (time.steps == 0) time.why = "its steps are counted when its rows are read; --read-data does it now";
        } catch (const Error& error) {
            time.why = error.message();
        }
        return time;
    }

private:
    const session::RunLengths& lengthsOf(const session::RunSpec& spec) {
        session::RunSpec rows; // what decides them
        rows.data = spec.data;
        rows.model = spec.model;
        auto& lengths = m_lengths[session::toJson(rows)];
        if (lengths) return *lengths;
        if (m_readsRows) {
            Progress progress(Progress::styleOfStandardOutput());
            lengths = m_engine.lengthsOf(
                spec, [&](const session::Activity& activity) { progress.activity(activity.text()); });
        } else {
            lengths.emplace();
        }
        return *lengths;
    }

    const session::PlanAnswer& answerTo(const session::RunSpec& spec, const session::RunLengths& lengths) {
        auto& answer = m_answers[session::planKeyOf(spec)];
        if (answer) return *answer;
        session::PlanQuestion question;
        question.spec = spec;
        question.lengths = lengths;
        question.seeksBetter = false;
        answer = session::answer(question, rigOf(spec.engine.devices));
        return *answer;
    }

    const plan::Rig& rigOf(const std::vector<std::string>& devices) {
        for (const auto& [name, theirs] : m_busy)
            if (queue::shareDevices(theirs, devices))
                throw Error(ErrorKind::kUnsupported,
                            fmt::format("'{}' trains on its devices now, and nothing is measured beside it", name));
        auto& rig = m_rigs[devices];
        if (!rig) rig = m_engine.thisMachine(devices);
        return *rig;
    }

    const EngineParts& m_engine;
    const bool m_readsRows;
    std::vector<std::pair<std::string, std::vector<std::string>>> m_busy; // runs that train, and their devices
    std::map<std::string, std::optional<session::RunLengths>> m_lengths;
    std::map<std::string, std::optional<session::PlanAnswer>> m_answers;
    std::map<std::vector<std::string>, std::optional<plan::Rig>> m_rigs;
};

} // namespace

std::vector<ExpectedTime> expectedTimesOf(std::span<const queue::QueuedRun> runs, bool readsRows) {
    std::vector<ExpectedTime> times;
    try {
        Expectations expectations(engineParts(), readsRows);
        for (const queue::QueuedRun& run : runs)
            times.push_back(expectations.of(run));
    } catch (const Error& error) { // it is added all the same
        times.assign(runs.size(), {0, 0, 0, error.message()});
    }
    return times;
}

std::string whenDone(std::span<const queue::QueuedRun> waiting, std::span<const queue::LeftRun> left, bool isPaused) {
    const queue::LineTime time = queue::timeOf(waiting, left);
    if (time.isEmpty) return {};
    if (time.seconds == 0) return "When the queue would be done is not known.";
    const char* const about = time.isWhole ? "about" : "more than";
    if (isPaused && !waiting.empty())
        return fmt::format("Once it goes on, the queue would take {} {}.", about, asTime(time.seconds));
    const int64_t end = std::time(nullptr) + static_cast<int64_t>(time.seconds);
    return fmt::format("Trained from now on, the queue would be done in {} {}, {} {}.", about, asTime(time.seconds),
                       time.isWhole ? "at" : "after", asDate(end));
}

} // namespace roundpipe::cli
