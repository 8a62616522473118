// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_lock.h"
#include "runs/some_run.h"
#include "session/spec/run_spec_fields.h"
#include "test_services.h"
#include "ui/models/machine_text.h"
#include "ui/pages/start/start_page.h"
#include "ui/theme/theme.h"

#include <QMessageBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

using namespace roundpipe;
using testing::buttonOf;
using testing::shows;
using ui::pages::StartPage;

namespace {

// Its process was killed so many hours ago.
std::filesystem::path makeInterrupted(const testing::TestServices& test, const char* name, int hoursAgo) {
    const std::filesystem::path folder = test.home.path() / "runs" / name;
    runs::makeRun(folder, {.name = name, .state = session::RunState::kTraining});
    const std::filesystem::path lock = runs::RunFiles{folder}.lock();
    const runs::RunLock wasHeld(folder);
    std::filesystem::last_write_time(lock, std::filesystem::last_write_time(lock) - std::chrono::hours(hoursAgo));
    return folder;
}

// For a list from now on: one that was asked for before may be on its way.
void waitForRuns(testing::TestServices& test) {
    bool isListed = false;
    QObject asker;
    test.runLibrary.refresh();
    test.runLibrary.perform([](runs::RunLibrary&) {}, asker, [&] { isListed = true; });
    QTRY_VERIFY(isListed);
}

} // namespace

class TestStartPage : public QObject {
    Q_OBJECT

private slots:
    void offersTheDemoWithOneButtonAndLeavesNoFileBehind() {
        testing::TestServices test;
        StartPage page(test.services());
        page.show();
        QSignalSpy wanted(&page, &StartPage::pageWanted);
        QTest::mouseClick(buttonOf(page, "Train Polly"), Qt::LeftButton);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("run"));
        QCOMPARE(test.document.name(), QStringLiteral("Polly the parrot"));
        QVERIFY(!test.run.isRunning()); // there is no engine yet
        test.useSimulatedEngine(50);    // as soon as there is
        QVERIFY(test.run.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 30'000);
        QCOMPARE(test.run.snapshot().state, session::RunState::kFinished);
        QVERIFY(test.document.file().empty());
    }

    void letsOneLookAtTheDemoFirst() {
        testing::TestServices test;
        StartPage page(test.services());
        page.show();
        QSignalSpy wanted(&page, &StartPage::pageWanted);
        QTest::mouseClick(buttonOf(page, "Look at the project first"), Qt::LeftButton);
        QCOMPARE(test.document.name(), QStringLiteral("Polly the parrot"));
        QCOMPARE(wanted.size(), 1);
        test.useSimulatedEngine(50);
        QVERIFY(!test.run.isRunning());
    }

    void makesAnEmptyProject() {
        testing::TestServices test;
        const testing::DemoProject project(5);
        test.document.open(project.runFile());
        StartPage page(test.services());
        page.show();
        QTest::mouseClick(buttonOf(page, "New project"), Qt::LeftButton);
        QVERIFY(session::differingFields(test.document.spec(), {}).empty());
    }

    // What can be opened is the window's to know: the same question as the menu's.
    void openIsTheWindowsQuestion() {
        testing::TestServices test;
        StartPage page(test.services());
        page.show();
        QSignalSpy wanted(&page, &StartPage::openWanted);
        QTest::mouseClick(buttonOf(page, "Open…"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
    }

    void standsInTheMiddleOfAWideWindow() {
        testing::TestServices test;
        QWidget window;
        auto* in = new QVBoxLayout(&window);
        in->setContentsMargins(0, 0, 0, 0);
        auto* made = new StartPage(test.services());
        StartPage& page = *made;
        in->addWidget(made);
        window.resize(2600, 1100);
        window.show();
        QWidget* train = buttonOf(page, "Train Polly");
        QWidget* create = buttonOf(page, "New project");
        const auto* drop = create->parentWidget();
        const auto* demo = train->parentWidget();
        const auto left = [&] { return demo->mapTo(&page, QPoint()).x(); };
        const auto right = [&] { return page.width() - drop->mapTo(&page, QPoint(drop->width(), 0)).x(); };
        QTRY_VERIFY(left() > 300);
        QCOMPARE(left(), right());
        window.resize(1000, 800); // it shrinks at once
        QTRY_COMPARE(left(), ui::theme::kMargin);
        QCOMPARE(right(), ui::theme::kMargin);
        window.resize(1000, 260); // it scrolls: the bar stands in the margin
        QTRY_VERIFY(page.findChild<QScrollArea*>()->verticalScrollBar()->isVisible());
        QTRY_COMPARE(right(), ui::theme::kMargin);
    }

    // As large as common screens have it; on the largest, air is left below and not between lines.
    void usesTheRoomOfALargeWindow_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1072, 740), QSize(1712, 1020), QSize(2352, 1380)})
            QTest::addRow("%d", size.width()) << size;
    }
    void usesTheRoomOfALargeWindow() {
        QFETCH(QSize, size);
        testing::TestServices test;
        StartPage page(test.services());
        page.resize(size);
        page.show();
        const auto* area = page.findChild<QScrollArea*>();
        QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
        const QWidget* content = area->widget();
        QVERIFY2(content->width() >= std::min(size.width() - 60, 1700), qPrintable(QString::number(content->width())));
        int lowest = 0;
        for (const auto* card : content->findChildren<QFrame*>(QStringLiteral("card")))
            lowest = std::max(lowest, card->mapTo(content, QPoint(0, card->height())).y());
        QVERIFY2(lowest >= std::min(content->height(), 996), qPrintable(QString::number(lowest)));
        for (const auto* line : content->findChildren<QPushButton*>(QStringLiteral("way")))
            QVERIFY2(line->height() <= 80, qPrintable(line->accessibleName()));
    }

    // Who is here for the first time sees the way through a project, who has been here their projects.
    void theWayGivesPlaceToTheProjectsOfBefore() {
        testing::TestServices test;
        StartPage page(test.services());
        page.show();
        const auto lineTo = [&](const char* name) -> QPushButton* {
            for (QPushButton* button : page.findChildren<QPushButton*>(QStringLiteral("way")))
                if (button->isVisibleTo(&page) && button->accessibleName() == QLatin1String(name)) return button;
            return nullptr;
        };
        QSignalSpy wanted(&page, &StartPage::pageWanted);
        QTest::mouseClick(lineTo("2  Data"), Qt::LeftButton);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("data"));
        QTest::mouseClick(lineTo("A playground"), Qt::LeftButton);
        QCOMPARE(wanted[1][0].toString(), QStringLiteral("playground"));
        const testing::DemoProject project(5);
        test.preferences.addRecentProject(QString::fromStdString(project.runFile().string()));
        QVERIFY(lineTo("2  Data") == nullptr && lineTo("A playground") != nullptr);
    }

    void saysWhatMachineThisIs() {
        const testing::TemporaryFolder proc;
        const auto write = [&](const char* name, const char* text) {
            std::filesystem::create_directories((proc.path() / name).parent_path());
            writeFileAtomically(proc.path() / name, text);
        };
        QVERIFY(ui::models::machineText(proc.path()).contains(QLatin1String("no NVIDIA GPU")));
        write("cpuinfo", "processor\t: 0\nmodel name\t: x\n\nprocessor\t: 1\n");
        write("meminfo", "MemTotal:       67108864 kB\nMemFree: 5 kB\n");
        write("driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ: 1\n");
        write("driver/nvidia/gpus/0000:02:00.0/information", "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ: 2\n");
        const QString text = ui::models::machineText(proc.path());
        for (const char* part : {"2 × NVIDIA GeForce RTX 4090", "2 processor thread", "64.0\u00a0GiB of memory"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
        QCOMPARE(text.count(QChar(QChar::Nbsp) + QStringLiteral("· ")), 2); // no line begins with the point
        testing::TestServices test;
        StartPage page(test.services());
        page.show();
        QVERIFY(shows(page, "This machine: "));
    }

    void listsTheProjectsOfBefore() {
        testing::TestServices test;
        const testing::DemoProject project(5);
        StartPage page(test.services());
        page.show();
        QVERIFY(!shows(page, "Recent projects"));
        test.preferences.addRecentProject(QString::fromStdString(project.runFile().string()));
        test.preferences.addRecentProject(QStringLiteral("/gone/run.json"));
        QVERIFY(shows(page, "Recent projects"));
        QVERIFY(!shows(page, "/gone"));
        auto* recent = page.findChild<QPushButton*>(QStringLiteral("recent"));
        QVERIFY(recent->accessibleName().contains(QString::fromStdString(project.folder().filename().string())));
        QTest::mouseClick(recent, Qt::LeftButton);
        QCOMPARE(test.document.name(), QStringLiteral("Test run"));
    }

    void offersToGoOnWithWhatACrashLeft() {
        testing::TestServices test;
        makeInterrupted(test, "older", 30);
        const std::filesystem::path folder = makeInterrupted(test, "newest", 1);
        makeInterrupted(test, "of last month", 24 * 30);
        runs::makeRun(test.home.path() / "runs" / "stopped", {.name = "stopped", .state = session::RunState::kStopped});
        StartPage page(test.services());
        page.resize(1040, 700);
        page.show();
        page.activateWindow();
        QPushButton* train = buttonOf(page, "Train Polly");
        train->setFocus();
        QVERIFY(buttonOf(page, "Continue…") == nullptr); // the list is read beside
        QTRY_VERIFY(buttonOf(page, "Continue…") != nullptr);
        QCOMPARE(page.focusWidget(), train);
        QVERIFY(shows(page, "“newest” was interrupted after step 4, "));
        QVERIFY(shows(page, "its checkpoint of step 3"));
        QVERIFY(shows(page, "1 other run(s) were interrupted, too."));
        QSignalSpy wanted(&page, &StartPage::pageWanted);
        QTest::mouseClick(buttonOf(page, "Show all runs"), Qt::LeftButton);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("runs"));
        QCOMPARE(wanted[0][1].toString(), QString::fromStdString(folder.string()));
        QTest::mouseClick(buttonOf(page, "Continue…"), Qt::LeftButton);
        QTRY_VERIFY(page.findChild<QMessageBox*>() != nullptr);
        QCOMPARE(page.findChild<QMessageBox*>()->windowTitle(), QStringLiteral("Continue the run"));
    }

    // There or not, by the run's own state.
    void theOfferGoesWithTheRun() {
        testing::TestServices test;
        const std::filesystem::path folder = makeInterrupted(test, "newest", 1);
        StartPage page(test.services());
        page.show();
        QTRY_VERIFY(buttonOf(page, "Continue…") != nullptr);
        {
            const runs::RunLock goesOn(folder); // in another process
            waitForRuns(test);
            QVERIFY(buttonOf(page, "Continue…") == nullptr);
        }
        waitForRuns(test);
        QVERIFY(buttonOf(page, "Continue…") != nullptr);
        std::filesystem::remove_all(folder);
        page.hide();
        page.show(); // looks again
        QTRY_VERIFY(buttonOf(page, "Continue…") == nullptr);
    }

    void nothingIsOfferedWhileARunIsUnderWay() {
        testing::TestServices test;
        makeInterrupted(test, "newest", 1);
        StartPage page(test.services());
        page.show();
        QTRY_VERIFY(buttonOf(page, "Continue…") != nullptr);
        test.useSimulatedEngine(1);
        QTest::mouseClick(buttonOf(page, "Train Polly"), Qt::LeftButton);
        QTRY_VERIFY(buttonOf(page, "Continue…") == nullptr);
        waitForRuns(test);
        QVERIFY(buttonOf(page, "Continue…") == nullptr);
        test.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
    }

    void withoutACheckpointItIsOnlyShown() {
        testing::TestServices test;
        const std::filesystem::path folder = makeInterrupted(test, "newest", 1);
        std::filesystem::remove_all(runs::RunFiles{folder}.checkpoints());
        StartPage page(test.services());
        page.show();
        QTRY_VERIFY(shows(page, "no checkpoint yet"));
        QVERIFY(buttonOf(page, "Continue…") == nullptr && buttonOf(page, "Show all runs") != nullptr);
    }

    // At this start and the next, until the run goes on and is interrupted once more.
    void whatIsDismissedIsNotOfferedAgain() {
        testing::TestServices test;
        makeInterrupted(test, "older", 30);
        makeInterrupted(test, "newest", 2);
        StartPage page(test.services());
        page.show();
        QTRY_VERIFY(buttonOf(page, "✕") != nullptr);
        QTest::mouseClick(buttonOf(page, "✕"), Qt::LeftButton);
        StartPage next(test.services());
        next.show();
        waitForRuns(test);
        for (const StartPage* one : {&page, &next})
            QVERIFY(buttonOf(*one, "Continue…") == nullptr);
        makeInterrupted(test, "newest", 1);
        waitForRuns(test);
        QVERIFY(shows(next, "“newest” was interrupted") && !shows(next, "other run"));
    }

    void tabReachesEverythingInReadingOrder() {
        testing::TestServices test;
        const testing::DemoProject project(5);
        test.preferences.addRecentProject(QString::fromStdString(project.runFile().string()));
        StartPage page(test.services());
        page.show();
        page.activateWindow();
        buttonOf(page, "Train Polly")->setFocus();
        QStringList texts;
        for (int i = 0; i < 5; ++i) {
            const auto* button = qobject_cast<QPushButton*>(page.focusWidget());
            QVERIFY(button != nullptr);
            texts.append(button->objectName() == QLatin1String("recent") ? QStringLiteral("recent") : button->text());
            QTest::keyClick(page.focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(texts.join(QLatin1Char('|')),
                 QStringLiteral("Train Polly|Look at the project first|New project|Open…|recent"));
    }
};

QTEST_MAIN(TestStartPage)
#include "tst_start_page.moc"
