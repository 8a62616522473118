// SPDX-License-Identifier: GPL-3.0-or-later
// Opens trace files, and copies what a run has recorded, in a thread of its own.
#pragma once

#include "trace/analysis/comparison.h"
#include "trace/files/progress_callback.h"
#include "trace/store/lane_store.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <thread>

namespace roundpipe::ui::bridge {

// A trace file, read. Belongs to the GUI's thread from when it is told of.
struct OpenedTrace {
    QString path;
    trace::LaneStore store;
    trace::ComparedSide steady;         // what it brings to a comparison
    std::vector<trace::StepSpan> steps; // by which it is aligned with another
    bool isComplete = true;             // false: the run still goes on, or was killed
    uint64_t numLost = 0;               // events that the run could not record
};
// Of what is known already, a plan's prediction for one. Takes the time of its statistics.
std::shared_ptr<OpenedTrace> openedTraceOf(const QString& name, trace::LaneStore store);

// GUI thread only. A new trace gives up the one before.
class TraceReader : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~TraceReader() override;
    // `budgetBytes`: of memory that the trace may take; the rest of it lies in a file.
    void open(const QString& path, int64_t budgetBytes = trace::LaneStore::kUsualBudgetBytes);
    void copy(const QString& name, trace::TraceSnapshot recorded); // what a run has recorded so far, for good
    bool isReading() const { return m_isReading; }

signals:
    void progressed(int percent);
    void opened(std::shared_ptr<roundpipe::ui::bridge::OpenedTrace> trace);
    void failed(const QString& message, const QString& advice);

private:
    using Make = std::function<std::shared_ptr<OpenedTrace>(const trace::ProgressCallback&)>;
    void begin(Make make);
    void work(const std::stop_token& stop, int number, const Make& make);

    int m_number = 0; // of the trace that counts
    bool m_isReading = false;
    std::jthread m_thread;
};

} // namespace roundpipe::ui::bridge
