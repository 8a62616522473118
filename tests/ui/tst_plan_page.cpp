// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"
#include "plan/rig/rig_file.h"
#include "test_services.h"
#include "ui/models/plan_text.h"
#include "ui/models/run_text.h"
#include "ui/pages/plan/cuts.h"
#include "ui/pages/plan/fixes_card.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/plan_page.h"
#include "ui/pages/plan/predicted_step.h"
#include "ui/pages/plan/rig_table.h"
#include "ui/pages/plan/schedule_bars.h"
#include "ui/translations/device_text.h"
#include "ui/widgets/elided_label.h"

#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace roundpipe;
using ui::pages::Cut;

// As large as an 8B model, so that cuts, memories and times matter.
constexpr const char* kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
  "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": %1,
  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40960,
  "rms_norm_eps": 1e-6, "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": false,
  "torch_dtype": "bfloat16"})";

class Bench : public testing::TestServices {
public:
    explicit Bench(int numBlocks = 36, const char* rig = "4x4090", session::RigProbe probe = nullptr)
        : TestServices(std::move(probe)) {
        std::filesystem::create_directories(home.path() / "model");
        writeFileAtomically(home.path() / "model" / "config.json",
                            QString::fromLatin1(kConfig).arg(numBlocks).toStdString());
        plan.setRig(rig);
        page = std::make_unique<ui::pages::PlanPage>(services());
        page->resize(1280, 800);
        page->show();
        document.change(QStringLiteral("model"), [&](session::RunSpec& spec) {
            spec.model.path = (home.path() / "model").string();
            spec.data.maxLength = 1024;
            spec.batch.microbatchSize = 4;
            spec.batch.microbatches = 6;
        });
    }
    bool isSettled() const { return plan.answer() != nullptr && !plan.isOld() && !plan.isWorking(); }
    template <class Widget>
    Widget* find() const {
        return page->findChild<Widget*>();
    }

    std::unique_ptr<ui::pages::PlanPage> page;
};

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
    // And which setting asks for it.
    void whatWouldBeFasterIsSaid() {
        plan::EvaluatedPlan choice;
        choice.step.stepSeconds = 1;
        const auto rival = [](plan::ComparedSchedule schedule, double seconds) {
            plan::Rival made;
            made.schedule = schedule;
            made.step.stepSeconds = seconds;
            return made;
        };
        using enum plan::ComparedSchedule;
        const auto text = [&](const std::vector<plan::Rival>& rivals) {
            return ui::models::fasterText(choice, rivals);
        };
        QVERIFY(text({rival(kGpipe, 1.4), rival(kReplicas, 0.99)}).isEmpty()); // as good as equal
        QVERIFY(text({rival(kRoundPipe, 0.9), rival(kReplicas, 0.8)}).contains(QLatin1String("Replicas")));
        QVERIFY(text({rival(kRoundPipeOtherRounds, 0.7), rival(kReplicas, 0.8)}).contains(QLatin1String("Rounds")));
        QVERIFY(text({rival(kRoundPipe, 0.7)}).contains(QLatin1String("Stages in turn"))); // than replicas
        QVERIFY(text({rival(kRoundPipeStale, 0.7)}).contains(QLatin1String("Updates")));
        plan::Rival full = rival(kReplicas, 0.5);
        full.problem.obstacle = plan::Misfit::Obstacle::kFewLayers; // it cannot run here
        QVERIFY(text({full}).isEmpty());
    }

    void aPlanInALineLeavesOutWhatItHasNoneOf() {
        plan::PlanOutline outline;
        outline.numForward = 2;
        outline.fusedLayers = 3;
        outline.numBackward = 1;
        outline.numDevices = 4;
        QCOMPARE(ui::models::outlineText(outline),
                 QStringLiteral("2 forward stage(s), a fused stage of 3 layer(s), 1 backward stage(s) on 4 device(s)"));
        outline.numForward = 0;
        outline.numBackward = 0;
        outline.replicas = 4;
        QCOMPARE(ui::models::outlineText(outline), QStringLiteral("4 replica(s), each of a fused stage of 3 layer(s)"));
    }

    // Of all rounds together, wherever it is said.
    void aStepOfSeveralRoundsNamesThem() {
        session::PlanAnswer answer;
        answer.choseMicrobatches = true;
        answer.training.sequences = 1;
        answer.training.maxLength = 1845;
        answer.choice.shape = {.roundSize = 1, .rounds = 4};
        QCOMPARE(ui::models::microbatchesText(answer), QStringLiteral("4 chosen microbatch(es) in 4 round(s)"));
        QCOMPARE(ui::models::sizedMicrobatchesText(answer),
                 QString::fromUtf8("4 chosen microbatch(es) of 1 × 1845 tokens in 4 round(s)"));
        answer.choice.shape = {.roundSize = 4, .rounds = 1};
        answer.choseMicrobatches = false;
        QCOMPARE(ui::models::microbatchesText(answer), QStringLiteral("4 microbatch(es)"));
        answer.training.tokenLimit = 8192;
        QCOMPARE(ui::models::sizedMicrobatchesText(answer), QStringLiteral("4 microbatch(es) of at most 8192 tokens"));
    }

    void eachScheduleBeginsWithACapital() {
        using enum plan::ComparedSchedule;
        for (const auto schedule : {kGpipe, kInterleaved1f1b, kLoopedBfs, kReplicas, kRoundPipe, kRoundPipeStale})
            QVERIFY(ui::models::scheduleName(schedule).front().isUpper());
    }

    void rigsAreNamedInTheUsersWords() {
        plan::Rig rig;
        rig.name = "2 x RTX 4090 + 3 x CPU worker (this machine)";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("2 × RTX 4090 + 3 CPU worker(s) (this machine)"));
        rig.name = "RTX 3090, PCIe 4.0 x16 + 2 x RTX 4090, PCIe 4.0 x8";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("RTX 3090, PCIe 4.0 x16 + 2 × RTX 4090, PCIe 4.0 x8"));
        QCOMPARE(ui::models::runText(session::RunText(session::RunTextCode::kSimulated, "2 x CPU worker")).left(42),
                 QStringLiteral("This run is simulated for 2 CPU worker(s):"));
        const session::RunText faster(session::RunTextCode::kSimulatedAtSpeed, "2 x CPU worker", "8");
        QCOMPARE(ui::models::runText(faster).section(QLatin1Char(':'), 0, 0),
                 QStringLiteral("This run is simulated for 2 CPU worker(s) and shown 8 times as fast as the planner "
                                "predicts"));
        rig.name = "mine, all of it";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("mine, all of it"));
    }

    void aDeviceHasOneNameWhereverItStands() {
        using ui::translations::deviceText;
        for (const char* worker : {"cpu:1", "CPU worker", "1 CPU worker"}) // a run's, a rig's, a predicted step's
            QCOMPARE(deviceText(std::string(worker), 1), QStringLiteral("Worker 1"));
        for (const char* gpu : {"cuda:1 NVIDIA GeForce RTX 4090", "RTX 4090", "1 RTX 4090"})
            QCOMPARE(deviceText(std::string(gpu), 1), QStringLiteral("GPU 1"));
        plan::Rig rig = plan::loadRig("2x4090");
        QCOMPARE(ui::models::deviceText(rig, 1), QStringLiteral("GPU 1"));
    }

    void cutsAreMovedBetweenTheirNeighbours() {
        plan::Plan plan;
        plan.numLayers = 10;
        plan.forward = {{0, 4}, {4, 8}};
        plan.fused = {8, 10};
        plan.backward = {{4, 8}, {1, 4}};
        const std::vector<Cut> cuts = ui::pages::cutsOf(plan);
        QCOMPARE(cuts.size(), std::size_t(3));
        const plan::Plan forward = ui::pages::withCutAt(plan, {Cut::Row::kForward, 4}, 6);
        QCOMPARE(forward.forward[0].end, 6);
        QCOMPARE(forward.forward[1].begin, 6);
        QVERIFY(forward.backward == plan.backward);
        const plan::Plan fused = ui::pages::withCutAt(plan, {Cut::Row::kBoth, 8}, 5);
        QCOMPARE(fused.fused.begin, 5);
        QCOMPARE(fused.forward[1].end, 5);
        QCOMPARE(fused.backward[0].end, 5);
        QCOMPARE(ui::pages::withCutAt(plan, {Cut::Row::kBackward, 4}, 99).backward[1].end, 7);
        QCOMPARE(ui::pages::withCutAt(plan, {Cut::Row::kBackward, 4}, -9).backward[1].end, 2);
        session::RunSpec spec;
        ui::pages::giveStages(fused, spec);
        QCOMPARE(spec.engine.forwardStages, (std::vector<int64_t>{4, 1}));
        QCOMPARE(spec.engine.backwardStages, (std::vector<int64_t>{5, 1, 3}));
    }

    void showsVerdictCutsMemoriesAndOtherSchedules() {
        const Bench bench;
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

    // Of a line for which there is no room the less important goes, and the tip has it.
    void theLineBelowTheTitleSaysLessWhereThereIsLittleRoom() {
        Bench bench;
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
        QTRY_VERIFY2((*below)->text().startsWith(QLatin1String("Qwen3 8.19 B")), qPrintable((*below)->text()));
        QVERIFY2((*below)->text().endsWith(QString::fromUtf8("6 microbatch(es) of 4 × 1024 tokens")),
                 qPrintable((*below)->text()));
        QCOMPARE((*below)->toolTip(), (*below)->fullText());
    }

    // By rows that are higher, not by nothing.
    void aHighWindowIsFilled() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 20'000);
        const QWidget& lowest = *bench.find<ui::pages::ScheduleBars>()->parentWidget(); // its card
        const auto bottom = [&] { return lowest.mapTo(bench.page.get(), QPoint(0, lowest.height())).y(); };
        bench.page->resize(2400, 1300);
        QTRY_VERIFY2(bottom() > 1130, qPrintable(QString::number(bottom())));
        QVERIFY(bottom() <= 1300);
        bench.page->resize(1000, 700);
        QTRY_COMPARE(bench.find<ui::pages::MemoryBars>()->height() % 24, 0); // as usual
    }

    void aDraggedCutIsASettingThatCanBeUndone() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        const plan::Plan computed = editor->shown();
        const int32_t layer = computed.forward[1].begin;
        const auto pointAt = [&](int32_t at) { return QPoint(qRound(editor->xOf(at)), 20); };
        QTest::mousePress(editor, Qt::LeftButton, {}, pointAt(layer));
        QTest::mouseMove(editor, pointAt(layer + 1));
        QTest::mouseRelease(editor, Qt::LeftButton, {}, pointAt(layer + 1));
        QCOMPARE(bench.document.spec().engine.forwardStages[0], int64_t(layer + 1));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QCOMPARE(bench.plan.answer()->choice.plan.forward[1].begin, layer + 1);
        QVERIFY(testing::shows(*bench.page, "ms a step"));
        QVERIFY(testing::buttonOf(*bench.page, "Back to the computed cuts") != nullptr);
        bench.document.undoStack().undo();
        QVERIFY(bench.document.spec().engine.backwardStages.empty());
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QVERIFY(editor->shown().forward == computed.forward);
    }

    void keysMoveTheChosenCutAndGiveTheChoiceBack() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        bench.page->activateWindow();
        editor->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(editor->chosenCut().has_value());
        const Cut first = *editor->chosenCut();
        QTest::keyClick(editor, Qt::Key_Tab);
        const Cut second = *editor->chosenCut();
        QVERIFY(!(second == first));
        QTest::keyClick(editor, Qt::Key_Right);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QCOMPARE(editor->chosenCut()->layer, second.layer + 1);
        QTest::keyClick(editor, Qt::Key_Home);
        QVERIFY(bench.document.spec().engine.backwardStages.empty());
    }

    void theMethodIsPlannedAtOnce() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(!bench.plan.answer()->training.trainsBase);
        bench.document.change(QStringLiteral("method"), [](session::RunSpec& spec) { spec.method = Method::kFull; });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && bench.plan.answer()->training.trainsBase, 120'000);
    }

    void eachPartIsDimmedUntilItsOwnNewsCome() {
        Bench bench; // its document alone
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

    void whatDoesNotFitSaysWhyAndIsFixedByAButton() {
        Bench bench(36, "1x4090,ram=64");
        bench.document.change(QStringLiteral("longer"), [](session::RunSpec& spec) {
            spec.data.maxLength = 16'384;
            spec.batch.microbatchSize = 8;
        });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QCOMPARE(bench.page->status().mark, ui::pages::PageStatus::Mark::kMissing);
        QVERIFY(testing::shows(*bench.page, "Does not fit"));
        QTRY_VERIFY_WITH_TIMEOUT(testing::buttonOf(*bench.page, "Apply") != nullptr, 120'000);
        QPushButton* apply = testing::buttonOf(*bench.page, "Apply");
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(testing::shows(*bench.page, "Fits"));
        QCOMPARE(bench.document.spec().batch.microbatches * bench.document.spec().batch.microbatchSize, int64_t(48));
    }

    void whatOtherProgramsWouldRefuseOfTheResultIsSaid() {
        Bench bench(4);
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
        Bench bench(36, "8x4090,ram=256");
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
        Bench bench;
        const auto* rigs = bench.find<ui::pages::RigTable>();
        QTRY_COMPARE_WITH_TIMEOUT(rigs->numAnswered(), rigs->numRows(), 120'000);
        QCOMPARE(bench.page->status().text.left(4), QStringLiteral("fits"));
        bench.document.create();
        QVERIFY(bench.plan.answer() == nullptr);
        QCOMPARE(bench.page->status().text, QStringLiteral("no plan yet"));
        QVERIFY(testing::shows(*bench.page, "Choose a model"));
        QCOMPARE(bench.find<ui::pages::PartitionEditor>()->shown().numLayers, 0);
        QCOMPARE(rigs->numAnswered(), 0);
        QVERIFY(!testing::shows(*rigs, "tokens/s"));
        bench.document.undoStack().undo(); // no-op: it is another project
        QVERIFY(bench.plan.answer() == nullptr);
    }

    void otherRigsAreWorkedOutAnewWithEachChange() {
        Bench bench;
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

    // Of a plan that does not fit the parts are known: they are on show, and the reason says the same numbers.
    void whatDoesNotFitIsShownWithItsParts() {
        Bench bench(36, "1x4090,ram=16");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        const session::PlanAnswer& answer = *bench.plan.answer();
        QVERIFY(!answer.problem.empty() && !answer.problem.shortfalls.empty());
        QCOMPARE(bench.find<ui::pages::PartitionEditor>()->shown().numLayers, 38);
        QCOMPARE(bench.find<ui::pages::ScheduleBars>()->rows().front().seconds, 0.0); // as the tile of a step says
        QCOMPARE(bench.find<ui::pages::ScheduleBars>()->rows().size(), std::size_t(1));
        QVERIFY(bench.find<ui::pages::ScheduleBars>()->accessibleDescription().endsWith(
            QLatin1String("Others are compared with it as soon as this plan fits.")));
        const QString bars = bench.find<ui::pages::MemoryBars>()->accessibleDescription();
        const QString reason = ui::models::misfitText(answer.problem, answer.rig);
        for (const plan::Shortfall& shortfall : answer.problem.shortfalls) {
            const QString needed = QString::fromStdString(formatBytes(shortfall.neededBytes));
            QVERIFY2(bars.contains(needed), qPrintable(needed + QStringLiteral(" in ") + bars));
            QVERIFY2(reason.contains(needed), qPrintable(reason));
        }
        QVERIFY(testing::shows(*bench.page, qPrintable(reason)));
    }

    void changesThatHelpTogetherAreMadeByOneButton() {
        const std::vector<plan::Fix> together = {{plan::FixKind::kLength, 512, 4100}, {plan::FixKind::kRank, 8, 4100}};
        ui::pages::FixesCard card;
        card.setProblem(QStringLiteral("Too large."), {}, {{plan::FixKind::kDevices, int64_t{48} << 30, 5000}},
                        together, false);
        card.show();
        QVERIFY(testing::shows(card, "None of these settings is enough alone"));
        QVERIFY(testing::shows(card, "Devices with 48.0 GiB"));
        QVERIFY(testing::buttonOf(card, "Apply") == nullptr); // what must be bought has no button
        std::vector<plan::Fix> wanted;
        connect(&card, &ui::pages::FixesCard::fixesWanted, this, [&](const auto& fixes) { wanted = fixes; });
        QTest::mouseClick(testing::buttonOf(card, "Apply all"), Qt::LeftButton);
        QCOMPARE(wanted.size(), together.size());
        QCOMPARE(wanted[1].kind, plan::FixKind::kRank);

        card.setProblem(QStringLiteral("Too large."), {}, {}, {}, false);
        QVERIFY(testing::shows(card, "choose a smaller model"));
    }

    void otherRigsAreComparedAndShown() {
        Bench bench;
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

    void themesSwitchWhileAPlanIsOnShow() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        bench.themes.choose(ui::theme::Choice::kDark);
        QVERIFY(bench.page->grab().toImage().pixelColor(300, 60).lightness() < 80);
        bench.themes.choose(ui::theme::Choice::kLight);
        QVERIFY(bench.page->grab().toImage().pixelColor(300, 60).lightness() > 200);
    }

    // Hovering a stage lights its slices in the predicted step, and the reverse.
    void aHoveredStageIsLitInBothPictures() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        auto* step = bench.find<ui::pages::PredictedStep>();
        QTest::qWait(300); // what was laid out anew has its place
        QTest::mouseMove(editor, QPoint(1, 1));
        QTest::mouseMove(step, QPoint(1, 1));
        const QImage plain = step->grab().toImage();
        const QImage plainCuts = editor->grab().toImage();
        QSignalSpy hovered(editor, &ui::pages::PartitionEditor::stageHovered);
        const std::vector<plan::Stage> stages = editor->shown().stages();
        QTest::mouseMove(editor, editor->rectOf(stages[1]).center().toPoint());
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered[0][0].value<StageId>(), stages[1].id);
        QVERIFY(step->grab().toImage() != plain);
        QTest::mouseMove(editor, QPoint(1, 1)); // beside the stages
        QCOMPARE(step->grab().toImage(), plain);
        QCOMPARE(editor->grab().toImage(), plainCuts);
        // The reverse, wherever device 0 computes.
        QSignalSpy there(step, &ui::pages::PredictedStep::stageHovered);
        for (int x = 40; x < step->width() && there.isEmpty(); x += 3)
            QTest::mouseMove(step, QPoint(x, 28));
        QVERIFY(!there.isEmpty());
        QVERIFY(editor->grab().toImage() != plainCuts);
    }

    // What is trained travels beside the weights, in a colour of its own.
    void everyColourOfTheStepIsInItsLegend() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.plan.answer() != nullptr && bench.plan.answer()->timeline != nullptr, 60'000);
        const session::PredictedTimeline& timeline = *bench.plan.answer()->timeline;
        const std::vector<trace::Kind> named = ui::pages::PredictedStep::kindsShown();
        bool seesTrained = false;
        for (const trace::Record& record : timeline.records) {
            if (!record.lane.valid() || !isWork(record.kind)) continue;
            const trace::LaneRole role = timeline.lanes[record.lane.index()].role;
            const bool isPainted = role == trace::LaneRole::kCompute || role == trace::LaneRole::kWeightsUp ||
                                   role == trace::LaneRole::kOptimizer;
            if (isPainted) QVERIFY2(std::ranges::count(named, record.kind) == 1, trace::toString(record.kind));
            seesTrained = seesTrained || record.kind == trace::Kind::kUploadAdapter;
        }
        QVERIFY(seesTrained);
    }

    // As the mouse does: the other picture follows, the stage is said, Escape ends it, Tab goes on to the cuts.
    void stagesAreLitByKeys() {
        Bench bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        auto* step = bench.find<ui::pages::PredictedStep>();
        bench.page->activateWindow();
        editor->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(editor->hasFocus());
        const plan::Plan computed = editor->shown();
        const QImage plain = step->grab().toImage();
        const QString all = editor->accessibleDescription();
        QTest::keyClick(editor, Qt::Key_Down);
        const StageId below = editor->chosenStage();
        QVERIFY(below.valid() && below.index() >= computed.forward.size());
        QVERIFY(step->grab().toImage() != plain);
        QVERIFY(editor->accessibleDescription().startsWith(QStringLiteral("S%1,").arg(below.value)));
        QVERIFY(editor->accessibleDescription().size() < all.size());
        QTest::keyClick(editor, Qt::Key_Right); // deeper layers come first on the way back
        QCOMPARE(editor->chosenStage().value, below.value - 1);
        QTest::keyClick(editor, Qt::Key_Up);
        QVERIFY(editor->chosenStage().index() < computed.forward.size());
        QVERIFY(editor->shown().forward == computed.forward && editor->shown().backward == computed.backward);
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(!editor->chosenStage().valid());
        QCOMPARE(step->grab().toImage(), plain);
        QCOMPARE(editor->accessibleDescription(), all);

        const QImage plainCuts = editor->grab().toImage();
        step->setFocus(Qt::TabFocusReason);
        const QString wholeStep = step->accessibleDescription();
        QTest::keyClick(step, Qt::Key_Right);
        QTest::keyClick(step, Qt::Key_Right);
        QVERIFY(step->accessibleDescription().startsWith(QLatin1String("S1 computes")));
        QVERIFY(editor->grab().toImage() != plainCuts);
        QTest::keyClick(step, Qt::Key_Escape);
        QCOMPARE(step->accessibleDescription(), wholeStep);
    }

    // Start says what is missing, offers what would help, and starts only where one insists.
    void aRunThatDoesNotFitIsStartedOnlyOnDemand() {
        Bench bench(36, "this", [](const auto&, const auto&) { return plan::loadRig("1x4090,ram=64"); });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(bench.page->missing().empty());
        bench.document.change(QStringLiteral("longer"), [](session::RunSpec& spec) {
            spec.data.maxLength = 16'384;
            spec.batch.microbatchSize = 8;
        });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QCOMPARE(bench.page->missing().size(), std::size_t{1});
        const ui::pages::Missing missing = bench.page->missing().front();
        QVERIFY(missing.isEstimate);
        QVERIFY2(missing.text.startsWith(QLatin1String("Does not fit: ")) &&
                     missing.text.endsWith(QLatin1String(" more")),
                 qPrintable(missing.text));

        bench.document.change(QStringLiteral("rows"), [&](session::RunSpec& spec) {
            spec.data.datasets.front().files = {(bench.demo.parent_path() / "data" / "instructions.jsonl").string()};
        });
        bench.useSimulatedEngine(1);
        QCOMPARE(testing::buttonOf(*bench.page, "Start")->objectName(), QStringLiteral("primary"));
        bench.commands.setMissing(bench.page->missing()); // as the window does
        QCOMPARE(bench.commands.start()->text(), QStringLiteral("Start anyway…"));
        QCOMPARE(testing::buttonOf(*bench.page, "Start anyway…")->objectName(), QString()); // a risk leads nobody on
        QCOMPARE(bench.commands.start()->toolTip(), missing.text);
        const auto answer = [&](const QString& with) {
            bench.commands.start()->trigger();
            auto* box = bench.page->findChild<QMessageBox*>();
            QVERIFY(box != nullptr && !bench.run.isRunning());
            for (QAbstractButton* button : box->buttons())
                if (button->text().simplified() == with) return button->click(); // long ones have two lines
            QFAIL("there is no such button");
        };
        QSignalSpy wanted(bench.page.get(), &ui::pages::Page::pageWanted);
        answer(QStringLiteral("Look at the plan"));
        QCOMPARE(wanted.size(), 1);
        QVERIFY(!bench.run.isRunning());
        QTRY_VERIFY(bench.page->findChild<QMessageBox*>() == nullptr);
        answer(QStringLiteral("Start anyway"));
        QVERIFY(bench.run.isRunning());
        bench.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.run.isRunning(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QTRY_VERIFY(bench.page->findChild<QMessageBox*>() == nullptr);
        answer(ui::models::changeText(bench.plan.answer()->fixes.front()));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(bench.page->missing().empty());
        QVERIFY(!bench.run.isRunning());
    }

    void theQuestionBeforeTheStartFollowsThePlan() {
        Bench bench(36, "this", [](const auto&, const auto&) { return plan::loadRig("1x4090,ram=64"); });
        const auto useLength = [&](int64_t length, int64_t size) {
            bench.document.change(QStringLiteral("longer"), [=](session::RunSpec& spec) {
                spec.data.maxLength = length;
                spec.batch.microbatchSize = size;
                spec.data.datasets.front().files = {"rows.jsonl"};
            });
        };
        useLength(16'384, 8);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && !bench.plan.answer()->problem.empty(), 120'000);
        bench.useSimulatedEngine(1);
        bench.commands.setMissing(bench.page->missing());
        bench.commands.start()->trigger();
        const auto* box = bench.page->findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        const QString first = box->text();
        useLength(32'768, 8);
        QVERIFY(box->informativeText().contains(QLatin1String("worked out anew")));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY2(box->text() != first && !box->text().isEmpty(), qPrintable(box->text()));
        QVERIFY(box->informativeText().contains(QLatin1String("for want of memory")));
        useLength(1024, 1);
        QTRY_COMPARE_WITH_TIMEOUT(box->text(), QStringLiteral("It fits now."), 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QPushButton* start = testing::buttonOf(*box, "Start");
        QVERIFY(start != nullptr && testing::buttonOf(*box, "Start anyway") == nullptr);
        bench.commands.setMissing({});
        start->click();
        QVERIFY(bench.run.isRunning());
        bench.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.run.isRunning(), 60'000);
    }

    void whatAnotherRigLacksKeepsNothingFromStarting() {
        Bench bench(36, "1x4090,ram=16");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(!bench.plan.answer()->problem.empty());
        QVERIFY(bench.page->missing().empty());
    }

    void savesThePlanAsJsonAndAsAPicture() {
        Bench bench;
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
