// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline costs: timeline_speed [SLICES] (1,000,000), on 33 lanes of five devices, 1920 pixels wide. Prints
// memory a slice, repainting, hovering, following at 30 Hz, statistics, and a trace file to its first paint.
#include "base/units.h"
#include "testing/fixtures.h"
#include "trace/files/trace_file.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <future>
#include <random>
#include <unistd.h>

using namespace roundpipe;

namespace {

int64_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    int64_t size = 0;
    int64_t resident = 0;
    statm >> size >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

std::vector<trace::Lane> lanes() {
    return trace::makeLanes({"cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4"});
}

// Slices of 20 to 400 µs, now and then a long one, as an engine's streams have them.
class Slices {
public:
    trace::Record next() {
        const int32_t lane = static_cast<int32_t>(m_count++ % 33);
        static constexpr trace::Kind kKinds[] = {trace::Kind::kForward,          trace::Kind::kUploadWeights,
                                                 trace::Kind::kUploadActivation, trace::Kind::kDownloadActivation,
                                                 trace::Kind::kDownloadGradient, trace::Kind::kMemory};
        trace::Record record;
        record.lane = LaneId(lane);
        record.kind = lane < 30 ? kKinds[lane % 6] : trace::Kind::kOptimizer;
        if (lane == 32) record.kind = trace::Kind::kStep;
        record.step = static_cast<int32_t>(m_count / 3300);
        record.stage = StageId(static_cast<int32_t>(m_count / 66 % 12));
        record.microbatch = MicrobatchId(static_cast<int32_t>(m_count % 8));
        int64_t& now = m_nows[lane];
        record.startNs = record.queuedNs = now;
        record.endNs = now + m_duration(m_random) * (m_count % 1000 == 0 ? 100 : 1);
        now = record.endNs + 5'000;
        return record;
    }

private:
    std::mt19937 m_random{7};
    std::uniform_int_distribution<int64_t> m_duration{20'000, 400'000};
    int64_t m_count = 0;
    int64_t m_nows[33] = {};
};

template <class Work>
void measure(const char* what, int times, Work&& work) {
    std::vector<double> walls;
    std::vector<double> processor;
    for (int i = 0; i < times; ++i) {
        const std::clock_t clock = std::clock();
        const int64_t begin = steadyNowNs();
        work(i);
        walls.push_back(static_cast<double>(steadyNowNs() - begin) * 1e-6);
        processor.push_back(1e3 * static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(walls);
    std::ranges::sort(processor);
    const auto at = [times](const std::vector<double>& sorted, double share) {
        return sorted[static_cast<std::size_t>(share * (times - 1))];
    };
    std::printf("%s: %.2f ms median, %.2f ms p99 (processor %.2f and %.2f ms)\n", what, at(walls, 0.5), at(walls, 0.99),
                at(processor, 0.5), at(processor, 0.99));
}

void paint(ui::timeline::TimelinePlot& plot) {
    measure("repaint, the whole run", 101, [&](int) { plot.replot(QCustomPlot::rpImmediateRefresh); });
    const int64_t begin = plot.scene().store->beginNs();
    const int64_t span = plot.scene().store->endNs() - begin;
    plot.navigation().showRange(begin + span / 2, begin + span / 2 + span / 100);
    measure("repaint, a hundredth of it", 101, [&](int) { plot.replot(QCustomPlot::rpImmediateRefresh); });
    plot.navigation().showRange(begin + span / 2, begin + span / 2 + 10'000'000);
    measure("repaint, 10 ms of it", 101, [&](int) { plot.replot(QCustomPlot::rpImmediateRefresh); });
    measure("hover", 300, [&](int i) {
        const QPointF where(100 + 5 * i, 100 + i);
        QMouseEvent move(QEvent::MouseMove, where, plot.mapToGlobal(where), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(&plot, &move);
        QCoreApplication::processEvents();
    });
}

// 2,000 records a second, as eight devices make them, on top of what there is.
void follow(trace::LaneStore& store, Slices& slices, ui::timeline::TimelineView& view) {
    constexpr int kTicks = 300;
    constexpr int kRecordsATick = 66;
    view.plot().navigation().setFollow(ui::timeline::Follow::kNewestSteps);
    const std::clock_t clock = std::clock();
    const int64_t begin = steadyNowNs();
    for (int tick = 0; tick < kTicks; ++tick) {
        for (int i = 0; i < kRecordsATick; ++i) {
            const trace::Record record = slices.next();
            store.append({&record, 1});
        }
        view.plot().dataArrived();
        while (steadyNowNs() - begin < int64_t{tick + 1} * 1'000'000'000 / 30) {
            QCoreApplication::processEvents();
            ::usleep(500);
        }
    }
    std::printf("following at 30 Hz: %.1f %% of a core\n", 100.0 * static_cast<double>(std::clock() - clock) /
                                                               CLOCKS_PER_SEC /
                                                               (static_cast<double>(steadyNowNs() - begin) * 1e-9));
}

// As the window of a saved trace does it.
void openFile(trace::LaneStore& store, ui::theme::ThemeManager& themes) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "bench.rptrace";
    trace::writeTraceFile(store.snapshot(), path);
    for (int i = 0; i < 3; ++i) {
        ui::timeline::TimelineView view(themes);
        view.setStill();
        view.resize(1920 + 520, 1000);
        view.show();
        QCoreApplication::processEvents();
        const int64_t begin = steadyNowNs();
        auto reading = std::async(std::launch::async, [&path] { return trace::readTrace(trace::TraceFile(path)); });
        while (reading.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
            QCoreApplication::processEvents();
        const trace::LaneStore read = reading.get();
        view.plot().setStore(&read);
        view.plot().replot(QCustomPlot::rpImmediateRefresh);
        std::printf("a file of %.0f MB to its first paint: %.0f ms\n",
                    static_cast<double>(std::filesystem::file_size(path)) * 1e-6,
                    static_cast<double>(steadyNowNs() - begin) * 1e-6);
        view.plot().setStore(nullptr);
    }
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    ui::theme::ThemeManager themes(application);
    const int64_t count = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    Slices slices;
    const int64_t before = residentBytes();
    trace::LaneStore store(lanes(), 0);
    const int64_t begin = steadyNowNs();
    for (int64_t i = 0; i < count; ++i) {
        const trace::Record record = slices.next();
        store.append({&record, 1});
    }
    std::printf("%lld slices: %.0f ns each to append, %.1f bytes each (%.1f by its own count)\n",
                static_cast<long long>(count), static_cast<double>(steadyNowNs() - begin) / static_cast<double>(count),
                static_cast<double>(residentBytes() - before) / static_cast<double>(count),
                static_cast<double>(store.memoryBytes()) / static_cast<double>(count));
    ui::timeline::TimelineView view(themes);
    view.resize(1920 + 520, 1000);
    view.plot().setStore(&store);
    view.show();
    view.plot().dataArrived();
    QCoreApplication::processEvents();
    std::printf("the plot is %d pixels wide\n", view.plot().width());
    view.plot().navigation().fit();
    QTest::qWait(500);
    measure("statistics of all, in the thread that counts", 5,
            [&](int) { (void)trace::statisticsOf(store, store.beginNs(), store.endNs()); });
    measure("asking for them in the window's", 5, [&](int) { view.updateStatistics(); });
    paint(view.plot());
    follow(store, slices, view);
    openFile(store, themes);
    return 0;
}
