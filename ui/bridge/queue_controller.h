// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for the runs that wait in line: looks at the queue and changes it in the library's thread, and
// begins the program that trains it.
#pragma once

#include "queue/left_runs.h"
#include "ui/bridge/run_library_controller.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::ui::bridge {

// The queue as it was read last.
struct QueueView {
    using Begun = queue::LeftRun;
    bool isTrained = false; // somebody begins what waits: this window's program or a terminal's
    queue::QueueChoices choices;
    std::vector<queue::QueuedRun> waiting; // the next first
    std::vector<Begun> begun;              // the oldest first
    std::string problem, advice;           // why nothing could be read; what was read before stays

    bool isUnderWay() const { return std::ranges::any_of(begun, &Begun::isUnderWay); } // a run of it
    bool isBusy() const { return isUnderWay() || (isTrained && !choices.isPaused && queue::canGoOn(waiting)); }
};

// GUI thread only. Nothing here waits for the disk: view() has a change at once, before it is written, so that the next
// one can build on it. What can't be changed ends in RunLibraryController::failed(), and is read again.
class QueueController : public QObject {
    Q_OBJECT
public:
    // `folder`: as RunQueue has it. The library outlives this.
    QueueController(RunLibraryController& library, std::filesystem::path folder, QObject* parent = nullptr);

    const QueueView& view() const { return *m_view; }
    bool isRead() const { return m_isRead; }
    void refresh();
    // view() as it is now, then `then` of whoever asks, unless they are gone.
    void readThen(QObject& asker, std::function<void()> then);
    // A run of it that trains, or is about to, on some of these devices; null: none does, or the engine is simulated,
    // which takes none.
    const QueueView::Begun* trainedOn(const std::vector<std::string>& devices) const;
    // Read more often: what runs are doing stands elsewhere. Without that it is while one is under way, more rarely.
    void setWatched(bool isWatched);

    // At its end. One whose folder holds a run, or is another's that waits, gets a folder of its own. Ends in added().
    void add(std::vector<queue::QueuedRun> runs);
    // In the order given, before the run of this number, or to the end.
    void moveBefore(std::vector<int64_t> numbers, std::optional<int64_t> before);
    void remove(std::vector<int64_t> numbers);
    void choose(std::function<void(queue::QueueChoices&)> change);

    // The program that trains the line, with its arguments. It goes on without the window.
    void setTrainer(std::vector<std::string> command);
    bool hasTrainer() const { return !m_trainer.empty(); }
    void start(); // it pauses no more, and somebody trains it
    void pause(); // what is under way goes on

signals:
    void changed(); // view() or hasTrainer()
    void added(int count);
    void failed(const QString& message, const QString& advice); // nobody trains it, in spite of start()

private:
    using Change = std::function<void(queue::RunQueue& line)>;
    void change(Change work, std::function<void()> then = {}); // and read it again
    void show(const std::function<void(QueueView& view)>& change);
    void read(std::function<void()> then);
    void take(std::shared_ptr<const QueueView> view);
    void watch();
    void lookAgainLater();
    void seeToTrainer();
    void launch();
    std::filesystem::path trainersWords() const { return m_folder / "queue-run.log"; }

    RunLibraryController& m_library;
    const std::filesystem::path m_folder;
    std::shared_ptr<const QueueView> m_view = std::make_shared<QueueView>();
    bool m_isRead = false;
    bool m_isReading = false;
    bool m_isAskedAgain = false; // while it reads
    uint64_t m_numChanges = 0;   // what was read before the last of them is old
    std::vector<std::string> m_trainer;
    QElapsedTimer m_sinceStart; // valid while it is not known whether somebody trains the line that was started
    bool m_isLaunched = false;  // since then
    bool m_isWatched = false;
    QFileSystemWatcher m_changes;
    QTimer m_again;
};

} // namespace roundpipe::ui::bridge
