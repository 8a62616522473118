// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run can go on that was stopped, has failed or was interrupted: the one on show, or before any the newest of
// the open project, which the page Results looks for. One that is under way still is watched.
#pragma once

#include "ui/charts/run_history.h"
#include "ui/pages/contract/services.h"

#include <QObject>

namespace roundpipe::ui::pages {

class UnfinishedRun : public QObject {
    Q_OBJECT
public:
    // `history`: of the run on show. What is handed in must outlive it.
    UnfinishedRun(const Services& services, const charts::RunHistory& history, QObject* parent);
    bool canGoOn() const; // as far as it is known here
    void ask(QWidget* asker) const;

signals:
    void changed(); // what is known of the project's run

private:
    Services m_services;
    const charts::RunHistory& m_history;
    QString m_ofProject;         // the folder of its newest one; empty: there is none
    bool m_isUnfinished = false; // that run
};

} // namespace roundpipe::ui::pages
