// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for stored runs: owns the library of runs, works on it in a thread of its own, and tells the
// window in signals of values.
#pragma once

#include "runs/answers_file.h"
#include "runs/exports_file.h"
#include "runs/run_library.h"
#include "session/engine.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThread>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace roundpipe::ui::bridge {

// All that is stored of one run.
struct RunDetails {
    runs::StoredRun run;
    std::optional<session::RunSpec> spec; // nothing: it can't be read
    std::vector<session::StepMetrics> steps;
    std::vector<runs::BeforeAndAfter> answers;
    std::vector<runs::ExportRecord> exports; // the newest of each folder that is still there, in order

    // Its result is a model, not an adapter.
    bool trainsModel() const { return spec ? spec->method == Method::kFull : run.modelBytes > 0; }
};

// GUI thread only. Nothing here waits for the disk, except the destructor, for all that was asked for.
class RunLibraryController : public QObject {
    Q_OBJECT
public:
    using Work = std::function<void(runs::RunLibrary& library)>;
    using Then = std::function<void()>;

    // As runs::RunLibrary.
    RunLibraryController(std::filesystem::path folder, std::filesystem::path index, QObject* parent = nullptr);
    ~RunLibraryController() override;

    // What was listed last, the latest first; read again by refresh() and after every change made here.
    const std::vector<runs::StoredRun>& runs() const { return m_runs; }
    bool isListed() const { return m_isListed; } // runs() has been read once
    void refresh();
    // Ends in detailsRead(), or in failed() where there is no such folder. What of it can't be read is left out.
    void read(const std::filesystem::path& runFolder);
    // Looks for the newest run of a project; as runs::newestRunOf. Ends in runOfProjectFound(), of the project that
    // was asked for last, where there is one.
    void lookForRunOf(session::RunSpec project, const QString& name, const std::filesystem::path& projectFolder);

    void rename(const runs::StoredRun& run, const QString& name);
    void setNote(const runs::StoredRun& run, const QString& note);
    void remove(std::vector<runs::StoredRun> runs);
    void removeCheckpoint(const runs::StoredRun& run, const std::string& name); // and reads the run again
    // Lets a run that was put elsewhere be listed; no-op for a folder in which there is none.
    void link(const std::filesystem::path& runFolder);

    // `work` in the thread, in the order of these calls; then, unless it threw (that ends in failed()), `then` here:
    // of whoever asked, and not once they are gone.
    void perform(Work work, QObject& asker, Then then);
    void perform(Work work);

signals:
    void listed(); // runs() is fresh
    void runOfProjectFound(const QString& folder);
    void detailsRead(std::shared_ptr<const roundpipe::ui::bridge::RunDetails> details);
    void failed(const QString& message, const QString& advice);

private:
    struct Task {
        Work work;
        QPointer<QObject> asker;
        Then then;
    };
    void add(Task task);
    void runTasks();
    void change(Work work); // and list again

    const std::filesystem::path m_folder, m_index;
    std::vector<runs::StoredRun> m_runs;
    bool m_isListed = false;
    int m_numLookedFor = 0; // projects
    std::mutex m_mutex;
    std::condition_variable_any m_told;
    std::deque<Task> m_tasks; // guarded by the mutex
    std::stop_source m_stop;
    std::unique_ptr<QThread> m_thread; // one of Qt's: reports are laid out in it
};

} // namespace roundpipe::ui::bridge
