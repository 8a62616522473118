// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/workbench/local_workbench.h"
#include "testing/fixtures.h"
#include "ui/bridge/workbench_controller.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace roundpipe;
using session::WorkbenchState;
using ui::bridge::WorkbenchController;

class TestWorkbenchController : public QObject {
    Q_OBJECT

private:
    static session::RunSpec demo() {
        session::RunSpec spec = session::readRunSpec(testing::sourceFolder() / "resources" / "demo" / "run.json");
        spec.data.cache = false;
        return spec;
    }

private slots:
    void reportsOnADatasetAndRestsThen() {
        WorkbenchController controller(data::makeLocalWorkbench());
        QSignalSpy changes(&controller, &WorkbenchController::statusChanged);
        QCOMPARE(controller.status().state, WorkbenchState::kEmpty);
        controller.open(demo());
        QCOMPARE(controller.status().state, WorkbenchState::kOpening);
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kReady, 20'000);
        QVERIFY(controller.status().report->isComplete);
        QCOMPARE(controller.status().report->numRows, int64_t(480));
        QTest::qWait(100);
        const auto before = changes.size();
        QTest::qWait(200);
        QCOMPARE(changes.size(), before);
    }

    void knowsNothingOfWhatItWasToldToForget() {
        WorkbenchController controller(data::makeLocalWorkbench());
        controller.open(demo());
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kReady, 20'000);
        QSignalSpy answers(&controller, &WorkbenchController::answered);
        controller.requestRows({0, 1}, 10);
        controller.forget();
        QCOMPARE(controller.status().state, WorkbenchState::kEmpty);
        QVERIFY(controller.status().report == nullptr);
        QTest::qWait(200);
        QVERIFY(controller.status().report == nullptr && answers.isEmpty());
        controller.open(demo());
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kReady, 20'000);
    }

    void answersRequestsByTheirNumbers() {
        WorkbenchController controller(data::makeLocalWorkbench());
        std::vector<session::WorkbenchResult> results;
        connect(&controller, &WorkbenchController::answered, this,
                [&](const session::WorkbenchResult& result) { results.push_back(result); });
        controller.open(demo());
        const uint64_t rows = controller.requestRows({0, 479}, 10);
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kReady, 20'000);
        const uint64_t lens = controller.requestLens({0, 1}); // after it has come to rest
        QTRY_COMPARE_WITH_TIMEOUT(results.size(), std::size_t(2), 20'000);
        QCOMPARE(results[0].request, rows);
        QCOMPARE(std::get<session::RowsResult>(results[0].value).rows.size(), std::size_t(2));
        QCOMPARE(results[1].request, lens);
        const auto& tokens = std::get<session::TokenLens>(results[1].value).tokens;
        QVERIFY(std::ranges::count(tokens, true, &session::LensToken::isTrained) > 5);
    }

    void opensAnotherDatasetFromAnAnswer() {
        WorkbenchController controller(data::makeLocalWorkbench());
        int numAnswers = 0;
        connect(&controller, &WorkbenchController::answered, this, [&] {
            if (++numAnswers == 1) controller.open(demo());
        });
        controller.open(demo());
        controller.requestRows({0, 1}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(numAnswers == 1, 20'000);
        controller.requestRows({0, 1}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(numAnswers == 2, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kReady, 20'000);
    }

    void tellsWhatIsWrong() {
        session::RunSpec spec = demo();
        spec.data.datasets.front().files = {"/no/such/file.jsonl"};
        WorkbenchController controller(data::makeLocalWorkbench());
        controller.open(spec);
        QTRY_COMPARE_WITH_TIMEOUT(controller.status().state, WorkbenchState::kFailed, 20'000);
        QVERIFY(QString::fromStdString(controller.status().problem).contains(QLatin1String("file.jsonl")));
    }
};

QTEST_GUILESS_MAIN(TestWorkbenchController)
#include "tst_workbench_controller.moc"
