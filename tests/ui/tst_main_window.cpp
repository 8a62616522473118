#include "data/workbench/local_workbench.h"
#include "demo_project.h"
#include "session/simulated_engine.h"
#include "ui/pages/run_page.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/answers_pane.h"

#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <cstdlib>

using namespace roundpipe;
using ui::shell::MainWindow;

class TestMainWindow : public QObject {
    Q_OBJECT

private:
    ui::theme::ThemeManager m_themes{*qApp};
    ui::bridge::WorkbenchController m_workbench{data::makeLocalWorkbench()};

    static QStringList textsOf(const QWidget& widget) {
        QStringList texts;
        for (const QLabel* label : widget.findChildren<QLabel*>())
            if (label->isVisibleTo(&widget)) texts.append(label->text());
        return texts;
    }
    static bool shows(const QWidget& widget, const char* part) {
        return !textsOf(widget).filter(QString::fromUtf8(part)).isEmpty();
    }
    static QPushButton* startButton(const MainWindow& window) {
        return window.findChild<QPushButton*>(QStringLiteral("primary"));
    }

private slots:
    void opensInUnderASecondWithoutAnEngine() {
        const testing::DemoProject project(5);
        QElapsedTimer timer;
        timer.start();
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        QSignalSpy painted(&window, &MainWindow::firstPainted);
        window.show();
        QTRY_COMPARE_WITH_TIMEOUT(painted.size(), 1, 5'000);
        qInfo("first paint after %lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY(timer.elapsed() < 1'000);
        QVERIFY(!window.startAction()->isEnabled());
        QVERIFY(startButton(window)->text().contains(QLatin1String("Loading")));
        QVERIFY(shows(window, "Test run"));
    }

    void startsAndStopsTheSimulatedDemo() {
        const testing::DemoProject project(100'000);
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        window.show();
        controller.setEngine(session::makeSimulatedEngine({.speed = 5}));
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        QVERIFY(window.windowTitle().contains(QLatin1String("simulated")));
        QVERIFY(window.startAction()->isEnabled());
        QTest::mouseClick(startButton(window), Qt::LeftButton);
        QVERIFY(controller.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(controller.snapshot().step >= 3, 10'000);
        QVERIFY(!window.startAction()->isEnabled());
        QVERIFY(shows(window, "tokens/s"));
        QVERIFY(shows(window, "nothing is trained"));
        window.stopAction()->trigger();
        QVERIFY(!window.stopAction()->isEnabled() || !controller.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QTRY_VERIFY(window.startAction()->isEnabled());
        QVERIFY(shows(window, "Stopped"));
    }

    void showsAnswersBeforeAndAfter() {
        const testing::DemoProject project(2);
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        window.show();
        controller.setEngine(session::makeSimulatedEngine({.speed = 20}));
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        window.startAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        const auto* pane = window.findChild<ui::widgets::AnswersPane*>();
        QVERIFY(pane != nullptr);
        QCOMPARE(textsOf(*pane).filter(QStringLiteral("What the base model answers")).size(), 2);
        QCOMPARE(textsOf(*pane).filter(QStringLiteral("What the tuned model")).size(), 2);
    }

    void errorsAreShownWithAdviceAndTheWindowGoesOn() {
        const testing::DemoProject project(5);
        std::filesystem::remove(project.folder() / "model" / "config.json");
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        window.show();
        controller.setEngine(session::makeSimulatedEngine());
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        window.startAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "config.json"), 5'000);
        QTRY_VERIFY(window.startAction()->isEnabled());
        QVERIFY(shows(window, "Failed"));
    }

    void aBrokenRunFileIsShownNotThrown() {
        const testing::DemoProject project(5);
        writeFileAtomically(project.runFile(), R"({"lora": {"rnk": 3}})");
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.show();
        window.openProjectFile(project.runFile());
        QVERIFY(shows(window, "rnk"));
        QVERIFY(!window.hasProject());
    }

    void aMissingEngineIsExplainedAndTheSimulatedOneOffered() {
        const testing::DemoProject project(5);
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        window.show();
        bool accepted = false;
        window.engineFailed(QStringLiteral("libtorch_cpu.so: cannot open"), [&] { accepted = true; });
        QVERIFY(shows(window, "libtorch_cpu.so"));
        for (QPushButton* button : window.findChildren<QPushButton*>())
            if (button->text().contains(QLatin1String("simulated"))) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(accepted);
    }

    void exportsTheTraceWithoutBlocking() {
        const testing::DemoProject project(4);
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.openProjectFile(project.runFile());
        window.show();
        controller.setEngine(session::makeSimulatedEngine({.speed = 20}));
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        window.startAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        const std::filesystem::path file = project.folder() / "trace.json";
        window.exportTraceTo(QString::fromStdString(file.string()));
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "Trace written"), 10'000);
        QVERIFY(std::filesystem::file_size(file) > 10'000);
        window.exportTraceTo(QStringLiteral("/nowhere/at/all/trace.json"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "not written"), 10'000);
    }

    void outputGoesToTheUsersDataFolderWhenNoneIsNamed() {
        const testing::TemporaryFolder home;
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(home.path().string()));
        ui::shell::Project project;
        project.file = "/some/where/demo/run.json";
        const std::string folder = ui::shell::specForNewRun(project).output.folder;
        qunsetenv("XDG_DATA_HOME");
        QVERIFY(folder.starts_with((home.path() / "roundpipe" / "runs" / "demo-").string()));
        project.spec.output.folder = "/named";
        QCOMPARE(ui::shell::specForNewRun(project).output.folder, std::string("/named"));
    }

    // What the Studio holds beside the engine, in builds with and without one.
    void opensADatasetBeforeThereIsAnEngine() {
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        session::RunSpec spec = session::readRunSpec(testing::sourceFolder() / "resources" / "demo" / "run.json");
        spec.data.cache = false;
        window.workbench().open(spec);
        QTRY_COMPARE_WITH_TIMEOUT(window.workbench().status().state, session::WorkbenchState::kReady, 20'000);
        QCOMPARE(window.workbench().status().report->refusal, std::string());
        QVERIFY(window.workbench().status().report->numTrained > 1'000);
    }

    void themesSwitchWhileARunIsOnShow() {
        ui::bridge::RunController controller;
        MainWindow window(controller, m_workbench, m_themes);
        window.show();
        m_themes.choose(ui::theme::Choice::kDark);
        const QColor dark = window.grab().toImage().pixelColor(4, 300);
        m_themes.choose(ui::theme::Choice::kLight);
        const QColor light = window.grab().toImage().pixelColor(4, 300);
        QVERIFY(dark.lightness() < 60);
        QVERIFY(light.lightness() > 200);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
