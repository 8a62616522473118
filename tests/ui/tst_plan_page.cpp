// SPDX-License-Identifier: GPL-3.0-or-later
#include "shown_plan_page.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/predicted_step.h"
#include "ui/pages/plan/rig_table.h"
#include "ui/pages/plan/schedule_bars.h"
#include "ui/widgets/elided_label.h"

#include <QBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace roundpipe;

// A planner whose bars come at once, and whose pictures and comparisons it keeps until it may let go of them.
class HoldingPlanner : public session::Planner {
public:
    explicit HoldingPlanner(const bool& holds) : m_holds(holds) {}
    uint64_t ask(session::PlanQuestion question, const std::string& rig) override {
        m_kept.clear();
        return m_planner->ask(std::move(question), rig);
    }
    void cancel() override { m_planner->cancel(); }
    std::vector<session::PlanUpdate> takeUpdates() override {
        std::vector<session::PlanUpdate> updates = m_planner->takeUpdates();
        m_kept.insert(m_kept.end(), updates.begin(), updates.end());
        if (!m_holds) return std::exchange(m_kept, {});
        for (session::PlanUpdate& update : updates) {
            if (update.answer == nullptr) continue;
            session::PlanAnswer answer = *update.answer;
            answer.timeline = {};
            answer.rivals.clear();
            update.answer = std::make_shared<const session::PlanAnswer>(std::move(answer));
            update.isLast = false;
        }
        return updates;
    }

private:
    const bool& m_holds;
    std::unique_ptr<session::Planner> m_planner = session::makePlanner();
    std::vector<session::PlanUpdate> m_kept;
};

class TestPlanPage : public QObject {
    Q_OBJECT

private slots:
    void showsVerdictCutsMemoriesAndOtherSchedules() {
        const testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QVERIFY(testing::shows(*bench.page, "Fits"));
        QVERIFY(testing::shows(*bench.page, "tokens/s"));
        const auto& bars = bench.find<ui::pages::MemoryBars>()->bars();
        QCOMPARE(bars.size(), std::size_t(4 + 3));
        for (const auto& bar : bars) {
            int64_t sum = 0;
            for (const auto& part : bar.parts)
                sum += part.bytes;
            QCOMPARE(sum, bar.needed);
            QVERIFY(bar.fits());
        }
        const auto& rows = bench.find<ui::pages::ScheduleBars>()->rows();
        QVERIFY(rows.size() >= 6);
        QVERIFY(rows.front().isOurs);
        QCOMPARE(bench.page->status().mark, ui::pages::PageStatus::Mark::kDone);
    }

    void theDiskHasWhatIsKeptThere() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        const auto* memory = bench.find<ui::pages::MemoryBars>();
        const auto before = memory->bars().back();
        const session::DiskUse disk = session::diskUseOf(bench.document.spec(), *bench.plan.answer(), 0);
        QCOMPARE(before.needed, disk.total());
        QVERIFY(disk.earlier > 0);
        bench.document.set(session::fieldByKey("output.keep_checkpoints"), int64_t{6}); // no plan is asked anew for it
        QCOMPARE(memory->bars().back().needed - before.needed, 4 * disk.earlier);
        QCOMPARE(memory->bars().back().needed - memory->bars().back().spared, disk.least());
        const auto& host = memory->bars().at(memory->bars().size() - 2);
        QVERIFY(std::ranges::count_if(host.parts, [](const auto& part) { return part.bytes > 0; }) >= 4);
    }

    // Of a line for which there is no room the less important goes, and the tip has it.
    void theLineBelowTheTitleSaysLessWhereThereIsLittleRoom() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 20'000);
        const auto labels = bench.page->findChildren<ui::widgets::ElidedLabel*>();
        const auto isBelowTitle = [](const auto* label) {
            return label->fullText().contains(QLatin1String("hidden 4096"));
        };
        const auto below = std::ranges::find_if(labels, isBelowTitle);
        QVERIFY(below != labels.end());
        bench.page->resize(1800, 800);
        QTRY_COMPARE((*below)->text(), (*below)->fullText());
        QVERIFY((*below)->toolTip().isEmpty());
        bench.page->resize(860, 600); // of the smallest window
        QTRY_VERIFY2((*below)->text().startsWith(QStringLiteral("Qwen3 8.19\u00a0B")), qPrintable((*below)->text()));
        QVERIFY2((*below)->text().endsWith(QString::fromUtf8("6 microbatch(es) of 4 × 1024 tokens")),
                 qPrintable((*below)->text()));
        QCOMPARE((*below)->toolTip(), (*below)->fullText());
    }

    // By rows that are higher, not by nothing.
    void aHighWindowIsFilled() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 20'000);
        const auto* memory = bench.find<ui::pages::MemoryBars>();
        const int usual = memory->height();
        const QWidget& lowest = *bench.find<ui::pages::ScheduleBars>()->parentWidget(); // its card
        const auto bottom = [&] { return lowest.mapTo(bench.page.get(), QPoint(0, lowest.height())).y(); };
        bench.page->resize(2400, 1300);
        QTRY_VERIFY2(bottom() > 1130, qPrintable(QString::number(bottom())));
        QVERIFY(bottom() <= 1300);
        QVERIFY(memory->height() > usual);
        bench.page->resize(1280, 700);
        QTRY_COMPARE(memory->height(), usual);
    }

    // Of two cards beside each other the one with less to show is filled by higher rows.
    void picturesFillTheirCards() {
        testing::ShownPlanPage bench(36, "8x4090,ram=256");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        for (const QWidget* picture : std::initializer_list<const QWidget*>{bench.find<ui::pages::MemoryBars>(),
                                                                            bench.find<ui::pages::PredictedStep>()}) {
            const QWidget& card = *picture->parentWidget();
            const auto* lowest = qobject_cast<QBoxLayout*>(card.layout());
            const int end = lowest->itemAt(lowest->count() - 1)->geometry().bottom();
            QTRY_VERIFY2(card.height() - end < 20, qPrintable(QString::number(card.height() - end)));
        }
        QVERIFY(bench.find<ui::pages::PredictedStep>()->height() >
                bench.find<ui::pages::PredictedStep>()->sizeHint().height()); // eight devices have more memories
    }

    void theMethodIsPlannedAtOnce() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(!bench.plan.answer()->training.trainsBase);
        bench.document.change(QStringLiteral("method"), [](session::RunSpec& spec) { spec.method = Method::kFull; });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && bench.plan.answer()->training.trainsBase, 120'000);
    }

    void eachPartIsDimmedUntilItsOwnNewsCome() {
        testing::ShownPlanPage bench; // its document alone
        bool holds = false;
        ui::bridge::PlannerController planner(std::make_unique<HoldingPlanner>(holds));
        ui::pages::ProjectPlan plan(bench.document, bench.workbench, bench.run, planner);
        plan.setRig("4x4090");
        const ui::pages::Services all{bench.document,
                                      bench.run,
                                      bench.workbench,
                                      plan,
                                      bench.themes,
                                      bench.preferences,
                                      bench.commands,
                                      bench.runLibrary,
                                      bench.queue,
                                      bench.exports,
                                      bench.chat,
                                      bench.demo,
                                      [] { return session::makePlanner(); },
                                      {}};
        ui::pages::PlanPage page(all);
        page.show();
        const auto* cuts = page.findChild<ui::pages::PartitionEditor*>();
        const auto* step = page.findChild<ui::pages::PredictedStep*>();
        const auto* schedules = page.findChild<ui::pages::ScheduleBars*>();
        QTRY_VERIFY_WITH_TIMEOUT(plan.answer() != nullptr && !plan.isOld() && !plan.isWorking(), 20'000);
        QVERIFY(!cuts->isDimmed() && !step->isDimmed() && !schedules->isDimmed());
        holds = true;
        bench.document.set(session::fieldByKey("batch.microbatches"), int64_t{12});
        QTRY_VERIFY_WITH_TIMEOUT(!plan.isOld(), 20'000); // the bars are there
        QTRY_VERIFY(step->isDimmed() && schedules->isDimmed());
        QVERIFY(!cuts->isDimmed());
        holds = false;
        QTRY_VERIFY_WITH_TIMEOUT(!step->isDimmed() && !schedules->isDimmed(), 20'000);
    }

    void whatOtherProgramsWouldRefuseOfTheResultIsSaid() {
        testing::ShownPlanPage bench(4);
        const session::Field& rank = session::fieldByKey("lora.rank");
        const auto isSaid = [&] { return testing::shows(*bench.page, "vLLM: takes no adapter of rank 513"); };
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(!isSaid());
        bench.document.set(rank, int64_t{513});
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(), 120'000);
        bench.document.set(rank, int64_t{512});
        QTRY_VERIFY_WITH_TIMEOUT(!isSaid(), 120'000);
    }

    void whatIsChosenOfAStepIsSaid() {
        testing::ShownPlanPage bench(36, "8x4090,ram=256");
        const session::Field& field = session::fieldByKey("batch.microbatches");
        bench.document.set(field, int64_t{0});
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && bench.plan.answer()->choseMicrobatches, 120'000);
        const int32_t chosen = bench.plan.answer()->choice.shape.roundSize;
        QVERIFY(chosen > 4);
        const auto said = [&](const char* words) {
            return testing::shows(*bench.page, (std::to_string(chosen) + words).c_str());
        };
        QVERIFY(said(" chosen microbatch(es) of 4"));
        bench.document.set(field, int64_t{chosen});
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && !bench.plan.answer()->choseMicrobatches, 120'000);
        QVERIFY(said(" microbatch(es) of 4"));
    }

    void nothingIsSaidOfTheProjectBefore() {
        testing::ShownPlanPage bench;
        const auto* rigs = bench.find<ui::pages::RigTable>();
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), rigs->numRows(), 120'000);
        QCOMPARE(bench.page->status().text.left(4), QStringLiteral("fits"));
        bench.document.create();
        QVERIFY(bench.plan.answer() == nullptr);
        QCOMPARE(bench.page->status().text, QStringLiteral("no plan yet"));
        QVERIFY(testing::shows(*bench.page, "No plan yet")); // in place of empty cards
        QVERIFY(!bench.find<ui::pages::MemoryBars>()->isVisible());
        QSignalSpy wanted(bench.page.get(), &ui::pages::Page::pageWanted);
        QTest::mouseClick(testing::buttonOf(*bench.page, "Choose a model"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(bench.find<ui::pages::PartitionEditor>()->shown().numLayers, 0);
        QCOMPARE(rigs->numAnswered(), 0);
        QVERIFY(!testing::shows(*rigs, "tokens/s"));
        bench.document.undoStack().undo(); // no-op: it is another project
        QVERIFY(bench.plan.answer() == nullptr);
    }

    void themesSwitchWhileAPlanIsOnShow() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        bench.themes.choose(ui::theme::Choice::kDark);
        QVERIFY(bench.page->grab().toImage().pixelColor(300, 60).lightness() < 80);
        bench.themes.choose(ui::theme::Choice::kLight);
        QVERIFY(bench.page->grab().toImage().pixelColor(300, 60).lightness() > 200);
    }

    void savesThePlanAsJsonAndAsAPicture() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QSignalSpy noticed(bench.page.get(), &ui::pages::Page::noticed);
        const auto json = bench.home.path() / "plan.json";
        const auto picture = bench.home.path() / "plan.SVG";
        bench.page->savePlan(QString::fromStdString(json.string()));
        bench.page->savePlan(QString::fromStdString(picture.string()));
        QTRY_COMPARE(noticed.size(), 2);
        const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(readTextFile(json))).object();
        QCOMPARE(plan[QStringLiteral("fits")].toBool(), true);
        QCOMPARE(plan[QStringLiteral("stages")].toArray().size(),
                 qsizetype{bench.plan.answer()->choice.plan.numStages()});
        const std::string svg = readTextFile(picture);
        QVERIFY(svg.find("<svg") != std::string::npos && svg.find("RTX 4090") != std::string::npos);
    }
};

QTEST_MAIN(TestPlanPage)
#include "tst_plan_page.moc"
