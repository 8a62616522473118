// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/trace_export.h"

#include "base/error.h"
#include "base/file.h"

#include <QBuffer>

namespace roundpipe::ui::shell {

TraceExport::TraceExport(QObject* parent) : QObject(parent) {
    m_poll.setInterval(50);
    connect(&m_poll, &QTimer::timeout, this, &TraceExport::poll);
}

TraceExport::~TraceExport() {
    if (m_outcome.valid()) m_outcome.wait();
}

void TraceExport::start(trace::TraceSnapshot trace, const QString& path, const trace::ExportOptions& options) {
    begin(path, [this, trace = std::move(trace), file = path.toStdString(), options] {
        trace::exportTrace(trace, file, options, [this](double share) {
            m_percent = static_cast<int>(100 * share);
            return !m_cancelled;
        });
    });
}

void TraceExport::start(QImage picture, const QString& path) {
    begin(path, [picture = std::move(picture), file = path.toStdString()] {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        picture.save(&buffer, "PNG");
        writeFileAtomically(file, std::string_view(png.constData(), static_cast<std::size_t>(png.size())));
    });
}

void TraceExport::begin(const QString& path, std::function<void()> write) {
    if (isBusy()) return;
    m_path = path;
    m_percent = 0;
    m_cancelled = false;
    m_outcome = std::async(std::launch::async, [write = std::move(write)]() -> Outcome {
        try {
            write();
            return {true, {}, {}};
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kCancelled) return {};
            return {false, QString::fromStdString(error.message()), QString::fromStdString(error.advice())};
        }
    });
    m_poll.start();
    emit progressed(0);
}

void TraceExport::poll() {
    if (m_outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        emit progressed(m_percent);
        return;
    }
    m_poll.stop();
    const Outcome outcome = m_outcome.get();
    if (outcome.done)
        emit written(m_path);
    else if (!outcome.message.isEmpty())
        emit failed(outcome.message, outcome.advice);
    emit ended();
}

} // namespace roundpipe::ui::shell
