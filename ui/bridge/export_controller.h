// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for exports: owns the door to them, pulls from it while one is under way, and tells the window in
// signals of values.
#pragma once

#include "session/exporter.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace roundpipe::ui::bridge {

// GUI thread only. Nothing here waits, except the destructor until what is under way was given up.
class ExportController : public QObject {
    Q_OBJECT
public:
    explicit ExportController(QObject* parent = nullptr);

    void setExporter(std::unique_ptr<session::Exporter> exporter);
    bool canExport() const { return m_exporter != nullptr; } // not before the engine is loaded

    // What is to be known of it comes by checked(), or checkFailed(). A later question takes the place of one that is
    // not answered yet, and waits for the end of an export.
    void check(const session::ExportTask& request);
    void begin(const session::ExportTask& request); // while none is under way
    void cancel();
    // What is being made; null: nothing is.
    const session::ExportTask* underWay() const { return m_underWay ? &*m_underWay : nullptr; }

signals:
    void changed(); // canExport() or underWay()
    void checked(const roundpipe::session::ExportRemarks& remarks);
    void checkFailed(const roundpipe::session::ExportFailed& why);
    void progressed(const roundpipe::session::ExportState& now);
    void made(const roundpipe::session::ExportMade& what);
    void failed(const roundpipe::session::ExportFailed& why);

private:
    void goOn(); // with what waits
    void tick();
    void tell(const session::ExportResult& result);

    std::unique_ptr<session::Exporter> m_exporter;
    std::optional<session::ExportTask> m_underWay, m_toCheck, m_toBegin;
    QTimer m_timer;
};

} // namespace roundpipe::ui::bridge
