// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/layers.h"
#include "base/units.h"
#include "plan/cost/run_profile.h"
#include "plan/rig/rig_file.h"
#include "test_services.h"
#include "ui/editors/field_control.h"
#include "ui/editors/field_row.h"
#include "ui/models/plan_text.h"
#include "ui/pages/contract/remark_lines.h"
#include "ui/pages/settings/changes_card.h"
#include "ui/pages/settings/presets_card.h"
#include "ui/pages/settings/setting_effects.h"
#include "ui/pages/settings/setting_sections.h"
#include "ui/pages/settings/settings_page.h"
#include "whole_page.h"

#include <QClipboard>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <set>

using namespace roundpipe;
using testing::buttonOf;
using testing::showAllOf;
using testing::shows;
using ui::editors::FieldRow;
using ui::pages::PresetsCard;
using ui::pages::SettingsPage;

class TestSettingsPage : public QObject {
    Q_OBJECT

    static std::set<std::string> shownKeys(const SettingsPage& page) {
        std::set<std::string> keys;
        for (const FieldRow* row : page.findChildren<FieldRow*>())
            if (row->isVisibleTo(&page)) keys.insert(row->field().key);
        return keys;
    }

private slots:
    void everySettingStandsInOneSection() {
        std::set<std::string> keys;
        for (const auto& section : ui::pages::settingSections())
            for (const session::Field* field : section.fields)
                QVERIFY2(keys.insert(field->key).second, field->key.c_str());
        QCOMPARE(keys.size() + 1, session::runSpecFields().size()); // but for the version
    }

    void simpleShowsFewExpertAllAndTheChoiceIsRemembered() {
        testing::TestServices test;
        {
            SettingsPage page(test.services());
            showAllOf(page);
            const auto simple = shownKeys(page);
            QVERIFY(simple.contains("lora.rank") && simple.contains("duration.epochs") && simple.size() < 10);
            QTest::mouseClick(buttonOf(page, "Expert"), Qt::LeftButton);
            QCOMPARE(shownKeys(page).size() + 1, session::runSpecFields().size());
        }
        SettingsPage again(test.services());
        showAllOf(again);
        QCOMPARE(shownKeys(again).size() + 1, session::runSpecFields().size());
    }

    // Rows grow when it is known what they do.
    void whatOneWasLedToStaysInViewUntilOneScrolls() {
        testing::TestServices test;
        test.document.setPrompts({"Who are you?", "What is red?"});
        SettingsPage page(test.services());
        page.resize(1000, 640);
        showAllOf(page);
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showField(QStringLiteral("prompts"));
        const auto isInView = [&](const char* button) {
            const QPushButton* shown = buttonOf(page, button);
            return shown->visibleRegion().boundingRect().height() == shown->height();
        };
        const auto growBy = [&](const char* line) {
            for (FieldRow* row : page.findChildren<FieldRow*>())
                if (row->isVisibleTo(&page)) row->setEffect(QString::fromLatin1(line).repeated(6));
        };
        QTRY_VERIFY(isInView("Add a prompt"));
        growBy("one line<br>");
        QTest::qWait(50);
        QTRY_VERIFY(isInView("Add a prompt"));
        auto* bar = page.findChild<QScrollArea*>()->verticalScrollBar();
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
        growBy("another line<br>and one<br>");
        QTest::qWait(50);
        QCOMPARE(bar->value(), 0);
    }

    // What is painted next is laid out.
    void rowsThatGrowAreNeverSqueezed() {
        testing::TestServices test;
        SettingsPage page(test.services());
        page.resize(1000, 640);
        showAllOf(page);
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTest::qWait(50);
        std::vector<FieldRow*> rows;
        for (FieldRow* row : page.findChildren<FieldRow*>())
            if (row->isVisibleTo(&page)) rows.push_back(row);
        QVERIFY(rows.size() > 5);
        for (int length : {3, 12, 1, 20, 7})
            for (FieldRow* row : rows) {
                row->setEffect(QStringLiteral("What it does in words. ").repeated(length));
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
                for (const FieldRow* one : rows)
                    QVERIFY2(one->height() >= one->heightForWidth(one->width()), one->field().key.c_str());
            }
    }

    // Who turns to all settings, or looks for one, as soon as the page is there gets an answer at once all the same.
    void rowsComeInPiecesForWhoIsQuick() {
        testing::TestServices test;
        const auto numRows = [](const SettingsPage& page) { return page.findChildren<FieldRow*>().size(); };
        const qsizetype all = qsizetype(session::runSpecFields().size()) - 1;
        SettingsPage page(test.services());
        page.show();
        QTest::mouseClick(buttonOf(page, "Expert"), Qt::LeftButton);
        QVERIFY2(numRows(page) < all, qPrintable(QString::number(numRows(page))));
        QTRY_COMPARE(qsizetype(shownKeys(page).size()), all);

        SettingsPage other(test.services());
        other.show();
        other.find(QStringLiteral("weight DECAY"));
        QVERIFY(numRows(other) < all);
        QTRY_COMPARE(numRows(other), all);
        QCOMPARE(shownKeys(other), std::set<std::string>{"optimizer.weight_decay"});

        SettingsPage led(test.services());
        led.show();
        led.showField(QStringLiteral("lora.rank"));
        QVERIFY(numRows(led) < all && shownKeys(led).contains("lora.rank"));
    }

    // A tick is lower than a box.
    void allInputsStandAtOneHeightBesideTheirLabels() {
        testing::TestServices test;
        SettingsPage page(test.services());
        page.resize(1300, 700);
        showAllOf(page);
        page.setExpert(true);
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTest::qWait(50);
        const auto middleOf = [&](const char* key) {
            for (const FieldRow* row : page.findChildren<FieldRow*>()) {
                if (row->field().key != key) continue;
                const QWidget* input = row->findChild<ui::editors::FieldControl*>()->input();
                return input->mapTo(row, input->rect().center()).y();
            }
            return -1;
        };
        QVERIFY(middleOf("lora.rank") > 0);
        QCOMPARE(middleOf("lora.rslora"), middleOf("lora.rank"));
        QCOMPARE(middleOf("data.header"), middleOf("lora.rank"));
    }

    void findsSettingsByTheirWords() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        page.find(QStringLiteral("weight DECAY"));
        QCOMPARE(shownKeys(page), std::set<std::string>{"optimizer.weight_decay"});
        page.find({});
        QVERIFY(shownKeys(page).size() > 3);
    }

    void theRailSaysSoWhileAValueIsWrong() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        page.showField(QStringLiteral("lora.rank"));
        QSignalSpy changed(&page, &ui::pages::Page::statusChanged);
        for (FieldRow* row : page.findChildren<FieldRow*>()) {
            if (row->field().key != "lora.rank") continue;
            auto* line = row->findChild<QLineEdit*>();
            line->selectAll();
            QTest::keyClicks(line, QStringLiteral("99999"));
            QVERIFY(!changed.isEmpty());
            QCOMPARE(page.status().text, QStringLiteral("a value is not allowed"));
            changed.clear();
            line->selectAll();
            QTest::keyClicks(line, QStringLiteral("x"));
            changed.clear();
            line->setText(QString());
            QTest::keyClicks(line, QStringLiteral("16")); // as it is in the project all the time
            QVERIFY(!changed.isEmpty());
            QCOMPARE(page.status().text, QStringLiteral("defaults"));
        }
    }

    // Shorter words in a narrow window, too.
    void theNextStepStandsRightBehindTheWordsAndMovesNothing() {
        testing::TestServices test;
        SettingsPage page(test.services());
        page.resize(1400, 700);
        showAllOf(page);
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QPushButton* next = buttonOf(page, "Next: Plan");
        QVERIFY(next != nullptr);
        QStringList said;
        for (const int width : {1400, 780}) {
            page.resize(width, 700);
            QTest::qWait(20);
            const auto* words = next->parentWidget()->findChild<QLabel*>();
            said += words->text();
            const int gap = next->x() - words->x() - words->fontMetrics().horizontalAdvance(words->text());
            QVERIFY2(gap >= 0 && gap < 16, qPrintable(QString::number(gap)));
            QVERIFY(next->geometry().right() < next->parentWidget()->width());
        }
        QVERIFY(said[0] != said[1]);
        const auto* rows = page.findChild<QScrollArea*>();
        const QPoint before = rows->mapTo(&page, QPoint());
        auto* line = page.findChildren<FieldRow*>().front()->findChild<QLineEdit*>();
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("99999999999"));
        QCOMPARE(page.status().mark, ui::pages::PageStatus::Mark::kMissing);
        QVERIFY(!next->isVisible());
        QTest::qWait(20);
        QCOMPARE(rows->mapTo(&page, QPoint()), before);
    }

    // As it is before the window has painted: no row is made for it.
    void whatIsWrongInAFileIsKnownBeforeThePageIsShown() {
        testing::TestServices test;
        SettingsPage page(test.services());
        QVERIFY(page.findChildren<FieldRow*>().isEmpty());
        QCOMPARE(page.status().text, QStringLiteral("defaults"));
        session::RunSpec wrong;
        wrong.optimizer.warmupSteps = -1;
        test.document.createFrom(wrong);
        QCOMPARE(page.status().text, QStringLiteral("a value is not allowed"));
        QCOMPARE(page.missing().size(), std::size_t{1});
        QCOMPARE(page.missing().front().field, QStringLiteral("optimizer.warmup_steps"));
        while (page.prepare()) {
        }
        QCOMPARE(page.findChildren<FieldRow*>().size() + 1, qsizetype(session::runSpecFields().size()));
        QCOMPARE(page.missing().size(), std::size_t{1});
    }

    void showsWhatDiffersFromTheDefaultsAndTheWayBack() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        QVERIFY(shows(page, "all settings are at their defaults"));
        test.document.change({}, [](session::RunSpec& spec) {
            spec.lora.rank = 24;
            spec.optimizer.weightDecay = 0.1;
            spec.name = "A name is no change of a setting";
        });
        QCOMPARE(page.status().text, QStringLiteral("2 changed"));
        QSignalSpy chosen(page.findChild<ui::pages::ChangesCard*>(), &ui::pages::ChangesCard::chosen);
        QTRY_VERIFY(buttonOf(page, "Weight decay") != nullptr);
        QTest::mouseClick(buttonOf(page, "Weight decay"), Qt::LeftButton);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("optimizer.weight_decay"));
        QVERIFY(shownKeys(page).contains("optimizer.weight_decay")); // expert, now
        QTRY_VERIFY(buttonOf(page, "Reset all") != nullptr);
        QTest::mouseClick(buttonOf(page, "Reset all"), Qt::LeftButton);
        QCOMPARE(test.document.spec().lora.rank, int64_t{16});
        QCOMPARE(test.document.spec().name, std::string("A name is no change of a setting"));
        test.document.undoStack().undo();
        QCOMPARE(test.document.spec().lora.rank, int64_t{24});
    }

    void ofAMixtureOnlyWhatDiffersIsChanged() {
        testing::TestServices test;
        test.document.change(QStringLiteral("a second dataset"), [](session::RunSpec& spec) {
            spec.data.datasets.resize(2);
            spec.data.datasets[1].maxRows = 50;
        });
        SettingsPage page(test.services());
        showAllOf(page);
        const auto changes = ui::pages::ChangesCard::changesOf(test.document.spec());
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes[0]->key, std::string("data.max_rows"));
        QTRY_VERIFY(shows(page, "<b>50</b>")); // of the dataset that has it, not of the one that is being edited
        QTest::mouseClick(buttonOf(page, "Reset all"), Qt::LeftButton);
        QCOMPARE(test.document.spec().data.datasets.size(), std::size_t(2)); // which are no setting
        QVERIFY(ui::pages::ChangesCard::changesOf(test.document.spec()).empty());
    }

    void presetsAreTakenSavedAndForgotten() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        QVERIFY(shows(page, "Balanced · in use"));
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("Use the preset Thorough")) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QCOMPARE(test.document.spec().lora.rank, int64_t{64});
        QCOMPARE(test.document.spec().duration.epochs, 5.0);
        test.document.change({}, [](session::RunSpec& spec) {
            spec.optimizer.weightDecay = 0.25;
            spec.model.path = "/not/of/a/preset";
        });
        page.findChild<PresetsCard*>()->saveAs(QStringLiteral("My / own"));
        test.document.create();
        QTRY_VERIFY(shows(page, "My / own"));
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("Use the preset My / own")) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QCOMPARE(test.document.spec().optimizer.weightDecay, 0.25);
        QCOMPARE(test.document.spec().model.path, std::string());
        QTRY_VERIFY(buttonOf(page, "Forget") != nullptr);
        QTest::mouseClick(buttonOf(page, "Forget"), Qt::LeftButton);
        QTRY_VERIFY(!shows(page, "My / own"));
    }

    void saysWhatTheSettingsComeToAndWhatTurningOneDoes() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        SettingsPage page(test.services());
        showAllOf(page);
        QVERIFY(shows(page, "Choose a model"));
        test.document.open(project.runFile());
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "RTX 4090"), 20'000);
        QVERIFY(shows(page, "tokens/s"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "32: "), 20'000); // twice the rank
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "2048: "), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!test.plan.isWorking() && !test.plan.isOld(), 20'000); // compared with what is known
        test.document.set(session::fieldByKey("batch.microbatch_size"), int64_t{16});
        const auto showsBefore = [&] {
            const auto isOfBefore = [](const QLabel* label) { return label->text().endsWith(QStringLiteral(" →")); };
            return std::ranges::any_of(page.findChildren<QLabel*>(), isOfBefore);
        };
        QTRY_VERIFY_WITH_TIMEOUT(showsBefore(), 20'000);
        const auto says = [&](const char* verdict) {
            return std::ranges::any_of(page.findChildren<QLabel*>(QStringLiteral("verdict")),
                                       [&](const QLabel* label) { return label->text() == QLatin1String(verdict); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("better") || says("worse"), 20'000);
        // Another model, other rows or another machine are no better or worse.
        const auto isNew = [&] {
            return !test.plan.isWorking() && !test.plan.isOld() && test.plan.answer() != nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isNew(), 20'000);
        test.plan.setRig("1x3090,ram=64");
        QTRY_VERIFY_WITH_TIMEOUT(isNew() && shows(page, "RTX 3090"), 20'000);
        QVERIFY(!showsBefore() && !says("better") && !says("worse"));
    }

    void presetsAndSettingsSayWhatTheRunWouldTake() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        SettingsPage page(test.services());
        showAllOf(page);
        const auto timeOf = [&](const char* preset) {
            for (const QLabel* label : page.findChildren<QLabel*>())
                if (label->accessibleName() == QLatin1String("The whole run with the preset ") + QLatin1String(preset))
                    return label->text();
            return QString();
        };
        QCOMPARE(timeOf("Thorough"), QStringLiteral("–"));
        test.document.open(project.runFile());
        QTRY_VERIFY_WITH_TIMEOUT(timeOf("Thorough").contains(QLatin1Char('s')), 60'000); // "0.12 s"
        QTRY_VERIFY_WITH_TIMEOUT(timeOf("First try").contains(QLatin1Char('s')), 60'000);

        const auto valueOf = [&](const char* name) {
            for (const QLabel* label : page.findChildren<QLabel*>())
                if (label->accessibleName() == QLatin1String(name) && label->objectName().isEmpty())
                    return label->text();
            return QString();
        };
        QTRY_COMPARE(valueOf("Steps in all"), QStringLiteral("5"));
        QCOMPARE(valueOf("Steps an epoch"), QStringLiteral("needs the rows"));
        QTest::mouseClick(buttonOf(page, "Expert"), Qt::LeftButton);
        QTRY_VERIFY(shows(page, "5 step(s) in all, "));
        test.document.set(session::fieldByKey("duration.max_steps"), int64_t{7}); // no question to the planner
        QTRY_COMPARE(valueOf("Steps in all"), QStringLiteral("7"));
        QTRY_VERIFY(shows(page, "7 step(s) in all, "));
        test.document.set(session::fieldByKey("model.path"), std::string()); // as Undo may do
        QTRY_COMPARE(timeOf("Thorough"), QStringLiteral("–"));
        QCOMPARE(timeOf("First try"), QStringLiteral("–"));
    }

    void settingsWithoutEffectSaySo() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        const auto rowOf = [&](const char* key) {
            for (FieldRow* row : page.findChildren<FieldRow*>())
                if (row->field().key == key) return row;
            return static_cast<FieldRow*>(nullptr);
        };
        QVERIFY(shownKeys(page).contains("method"));
        QVERIFY(shows(page, "3 epochs, rank 16"));
        QVERIFY(!shows(*rowOf("lora.rank"), "No effect"));
        test.document.set(session::fieldByKey("lora.rank"), int64_t{24});
        test.document.set(session::fieldByKey("method"), std::string("full"));
        QVERIFY(shows(*rowOf("lora.rank"), "No effect"));
        QVERIFY(!rowOf("lora.rank")->findChild<ui::editors::FieldControl*>()->isEnabled());
        QTRY_VERIFY(shows(page, "3 epochs, all weights"));
        QVERIFY(!shows(page, "rank 16"));
        for (const session::Field* field : ui::pages::ChangesCard::changesOf(test.document.spec()))
            QVERIFY(field->key != "lora.rank");
        // The rate of adapters gets a word, and a better one by a click.
        FieldRow* rate = rowOf("optimizer.learning_rate");
        QVERIFY(shows(*rate, "is one for adapters"));
        QVERIFY(shows(*rate, "0.00001 to 0.00002"));
        QPushButton* better = buttonOf(*rate, "Set to 0.00002");
        QVERIFY(better != nullptr);
        better->click();
        QCOMPARE(test.document.spec().optimizer.learningRate, 2e-5);
        QVERIFY(!shows(*rate, "is one for adapters"));
        page.findChild<PresetsCard*>()->saveAs(QStringLiteral("Whole"));
        test.document.create();
        QVERIFY(rowOf("lora.rank")->findChild<ui::editors::FieldControl*>()->isEnabled());
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("Use the preset Whole")) {
                button->click();
                break;
            }
        QCOMPARE(test.document.spec().method, Method::kFull);
    }

    void examplesBeyondTheModelsPositionsAreSaid() {
        const testing::DemoProject project(5); // 256 positions
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        SettingsPage page(test.services());
        QWidget other; // as on the pages Data and Plan
        auto& lines = *new ui::pages::RemarkLines(test.services(), QStringLiteral("data."), &other);
        showAllOf(page);
        other.show();
        QVERIFY(!lines.isVisible());
        test.document.open(project.runFile());
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "the model 256 positions"), 20'000);
        QTRY_VERIFY(lines.isVisible() && buttonOf(lines, "Set to 256") != nullptr);
        buttonOf(lines, "Set to 256")->click();
        QCOMPARE(test.document.spec().data.maxLength, int64_t{256});
        QTRY_VERIFY_WITH_TIMEOUT(!shows(page, "256 positions") && !lines.isVisible(), 20'000);
    }

    void whatIsChosenForASettingStandsBesideIt() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("8x4090,ram=64");
        SettingsPage page(test.services());
        showAllOf(page);
        test.document.open(project.runFile());
        test.document.set(session::fieldByKey("batch.microbatches"), int64_t{0});
        QTRY_VERIFY_WITH_TIMEOUT(
            test.plan.answer() != nullptr && test.plan.answer()->choseMicrobatches && !test.plan.isWorking(), 60'000);
        const plan::StepShape& step = test.plan.answer()->choice.shape;
        const QString all = ui::models::microbatchesText(*test.plan.answer()); // as the page Plan has it
        const QString doubled = QString::number(2 * step.roundSize);
        const QString said = QStringLiteral("%1 · %2%3: ")
                                 .arg(all, doubled, step.numRounds() > 1 ? QStringLiteral(" a round") : QString());
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, said.toUtf8()), 60'000);
    }

    void aHintSaysWhenOtherWeightsStayOnTheFullestDevice() {
        using ui::pages::SettingEffects;
        ui::pages::PlanNumbers before;
        before.fullestBytes = 10 * kGiB;
        before.numResident = 3;
        ui::pages::PlanNumbers after = before;
        QVERIFY(SettingEffects::memoryText(before, after).isEmpty());
        after.fullestBytes = 12 * kGiB;
        const QString same = SettingEffects::memoryText(before, after);
        QVERIFY2(same.startsWith(QLatin1Char('+')) && same.endsWith(QLatin1String("GiB on the fullest device")),
                 qPrintable(same));
        after.numResident = 5;
        QCOMPARE(SettingEffects::memoryText(before, after),
                 same + QLatin1String(", where the weights of 5 layer(s) stay instead of 3"));
    }

    void otherChoicesAreJudgedLikeNumbers() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        test.document.open(project.runFile());
        ui::pages::SettingEffects effects(test.services());
        effects.setWatched(true);
        const auto says = [&](const char* key, const char* part) {
            return effects.effectOf(key).contains(QLatin1String(part));
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("engine.replicas", "a step"), 60'000); // the last one
        QVERIFY2(says("method", "full: ") && says("method", "of host memory"), qPrintable(effects.effectOf("method")));
        QCOMPARE(effects.effectOf("model.weights").count(QLatin1Char('\n')), 2); // of three formats
        for (const char* format : {"nf4: ", "int8: ", "fp8: "})
            QVERIFY2(says("model.weights", format), format);
        QVERIFY(says("engine.precision", "fp32: "));
        QVERIFY2(says("optimizer.moments", "bf16: "), qPrintable(effects.effectOf("optimizer.moments")));
        QVERIFY(says("optimizer.updates", "one-step-stale: "));
        QVERIFY(says("lora.targets", "q_proj, v_proj: "));
        QVERIFY(says("lora.modules_to_save", "embed_tokens: "));
        QVERIFY(says("engine.determinism", "fast: "));

        // Of what is trained whole nothing travels in fewer bits, and there is no adapter.
        test.document.set(session::fieldByKey("method"), std::string("full"));
        QTRY_VERIFY_WITH_TIMEOUT(says("method", "lora: ") && says("engine.replicas", "a step"), 60'000);
        for (const char* key : {"model.weights", "lora.targets", "lora.rank"})
            QVERIFY2(effects.effectOf(key).isEmpty(), key);
        QVERIFY(says("optimizer.moments", "bf16: "));
    }

    // What was found stays, and the rest is asked for when somebody looks again.
    void effectsAreAskedForOnlyWhileSomebodyLooks() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        test.document.open(project.runFile());
        ui::pages::SettingEffects effects(test.services());
        QTRY_VERIFY_WITH_TIMEOUT(test.plan.answer() != nullptr && !test.plan.isWorking(), 60'000);
        effects.setWatched(true);
        QTRY_VERIFY_WITH_TIMEOUT(!effects.effectOf("lora.rank").isEmpty(), 60'000);
        effects.setWatched(false);
        QSignalSpy changed(&effects, &ui::pages::SettingEffects::changed);
        QTest::qWait(300);
        QVERIFY(changed.isEmpty());
        QVERIFY(effects.effectOf("engine.replicas").isEmpty());
        effects.setWatched(true);
        QTRY_VERIFY_WITH_TIMEOUT(!effects.effectOf("engine.replicas").isEmpty(), 60'000);
        QCOMPARE(effects.effectOf("lora.rank").count(QLatin1String("a step")), 1);
    }

    // After a run its settings have measured times, all others estimates.
    void measuredTimesAreNotHeldAgainstEstimates() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((test.home.path() / "cache").string()));
        std::filesystem::create_directories(plan::profileFolder());
        test.plan.setRig("2x4090,ram=64");
        SettingsPage page(test.services());
        showAllOf(page);
        test.document.open(project.runFile());
        const auto effectOfRank = [&] {
            for (const QString& text : testing::textsOf(page))
                if (text.contains(QLatin1String("32: "))) return text.section(QLatin1String("32: "), 1);
            return QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!effectOfRank().isEmpty() && !test.plan.isWorking(), 20'000);
        QVERIFY(!test.plan.answer()->isMeasured && shows(page, "are estimated"));
        const QString estimated = effectOfRank();
        const double stepBefore = test.plan.answer()->choice.step.stepSeconds;

        const plan::Rig rig = plan::loadRig("2x4090,ram=64");
        const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(project.folder() / "model"));
        const std::vector<std::optional<plan::RunFactors>> slow(2, plan::RunFactors{9, 9, 9, 9.0});
        for (const plan::DeviceProfile& profile : plan::profilesOfRun(slow, model, test.plan.answer()->training, rig))
            plan::saveProfile(profile);
        // The plan on show is that of a run that would begin now.
        QTRY_VERIFY_WITH_TIMEOUT(test.plan.answer() != nullptr && test.plan.answer()->isMeasured, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!test.plan.isWorking() && !effectOfRank().isEmpty(), 20'000);
        QVERIFY(test.plan.answer()->choice.step.stepSeconds > 3 * stepBefore);
        QVERIFY(shows(page, "are measured"));
        QCOMPARE(effectOfRank().section(QLatin1String(", "), 1), estimated.section(QLatin1String(", "), 1));
        QTRY_VERIFY_WITH_TIMEOUT(!test.plan.isWorking(), 20'000);

        test.document.set(session::fieldByKey("lora.rank"), int64_t{64}); // was never run
        QTRY_VERIFY_WITH_TIMEOUT(!test.plan.isWorking() && !test.plan.isOld(), 20'000);
        QVERIFY(!test.plan.answer()->isMeasured);
        QTRY_VERIFY(shows(page, "Times of before are left out: they were measured."));
        for (const QLabel* label : page.findChildren<QLabel*>(QStringLiteral("verdict")))
            QVERIFY2(label->text() != QLatin1String("better"), "nine times as fast, by an estimate");
        qunsetenv("XDG_CACHE_HOME");
    }

    void copiesTheCommand() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.document.open(project.runFile());
        SettingsPage page(test.services());
        showAllOf(page);
        QTest::mouseClick(buttonOf(page, "Copy as command"), Qt::LeftButton);
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY(command.startsWith(QStringLiteral("roundpipe train")));
        QVERIFY(command.contains(QStringLiteral("--max-steps=5")));
        QVERIFY(command.contains(QStringLiteral("'--sample=Who are you?'")));
    }

    void aWrongValueKeepsARunFromStartingAndIsLedTo() {
        testing::TestServices test;
        SettingsPage page(test.services());
        showAllOf(page);
        QVERIFY(page.missing().empty());
        test.document.change({}, [](session::RunSpec& spec) { spec.optimizer.beta1 = 3; });
        QCOMPARE(page.missing().size(), std::size_t{1});
        QCOMPARE(page.missing().front().field, QStringLiteral("optimizer.beta1"));
        QCOMPARE(page.status().mark, ui::pages::PageStatus::Mark::kMissing);
        page.showField(page.missing().front().field);
        QVERIFY(shownKeys(page).contains("optimizer.beta1"));
    }
};

QTEST_MAIN(TestSettingsPage)
#include "tst_settings_page.moc"
