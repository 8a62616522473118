// SPDX-License-Identifier: GPL-3.0-or-later
// A search for a text through all rows of the dataset, piece by piece: whatever else is asked for comes between, and
// stopping it costs nothing.
#pragma once

#include "ui/bridge/workbench_controller.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <vector>

namespace roundpipe::ui::pages {

class RowFinder : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 10'000; // rows: who wants more looks for something else

    explicit RowFinder(bridge::WorkbenchController& workbench, QObject* parent = nullptr);
    void find(const QString& text); // from the first row on; gives up what was looked for before
    void stop();

    const QString& text() const { return m_text; } // empty: nothing is looked for
    bool isBusy() const { return m_request != 0; }
    double fraction() const { return m_fraction; } // of all bytes, looked through
    std::size_t numFound() const { return m_numFound; }

signals:
    void found(const std::vector<roundpipe::session::RowPlace>& rows); // in this piece, which may be none
    void failed(const QString& why);

private:
    void ask(bool anew);
    void take(const session::WorkbenchResult& result);

    bridge::WorkbenchController& m_workbench;
    QString m_text;
    uint64_t m_request = 0; // 0: none is awaited
    double m_fraction = 0;
    std::size_t m_numFound = 0;
};

} // namespace roundpipe::ui::pages
