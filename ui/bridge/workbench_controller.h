// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for data: owns the workbench, pulls from it while it has something to tell, and tells the window
// in signals of values.
#pragma once

#include "session/workbench.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace roundpipe::ui::bridge {

// GUI thread only. Nothing here waits for the workbench, except the destructor for the piece of work in progress.
class WorkbenchController : public QObject {
    Q_OBJECT
public:
    explicit WorkbenchController(std::unique_ptr<session::Workbench> workbench, QObject* parent = nullptr);

    void open(const session::RunSpec& spec); // the spec's dataset; errors arrive in the status
    void forget(); // nothing is open: what was known of the dataset goes, and what was asked of it is never answered
    const session::WorkbenchStatus& status() const { return m_status; }

    // Answered by answered() with the number that is returned. Only after open().
    uint64_t requestFiles();
    uint64_t requestRows(session::RowPlace first, int64_t count);
    uint64_t requestVerdicts(session::RowPlace first, int64_t count);
    uint64_t requestLens(session::RowPlace place);
    uint64_t requestSearch(const std::string& text, bool anew);

signals:
    void statusChanged(); // status() is fresh
    void answered(const roundpipe::session::WorkbenchResult& result);

private:
    void tick();
    uint64_t expect(uint64_t request);

    std::unique_ptr<session::Workbench> m_workbench;
    session::WorkbenchStatus m_status;
    bool m_isOpen = false;
    int64_t m_numExpected = 0; // requests without an answer
    QTimer m_timer;
};

} // namespace roundpipe::ui::bridge
