// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/queue_controller.h"

#include "base/error.h"
#include "base/file.h"
#include "queue/device_sets.h"

#include <QPointer>
#include <QProcess>

#include <algorithm>

namespace roundpipe::ui::bridge {
namespace {

namespace fs = std::filesystem;
using queue::QueuedRun;
using queue::RunQueue;

constexpr int kAgainMs = 1500;
constexpr int kAgainUnseenMs = 5000;
constexpr qint64 kLongestBeginMs = 6000; // from its start to its lock, of a program without LibTorch
constexpr int64_t kMostWords = 1 << 16;  // bytes

QueueView viewOf(const fs::path& folder, const QueueView& before, runs::RunLibrary& library) {
    try {
        const RunQueue line(folder);
        queue::QueueContents contents = line.contents();
        QueueView view;
        view.isTrained = line.isTrained();
        view.choices = contents.choices;
        view.waiting = std::move(contents.waiting);
        view.begun = queue::leftRunsOf(contents.begun, library, view.isTrained);
        return view;
    } catch (const Error& error) {
        QueueView view = before;
        view.problem = error.message();
        view.advice = error.advice();
        return view;
    }
}

// It would be refused by the folder's other run, or they would be each other's.
void giveFolders(std::vector<QueuedRun>& runs, const RunQueue& line) {
    std::vector<std::string> taken;
    for (const QueuedRun& run : line.waiting())
        taken.push_back(run.spec.output.folder);
    for (QueuedRun& run : runs) {
        std::string& folder = run.spec.output.folder;
        if (std::ranges::find(taken, folder) != taken.end() || (!folder.empty() && runs::isRunFolder(folder)))
            folder.clear(); // one is found when it begins
        taken.push_back(folder);
    }
}

} // namespace

QueueController::QueueController(RunLibraryController& library, fs::path folder, QObject* parent)
    : QObject(parent), m_library(library), m_folder(std::move(folder)) {
    connect(&m_again, &QTimer::timeout, this, &QueueController::refresh);
    connect(&m_changes, &QFileSystemWatcher::directoryChanged, this, &QueueController::refresh);
}

// One that is under way may have looked before what it is asked again for.
void QueueController::refresh() {
    if (m_isReading)
        m_isAskedAgain = true;
    else
        read({});
}

void QueueController::readThen(QObject& asker, std::function<void()> then) {
    read([asker = QPointer<QObject>(&asker), then = std::move(then)] {
        if (asker) then();
    });
}

const QueueView::Begun* QueueController::trainedOn(const std::vector<std::string>& devices) const {
    const auto found = std::ranges::find_if(m_view->begun, [&](const QueueView::Begun& run) {
        return (run.isUnderWay() || run.isStarting) && queue::shareDevices(run.devices(), devices);
    });
    return !hasTrainer() || found == m_view->begun.end() ? nullptr : &*found;
}

void QueueController::read(std::function<void()> then) {
    m_isReading = true;
    m_isAskedAgain = false;
    const auto view = std::make_shared<QueueView>();
    m_library.perform(
        [view, before = m_view, folder = m_folder](runs::RunLibrary& runs) { *view = viewOf(folder, *before, runs); },
        *this,
        [this, view, number = m_numChanges, then = std::move(then)] {
            if (number == m_numChanges) take(view);
            if (then) then();
        });
}

void QueueController::take(std::shared_ptr<const QueueView> view) {
    m_isReading = false;
    m_isRead = true;
    m_view = std::move(view);
    watch();
    lookAgainLater();
    seeToTrainer();
    emit changed();
    if (m_isAskedAgain) refresh();
}

// What changed between the read and this, nobody would tell.
void QueueController::watch() {
    std::error_code ignored;
    if (m_changes.directories().isEmpty() && fs::is_directory(m_folder, ignored))
        m_isAskedAgain |= m_changes.addPath(QString::fromStdString(m_folder.string()));
}

void QueueController::setWatched(bool isWatched) {
    m_isWatched = isWatched;
    lookAgainLater();
    if (isWatched) refresh();
}

// How a run ends is written into its own folder.
void QueueController::lookAgainLater() {
    if (!m_isWatched && !m_view->isTrained && !m_view->isUnderWay()) return m_again.stop();
    m_again.setInterval(m_isWatched ? kAgainMs : kAgainUnseenMs);
    if (!m_again.isActive()) m_again.start();
}

void QueueController::change(Change work, std::function<void()> then) {
    m_library.perform(
        [work = std::move(work), folder = m_folder](runs::RunLibrary&) {
            RunQueue line(folder);
            work(line);
        },
        *this, std::move(then));
    ++m_numChanges;
    m_isReading = false;
    refresh();
}

void QueueController::show(const std::function<void(QueueView& view)>& change) {
    const auto view = std::make_shared<QueueView>(*m_view);
    change(*view);
    m_view = view;
    emit changed();
}

void QueueController::add(std::vector<QueuedRun> runs) {
    const int count = static_cast<int>(runs.size());
    change(
        [runs = std::move(runs)](RunQueue& line) mutable {
            giveFolders(runs, line);
            line.add(std::move(runs));
        },
        [this, count] { emit added(count); });
}

void QueueController::moveBefore(std::vector<int64_t> numbers, std::optional<int64_t> before) {
    show([&](QueueView& view) { queue::moveBefore(view.waiting, numbers, before); });
    change([numbers = std::move(numbers), before](RunQueue& line) { line.moveBefore(numbers, before); });
}

void QueueController::remove(std::vector<int64_t> numbers) {
    show([&](QueueView& view) { queue::remove(view.waiting, numbers); });
    change([numbers = std::move(numbers)](RunQueue& line) { line.remove(numbers); });
}

void QueueController::choose(std::function<void(queue::QueueChoices&)> change) {
    show([&](QueueView& view) { change(view.choices); });
    this->change([change = std::move(change)](RunQueue& line) { line.choose(change); });
}

void QueueController::setTrainer(std::vector<std::string> command) {
    m_trainer = std::move(command);
    emit changed();
}

void QueueController::start() {
    m_sinceStart.start();
    m_isLaunched = false;
    choose([](queue::QueueChoices& choices) { choices.isPaused = false; });
}

void QueueController::pause() {
    m_sinceStart.invalidate();
    choose([](queue::QueueChoices& choices) { choices.isPaused = true; });
}

// One that was about to end when the line was started is followed by another.
void QueueController::seeToTrainer() {
    if (!m_sinceStart.isValid() || m_view->choices.isPaused) return;
    const bool isLate = m_sinceStart.elapsed() > kLongestBeginMs;
    const bool isDone = !queue::canGoOn(m_view->waiting);
    if (m_view->isTrained || isDone) {
        if (isLate || isDone) m_sinceStart.invalidate();
        return;
    }
    if (!m_isLaunched && hasTrainer()) return launch();
    if (!isLate) return QTimer::singleShot(kAgainMs, this, &QueueController::refresh);
    m_sinceStart.invalidate();
    std::string words;
    try {
        words = readTextFile(trainersWords(), kMostWords);
    } catch (const Error&) { // it has said nothing
    }
    emit failed(tr("The queue is not trained: its program has ended."), QString::fromStdString(words).trimmed());
}

void QueueController::launch() {
    m_isLaunched = true;
    QProcess process;
    process.setProgram(QString::fromStdString(m_trainer.front()));
    QStringList arguments;
    for (auto argument = m_trainer.begin() + 1; argument != m_trainer.end(); ++argument)
        arguments += QString::fromStdString(*argument);
    process.setArguments(arguments);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QString::fromStdString(trainersWords().string()), QIODevice::Truncate);
    process.startDetached();
    QTimer::singleShot(kAgainMs / 5, this, &QueueController::refresh);
}

} // namespace roundpipe::ui::bridge
