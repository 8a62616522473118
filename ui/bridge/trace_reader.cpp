// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/trace_reader.h"

#include "base/error.h"
#include "trace/files/trace_file.h"

namespace roundpipe::ui::bridge {

std::shared_ptr<OpenedTrace> openedTraceOf(const QString& name, trace::LaneStore store) {
    auto opened = std::make_shared<OpenedTrace>();
    opened->path = name;
    opened->steady = trace::steadySideOf(store.allSlices(), store.lanes());
    opened->steps = trace::stepsOf(store.allSlices(), store.lanes());
    opened->store = std::move(store);
    return opened;
}

TraceReader::~TraceReader() {
    m_thread.request_stop();
}

void TraceReader::open(const QString& path, int64_t budgetBytes) {
    begin([path, budgetBytes](const trace::ProgressCallback& goOn) {
        const trace::TraceFile file(path.toStdString());
        auto opened = openedTraceOf(path, trace::readTrace(file, goOn, budgetBytes));
        opened->isComplete = file.isComplete();
        opened->numLost = file.numLost();
        return opened;
    });
}

void TraceReader::copy(const QString& name, trace::TraceSnapshot recorded) {
    begin([name, recorded = std::move(recorded)](const trace::ProgressCallback&) {
        return openedTraceOf(name, trace::storeOf(recorded));
    });
}

void TraceReader::begin(Make make) {
    m_thread = {}; // asks the one before to stop, and waits for its block
    m_isReading = true;
    m_thread = std::jthread(
        [this, number = ++m_number, make = std::move(make)](const std::stop_token& stop) { work(stop, number, make); });
}

void TraceReader::work(const std::stop_token& stop, int number, const Make& make) {
    const auto tell = [this, number](auto say) {
        QMetaObject::invokeMethod(
            this,
            [this, number, say] {
                if (number == m_number) say();
            },
            Qt::QueuedConnection);
    };
    try {
        const std::shared_ptr<OpenedTrace> made = make([&, told = -1](double share) mutable {
            const int percent = static_cast<int>(100 * share);
            if (percent != told) tell([this, percent] { emit progressed(percent); });
            told = percent;
            return !stop.stop_requested();
        });
        tell([this, made] {
            m_isReading = false;
            emit opened(made);
        });
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kCancelled) return;
        const QString message = QString::fromStdString(error.message());
        const QString advice = QString::fromStdString(error.advice());
        tell([this, message, advice] {
            m_isReading = false;
            emit failed(message, advice);
        });
    }
}

} // namespace roundpipe::ui::bridge
