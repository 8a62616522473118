// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_loop_watchdog.h"

#include <QElapsedTimer>
#include <QTest>
#include <QThread>

#include <mutex>

using roundpipe::studio::EventLoopWatchdog;
using roundpipe::studio::Stall;

constexpr int kLimitMs = 300; // a busy machine is not to be taken for a stall

class Stalls {
public:
    void add(const Stall& stall) {
        const std::lock_guard lock(m_mutex);
        m_all.push_back(stall);
    }
    std::vector<Stall> all() const {
        const std::lock_guard lock(m_mutex);
        return m_all;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<Stall> m_all;
};

static void compute(int ms) {
    QElapsedTimer timer;
    timer.start();
    volatile double sum = 0;
    while (timer.elapsed() < ms)
        sum = sum + 1;
}

class TestEventLoopWatchdog : public QObject {
    Q_OBJECT

private slots:
    void namesWhatStandsStillAndTellsWaitingFromComputing() {
        Stalls stalls;
        EventLoopWatchdog watchdog(kLimitMs, [&](const Stall& stall) { stalls.add(stall); });
        QTest::qWait(100);
        const std::size_t before = stalls.all().size();
        QThread::msleep(900);
        QTRY_COMPARE(stalls.all().size(), before + 1);
        const Stall slept = stalls.all().back();
        QVERIFY(slept.blockedMs >= 500);
        QVERIFY(slept.processorMs < slept.blockedMs / 2);
        QVERIFY(!slept.frames.empty());
        compute(900);
        QTRY_COMPARE(stalls.all().size(), before + 2);
        const Stall computed = stalls.all().back();
        QVERIFY(computed.processorMs > slept.processorMs);
        QVERIFY(QString::fromStdString(describe(computed)).startsWith(QStringLiteral("The window stood still for ")));
    }

    void endsWhileTheLoopStands() {
        Stalls stalls;
        QElapsedTimer timer;
        {
            const EventLoopWatchdog watchdog(kLimitMs, [&](const Stall& stall) { stalls.add(stall); });
            QThread::msleep(2 * kLimitMs); // and no loop runs before it is gone
            timer.start();
        }
        QVERIFY(timer.elapsed() < 5'000);
        QVERIFY(stalls.all().empty());
    }
};

QTEST_GUILESS_MAIN(TestEventLoopWatchdog)
#include "tst_event_loop_watchdog.moc"
