// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo_project.h"
#include "runs/run_lock.h"
#include "runs/some_run.h"
#include "session/simulated/simulated_engine.h"
#include "ui/desktop/notification.h"
#include "ui/desktop/queue_attendant.h"
#include "ui/desktop/run_attendant.h"

#include <QDBusConnection>
#include <QDBusServer>
#include <QDBusUnixFileDescriptor>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>
#include <QVariantMap>

#include <memory>

using namespace roundpipe;
using ui::desktop::RunAttendant;
using ui::desktop::SleepGuard;

// What stands on the other end of a bus.
class LoginManager : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.login1.Manager")
public:
    QStringList asked;

public slots:
    QDBusUnixFileDescriptor Inhibit(const QString& what, const QString& who, const QString& why, const QString& mode) {
        asked += QStringList{what, who, why, mode}.join(u'|');
        m_lock.open();
        return QDBusUnixFileDescriptor(m_lock.handle());
    }

private:
    QTemporaryFile m_lock;
};

class NotificationDaemon : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    QStringList shown;

public slots:
    uint Notify(const QString&, uint, const QString&, const QString& headline, const QString& text, const QStringList&,
                const QVariantMap&, int) {
        shown += QStringLiteral("%1|%2").arg(headline, text);
        return 1;
    }
};

// A bus between the two ends, without any daemon.
class PrivateBus {
public:
    explicit PrivateBus(bool withServices = true) {
        QObject::connect(&m_server, &QDBusServer::newConnection, &m_server,
                         [this, withServices](QDBusConnection other) {
                             m_other = std::make_unique<QDBusConnection>(other);
                             if (!withServices) return;
                             other.registerObject(QStringLiteral("/org/freedesktop/login1"), &login,
                                                  QDBusConnection::ExportAllSlots);
                             other.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &notifications,
                                                  QDBusConnection::ExportAllSlots);
                         });
        m_server.setAnonymousAuthenticationAllowed(true);
        m_name = QStringLiteral("private%1").arg(reinterpret_cast<quintptr>(this));
        m_here = std::make_unique<QDBusConnection>(QDBusConnection::connectToPeer(m_server.address(), m_name));
        [this] { QTRY_VERIFY(m_other != nullptr); }();
    }
    ~PrivateBus() { QDBusConnection::disconnectFromPeer(m_name); }
    QDBusConnection here() const { return *m_here; }

    LoginManager login;
    NotificationDaemon notifications;

private:
    QDBusServer m_server{QStringLiteral("unix:tmpdir=%1").arg(QDir::tempPath())};
    QString m_name;
    std::unique_ptr<QDBusConnection> m_other;
    std::unique_ptr<QDBusConnection> m_here;
};

class TestDesktop : public QObject {
    Q_OBJECT

private slots:
    void theMachineStaysAwakeWhileItIsHeld() {
        PrivateBus bus;
        SleepGuard guard(bus.here());
        guard.hold(QStringLiteral("training"));
        guard.hold(QStringLiteral("training")); // no second lock
        QTRY_VERIFY(guard.isHeld());
        QCOMPARE(bus.login.asked, QStringList{QStringLiteral("sleep:idle|RoundPipe Studio|training|block")});
        guard.release();
        QVERIFY(!guard.isHeld());
    }

    void aLockThatComesTooLateIsGivenBack() {
        PrivateBus bus;
        SleepGuard guard(bus.here());
        guard.hold(QStringLiteral("training"));
        guard.release();
        QTRY_COMPARE(bus.login.asked.size(), 1);
        QTest::qWait(50);
        QVERIFY(!guard.isHeld());
    }

    void theMachineStaysAwakeWhileARunOfTheQueueIsUnderWay() {
        PrivateBus bus;
        const testing::TemporaryFolder home;
        ui::bridge::RunLibraryController library(home.path() / "runs", home.path() / "runs.sqlite");
        ui::bridge::QueueController queue(library, home.path() / "queue");
        const ui::desktop::QueueAttendant attendant(queue, bus.here());
        queue::QueuedRun run;
        run.spec.name = "a";
        run.spec.output.folder = (home.path() / "runs" / "a").string();
        queue::RunQueue line(home.path() / "queue");
        line.add({run});
        queue.refresh();
        QTRY_COMPARE(queue.view().waiting.size(), 1U);
        QVERIFY(!attendant.sleep().isHeld()); // nobody trains it
        runs::makeRun(run.spec.output.folder, {.name = "a", .state = session::RunState::kTraining});
        line.take([](const queue::QueuedRun&) { return true; });
        {
            const runs::RunLock lock(run.spec.output.folder);
            queue.refresh();
            QTRY_VERIFY(attendant.sleep().isHeld());
            QVERIFY(bus.login.asked.front().contains(QLatin1String("queue")));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!attendant.sleep().isHeld(), 15'000); // seen by itself, some seconds later
    }

    void withoutABusOrAServiceNothingHappens() {
        SleepGuard without(QDBusConnection(QStringLiteral("there is none")));
        without.hold(QStringLiteral("training"));
        QVERIFY(!without.isHeld());
        without.release();
        ui::desktop::notify(QDBusConnection(QStringLiteral("there is none")), QStringLiteral("a"), QStringLiteral("b"));
        PrivateBus bus(false);
        SleepGuard guard(bus.here());
        guard.hold(QStringLiteral("training"));
        QTest::qWait(100);
        QVERIFY(!guard.isHeld());
    }

    // Asking for it would start one where the desktop has none.
    void noBusIsStarted() {
        const QByteArray address = qgetenv("DBUS_SESSION_BUS_ADDRESS");
        const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        const testing::TemporaryFolder empty;
        qputenv("XDG_RUNTIME_DIR", empty.path().c_str());
        const bool isConnected = ui::desktop::desktopBus().isConnected();
        if (!address.isNull()) qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        runtime.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", runtime);
        QVERIFY(!isConnected);
    }

    void theEndOfARunIsToldToWhoLooksElsewhere_data() {
        QTest::addColumn<bool>("looks");
        QTest::newRow("at the window") << true;
        QTest::newRow("elsewhere") << false;
    }
    void theEndOfARunIsToldToWhoLooksElsewhere() {
        QFETCH(bool, looks);
        const testing::DemoProject project(3);
        PrivateBus bus;
        ui::bridge::RunController run;
        const RunAttendant attendant(run, bus.here(), bus.here(), [looks] { return looks; });
        run.setEngine(session::makeSimulatedEngine({.speed = 20}));
        run.start({project.spec(), {}});
        QTRY_VERIFY_WITH_TIMEOUT(attendant.sleep().isHeld(), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(!run.isRunning(), 20'000);
        QVERIFY(!attendant.sleep().isHeld());
        if (looks) {
            QTest::qWait(100);
            QVERIFY(bus.notifications.shown.isEmpty());
        } else {
            QTRY_COMPARE(bus.notifications.shown.size(), 1);
            QVERIFY(bus.notifications.shown[0].startsWith(QLatin1String("Test run is ready.|Loss ")));
        }
    }

    void aFailureIsToldWithItsReason() {
        const testing::DemoProject project(3);
        std::filesystem::remove(project.folder() / "model" / "config.json");
        PrivateBus bus;
        ui::bridge::RunController run;
        const RunAttendant attendant(run, bus.here(), bus.here(), [] { return false; });
        run.setEngine(session::makeSimulatedEngine({.speed = 20}));
        run.start({project.spec(), {}});
        QTRY_COMPARE_WITH_TIMEOUT(bus.notifications.shown.size(), 1, 10'000);
        QVERIFY(bus.notifications.shown[0].startsWith(QLatin1String("Test run has failed.|")));
        QVERIFY(bus.notifications.shown[0].contains(QLatin1String("config.json")));
    }
};

QTEST_MAIN(TestDesktop)
#include "tst_desktop.moc"
