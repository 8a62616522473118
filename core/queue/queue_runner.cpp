// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/queue_runner.h"

#include "base/error.h"
#include "queue/device_sets.h"
#include "session/run/moved_folder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace roundpipe::queue {

using session::RunEvent;
using session::RunState;

QueueRunner::QueueRunner(RunQueue queue, EngineMaker makeEngine, BusyDevices busy)
    : m_queue(std::move(queue)), m_makeEngine(std::move(makeEngine)), m_busy(std::move(busy)) {}

namespace {

// False: the disk does not take it now, and may later.
bool succeeds(const std::function<void()>& write, std::optional<Error>& trouble) {
    try {
        write();
        return true;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kNoSpace && error.kind() != ErrorKind::kIo) throw;
        trouble = error;
        return false;
    }
}

} // namespace

std::vector<QueueRunner::News> QueueRunner::turn() {
    std::vector<News> news = turnWithoutBeginning();
    if (!m_trouble) succeeds([&] { beginNext(news); }, m_trouble);
    return news;
}

std::vector<QueueRunner::News> QueueRunner::turnWithoutBeginning() {
    std::vector<News> news;
    m_running.remove_if([&](Running& running) { return hasEnded(running, news); });
    writeNotes();
    return news;
}

void QueueRunner::writeNotes() {
    m_trouble.reset();
    for (; !m_notes.empty() && succeeds(m_notes.front(), m_trouble); m_notes.pop_front())
        ;
}

void QueueRunner::noteEnd(const Running& running, bool failed) {
    const int64_t number = running.run.number;
    if (failed)
        m_notes.emplace_back([this, number, problem = running.problem, advice = running.advice] {
            m_queue.noteFailure(number, problem, advice);
        });
    m_notes.emplace_back([this, number] { m_queue.noteEnds(std::array{number}); });
}

void QueueRunner::stopAll() {
    for (Running& running : m_running)
        running.engine->requestStop();
}

bool QueueRunner::hasEnded(Running& running, std::vector<News>& news) {
    const RunState state = running.engine->snapshot().state;
    for (const RunEvent& event : running.engine->takeEvents()) {
        if (event.kind == RunEvent::Kind::kError) {
            running.problem = event.text;
            running.advice = event.advice;
        }
        if (event.kind == RunEvent::Kind::kPlanReady) news.push_back({running.run, RunState::kTraining, {}, {}});
        if (const auto folder = session::movedFolder(event))
            m_notes.emplace_back(
                [this, number = running.run.number, place = *folder] { m_queue.noteFolder(number, place); });
    }
    std::vector<trace::Record> unseen; // it stands in the run's folder
    running.engine->takeTrace(unseen);
    if (!session::isOver(state)) return false;
    noteEnd(running, state == RunState::kFailed);
    news.push_back({running.run, state, running.problem, running.advice});
    return true;
}

// Whoever waits for devices is not overtaken by one behind him that wants some of them, too.
void QueueRunner::beginNext(std::vector<News>& news) {
    if (!canGoOn(m_queue.waiting())) return;
    for (;;) {
        std::vector<std::vector<std::string>> busy = m_busy();
        for (const Running& running : m_running)
            busy.push_back(running.run.spec.engine.devices);
        const auto mayBegin = [&](const QueuedRun& run) {
            const auto& devices = run.spec.engine.devices;
            const bool free =
                std::ranges::none_of(busy, [&](const auto& taken) { return shareDevices(taken, devices); });
            if (!free) busy.push_back(devices);
            return free;
        };
        std::optional<QueuedRun> next = m_queue.take(mayBegin);
        if (!next) return;
        Running running{std::move(*next), m_makeEngine(), {}, {}};
        try {
            running.engine->start(session::RunJob{running.run.spec, running.run.prompts});
        } catch (const Error& error) { // a spec that is wrong by now
            running.problem = error.message();
            running.advice = error.advice();
            noteEnd(running, true);
            news.push_back({running.run, RunState::kFailed, running.problem, running.advice});
            writeNotes();
            if (m_trouble) return;
            continue;
        }
        news.push_back({running.run, RunState::kPreparing, {}, {}});
        m_running.push_back(std::move(running));
    }
}

} // namespace roundpipe::queue
