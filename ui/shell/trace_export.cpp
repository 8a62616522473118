#include "ui/shell/trace_export.h"

#include "base/error.h"
#include "trace/chrome_trace.h"

namespace roundpipe::ui::shell {

TraceExport::TraceExport(QObject* parent) : QObject(parent) {
    m_poll.setInterval(50);
    connect(&m_poll, &QTimer::timeout, this, &TraceExport::poll);
}

TraceExport::~TraceExport() {
    if (m_outcome.valid()) m_outcome.wait();
}

void TraceExport::start(trace::TraceSnapshot trace, const QString& path) {
    if (isBusy()) return;
    m_path = path;
    m_outcome = std::async(std::launch::async, [trace = std::move(trace), file = path.toStdString()]() -> QString {
        try {
            trace::writeChromeTrace(trace, file);
            return {};
        } catch (const Error& error) {
            return QString::fromStdString(error.message());
        }
    });
    m_poll.start();
}

void TraceExport::poll() {
    if (m_outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    m_poll.stop();
    const QString problem = m_outcome.get();
    if (problem.isEmpty())
        emit written(m_path);
    else
        emit failed(problem);
}

} // namespace roundpipe::ui::shell
