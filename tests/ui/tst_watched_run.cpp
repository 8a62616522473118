// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in a process of their own, as a window has them: it closes and they go on, it opens and shows them again, they
// die and it lives.
#include "hosted/hosted_engine.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"
#include "runs/some_run.h"
#include "test_services.h"
#include "ui/pages/contract/watch_run.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace roundpipe;
using ui::shell::MainWindow;

namespace {

constexpr const char* kSpeed = "5";

// A project whose run has left what a run leaves, and says that it is under way.
struct RunProject {
    RunProject() {
        runs::makeRun(out, {.name = "Test run", .state = session::RunState::kTraining});
        session::RunSpec spec = project.spec();
        spec.output.folder = out.string();
        writeFileAtomically(runs::RunFiles{out}.spec(), session::toJson(spec));
    }
    std::unique_ptr<session::Engine> host(const std::string& what) const {
        return std::make_unique<hosted::HostedEngine>(std::vector<std::string>{SIMULATED_HOST, kSpeed, what});
    }
    const testing::DemoProject project{100'000};
    const std::filesystem::path out = project.folder() / "out";
};

// Asks to close it, and answers what it asks.
void closeWith(MainWindow& window, const char* button) {
    QVERIFY(!window.close());
    QTest::mouseClick(testing::buttonOf(*window.findChild<QMessageBox*>(), button), Qt::LeftButton);
    QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
}

} // namespace

class TestWatchedRun : public QObject {
    Q_OBJECT

private slots:
    void itOutlivesItsWindowAndIsOnShowAgainWithItsProject() {
        const RunProject made;
        {
            testing::TestServices test;
            MainWindow window(test.services());
            test.document.open(made.project.runFile());
            window.show();
            test.run.setEngine(made.host(made.out.string()));
            test.commands.start()->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 2, 20'000);
            closeWith(window, "Keep the window");
            QVERIFY(window.isVisible());
            closeWith(window, "Close the window alone");
            QVERIFY(!window.isVisible());
            QVERIFY(test.run.isRunning());
        }
        QVERIFY(runs::RunLock::isHeld(made.out));
        testing::TestServices test;
        runs::linkRun(made.out, test.home.path() / "runs");
        MainWindow window(test.services());
        window.show();
        QSignalSpy steps(&test.run, &ui::bridge::RunController::stepDone);
        test.document.open(made.project.runFile());
        QTRY_VERIFY_WITH_TIMEOUT(test.run.isRunning() && test.run.plan() != nullptr && steps.size() > 3, 20'000);
        test.useSimulatedEngine(5); // comes when the window is on show for a while
        QVERIFY(test.run.isRunning());
        QCOMPARE(steps.first().first().value<session::StepMetrics>().step, 1);
        QTRY_VERIFY_WITH_TIMEOUT(test.run.store().numSlices() > 10, 20'000);
        test.commands.stop()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
        QCOMPARE(test.run.snapshot().state, session::RunState::kStopped);
        QTRY_VERIFY_WITH_TIMEOUT(!runs::RunLock::isHeld(made.out), 20'000);
        QTest::qWait(300); // the pages look at what it left
        QVERIFY(test.run.store().numSlices() > 10 && test.run.snapshot().step >= 1);
    }

    void aProcessThatDiesIsSaidAndTheWindowLives() {
        const RunProject made;
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(made.project.runFile());
        window.show();
        test.run.setEngine(made.host("dies"));
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.isRunning() && !test.run.snapshot().isPaused, 5'000);
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
        QCOMPARE(test.run.snapshot().state, session::RunState::kFailed);
        QVERIFY(testing::shows(window, "signal 11"));
        QVERIFY(testing::shows(window, "the driver is gone")); // in the field of what a message says at length
        test.run.setEngine(made.host(made.out.string()));
        test.commands.start()->trigger(); // and the next may begin
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 20'000);
        test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
    }

    void theListOfRunsLeadsToIt() {
        const RunProject made;
        testing::TestServices test;
        runs::linkRun(made.out, test.home.path() / "runs");
        auto owner = made.host(made.out.string());
        owner->start({session::readRunSpec(runs::RunFiles{made.out}.spec()), {}});
        QTRY_VERIFY_WITH_TIMEOUT(owner->snapshot().step >= 1, 20'000);
        ui::pages::RunsPage page(test.services());
        QSignalSpy wanted(&page, &ui::pages::Page::pageWanted);
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 1);
        QAction* const watch = actionOf(page, "Watch");
        QVERIFY(watch != nullptr && watch->isEnabled());
        watch->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.isRunning() && !wanted.isEmpty(), 20'000);
        QCOMPARE(wanted.first().first().toString(), QStringLiteral("run"));
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 20'000);
        test.run.stop();
        owner->wait();
        QCOMPARE(owner->snapshot().state, session::RunState::kStopped);
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
    }

    // By a window, too, whose own engine is simulated.
    void aWatchedRunIsNamedAndEndedAsWhatItIs() {
        const RunProject made;
        session::RunSpec spec = session::readRunSpec(runs::RunFiles{made.out}.spec());
        spec.name = "Of the command line";
        session::writeRunSpec(spec, runs::RunFiles{made.out}.spec());
        auto owner = made.host(made.out.string());
        owner->start({spec, {}});
        QTRY_VERIFY_WITH_TIMEOUT(owner->snapshot().step >= 1, 20'000);
        testing::TestServices test;
        test.useSimulatedEngine(5);
        MainWindow window(test.services());
        window.engineLoaded({}, true);
        window.show();
        ui::pages::watchRun(&window, test.services(), made.out, [&] { window.showPage(QStringLiteral("run")); });
        QTRY_VERIFY_WITH_TIMEOUT(test.run.isRunning(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(window, "Of the command line · "), 20'000);
        QVERIFY(!window.close());
        const auto* box = window.findChild<QMessageBox*>();
        QVERIFY(testing::shows(*box, "It can go on without this window; the page Runs shows it again"));
        QTest::mouseClick(testing::buttonOf(*box, "Stop, save and close"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 20'000);
        owner->wait();
        QCOMPARE(owner->snapshot().state, session::RunState::kStopped);
    }

    void oneThatNobodyCanFollowIsSaidSo() {
        const RunProject made;
        testing::TestServices test;
        runs::linkRun(made.out, test.home.path() / "runs");
        const runs::RunLock lock(made.out);
        ui::pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 1);
        actionOf(page, "Watch")->trigger();
        QMessageBox* box = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((box = page.findChild<QMessageBox*>()) != nullptr, 20'000);
        QVERIFY(box->text().contains(QLatin1String("cannot be followed")));
        QVERIFY(!test.run.isRunning());
    }

private:
    static QAction* actionOf(ui::pages::RunsPage& page, const char* text) {
        for (QAction* action : page.table().actions())
            if (action->text() == QLatin1String(text)) return action;
        return nullptr;
    }
};

QTEST_MAIN(TestWatchedRun)
#include "tst_watched_run.moc"
