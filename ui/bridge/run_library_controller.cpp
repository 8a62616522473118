// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_library_controller.h"

#include "base/error.h"
#include "runs/metrics_file.h"
#include "runs/project_run.h"
#include "runs/run_files.h"

namespace roundpipe::ui::bridge {
namespace {

// A folder that was written anew holds what was said of it last.
std::vector<runs::ExportRecord> exportsThere(const std::vector<runs::ExportRecord>& all) {
    std::vector<runs::ExportRecord> there;
    for (const runs::ExportRecord& record : all) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(record.folder, ignored)) continue;
        std::erase_if(there, [&](const runs::ExportRecord& earlier) { return earlier.folder == record.folder; });
        there.push_back(record);
    }
    return there;
}

RunDetails detailsOf(const std::filesystem::path& folder) {
    RunDetails details{runs::readRun(folder), {}, {}, {}, {}};
    const runs::RunFiles files{folder};
    const auto attempt = [&](const auto& read) {
        try {
            read();
        } catch (const std::exception& error) {
            if (details.run.problem.empty()) details.run.problem = error.what();
        }
    };
    attempt([&] { details.spec = runs::specOf(folder); });
    attempt([&] { details.steps = runs::readMetrics(files.metrics()); });
    attempt([&] { details.answers = runs::byPrompt(runs::readAnswers(files.answers())); });
    attempt([&] { details.exports = exportsThere(runs::readExports(files.exports())); });
    return details;
}

} // namespace

RunLibraryController::RunLibraryController(std::filesystem::path folder, std::filesystem::path index, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_index(std::move(index))
    , m_thread(QThread::create([this] { runTasks(); })) {
    m_thread->start();
}

RunLibraryController::~RunLibraryController() {
    m_stop.request_stop();
    m_thread->wait();
}

void RunLibraryController::perform(Work work, QObject& asker, Then then) {
    add({std::move(work), &asker, std::move(then)});
}

void RunLibraryController::perform(Work work) {
    add({std::move(work), this, {}});
}

void RunLibraryController::add(Task task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_told.notify_one();
}

void RunLibraryController::runTasks() {
    std::optional<runs::RunLibrary> library;
    for (;;) {
        Task task;
        {
            std::unique_lock lock(m_mutex);
            if (!m_told.wait(lock, m_stop.get_token(), [this] { return !m_tasks.empty(); })) return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        Then then;
        if (task.then) // whether whoever asked is still there is known in their own thread
            then = [asker = task.asker, told = std::move(task.then)] {
                if (asker) told();
            };
        try {
            if (!library) library.emplace(m_folder, m_index);
            task.work(*library);
        } catch (const std::exception& error) {
            const auto* ours = dynamic_cast<const Error*>(&error);
            then = [this, message = QString::fromStdString(ours ? ours->message() : error.what()),
                    advice = QString::fromStdString(ours ? ours->advice() : std::string())] {
                emit failed(message, advice);
            };
        }
        if (then) QMetaObject::invokeMethod(this, std::move(then), Qt::QueuedConnection);
    }
}

void RunLibraryController::refresh() {
    const auto found = std::make_shared<std::vector<runs::StoredRun>>();
    perform([found](runs::RunLibrary& library) { *found = library.list(); }, *this,
            [this, found] {
                m_runs = std::move(*found);
                m_isListed = true;
                emit listed();
            });
}

void RunLibraryController::read(const std::filesystem::path& runFolder) {
    const auto details = std::make_shared<RunDetails>();
    perform([details, runFolder](runs::RunLibrary&) { *details = detailsOf(runFolder); }, *this,
            [this, details] { emit detailsRead(details); });
}

void RunLibraryController::lookForRunOf(session::RunSpec project, const QString& name,
                                        const std::filesystem::path& projectFolder) {
    const auto found = std::make_shared<std::optional<std::filesystem::path>>();
    perform(
        [=, project = std::move(project)](runs::RunLibrary& library) {
            *found = runs::newestRunOf(project, name.toStdString(), projectFolder, library.list());
        },
        *this,
        [this, found, number = ++m_numLookedFor] {
            if (*found && number == m_numLookedFor) emit runOfProjectFound(QString::fromStdString((*found)->string()));
        });
}

void RunLibraryController::change(Work work) {
    perform(std::move(work));
    refresh();
}

void RunLibraryController::rename(const runs::StoredRun& run, const QString& name) {
    change([run, name = name.trimmed().toStdString()](runs::RunLibrary&) { runs::RunLibrary::rename(run, name); });
}

void RunLibraryController::setNote(const runs::StoredRun& run, const QString& note) {
    change([run, note = note.trimmed().toStdString()](runs::RunLibrary&) { runs::RunLibrary::setNote(run, note); });
}

void RunLibraryController::remove(std::vector<runs::StoredRun> gone) {
    for (runs::StoredRun& run : gone) // one that can't be deleted keeps no other
        perform([run = std::move(run)](runs::RunLibrary& library) { library.remove(run); });
    refresh();
}

void RunLibraryController::removeCheckpoint(const runs::StoredRun& run, const std::string& name) {
    change([run, name](runs::RunLibrary& library) { library.removeCheckpoint(run, name); });
    read(run.folder);
}

void RunLibraryController::link(const std::filesystem::path& runFolder) {
    change([runFolder](runs::RunLibrary& library) {
        if (runs::isRunFolder(runFolder)) runs::linkRun(runFolder, library.folder());
    });
}

} // namespace roundpipe::ui::bridge
