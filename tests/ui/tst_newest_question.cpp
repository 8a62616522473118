// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/fixtures.h"
#include "trace/analysis/statistics.h"
#include "ui/timeline/geometry/slice_search.h"
#include "ui/timeline/plot/newest_question.h"
#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace roundpipe;
using ui::timeline::NewestQuestion;
using ui::timeline::SliceFilter;

namespace {

// `count` slices of 8 us, one every 10 us, dealt to the lanes of two devices.
void grow(trace::LaneStore& store, int64_t from, int64_t count) {
    std::vector<trace::Record> records;
    for (int64_t i = from; i < from + count; ++i) {
        trace::Record record;
        record.lane = LaneId(static_cast<int32_t>(i % 5 + i % 2 * 6));
        record.kind = record.lane.value % 6 == 0 ? trace::Kind::kForward : trace::Kind::kUploadWeights;
        record.startNs = i * 10'000;
        record.endNs = record.startNs + 8'000;
        record.step = static_cast<int32_t>(i / 1000);
        record.stage = StageId(static_cast<int32_t>(i % 3));
        records.push_back(record);
    }
    store.append(records);
}

int64_t counted(const trace::RangeStatistics& statistics) {
    int64_t sum = 0;
    for (const trace::KindStatistics& kind : statistics.kinds)
        sum += kind.count;
    return sum;
}

} // namespace

class TestNewestQuestion : public QObject {
    Q_OBJECT

private slots:
    void theNewestIsAnsweredAndTheOneBeforeIsStopped() {
        QObject owner;
        NewestQuestion questions(owner);
        std::atomic<bool> begun = false;
        std::atomic<bool> stopped = false;
        int answered = 0;
        const auto waits = [&](const std::stop_token& stop) -> NewestQuestion::Answer {
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::yield();
            stopped = true;
            return [&answered] { answered = -1; };
        };
        questions.ask(waits);
        QTRY_VERIFY(begun);
        for (int i = 1; i <= 3; ++i) // the first two of them are never begun, or stopped at once
            questions.ask([i, &answered](const std::stop_token&) -> NewestQuestion::Answer {
                return [i, &answered] { answered = i; };
            });
        QVERIFY(questions.isWaiting());
        QTRY_COMPARE(answered, 3);
        QVERIFY(stopped);
        QVERIFY(!questions.isWaiting());
        begun = false;
        questions.ask(waits);
        QTRY_VERIFY(begun);
        questions.forget();
        QVERIFY(!questions.isWaiting());
        QTest::qWait(20);
        QCOMPARE(answered, 3);
        questions.ask(waits); // the destructor stops it
    }

    // The owner appends and lets slices go to the disk while two threads count and search: what they say is true of the
    // moment at which they were asked. Under the thread sanitizer this shows that nothing is shared that changes.
    void aGrowingStoreIsCountedAndSearched() {
        const testing::TemporaryFolder folder;
        trace::LaneStore store(trace::makeLanes({"cpu:0", "cpu:1"}), 0);
        store.setBudget(2 << 20, folder.path());
        QObject owner;
        NewestQuestion counting(owner);
        NewestQuestion searching(owner);
        int numCounted = 0;
        int numFound = 0;
        int64_t size = 0;
        const SliceFilter filter("upload step 2");
        QElapsedTimer clock;
        clock.start();
        while ((numCounted < 20 || numFound < 20) && clock.elapsed() < 60'000) {
            grow(store, size, 3'000);
            size += 3'000;
            if (!counting.isWaiting())
                counting.ask(
                    [&, trace = store.snapshot(), size](const std::stop_token& stop) -> NewestQuestion::Answer {
                        const auto all = trace::statisticsOf(trace.slices, trace.lanes, 0, size * 10'000, stop);
                        return [&numCounted, size, count = all ? counted(*all) : -1] {
                            QCOMPARE(count, size);
                            ++numCounted;
                        };
                    });
            if (!searching.isWaiting())
                searching.ask([&, trace = store.snapshot()](const std::stop_token& stop) -> NewestQuestion::Answer {
                    const auto found = ui::timeline::nextMatch(trace, filter, {}, stop);
                    return [&numFound, found] {
                        QVERIFY(found.has_value());
                        QCOMPARE(found->step, 1);
                        ++numFound;
                    };
                });
            QCoreApplication::processEvents();
        }
        QVERIFY(numCounted >= 20 && numFound >= 20);
        QVERIFY(store.numChunksOnDisk() > 0);
    }

    // Whoever asks goes on at once; numbers of an earlier range are not taken for those of the new one.
    void theViewCountsInTheBackground() {
        ui::theme::ThemeManager themes(*qApp);
        trace::LaneStore store(trace::makeLanes({"cpu:0", "cpu:1"}), 0);
        grow(store, 0, 400'000);
        ui::timeline::TimelineView view(themes);
        view.setStill();
        view.resize(1300, 500);
        view.plot().setStore(&store);
        view.show();
        QSignalSpy spy(&view, &ui::timeline::TimelineView::counted);
        view.plot().navigation().fit();
        view.updateStatistics();
        QCOMPARE(spy.size(), 0);
        QTRY_COMPARE(counted(view.statistics()), 400'000);
        view.plot().select(0, 1'000'000);
        view.updateStatistics();
        view.plot().select(0, 2'000'000);
        view.updateStatistics();
        QTRY_COMPARE(view.statistics().endNs, 2'000'000);
        QCOMPARE(counted(view.statistics()), 200);
    }
};

QTEST_MAIN(TestNewestQuestion)
#include "tst_newest_question.moc"
