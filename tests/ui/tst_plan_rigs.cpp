// SPDX-License-Identifier: GPL-3.0-or-later
// The same run on other rigs.
#include "shown_plan_page.h"
#include "ui/pages/plan/rig_table.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <utility>

using namespace roundpipe;

class TestPlanRigs : public QObject {
    Q_OBJECT

private slots:
    void otherRigsAreWorkedOutAnewWithEachChange() {
        testing::ShownPlanPage bench;
        const auto* rigs = bench.find<ui::pages::RigTable>();
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), rigs->numRows(), 120'000);
        bench.document.change({}, [](session::RunSpec& spec) { spec.data.maxLength = 4096; });
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(*rigs, "being worked out…"), 10'000);
        QVERIFY(!testing::shows(*rigs, "tokens/s")); // of the settings before
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), rigs->numRows(), 120'000);
        QVERIFY(!testing::shows(*rigs, "being worked out…"));
    }

    // Which may come in after the next question has been put, and would stand beside its own rig's new time.
    void otherRigsTakeNoAnswerToTheQuestionOfBefore() {
        struct Scripted : session::Planner {
            uint64_t numAsked = 0;
            std::vector<session::PlanUpdate> updates;
            uint64_t ask(session::PlanQuestion, const std::string&) override { return ++numAsked; }
            void cancel() override {}
            std::vector<session::PlanUpdate> takeUpdates() override { return std::exchange(updates, {}); }
        };
        auto owned = std::make_unique<Scripted>();
        Scripted& planner = *owned;
        ui::pages::RigTable rigs(std::move(owned));
        rigs.ask({}, "this", nullptr);
        QTRY_COMPARE(planner.numAsked, uint64_t{1});
        rigs.ask({}, "this", nullptr);
        planner.updates = {{1, true, nullptr, "of before", {}, {}}};
        QTRY_VERIFY(planner.updates.empty());
        QCOMPARE(rigs.numAnswered(), 0);
        QTRY_COMPARE(planner.numAsked, uint64_t{2});
        planner.updates = {{2, true, nullptr, "of now", {}, {}}};
        QTRY_COMPARE(rigs.numAnswered(), 1);
    }

    void whatARigLacksIsSaid() {
        testing::ShownPlanPage bench;
        auto* rigs = bench.find<ui::pages::RigTable>();
        rigs->add(QStringLiteral("1x4090,ram=8"));
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), rigs->numRows(), 120'000);
        QTRY_VERIFY(testing::shows(*rigs, "does not fit: the host needs "));
    }

    void otherRigsAreComparedAndShown() {
        testing::ShownPlanPage bench;
        auto* rigs = bench.find<ui::pages::RigTable>();
        const int before = rigs->numRows();
        auto* input = rigs->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("3x4090,ram=200"));
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(rigs->numRows(), before + 1);
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), before + 1, 120'000);
        QVERIFY(testing::shows(*rigs, "tokens/s"));
        QSignalSpy wanted(rigs, &ui::pages::RigTable::rigWanted);
        QPushButton* row = nullptr;
        for (QPushButton* button : rigs->findChildren<QPushButton*>())
            if (button->text() == QLatin1String("8x4090")) row = button;
        QVERIFY(row != nullptr);
        QTest::mouseClick(row, Qt::LeftButton);
        QCOMPARE(bench.plan.rig(), std::string("8x4090"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QCOMPARE(bench.plan.answer()->rig.numDevices(), 8);
    }
};

QTEST_MAIN(TestPlanRigs)
#include "tst_plan_rigs.moc"
