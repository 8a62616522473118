// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_services.h"
#include "ui/hub/hub_dialog.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/model/model_page.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

using namespace roundpipe;
using session::HubKind;
using testing::buttonOf;
using testing::shows;
using ui::hub::HubDialog;

// What was asked of a Hub, and what it is to answer.
struct Script {
    std::vector<std::string> asked;
    std::vector<session::HubResult> answers;
    session::HubProgress progress;
    session::HubAbout about{"huggingface.co", "/hf/hub", "", false, ""};
};

class ScriptedHub final : public session::Hub {
public:
    explicit ScriptedHub(Script& script) : m_script(script) {}
    session::HubAbout about() const override { return m_script.about; }
    void setOffline(bool offline) override {
        m_script.about.isOffline = offline;
        m_script.about.offlineFrom = "hub.json";
    }
    void search(HubKind kind, const std::string& words) override { ask("search", kind, words); }
    void fetch(HubKind kind, const std::string& name) override { ask("fetch", kind, name); }
    void cancel() override { m_script.asked.emplace_back("cancel"); }
    bool isBusy() const override { return true; }
    session::HubProgress progress() const override { return m_script.progress; }
    std::vector<session::HubResult> takeResults() override { return std::exchange(m_script.answers, {}); }

private:
    void ask(const char* what, HubKind kind, const std::string& text) {
        m_script.asked.push_back(std::string(what) + " " + spellingOf(kind) + " " + text);
    }
    Script& m_script;
};

static session::HubHit hitOf(const char* repository, bool isGated) {
    session::HubHit hit;
    hit.repository = repository;
    hit.isGated = isGated;
    hit.numParameters = 8'000'000'000;
    return hit;
}

class TestHubDialog : public QObject {
    Q_OBJECT

    static std::unique_ptr<session::Hub> hubOf(Script& script) { return std::make_unique<ScriptedHub>(script); }

    static QAction* hubAction(const QWidget& page) {
        for (QAction* action : page.findChildren<QAction*>())
            if (action->text() == QStringLiteral("From the Hub…")) return action;
        return nullptr;
    }

private slots:
    void saysWhichServerWouldBeAskedAndAsksNothingByItself() {
        Script script;
        HubDialog dialog(hubOf(script), HubKind::kModel);
        dialog.show();
        QVERIFY(shows(dialog, "huggingface.co is asked once you press a button"));
        QVERIFY(shows(dialog, "There is no access token"));
        QVERIFY(!buttonOf(dialog, "Fetch")->isEnabled()); // there is no name yet
        QTest::qWait(100);
        QVERIFY(script.asked.empty());
    }

    void whatWasFoundIsFetchedByReturn() {
        Script script;
        auto* dialog = new HubDialog(hubOf(script), HubKind::kModel);
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog->show();
        std::vector<std::string> got;
        connect(dialog, &HubDialog::fetched, this,
                [&](const session::HubFetched& what) { got.push_back(what.folder); });
        QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("qwen3"));
        script.answers = {
            session::HubHits{HubKind::kModel, "qwen3", {hitOf("Qwen/Qwen3-8B", false), hitOf("a/b", true)}}};
        QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(script.asked.back(), std::string("search model qwen3"));
        auto* hits = dialog->findChild<QTableWidget*>();
        QTRY_COMPARE(hits->rowCount(), 2);
        QCOMPARE(hits->item(1, 4)->text(), QStringLiteral("gated"));
        QVERIFY(hits->item(0, 6)->text().contains(QLatin1Char('8')));
        QTest::keyClick(hits, Qt::Key_Down);
        session::HubFetched fetched;
        fetched.folder = "/hf/hub/models--a--b/snapshots/1";
        script.answers = {fetched};
        QTest::keyClick(hits, Qt::Key_Return);
        QCOMPARE(script.asked.back(), std::string("fetch model a/b"));
        QTRY_COMPARE(got.size(), std::size_t{1});
        QVERIFY(!dialog->isVisible());
        delete dialog;
    }

    void tellsHowFarItIsAndStops() {
        Script script;
        HubDialog dialog(hubOf(script), HubKind::kDataset);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        dialog.findChildren<QLineEdit*>()[1]->setText(QStringLiteral("org/rows:train"));
        script.progress.bytes = 4 << 20;
        script.progress.bytesDone = 1 << 20;
        script.progress.numFiles = 2;
        script.progress.bytesPerSecond = 1 << 20;
        script.progress.secondsLeft = 3;
        script.progress.file = "data/train.parquet";
        buttonOf(dialog, "Fetch")->click();
        QCOMPARE(script.asked.back(), std::string("fetch dataset org/rows:train"));
        QTRY_VERIFY(shows(dialog, "left: data/train.parquet"));
        QCOMPARE(dialog.findChild<QProgressBar*>()->value() * 4, dialog.findChild<QProgressBar*>()->maximum());
        QVERIFY(!buttonOf(dialog, "Search")->isEnabled());
        script.progress.retryInSeconds = 8;
        QTRY_VERIFY(shows(dialog, "does not answer, or asks to wait"));
        buttonOf(dialog, "Stop")->click();
        QCOMPARE(script.asked.back(), std::string("cancel"));
        QVERIFY(buttonOf(dialog, "Search")->isEnabled());
        dialog.findChildren<QLineEdit*>()[1]->setText(QStringLiteral("org/rows"));
        buttonOf(dialog, "Fetch")->click();
        dialog.close();
        QCOMPARE(script.asked.back(), std::string("cancel"));
    }

    void showsARefusalWithThePageToVisit() {
        Script script;
        HubDialog dialog(hubOf(script), HubKind::kModel);
        dialog.show();
        dialog.findChildren<QLineEdit*>()[1]->setText(QStringLiteral("org/gated"));
        script.answers = {
            session::HubFailed{"It is gated.", "Visit https://huggingface.co/org/gated.", ErrorKind::kInvalidInput}};
        buttonOf(dialog, "Fetch")->click();
        QTRY_VERIFY(shows(dialog, "It is gated.\nVisit https://huggingface.co/org/gated."));
        QVERIFY(buttonOf(dialog, "Fetch")->isEnabled());
    }

    void offlineNothingIsSearched() {
        Script script;
        HubDialog dialog(hubOf(script), HubKind::kModel);
        dialog.show();
        dialog.findChild<QCheckBox*>()->click();
        QVERIFY(script.about.isOffline);
        QVERIFY(shows(dialog, "The network is not used, by hub.json"));
        QVERIFY(!buttonOf(dialog, "Search")->isEnabled());
        dialog.findChildren<QLineEdit*>()[1]->setText(QStringLiteral("org/cached"));
        QVERIFY(buttonOf(dialog, "Fetch")->isEnabled()); // from the cache
    }

    void pagesTakeWhatWasFetched() {
        testing::TestServices test;
        qputenv("HF_HUB_CACHE", QByteArray::fromStdString((test.home.path() / "hub").string()));
        const std::filesystem::path snapshot = test.home.path() / "hub/models--Example--Parrot/snapshots/1";
        std::filesystem::create_directories(snapshot.parent_path());
        std::filesystem::copy(testing::sourceFolder() / "resources/demo/model", snapshot,
                              std::filesystem::copy_options::recursive);
        Script script;
        ui::pages::Services services = test.services();
        services.makeHub = [&script] { return hubOf(script); };
        ui::pages::ModelPage model(services);
        model.show();
        fetchBy(model, script, {.folder = snapshot.string()});
        auto* table = model.findChild<QTableView*>();
        QTRY_VERIFY(table->currentIndex().isValid());
        QVERIFY(
            table->currentIndex().siblingAtColumn(0).data().toString().startsWith(QStringLiteral("Example/Parrot")));

        ui::pages::DataPage data(services);
        data.show();
        const std::string file = (testing::sourceFolder() / "resources/demo/data/instructions.jsonl").string();
        fetchBy(data, script, {.kind = HubKind::kDataset, .files = {file}});
        QCOMPARE(test.document.spec().data.datasets.front().files, std::vector<std::string>{file});
        QVERIFY(hubAction(ui::pages::ModelPage(test.services())) == nullptr); // where there is no Hub
    }

private:
    static void fetchBy(QWidget& page, Script& script, const session::HubFetched& what) {
        QAction* const action = hubAction(page);
        QVERIFY(action != nullptr);
        action->trigger();
        auto* dialog = page.findChild<HubDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->findChildren<QLineEdit*>()[1]->setText(QStringLiteral("a/b"));
        script.answers = {what};
        buttonOf(*dialog, "Fetch")->click();
        QTRY_VERIFY(page.findChild<HubDialog*>() == nullptr);
    }
};

QTEST_MAIN(TestHubDialog)
#include "tst_hub_dialog.moc"
