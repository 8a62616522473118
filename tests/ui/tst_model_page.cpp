// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/hub.h"
#include "test_services.h"
#include "ui/pages/model/model_list.h"
#include "ui/pages/model/model_page.h"
#include "ui/widgets/empty_state.h"

#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace roundpipe;
using testing::buttonOf;
using testing::shows;
using ui::pages::ModelPage;

class TestModelPage : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;

    static QStringList cells(const ModelPage& page, int column) {
        const QAbstractItemModel& model = *page.findChild<QTableView*>()->model();
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts.append(model.index(row, column).data().toString());
        return texts;
    }

private slots:
    void initTestCase() {
        const std::filesystem::path demo = testing::sourceFolder() / "resources" / "demo" / "model";
        const std::filesystem::path snapshot = m_home.path() / "hub" / "models--Example--Parrot" / "snapshots" / "1";
        std::filesystem::create_directories(snapshot.parent_path());
        std::filesystem::copy(demo, snapshot, std::filesystem::copy_options::recursive);
        std::filesystem::create_directories(m_home.path() / "more" / "refused");
        writeFileAtomically(m_home.path() / "more" / "refused" / "config.json",
                            R"({"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2"})");
        qputenv("HF_HUB_CACHE", QByteArray::fromStdString((m_home.path() / "hub").string()));
    }

    void listsTheCacheAndFoldersSaysWhetherEachFitsAndWhatIsRefused() {
        testing::TestServices test;
        test.plan.setRig("1x4090,ram=64");
        ModelPage page(test.services());
        QCOMPARE(page.missing().size(), std::size_t{1});
        page.show();
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 1, 20'000);
        QVERIFY(cells(page, 0)[0].startsWith(QStringLiteral("Example/Parrot")));
        page.addFolder(QString::fromStdString((m_home.path() / "more").string()));
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 2, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(cells(page, 3)[0].contains(QStringLiteral("fits")), 20'000);
        QVERIFY(cells(page, 3)[0].contains(QStringLiteral("tokens/s")));
        QVERIFY(cells(page, 3)[1].contains(QStringLiteral("cannot be trained")));
        QVERIFY(cells(page, 3)[1].contains(QStringLiteral("Gemma2")));
        QCOMPARE(page.findChild<QTableView*>()->currentIndex().row(), 1); // what was just added
    }

    void whoHasNoModelIsOfferedTheHub() {
        qputenv("HF_HUB_CACHE", "/nonexistent");
        testing::TestServices test;
        ui::pages::Services services = test.services();
        services.makeHub = [] { return std::unique_ptr<session::Hub>(); }; // nobody asks it here
        ModelPage page(services);
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(page, "No model was found"), 20'000);
        const auto* none = page.findChild<ui::widgets::EmptyState*>();
        QVERIFY(testing::buttonOf(*none, "From the Hub…") != nullptr);
        qputenv("HF_HUB_CACHE", QByteArray::fromStdString((m_home.path() / "hub").string()));
    }

    void aFolderWithoutAModelIsSaidAndNotKept() {
        testing::TestServices test;
        ModelPage page(test.services());
        QSignalSpy failed(&page, &ModelPage::failed);
        page.show();
        std::filesystem::create_directories(m_home.path() / "rows");
        page.addFolder(QString::fromStdString((m_home.path() / "rows").string()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("/rows")));
        page.addFolder(QString::fromStdString((m_home.path() / "more").string())); // beside what was there before
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 2, 20'000);
        QCOMPARE(failed.size(), 1);
    }

    void ofAFolderOfModelsTheFirstThatCanBeTrainedIsSelected() {
        const std::filesystem::path several = m_home.path() / "several";
        std::filesystem::create_directories(several);
        using std::filesystem::copy_options;
        std::filesystem::copy(m_home.path() / "more" / "refused", several / "a", copy_options::recursive);
        const std::filesystem::path demo = testing::sourceFolder() / "resources" / "demo" / "model";
        for (const char* name : {"b", "c"})
            std::filesystem::copy(demo, several / name, copy_options::recursive);
        testing::TestServices test;
        ModelPage page(test.services());
        QSignalSpy failed(&page, &ModelPage::failed);
        page.addFolder(QString::fromStdString(several.string()));
        page.show();
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 4, 20'000);
        QTest::qWait(100);
        const int row = page.findChild<QTableView*>()->currentIndex().row();
        QVERIFY2(cells(page, 0)[row].startsWith(QLatin1Char('b')), qPrintable(cells(page, 0).join(u' ')));
        QVERIFY(failed.isEmpty() && test.document.spec().model.path.empty());
    }

    void aModelIsChosenByClickAndByKeyAndARefusedOneIsNot() {
        testing::TestServices test;
        ModelPage page(test.services());
        page.addFolder(QString::fromStdString((m_home.path() / "more").string()));
        page.show();
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 2, 20'000);
        auto* table = page.findChild<QTableView*>();
        table->selectRow(1);
        QVERIFY(!buttonOf(page, "Use this model")->isEnabled());
        QVERIFY(shows(page, "Cannot be trained"));
        table->selectRow(0);
        QTest::mouseClick(buttonOf(page, "Use this model"), Qt::LeftButton);
        QVERIFY(test.document.spec().model.path.ends_with("/snapshots/1"));
        QVERIFY(page.missing().empty());
        QCOMPARE(page.status().text, QStringLiteral("Example/Parrot"));
        QVERIFY(buttonOf(page, "In use") != nullptr);
        test.document.undoStack().undo();
        QVERIFY(test.document.spec().model.path.empty());
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(!test.document.spec().model.path.empty());
    }

    void aDroppedModelIsUsedIfItCanBeTrained() {
        testing::TestServices test;
        ModelPage page(test.services());
        page.show();
        const QString demo = QString::fromStdString((test.demo.parent_path() / "model").string());
        page.showField(demo); // as the window does with what is dropped
        QTRY_COMPARE_WITH_TIMEOUT(test.document.spec().model.path, demo.toStdString(), 20'000);
        page.showField(QString::fromStdString((m_home.path() / "more" / "refused").string()));
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "Gemma2"), 20'000);
        QTest::qWait(50);
        QCOMPARE(test.document.spec().model.path, demo.toStdString()); // the one that works stays
    }

    // The sentence is told beside the table, and by the tip.
    void aCellSaysInALineWhatAModelLacks() {
        ui::pages::ModelList list;
        list.add(std::make_shared<arch::ModelFolder>(), false);
        list.setVerdict(0, {.kind = ui::pages::ModelVerdict::Kind::kDoesNotFit,
                            .text = QStringLiteral("However it is cut."),
                            .brief = QStringLiteral("the host needs 375 GiB more")});
        const auto says = [&](int role) {
            return list.index(0, ui::pages::ModelList::kVerdict).data(role).toString().section(QLatin1Char('\n'), 1);
        };
        QCOMPARE(says(Qt::DisplayRole), QStringLiteral("the host needs 375 GiB more"));
        QCOMPARE(says(Qt::ToolTipRole), QStringLiteral("However it is cut."));
    }

    void saysWhichTemplateTheProjectChose() {
        testing::TestServices test;
        ModelPage page(test.services());
        page.show();
        page.showField(QString::fromStdString((test.demo.parent_path() / "model").string()));
        QTRY_VERIFY_WITH_TIMEOUT(shows(page, "its own"), 20'000);
        test.document.set(session::fieldByKey("model.chat_template"), std::string("/templates/chatml.jinja"));
        QTRY_VERIFY(shows(page, "chatml.jinja, chosen in the settings"));
    }

    void theProjectsModelIsOnShowWhereverItLies() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        ModelPage page(test.services());
        page.show();
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 1, 20'000);
        QTest::qWait(50);
        test.document.open(project.runFile());
        QTRY_COMPARE_WITH_TIMEOUT(cells(page, 0).size(), 2, 20'000);
        QTRY_VERIFY(shows(page, "safetensors")); // its weights are missing, and that is said
        QCOMPARE(page.status().mark, ui::pages::PageStatus::Mark::kMissing);
    }
};

QTEST_MAIN(TestModelPage)
#include "tst_model_page.moc"
