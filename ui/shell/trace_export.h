// Writes a trace to a file in a thread of its own and says how that ended.
#pragma once

#include "trace/lane_store.h"

#include <QObject>
#include <QTimer>

#include <future>

namespace roundpipe::ui::shell {

// One at a time. The destructor waits: the trace that the user asked for is written to its end.
class TraceExport : public QObject {
    Q_OBJECT
public:
    explicit TraceExport(QObject* parent = nullptr);
    ~TraceExport() override;
    void start(trace::TraceSnapshot trace, const QString& path); // ignored while one is under way
    bool isBusy() const { return m_outcome.valid(); }

signals:
    void written(const QString& path);
    void failed(const QString& message);

private:
    void poll();

    QString m_path;
    std::future<QString> m_outcome; // what went wrong; empty: nothing
    QTimer m_poll;
};

} // namespace roundpipe::ui::shell
