// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a trace to a file in a thread of its own and says how that ended.
#pragma once

#include "trace/files/trace_export.h"

#include <QImage>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <functional>
#include <future>

namespace roundpipe::ui::shell {

// GUI thread only. One at a time. The destructor waits: what the user asked for is written to its end.
class TraceExport : public QObject {
    Q_OBJECT
public:
    explicit TraceExport(QObject* parent = nullptr);
    ~TraceExport() override;
    // Ignored while one is under way.
    void start(trace::TraceSnapshot trace, const QString& path, const trace::ExportOptions& options);
    void start(QImage picture, const QString& path); // as PNG
    void cancel() { m_cancelled = true; }            // nothing is left of the file, and nothing told but ended()
    bool isBusy() const { return m_outcome.valid(); }

signals:
    void progressed(int percent);
    void written(const QString& path);
    void failed(const QString& message, const QString& advice);
    void ended(); // after either, or after a cancel

private:
    struct Outcome {
        bool done = false;
        QString message;
        QString advice;
    };
    void begin(const QString& path, std::function<void()> write);
    void poll();

    QString m_path;
    std::future<Outcome> m_outcome;
    std::atomic<int> m_percent{0};
    std::atomic<bool> m_cancelled{false};
    QTimer m_poll;
};

} // namespace roundpipe::ui::shell
