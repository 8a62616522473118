// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is under way, on its page.
#include "running_page.h"
#include "trace/analysis/statistics.h"
#include "ui/charts/run_history.h"
#include "ui/pages/run/chart_card.h"
#include "ui/pages/run/findings_pane.h"
#include "ui/pages/run/run_tiles.h"
#include "ui/pages/run/samples_pane.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace roundpipe;
using testing::RunningPage;
using testing::shows;
using ui::charts::Quantity;
namespace bridge = ui::bridge;
using ui::pages::RunPage;

class TestRunPage : public QObject {
    Q_OBJECT

private slots:
    void everyChartCanBeChosenAndIsRemembered() {
        RunningPage running(100'000);
        auto* card = running.page.findChild<ui::pages::ChartCard*>();
        auto* choice = card->findChild<QComboBox*>();
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            emit choice->activated(i);
            QCoreApplication::processEvents();
        }
        QCOMPARE(card->quantity(), std::optional(Quantity::kMemoryClock));
        const RunPage again(running.test.services());
        QCOMPARE(again.findChild<ui::pages::ChartCard*>()->quantity(), std::optional(Quantity::kMemoryClock));
    }

    void answersAreKeptByStep() {
        ui::pages::SamplesPane pane;
        pane.show();
        pane.setPrompts({QStringLiteral("Who?"), QStringLiteral("What?")});
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("base"), false, 0);
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at ten"), true, 10);
        auto* steps = pane.findChild<QComboBox*>();
        QVERIFY(!steps->isVisible()); // nothing to choose
        QVERIFY(shows(pane, "base") && shows(pane, "at ten"));
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at twenty"), true, 20);
        QVERIFY(steps->isVisible());
        QVERIFY(shows(pane, "base") && shows(pane, "at twenty") && !shows(pane, "at ten"));
        steps->setCurrentIndex(1);
        QVERIFY(shows(pane, "at ten") && !shows(pane, "at twenty"));
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at thirty"), true, 30);
        QVERIFY(shows(pane, "at ten")); // what was chosen stays
        pane.setPrompts({});
        QVERIFY(!steps->isVisible());
    }

    void sampleNowAddsAnswers() {
        RunningPage running(100'000);
        running.test.commands.sample()->trigger();
        auto* steps = running.page.findChild<ui::pages::SamplesPane*>()->findChild<QComboBox*>();
        QTRY_VERIFY_WITH_TIMEOUT(steps->count() == 1, 10'000);
        const QString first = steps->itemText(0);
        QTRY_VERIFY_WITH_TIMEOUT(running.test.run.snapshot().state == session::RunState::kTraining, 10'000);
        running.test.commands.sample()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(steps->count() == 2, 10'000);
        QVERIFY(steps->itemText(1) == first);
    }

    void aSpikeOfTheLossIsFoundOnTheTimeline() {
        RunningPage running(100'000, 5, 5);
        running.page.showStepOnTimeline(3);
        const auto& view = running.page.timelineView().plot().scene().view;
        const auto& store = running.test.run.store();
        const auto& session = store.slices(store.lanes().back().id);
        const trace::Record* step = nullptr;
        for (std::size_t i = 0; i < session.size(); ++i)
            if (session[i].kind == trace::Kind::kStep && session[i].step == 2) step = &session[i];
        QVERIFY(step != nullptr);
        const int64_t spanNs = step->endNs - step->startNs;
        const trace::Record wanted = *step;                                            // the store grows meanwhile
        QTRY_VERIFY(view.beginNs() <= wanted.startNs && wanted.endNs <= view.endNs()); // zooms may glide
        QTRY_VERIFY(view.spanNs() < 2 * spanNs);
        QVERIFY(!running.page.timelineView().plot().navigation().isFollowing());
    }

    void foldedThePageIsTheTimelines() {
        RunningPage running(100'000);
        auto& timeline = running.page.timelineView();
        QCoreApplication::processEvents();
        const int before = timeline.height();
        QVERIFY2(before > 0.42 * running.page.height(), qPrintable(QString::number(before)));
        QTest::keyClick(&running.page, Qt::Key_F11);
        QVERIFY(running.page.isFolded());
        QTRY_VERIFY(timeline.height() > before + 150);
        QVERIFY(!running.page.findChild<ui::pages::RunTiles*>()->isVisible());
        QTest::keyClick(&running.page, Qt::Key_F11);
        QTRY_VERIFY(std::abs(timeline.height() - before) <= 1); // a splitter rounds
    }

    void aLowWindowLeavesTheTimelineItsRoom() {
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1000, 540);
        page.show();
        QVERIFY(!page.findChild<ui::pages::FindingsPane*>()->isVisible());
        QVERIFY(page.timelineView().height() > 250);
        page.resize(1000, 700);
        QTRY_VERIFY(page.findChild<ui::pages::FindingsPane*>()->isVisible());
    }

    void keysReachTheTimelineAtOnce() {
        testing::TestServices test;
        RunPage page(test.services());
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&page.timelineView().plot()));
    }

    void slashSearchesWhateverHasTheFocus() {
        testing::TestServices test;
        RunPage page(test.services());
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        auto* tabs = page.findChild<QTabWidget*>();
        tabs->tabBar()->setFocus();
        QTest::keyClick(tabs->tabBar(), Qt::Key_Slash);
        QVERIFY(QApplication::focusWidget() != nullptr);
        QCOMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Find slices"));
    }

    void keysStayWithTheTimelineWhenARunIsStartedHere() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        RunPage page(test.services());
        test.document.open(project.runFile());
        test.useSimulatedEngine(5);
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QPushButton* start = testing::buttonOf(page, "Start");
        start->setFocus();
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(test.run.isRunning() && !start->isVisible());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&page.timelineView().plot()));
        test.commands.discard()->trigger();
    }

    void tabGoesAsOneReads() {
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1200, 800);
        page.show();
        std::vector<QWidget*> chain;
        for (QWidget* next = page.nextInFocusChain(); next != &page; next = next->nextInFocusChain())
            chain.push_back(next);
        const auto placeOf = [&](QWidget* widget) { return std::ranges::find(chain, widget) - chain.begin(); };
        QPushButton* start = page.findChild<QPushButton*>(QStringLiteral("primary"));
        auto* choice = page.findChild<ui::pages::ChartCard*>()->findChild<QComboBox*>();
        auto* tabs = page.findChild<QTabWidget*>();
        auto* plot = &page.timelineView().plot();
        QVERIFY(placeOf(start) < placeOf(choice));
        QVERIFY(placeOf(choice) < placeOf(tabs));
        QVERIFY(placeOf(tabs) < placeOf(plot));
        QVERIFY(placeOf(plot) < std::ssize(chain));
    }

    // Before anything has run: a step as it is predicted, which gives way to the run's own trace.
    void beforeTheFirstStepThePredictionIsOnShow() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1200, 800);
        page.show();
        auto& plot = page.timelineView().plot();
        QVERIFY(plot.scene().store->empty());
        test.plan.setRig("2x4090");
        test.document.open(project.runFile());
        test.document.change(QStringLiteral("devices"), [](session::RunSpec& spec) { spec.engine.devices = {"auto"}; });
        QTRY_VERIFY_WITH_TIMEOUT(!plot.scene().store->empty() && !test.plan.isOld(), 20'000);
        QVERIFY(plot.graphicsEffect() != nullptr);
        page.resize(1000, 700); // it is seen whole in any size
        const auto seesAll = [&] {
            const auto& view = plot.scene().view;
            const trace::LaneStore& store = *plot.scene().store;
            return view.beginNs() <= store.beginNs() && store.endNs() <= view.endNs();
        };
        QTRY_VERIFY(seesAll());
        QVERIFY(shows(page, "Predicted step") && shows(page, "as predicted for 2 ×"));
        const plan::Simulated& step = test.plan.answer()->choice.step; // what Plan says of it
        const trace::LaneStore& seen = *plot.scene().store;
        const trace::RangeStatistics numbers = trace::statisticsOf(seen, seen.beginNs(), seen.endNs());
        double bubble = 0;
        for (const trace::DeviceStatistics& device : numbers.devices)
            bubble += device.bubbleShare / static_cast<double>(numbers.devices.size());
        QVERIFY2(std::abs(1e-9 * static_cast<double>(numbers.durationNs()) - step.stepSeconds) <
                     0.01 * step.stepSeconds, // the planner may have measured more steps
                 qPrintable(QStringLiteral("%1 ns, %2 s").arg(numbers.durationNs()).arg(step.stepSeconds)));
        QVERIFY2(std::abs(bubble - step.bubbleShare) < 0.01,
                 qPrintable(QStringLiteral("%1, %2").arg(bubble).arg(step.bubbleShare)));
        test.run.setEngine(session::makeSimulatedEngine({.speed = 5, .automatic = "2x4090"}));
        QVERIFY(!plot.hasPlanned());
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 20'000);
        const plan::Plan& foreseen = test.plan.answer()->choice.plan;
        const plan::Plan& ran = test.run.plan()->plan;
        const bool asPlanned = foreseen.forward == ran.forward && foreseen.fused == ran.fused &&
                               foreseen.backward == ran.backward && foreseen.deviceTable == ran.deviceTable;
        QTRY_COMPARE(plot.hasPlanned(), asPlanned); // then it can be held against its plan
        QCOMPARE(plot.scene().store, &test.run.store());
        QVERIFY(plot.graphicsEffect() == nullptr);
        QVERIFY(!shows(page, "Predicted step") && !shows(page, "as predicted"));
        test.commands.discard()->trigger();
    }

    // Not what came after them: answers to the prompts, for which the lanes are empty.
    void afterTheEndTheLastStepsAreOnShow() {
        RunningPage running(8);
        const bridge::RunController& run = running.test.run;
        QTRY_VERIFY_WITH_TIMEOUT(!run.isRunning(), 20'000);
        QCOMPARE(run.snapshot().state, session::RunState::kFinished);
        const trace::LaneStore& store = run.store();
        const auto& plot = running.page.timelineView().plot();
        const auto& view = plot.scene().view;
        const auto lastEndNs = ui::timeline::newestStepEndNs(store);
        QVERIFY(lastEndNs && *lastEndNs + ui::timeline::newestStepsNs(store) / 3 < store.endNs());
        QTRY_VERIFY(view.endNs() >= *lastEndNs && view.endNs() - *lastEndNs < view.spanNs() / 10);
        QVERIFY(view.spanNs() >= ui::timeline::newestStepsNs(store));
        QVERIFY(!plot.navigation().isFollowing());
    }

    void messagesAreKept() {
        RunningPage running(100'000);
        running.test.run.validateNow();
        const auto* log = running.page.findChild<QPlainTextEdit*>();
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(QLatin1String("validation loss")), 10'000);
        QVERIFY(log->toPlainText().contains(QLatin1String("simulated")));
    }
};

QTEST_MAIN(TestRunPage)
#include "tst_run_page.moc"
