// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo_project.h"
#include "plan/rig/rig_file.h"
#include "session/planning/plan_export.h"
#include "session/run/trace_about.h"
#include "testing/fixtures.h"
#include "trace/files/trace_file.h"
#include "ui/models/trace_facts.h"
#include "ui/shell/timeline_exports.h"
#include "ui/shell/trace_window.h"
#include "ui/timeline/panels/comparison_table.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QLabel>
#include <QMimeData>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>
#include <QTranslator>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace roundpipe;
using ui::shell::TraceWindow;
using ui::timeline::Gestures;

namespace {

constexpr int64_t kMs = 1'000'000;

// Ten steps of `stepMs`, of which the device computes `busyMs`.
void writeRun(const std::filesystem::path& path, int64_t stepMs, int64_t busyMs, int64_t originNs, bool whole = true) {
    const std::vector<trace::Lane> lanes = trace::makeLanes({"cpu:0"});
    trace::TraceFileWriter writer(path, lanes, originNs, {{"block 0"}, {{"model", "tiny"}}});
    std::vector<trace::Record> records;
    for (int32_t step = 0; step < 10; ++step)
        for (const bool marker : {false, true}) {
            trace::Record record;
            record.lane = marker ? trace::hostLane(1, trace::LaneRole::kSession) : LaneId(0);
            record.kind = marker ? trace::Kind::kStep : trace::Kind::kForward;
            record.step = step;
            record.stage = StageId(0);
            record.startNs = originNs + step * stepMs * kMs;
            record.endNs = record.startNs + (marker ? stepMs : busyMs) * kMs;
            records.push_back(record);
        }
    writer.append(records);
    if (whole) writer.finish(3);
}

// Crosses out every word of a text.
class Crosses : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override {
        QString text = QString::fromUtf8(source);
        return text.replace(QRegularExpression(QStringLiteral("[A-Za-z]+")), QStringLiteral("xx"));
    }
};

bool shows(const QWidget& window, const char* words) {
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(QLatin1String(words))) return true;
    return false;
}

} // namespace

class TestTraceWindow : public QObject {
    Q_OBJECT

private:
    testing::TemporaryFolder m_folder;
    ui::theme::ThemeManager m_themes{*qApp};

    // Windows delete themselves when they are closed.
    std::unique_ptr<TraceWindow> makeWindow() {
        auto window = std::make_unique<TraceWindow>(m_themes, Gestures::kZoomAndPan);
        window->setAttribute(Qt::WA_DeleteOnClose, false);
        window->show();
        return window;
    }
    QString file(const char* name) const { return QString::fromStdString((m_folder.path() / name).string()); }
    void open(TraceWindow& window, const QString& path) {
        QSignalSpy painted(&window, &TraceWindow::painted);
        window.open(path);
        QTRY_COMPARE_WITH_TIMEOUT(painted.size(), 1, 10'000);
    }
    static const trace::LaneStore& storeOf(const TraceWindow& window, int side) {
        return *window.view(side).plot().scene().store;
    }

private slots:
    // As runs and plans write them: none of their words is left as it was written.
    void whatATraceSaysOfItsRunIsInTheUsersLanguage() {
        const testing::DemoProject project(5);
        session::PlanQuestion question;
        question.spec = session::readRunSpec(project.runFile());
        question.spec.batch.microbatches = 4;
        question.spec.name = "Nightly";
        question.usesMeasured = false;
        question.wantsTimeline = true;
        const session::PlanAnswer answer = session::answer(question, plan::loadRig("2x4090"));
        session::RunPlan plan;
        plan.model = answer.model;
        plan.isSimulated = true;
        plan.plan = answer.choice.plan;
        plan.devices = {{"cuda:0 NVIDIA GeForce RTX 4090"}, {"cuda:1 NVIDIA GeForce RTX 4090"}};
        plan.totalSteps = 12;
        const std::filesystem::path predicted = m_folder.path() / "predicted.rptrace";
        session::writePlanTrace(answer, predicted);
        const auto ofRun = session::aboutOf(question.spec, plan).facts;
        const auto ofPlan = trace::TraceFile(predicted).about().facts;
        const QString english = ui::models::traceFactsText(ofRun);
        for (const char* part : {"planned steps: 1 to 12", "(simulated)", "one fused", "RTX 4090, cuda:1", "Rank: "})
            QVERIFY2(english.contains(QLatin1String(part)), qPrintable(english));
        QVERIFY(ui::models::traceFactsText({{"of a newer program", "two words"}}) ==
                QLatin1String("of a newer program: two words"));

        Crosses everything;
        QVERIFY(QCoreApplication::installTranslator(&everything));
        const QString run = ui::models::traceFactsText(ofRun), planned = ui::models::traceFactsText(ofPlan);
        QCoreApplication::removeTranslator(&everything);
        for (const char* word : {"model", "run", "device", "forward", "fused", "backward", "blocks", "hidden",
                                 "parameters", "simulated", "microbatches", "to", "Rank", "Precision", "Length", "for"})
            for (const QString& text : {run, planned})
                QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(word)))),
                         qPrintable(text));
    }

    void showsASavedTraceWithItsFacts() {
        const std::filesystem::path run = m_folder.path() / "my run";
        std::filesystem::create_directory(run);
        writeRun(run / "trace.rptrace", 100, 60, 5'000 * kMs);
        const auto window = makeWindow();
        open(*window, file("my run/trace.rptrace"));
        QCOMPARE(storeOf(*window, 0).numSlices(), 20U);
        QVERIFY(shows(*window, "model: tiny"));
        QVERIFY(shows(*window, "3 events lost"));
        QVERIFY(window->windowTitle().startsWith(QLatin1String("my run")));
        const auto& view = window->view(0).plot().scene().view;
        QVERIFY(view.beginNs() <= storeOf(*window, 0).beginNs() && view.endNs() >= storeOf(*window, 0).endNs());
        QVERIFY(!window->view(0).plot().navigation().isFollowing());
        QCOMPARE(window->view(0).plot().layerName(LayerId(0)), QStringLiteral("block 0"));
    }

    void saysUpToWhereAKilledRunIsKnown() {
        writeRun(m_folder.path() / "killed.rptrace", 100, 60, 0, false);
        const auto window = makeWindow();
        open(*window, file("killed.rptrace"));
        QVERIFY(shows(*window, "was killed"));
        QVERIFY(shows(*window, "up to 1"));
    }

    void refusesWhatIsNoTraceNamingThePlace() {
        std::ofstream(m_folder.path() / "no.rptrace") << std::string(500, 'x');
        const auto window = makeWindow();
        window->open(file("no.rptrace"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(*window, "no.rptrace"), 10'000);
        QVERIFY(shows(*window, "byte 0"));
    }

    void comparesTwoTracesStepByStep() {
        writeRun(m_folder.path() / "a.rptrace", 100, 60, 5'000 * kMs);
        writeRun(m_folder.path() / "b.rptrace", 200, 160, 70'000 * kMs);
        const auto window = makeWindow();
        open(*window, file("a.rptrace"));
        window->compareWith(file("b.rptrace"));
        QTRY_VERIFY(window->view(1).isVisible());
        QTRY_VERIFY(std::abs(window->view(0).height() - window->view(1).height()) <= 2);
        QTRY_VERIFY_WITH_TIMEOUT(window->table().isVisible(), 10'000);
        QVERIFY(window->view(1).isVisible());
        const auto cell = [&](int row, int column) { return window->table().item(row, column)->text(); };
        QCOMPARE(cell(0, 1), QStringLiteral("100\u00a0ms"));
        QCOMPARE(cell(0, 2), QStringLiteral("200\u00a0ms"));
        QCOMPARE(cell(0, 3), QStringLiteral("+100.0 %"));
        QCOMPARE(cell(1, 3), QStringLiteral("+20.0 points"));

        // Step 5 of one beside step 5 of the other, at one scale.
        auto& first = window->view(0).plot();
        auto& second = window->view(1).plot();
        first.navigation().showRange(5'400 * kMs, 5'420 * kMs);
        QCOMPARE(second.scene().view.beginNs(), 70'800 * kMs);
        QCOMPARE(second.scene().view.spanNs(), 20 * kMs);
        second.navigation().showRange(70'000 * kMs, 70'020 * kMs);
        QCOMPARE(first.scene().view.beginNs(), 5'000 * kMs);
        first.select(5'200 * kMs, 5'300 * kMs);
        QVERIFY(second.selection().has_value());
        QCOMPARE(second.selection()->beginNs, 70'400 * kMs);
        QTRY_VERIFY(cell(1, 3) != QStringLiteral("+20.0 points") || cell(1, 1) == QStringLiteral("60.0 %"));
        first.clearSelection();
        QVERIFY(!second.selection().has_value());
    }

    // Both begin where their first step does, whichever is faster; nothing before that is on show.
    void comparisonsBeginWithTheFirstStep() {
        writeRun(m_folder.path() / "slow.rptrace", 100, 60, 5'000 * kMs);
        writeRun(m_folder.path() / "fast.rptrace", 20, 10, 70'000 * kMs);
        const auto window = makeWindow();
        window->resize(1100, 700);
        open(*window, file("slow.rptrace"));
        window->compareWith(file("fast.rptrace"));
        QTRY_VERIFY_WITH_TIMEOUT(window->table().isVisible(), 10'000);
        const auto& slow = window->view(0).plot().scene().view;
        const auto& fast = window->view(1).plot().scene().view;
        QTRY_VERIFY(slow.beginNs() >= 4'950 * kMs && slow.beginNs() <= 5'000 * kMs && slow.endNs() >= 6'000 * kMs);
        QVERIFY2(fast.beginNs() >= 69'950 * kMs, qPrintable(QString::number(fast.beginNs())));
        QVERIFY(fast.endNs() >= 70'200 * kMs);

        // What is compared has its room, however long the names of the traces are.
        const auto& table = window->table();
        for (int row = 0; row < table.rowCount(); ++row) {
            const int needed = table.fontMetrics().horizontalAdvance(table.item(row, 0)->text());
            QVERIFY2(table.columnWidth(0) >= needed, qPrintable(table.item(row, 0)->text()));
        }
        QCOMPARE(table.horizontalHeaderItem(1)->toolTip(), QStringLiteral("slow"));
    }

    void exportsAllOrTheSelection() {
        writeRun(m_folder.path() / "c.rptrace", 100, 60, 0);
        const auto window = makeWindow();
        open(*window, file("c.rptrace"));
        QVERIFY(window->exports().exportAll()->isEnabled());
        QVERIFY(!window->exports().exportSelection()->isEnabled());
        window->view(0).plot().select(201 * kMs, 299 * kMs);
        QVERIFY(window->exports().exportSelection()->isEnabled());
        QSignalSpy written(&window->exports(), &ui::shell::TimelineExports::written);
        int count = 0;
        for (const char* name :
             {"part.png", "part.svg", "part.csv", "part-statistics.csv", "part.json", "part.rptrace"}) {
            window->exports().exportTo(file(name), true);
            ++count;
            QTRY_COMPARE_WITH_TIMEOUT(written.size(), count, 10'000);
            QTRY_VERIFY(window->exports().exportAll()->isEnabled());
            QVERIFY2(std::filesystem::file_size(m_folder.path() / name) > 200, name);
        }
        QCOMPARE(trace::TraceFile(m_folder.path() / "part.rptrace").numRecords(), 2);
        const QImage picture(file("part.png"));
        QCOMPARE(picture.width(), 3840);
        QVERIFY2(picture.height() < 1600, "no higher than its one device and its numbers need");
        const QColor forward = m_themes.theme().kind(trace::Kind::kForward);
        int64_t found = 0;
        for (int y = 0; y < picture.height(); y += 4)
            for (int x = 0; x < picture.width(); x += 4)
                found += picture.pixelColor(x, y) == forward;
        QVERIFY2(found > 1000, "the slices are in the picture");
        QSignalSpy failed(&window->exports(), &ui::shell::TimelineExports::failed);
        window->exports().exportTo(QStringLiteral("/nowhere/at/all/x.json"), false);
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
        window->exports().exportTo(file("x.doc"), false);
        QCOMPARE(failed.size(), 2);
        QVERIFY(failed.back().at(1).toString().contains(QLatin1String(".svg")));
    }

    void takesADroppedTraceToCompare() {
        writeRun(m_folder.path() / "d.rptrace", 100, 60, 0);
        const auto window = makeWindow();
        for (const bool second : {false, true}) {
            QMimeData mime;
            mime.setUrls({QUrl::fromLocalFile(file("d.rptrace"))});
            QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(window.get(), &enter);
            QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(window.get(), &event);
            QTRY_VERIFY_WITH_TIMEOUT(!window->isReading(), 10'000);
            QCOMPARE(window->view(1).isVisible(), second);
        }
    }
};

QTEST_MAIN(TestTraceWindow)
#include "tst_trace_window.moc"
