// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a run that could be faster, and where that leads.
#include "base/units.h"
#include "running_page.h"
#include "ui/models/finding_text.h"
#include "ui/pages/run/findings_pane.h"
#include "ui/translations/language.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;
using testing::buttonOf;
using testing::RunningPage;
using testing::shows;
using ui::translations::Language;

class TestRunFindings : public QObject {
    Q_OBJECT

private slots:
    void findingsSayWhoWaitsForWhat() {
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}, {"cuda:1", true, 0}, {"cpu:0", false, 0}};
        session::RunFinding finding;
        finding.device = 1;
        finding.reason = trace::IdleReason::kWeights;
        finding.share = 0.176;
        finding.lanes = 4;
        finding.lanesOfOthers = 16;
        finding.value = 3.0 * kGiB;
        finding.usual = 13.0 * kGiB;
        const auto text = ui::models::findingText(finding, plan);
        QCOMPARE(text.headline, QStringLiteral("GPU 1 waits 18 % of the step for weights"));
        QVERIFY(text.detail.startsWith(QLatin1String("Its slot runs at x4, others at x16: 3")));
        QCOMPARE(text.page, QStringLiteral("plan"));
        finding.numDevices = 3;
        QCOMPARE(ui::models::findingText(finding, plan).headline,
                 QStringLiteral("3 devices wait for weights, GPU 1 longest: 18 % of the step"));
        QCOMPARE(ui::models::deviceName(plan, 2), QStringLiteral("Worker 2"));
        QCOMPARE(ui::models::allIsWellText({{}, 5, 0.97}),
                 QStringLiteral("Nothing to mend: devices are busy 97 % of the time."));
    }

    void findingsSayWhatIsSlowerThanPlanned() {
        session::RunFinding finding;
        finding.code = session::RunFinding::Code::kSlowerThanPlanned;
        finding.value = 1.5;
        finding.usual = 0.9;
        QCOMPARE(ui::models::findingText(finding, {}).headline,
                 QStringLiteral("A step takes 1.5\u00a0s instead of the planned 0.90\u00a0s"));
        finding.stage = StageId(3);
        finding.kind = trace::Kind::kBackward;
        QCOMPARE(ui::models::findingText(finding, {}).headline,
                 QStringLiteral("S3 backward: 1.5\u00a0s a step instead of the planned 0.90\u00a0s"));
    }

    void everyFindingHasWords() {
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}};
        for (int code = 0; code <= static_cast<int>(session::RunFinding::Code::kSlowerThanPlanned); ++code)
            for (int reason = 1; reason < trace::kNumIdleReasons; ++reason) {
                session::RunFinding finding;
                finding.code = static_cast<session::RunFinding::Code>(code);
                finding.reason = static_cast<trace::IdleReason>(reason);
                finding.device = 0;
                const auto text = ui::models::findingText(finding, plan);
                QVERIFY(!text.headline.isEmpty() && !text.detail.isEmpty());
                QVERIFY(!(text.headline + text.detail).contains(u'%' + QStringLiteral("1")));
            }
    }

    void aFindingLeadsToItsEvidence() {
        testing::TestServices test;
        ui::pages::FindingsPane pane(test.themes);
        pane.show();
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}};
        session::RunFindings found;
        found.numSteps = 3;
        found.busyShare = 0.8;
        found.all.resize(1);
        found.all[0].device = 0;
        found.all[0].reason = trace::IdleReason::kHost;
        found.all[0].share = 0.2;
        found.all[0].isSerious = true;
        found.all[0].beginNs = 1'000;
        found.all[0].endNs = 5'000;
        pane.setFindings(found, plan);
        QVERIFY(shows(pane, "GPU 0 waits 20\u00a0% of the step for the host"));
        QSignalSpy wanted(&pane, &ui::pages::FindingsPane::evidenceWanted);
        QTest::mouseClick(buttonOf(pane, "Show"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toLongLong(), 1'000);
        QCOMPARE(wanted[0][1].toLongLong(), 5'000);
        found.all.clear();
        found.busyShare = 0.97;
        pane.setFindings(found, plan);
        QVERIFY(!shows(pane, "waits"));
        QVERIFY(shows(pane, "97\u00a0%"));
        QVERIFY(buttonOf(pane, "Show") == nullptr);
    }

    // A window that is busy paints what was set before it comes to what it was asked to lay out.
    void findingsAreLaidOutBeforeTheWindowHasTime() {
        testing::TestServices test;
        ui::pages::FindingsPane pane(test.themes);
        pane.resize(260, 90); // some are reached by scrolling
        pane.show();
        QTest::qWait(50);
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}};
        session::RunFindings found;
        found.numSteps = 3;
        for (const trace::IdleReason reason :
             {trace::IdleReason::kHost, trace::IdleReason::kWeights, trace::IdleReason::kGradient}) {
            session::RunFinding& finding = found.all.emplace_back();
            finding.device = 0;
            finding.reason = reason;
            finding.share = 0.2;
            finding.endNs = 5'000;
        }
        pane.setFindings(found, plan);
        int bottom = 0;
        for (const QLabel* label : pane.findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty()) continue;
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            const int top = label->mapTo(pane.widget(), QPoint()).y();
            QVERIFY2(top >= bottom, qPrintable(label->text()));
            bottom = top + label->height();
        }
        QVERIFY(bottom > pane.height());
    }

    void findingsOfARunThatIsUnderWay() {
        RunningPage running(100'000, 5, 6);
        const auto* pane = running.page.findChild<ui::pages::FindingsPane*>();
        QTRY_VERIFY_WITH_TIMEOUT(!shows(*pane, "after its first steps"), 10'000);
    }

    // Of a run that was over before anything was looked at its last steps tell; of a single step nothing can be told.
    void aShortRunsFindingsAreMadeAtItsEnd() {
        for (const int numSteps : {2, 1}) {
            RunningPage running(numSteps, 1000, numSteps);
            QTRY_VERIFY_WITH_TIMEOUT(session::isOver(running.test.run.snapshot().state), 20'000);
            const auto* pane = running.page.findChild<ui::pages::FindingsPane*>();
            QTRY_VERIFY_WITH_TIMEOUT(!shows(*pane, "after its first steps"), 5'000);
            QCOMPARE(shows(*pane, "too early to tell"), numSteps == 1);
        }
    }

    // The last one, as a window keeps its language.
    void kindsOfWorkAreInTheWindowsLanguage() {
        session::RunFinding finding;
        finding.code = session::RunFinding::Code::kSlowerThanPlanned;
        finding.stage = StageId(3);
        finding.kind = trace::Kind::kUploadWeights;
        ui::translations::use(Language::kGerman, *QCoreApplication::instance());
        const QString headline = ui::models::findingText(finding, {}).headline;
        QVERIFY2(headline.contains(QStringLiteral("Gewichte ↑")), qPrintable(headline));
    }
};

QTEST_MAIN(TestRunFindings)
#include "tst_run_findings.moc"
