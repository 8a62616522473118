// SPDX-License-Identifier: GPL-3.0-or-later
// A grid over the settings of a project: values as they are typed, the runs that come of them, and how long they take.
#include "base/error.h"
#include "made_runs.h"
#include "plan/rig/rig_file.h"
#include "ui/editors/field_text.h"
#include "ui/pages/queue/grid_dialog.h"
#include "ui/pages/queue/grid_values.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QTableWidget>
#include <QTest>

using namespace roundpipe;
using namespace roundpipe::ui;
using pages::GridDialog;

// A project that is planned for four GPUs, and a dialog over it.
struct GridBench : testing::TestServices {
    GridBench()
        : TestServices(
              [](const std::vector<std::string>&, const std::stop_token&) { return plan::loadRig("4x4090,ram=256"); }) {
        document.open(project.runFile());
        document.set(session::fieldByKey("engine.devices"), std::vector<std::string>{"auto"});
        const bool isPlanned =
            QTest::qWaitFor([&] { return plan.answer() != nullptr && !plan.isOld() && !plan.isWorking(); }, 20'000);
        if (!isPlanned) throw Error(ErrorKind::kIo, "waited in vain for the plan");
        queue::QueuedRun base;
        base.spec = document.spec();
        dialog = new GridDialog(services(), base);
        dialog->show();
        QApplication::setActiveWindow(dialog);
    }
    ~GridBench() { delete dialog; }
    void type(std::size_t field, const char* values) {
        dialog->field(field).typed().setText(QString::fromUtf8(values));
    }
    // "0.0001 8": a run by its values.
    QString run(int row) {
        QStringList values;
        for (int column = 0; column + 1 < dialog->preview().columnCount(); ++column)
            values += dialog->preview().item(row, column)->text();
        return values.join(QLatin1Char(' '));
    }
    QString time(int row) { return dialog->preview().item(row, dialog->preview().columnCount() - 1)->text(); }

    testing::DemoProject project{50};
    QPointer<GridDialog> dialog;
};

namespace {

std::vector<std::string> read(const char* key, const char* typed, const QLocale& locale = QLocale::c()) {
    const session::Field& field = session::fieldByKey(key);
    std::vector<std::string> texts;
    for (const session::FieldValue& value : pages::gridValuesOf(field, QString::fromUtf8(typed), locale))
        texts.push_back(editors::textOfValue(value).toStdString());
    return texts;
}
using Texts = std::vector<std::string>;

} // namespace

class TestGridDialog : public QObject {
    Q_OBJECT

private slots:
    void valuesAreReadAsPeopleWriteThem() {
        const QLocale german(QLocale::German, QLocale::Germany);
        QCOMPARE(read("lora.rank", "8; 16 ;32;"), (Texts{"8", "16", "32"}));
        QCOMPARE(read("lora.rank", "8, 16,32"), (Texts{"8", "16", "32"}));
        QCOMPARE(read("lora.dropout", "0.05; 0.1"), (Texts{"0.05", "0.1"}));
        QCOMPARE(read("lora.dropout", "0,05; 0.1", german), (Texts{"0.05", "0.1"}));
        QCOMPARE(read("lora.rank", "8, 16", german), (Texts{"8", "16"}));
        QCOMPARE(read("lora.targets", "q_proj+v_proj; q_proj"), (Texts{"q_proj, v_proj", "q_proj"}));
        QCOMPARE(read("lora.rank", " "), Texts{});
        QVERIFY_EXCEPTION_THROWN(read("lora.rank", "8; many"), Error);
        QVERIFY_EXCEPTION_THROWN(read("lora.rank", "0"), Error);
        QVERIFY_EXCEPTION_THROWN(read("lora.rank", "8,5", german), Error);
    }

    void everySettingOfARunButItsNameAndFolderCanBeChosen() {
        GridBench bench;
        QComboBox& fields = bench.dialog->field(0).fields();
        QCOMPARE(fields.count(), static_cast<int>(queue::sweepableFields().size()));
        for (int i = 0; i < fields.count(); ++i) {
            fields.setCurrentIndex(i);
            QVERIFY(fields.itemText(i) != fields.itemData(i).toString());
        }
        QVERIFY(fields.findData(QStringLiteral("output.folder")) < 0);
        fields.setFocus(); // and found by a few letters
        fields.lineEdit()->selectAll();
        QTest::keyClicks(fields.lineEdit(), QStringLiteral("no such setting"));
        QTest::keyClick(fields.lineEdit(), Qt::Key_Tab);
        QCOMPARE(fields.currentText(), fields.itemText(fields.currentIndex()));
    }

    void aGridIsShownWithItsTimesAndAdded() {
        GridBench bench;
        QPushButton* add = testing::buttonOf(*bench.dialog, "Add to the queue");
        QCOMPARE(bench.dialog->preview().rowCount(), 1); // the project's own rate
        bench.type(0, "0.0001; 0.0002");
        testing::buttonOf(*bench.dialog, "Another setting")->click();
        QCOMPARE(bench.dialog->numFields(), 2U);
        QVERIFY(bench.dialog->field(1).isAncestorOf(QApplication::focusWidget()));
        bench.type(1, "8; 16; 64");
        QTRY_COMPARE(bench.dialog->preview().rowCount(), 6);
        QCOMPARE(bench.run(0), QStringLiteral("0.0001 8"));
        QCOMPARE(bench.run(5), QStringLiteral("0.0002 64"));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.time(5).contains(QChar(0x2026)), 30'000);
        QVERIFY(bench.time(5) != QStringLiteral("–"));
        QVERIFY2(bench.dialog->summary().text().startsWith(QStringLiteral("6 run(s) · about ")),
                 qPrintable(bench.dialog->summary().text()));
        QVERIFY(add->isEnabled());
        add->click();
        QTRY_COMPARE(bench.queue.view().waiting.size(), 6U);
        const queue::QueuedRun& last = bench.queue.view().waiting.back();
        QCOMPARE(last.spec.lora.rank, 64);
        QCOMPARE(last.spec.name, std::string("Test run, Learning rate 0.0002, Rank 64"));
        QCOMPARE(last.sweep, std::string("Test run"));
        QVERIFY(last.expectedSeconds > 0);
        QVERIFY(last.spec.output.folder.empty());
    }

    void whatIsNoGridIsSaidAndNotAdded() {
        GridBench bench;
        QPushButton* add = testing::buttonOf(*bench.dialog, "Add to the queue");
        const auto says = [&](const char* values, const char* words) {
            bench.type(0, values);
            return QTest::qWaitFor([&] {
                return bench.dialog->problem().isVisible() &&
                       bench.dialog->problem().text().contains(QLatin1String(words)) && !add->isEnabled();
            });
        };
        QVERIFY(says("0.0001; fast", "fast"));
        QVERIFY(says("", "values"));
        QVERIFY(says("0.0001; 0.0001", "twice"));
        QVERIFY(says("-1", "between"));
        bench.type(0, "0.0001");
        QTRY_VERIFY(add->isEnabled() && !bench.dialog->problem().isVisible());
        bench.dialog->findChild<QLineEdit*>(); // its name
        for (QLineEdit* line : bench.dialog->findChildren<QLineEdit*>())
            if (line->accessibleName() == QLatin1String("Name of the grid")) line->clear();
        QVERIFY(!add->isEnabled());
        QVERIFY(bench.dialog->problem().text().contains(QLatin1String("name")));
    }

    void switchesAndChoicesAreTicked() {
        GridBench bench;
        bench.dialog->field(0).choose("lora.rslora");
        const auto boxes = [&] { return bench.dialog->field(0).findChildren<QCheckBox*>(); };
        QTRY_COMPARE(boxes().size(), 2);
        QTRY_COMPARE(bench.dialog->preview().rowCount(), 1);
        for (QCheckBox* box : boxes())
            box->setChecked(true);
        QTRY_COMPARE(bench.dialog->preview().rowCount(), 2);
        QCOMPARE(bench.run(0), QStringLiteral("on"));
        for (QCheckBox* box : boxes())
            box->setChecked(false);
        QTRY_COMPARE(bench.dialog->preview().rowCount(), 0);
        bench.dialog->field(0).choose("lora.rank");
        QTRY_COMPARE(boxes().size(), 0);
        QTRY_COMPARE(bench.dialog->preview().rowCount(), 1);
    }

    void tabGoesThroughItInTheOrderInWhichItStands() {
        GridBench bench;
        testing::buttonOf(*bench.dialog, "Another setting")->click();
        bench.dialog->field(0).fields().setFocus();
        QList<QPoint> places;
        QStringList names;
        for (int i = 0; i < 9; ++i) {
            QWidget* focused = QApplication::focusWidget();
            names.append(focused->accessibleName());
            places.append(focused->mapTo(bench.dialog, QPoint(0, focused->height() / 2)));
            QTest::keyClick(focused, Qt::Key_Tab);
        }
        for (int i = 1; i < places.size(); ++i)
            QVERIFY2(places[i].y() > places[i - 1].y() + 8 || places[i].x() > places[i - 1].x(),
                     qPrintable(names.join(QLatin1Char(' '))));
    }

    void aSettingIsTakenAwayAndTheLastOneStays() {
        GridBench bench;
        testing::buttonOf(*bench.dialog, "Another setting")->click();
        QVERIFY(bench.dialog->field(1).field().key != bench.dialog->field(0).field().key);
        QPushButton* remove = testing::buttonOf(bench.dialog->field(1), "Remove");
        QCOMPARE(remove->accessibleName(), QStringLiteral("Remove Rank"));
        remove->click();
        QCOMPARE(bench.dialog->numFields(), 1U);
        QVERIFY(!testing::buttonOf(bench.dialog->field(0), "Remove")->isEnabled());
    }
};

QTEST_MAIN(TestGridDialog)
#include "tst_grid_dialog.moc"
