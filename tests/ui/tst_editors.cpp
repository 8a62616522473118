// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo_project.h"
#include "ui/editors/field_row.h"
#include "ui/editors/field_text.h"
#include "ui/editors/number_box.h"
#include "ui/editors/path_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QTranslator>
#include <QVBoxLayout>

#include <algorithm>

using namespace roundpipe;
using namespace roundpipe::ui::editors;

class TestEditors : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;
    ui::document::Document m_document{m_home.path() / "projects"};

    static const session::Field& field(const char* key) { return session::fieldByKey(key); }
    static void type(FieldRow& row, const QString& text) {
        auto* line = row.findChild<QLineEdit*>();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    static QPushButton* resetOf(const FieldRow& row) { return row.findChild<QPushButton*>(QStringLiteral("link")); }

private slots:
    void init() { m_document.create(); }

    void everyFieldHasAnInputThatShowsItsValue() {
        session::RunSpec spec;
        for (const session::Field& one : session::runSpecFields()) {
            FieldRow row(m_document, one);
            row.show();
            QVERIFY2(row.problem().isEmpty(), one.key.c_str());
            QVERIFY2(!resetOf(row)->isVisible(), one.key.c_str());
            row.focusInput();
            QVERIFY2(row.isAncestorOf(row.focusWidget()), one.key.c_str());
        }
    }

    void numbersAreTypedIntoTheDocumentAndShownFromIt() {
        FieldRow row(m_document, field("lora.rank"));
        row.show();
        type(row, QStringLiteral("128"));
        QCOMPARE(m_document.spec().lora.rank, int64_t{128});
        QCOMPARE(m_document.undoStack().count(), 1); // 1, 12, 128: one edit
        QVERIFY(resetOf(row)->isVisible());
        m_document.undoStack().undo();
        QCOMPARE(row.findChild<QLineEdit*>()->text(), QStringLiteral("16"));
        QVERIFY(!resetOf(row)->isVisible());
    }

    // Where a line may end within a word: no number is torn at its comma.
    void linesEndAtCommasOfListsAlone() {
        FieldRow row(m_document, field("lora.rank"));
        row.setEffect(QStringLiteral("0,0001 bis 0,0005, prompt=question,completion=answer"));
        const auto labels = row.findChildren<QLabel*>();
        const QString wanted = QStringLiteral("0,0001 bis 0,0005, prompt=question,\u200Bcompletion=answer");
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == wanted; }));
    }

    void whatIsNotAllowedStaysWithTheReasonAndTheOldValueHolds() {
        FieldRow row(m_document, field("lora.rank"));
        row.show();
        type(row, QStringLiteral("5000"));
        QCOMPARE(m_document.spec().lora.rank, int64_t{16}); // neither 5, 50 nor 500, which were allowed
        QCOMPARE(m_document.undoStack().count(), 0);
        QCOMPARE(row.findChild<QLineEdit*>()->text(), QStringLiteral("5000"));
        QVERIFY(row.problem().contains(QStringLiteral("between 1 and 4096")));
        type(row, QStringLiteral("2.5"));
        QVERIFY(row.problem().contains(QStringLiteral("whole number")));
        QCOMPARE(m_document.spec().lora.rank, int64_t{16}); // nor the 2 of 2.5
        type(row, QStringLiteral("8"));
        QVERIFY(row.problem().isEmpty());
        QCOMPARE(m_document.spec().lora.rank, int64_t{8});
    }

    void limitsAreSaidInTheLanguageOfTheWindow() {
        class German : public QTranslator {
        public:
            bool isEmpty() const override { return false; }
            QString translate(const char*, const char* source, const char*, int) const override {
                return qstrcmp(source, "It must be between %1 and %2.") == 0 ? QStringLiteral("%1 bis %2") : QString();
            }
        };
        German german;
        QCoreApplication::installTranslator(&german);
        FieldRow row(m_document, field("lora.rank"));
        type(row, QStringLiteral("5000"));
        QCOMPARE(row.problem(), QStringLiteral("1 bis 4096"));
        QCoreApplication::removeTranslator(&german);
        FieldRow rate(m_document, field("data.validation_fraction"));
        type(rate, QStringLiteral("2"));
        QVERIFY(rate.problem().startsWith(QStringLiteral("It must be between 0 and 0.")));
    }

    void whatIsRefusedLeavesTheEditBeforeAsItWas() {
        FieldRow row(m_document, field("lora.rank"));
        row.show();
        QApplication::setActiveWindow(&row);
        type(row, QStringLiteral("32"));
        row.findChild<QLineEdit*>()->clearFocus();
        type(row, QStringLiteral("x")); // nothing of this visit can be taken
        QCOMPARE(m_document.spec().lora.rank, int64_t{32});
        type(row, QStringLiteral("64x"));
        QCOMPARE(m_document.spec().lora.rank, int64_t{32});
        QTest::keyClick(row.findChild<QLineEdit*>(), Qt::Key_Backspace);
        QCOMPARE(m_document.spec().lora.rank, int64_t{64});
        m_document.undoStack().undo();
        QCOMPARE(m_document.spec().lora.rank, int64_t{32}); // two edits, two steps
    }

    void aValueFromAFileThatIsNotAllowedIsShownAsSuch() {
        m_document.change({}, [](session::RunSpec& spec) { spec.lora.dropout = 3; });
        const FieldRow row(m_document, field("lora.dropout"));
        QVERIFY(row.problem().contains(QStringLiteral("between 0 and 0.99")));
    }

    void aPasswordDoesNotReachTheProject() {
        FieldRow row(m_document, field("model.base_id"));
        row.show();
        type(row, QStringLiteral("https://me:word@host/a"));
        QVERIFY(row.problem().contains(QStringLiteral("HF_TOKEN")));
        QCOMPARE(m_document.spec().model.baseModelId.find("word"), std::string::npos);
    }

    void resetsToTheDefault() {
        FieldRow row(m_document, field("optimizer.learning_rate"));
        row.show();
        type(row, QStringLiteral("1e-3"));
        QCOMPARE(m_document.spec().optimizer.learningRate, 1e-3);
        QCOMPARE(resetOf(row)->text(), QStringLiteral("Reset to 0.0002"));
        QTest::mouseClick(resetOf(row), Qt::LeftButton);
        QCOMPARE(m_document.spec().optimizer.learningRate, 2e-4);
        QCOMPARE(row.findChild<QLineEdit*>()->text(), QStringLiteral("0.0002"));
    }

    void theFocusStaysWithWhatIsReset() {
        QWidget page;
        auto* rows = new QVBoxLayout(&page);
        auto* rank = new FieldRow(m_document, field("lora.rank"));
        rows->addWidget(rank);
        rows->addWidget(new FieldRow(m_document, field("lora.alpha")));
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        m_document.set(field("lora.rank"), int64_t{64});
        QTest::mouseClick(resetOf(*rank), Qt::LeftButton);
        QVERIFY(page.focusWidget() != nullptr && rank->isAncestorOf(page.focusWidget()));
    }

    void whatThePlanChoosesIsNoNumber() {
        FieldRow row(m_document, field("batch.microbatches"));
        row.show();
        auto* input = row.findChild<QLineEdit*>();
        QCOMPARE(input->text(), QString());
        QCOMPARE(input->placeholderText(), QStringLiteral("chosen"));
        type(row, QStringLiteral("6"));
        QCOMPARE(m_document.spec().batch.microbatches, int64_t{6});
        QTest::keyClick(input, Qt::Key_Backspace); // an empty box is what it says
        QCOMPARE(m_document.spec().batch.microbatches, int64_t{0});
        QVERIFY(row.problem().isEmpty());
        type(row, QStringLiteral("6"));
        QCOMPARE(resetOf(row)->text(), QStringLiteral("Have it chosen"));
        QTest::mouseClick(resetOf(row), Qt::LeftButton);
        QCOMPARE(m_document.spec().batch.microbatches, int64_t{0});
        QCOMPARE(ui::editors::shownValue(field("batch.microbatches"), int64_t{0}), QStringLiteral("chosen"));
        QCOMPARE(ui::editors::shownValue(field("batch.microbatches"), int64_t{6}), QStringLiteral("6"));
        QCOMPARE(ui::editors::shownValue(field("batch.tokens_per_step"), int64_t{0}), QStringLiteral("0"));
    }

    // Lines of what a setting does are long enough to be read: beside the input or, in a narrow window, below it.
    void whatARunIsAboutIsNoChange() {
        const auto isMarked = [this](const char* key) {
            FieldRow row(m_document, session::fieldByKey(key));
            row.show();
            return row.findChild<QLabel*>(QStringLiteral("changed"))->isVisible();
        };
        m_document.change({}, [](session::RunSpec& spec) {
            spec.name = "mine";
            spec.lora.rank = 64;
        });
        QVERIFY(!isMarked("name"));
        QVERIFY(isMarked("lora.rank"));
    }

    void whatASettingDoesHasRoomInAnyWidth() {
        for (const int width : {440, 580, 600, 1000}) {
            FieldRow row(m_document, field("lora.rank"));
            row.setEffect(QStringLiteral("effect"));
            row.resize(width, 200);
            row.show();
            QApplication::processEvents();
            const auto labels = row.findChildren<QLabel*>();
            const auto effect = std::ranges::find_if(
                labels, [](const QLabel* label) { return label->text() == QLatin1String("effect"); });
            QVERIFY(effect != labels.end());
            QVERIFY2((*effect)->width() >= 180, qPrintable(QString::number((*effect)->width())));
            QVERIFY((*effect)->geometry().right() <= row.width());
        }
    }

    // Neither sideways nor down: the mark has its place, and inputs stand in one column, however long the names are.
    void nothingMovesWhenAValueIsChanged() {
        QWidget page;
        page.resize(700, 2000);
        auto* rows = new QVBoxLayout(&page);
        for (const char* key : {"lora.rank", "batch.microbatch_size", "output.save_every_steps"})
            rows->addWidget(new FieldRow(m_document, field(key)));
        rows->addStretch(1);
        page.show();
        const auto places = [&] {
            QApplication::processEvents();
            std::vector<QRect> found;
            for (const FieldControl* control : page.findChildren<FieldControl*>())
                found.push_back({control->mapTo(&page, QPoint()), control->size()});
            return found;
        };
        const std::vector<QRect> before = places();
        QCOMPARE(before.size(), std::size_t{3});
        for (const QRect& place : before)
            QCOMPARE(place.left(), before.front().left());
        m_document.change({}, [](session::RunSpec& spec) {
            spec.lora.rank = 64;
            spec.batch.microbatchSize = 16;
            spec.output.saveEverySteps = 100;
        });
        for (const QLabel* mark : page.findChildren<QLabel*>(QStringLiteral("changed")))
            QVERIFY(mark->isVisible());
        QCOMPARE(places(), before);
    }

    void stepsFollowTheSizeOfTheNumber_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("up");
        QTest::addColumn<double>("down");
        QTest::newRow("rank") << "lora.rank" << 16.0 << 17.0 << 15.0;
        QTest::newRow("rate") << "optimizer.learning_rate" << 2e-4 << 5e-4 << 1e-4;
        QTest::newRow("tiny") << "optimizer.epsilon" << 1e-8 << 2e-8 << 5e-9;
        QTest::newRow("epochs") << "duration.epochs" << 3.0 << 4.0 << 2.0;
        QTest::newRow("share") << "optimizer.warmup_ratio" << 0.1 << 0.15 << 0.05;
        QTest::newRow("least") << "lora.rank" << 1.0 << 2.0 << 1.0;
    }
    void stepsFollowTheSizeOfTheNumber() {
        QFETCH(QString, key);
        QFETCH(double, value);
        QFETCH(double, up);
        QFETCH(double, down);
        const session::Field& one = session::fieldByKey(key.toStdString());
        const bool isWhole = std::holds_alternative<int64_t>(one.get({}));
        NumberBox box(isWhole, one.minimum, one.maximum);
        box.setValue(value);
        box.stepBy(1);
        QCOMPARE(box.value(), up);
        box.setValue(value);
        box.stepBy(-1);
        QCOMPARE(box.value(), down);
    }

    void choicesTicksTextsAndListsGoBothWays() {
        FieldRow schedule(m_document, field("optimizer.schedule"));
        auto* list = schedule.findChild<QComboBox*>();
        QCOMPARE(list->count(), static_cast<int>(field("optimizer.schedule").choices.size()));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Home);
        QCOMPARE(list->currentIndex(), 0);
        QCOMPARE(textOfValue(field("optimizer.schedule").get(m_document.spec())).toStdString(),
                 field("optimizer.schedule").choices.front());

        FieldRow shuffle(m_document, field("data.shuffle"));
        shuffle.show();
        QTest::mouseClick(shuffle.findChild<QCheckBox*>(), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(!m_document.spec().data.shuffle);

        FieldRow targets(m_document, field("lora.targets"));
        targets.show();
        type(targets, QStringLiteral("q_proj, v_proj"));
        QCOMPARE(m_document.spec().lora.targets, (std::vector<std::string>{"q_proj", "v_proj"}));

        FieldRow stages(m_document, field("engine.forward_stages"));
        stages.show();
        type(stages, QStringLiteral("9, x"));
        QVERIFY(!stages.problem().isEmpty());
        type(stages, QStringLiteral("9, 10"));
        QCOMPARE(m_document.spec().engine.forwardStages, (std::vector<int64_t>{9, 10}));
    }

    void filesAreListedAndRemoved() {
        FieldRow files(m_document, field("data.files"));
        files.show();
        m_document.change({}, [](session::RunSpec& spec) {
            spec.data.datasets.front().files = {"/a.jsonl", "/b.csv"};
        });
        auto* list = files.findChild<QListWidget*>();
        QCOMPARE(list->count(), 2);
        list->setCurrentRow(0);
        for (QPushButton* button : files.findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Remove")) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m_document.spec().data.datasets.front().files, std::vector<std::string>{"/b.csv"});
    }

    void rulesAreTicked() {
        FieldRow rules(m_document, field("data.leave_out"));
        rules.show();
        const auto ticks = rules.findChildren<QCheckBox*>();
        QCOMPARE(ticks.size(), static_cast<qsizetype>(field("data.leave_out").choices.size()));
        QTest::mouseClick(ticks[2], Qt::LeftButton, {}, {8, ticks[2]->height() / 2});
        QTest::keyClick(ticks[0], Qt::Key_Space);
        QCOMPARE(m_document.spec().data.datasets.front().leaveOut,
                 (std::vector{LeaveOut::kDuplicates, LeaveOut::kLeaks}));
        m_document.undoStack().undo();
        QVERIFY(!ticks[0]->isChecked());
        QVERIFY(ticks[2]->isChecked());
    }

    void inputsAreNamedForScreenReaders() {
        for (const session::Field& one : session::runSpecFields()) {
            const FieldRow row(m_document, one);
            const QWidget* input = row.findChild<FieldControl*>()->input();
            QVERIFY2(input != nullptr && input->accessibleName() == labelOf(one), one.key.c_str());
        }
    }
};

QTEST_MAIN(TestEditors)
#include "tst_editors.moc"
