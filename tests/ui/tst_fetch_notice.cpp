// SPDX-License-Identifier: GPL-3.0-or-later
// A project that names its model and rows on the Hub, against the Hub's stand-in on loopback.
#include "hub/local_hub.h"
#include "stand_in.h"
#include "test_services.h"
#include "ui/hub/fetch_notice.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/sources/names_to_fetch.h"
#include "ui/pages/model/model_page.h"

#include <QProgressBar>
#include <QTest>
#include <QUndoStack>

using namespace roundpipe;
using testing::buttonOf;
using testing::shows;
using ui::hub::FetchNotice;
using Mark = ui::pages::PageStatus::Mark;

class TestFetchNotice : public QObject {
    Q_OBJECT

    static ui::pages::Services withHub(testing::TestServices& test, const hub::StandIn& server) {
        ui::pages::Services services = test.services();
        services.makeHub = [&server] { return hub::makeLocalHub([&server] { return server.settings(); }); };
        return services;
    }
    static void name(testing::TestServices& test, const std::string& model, const std::vector<std::string>& files) {
        test.document.change(QStringLiteral("name"), [&](session::RunSpec& spec) {
            spec.model.path = model;
            spec.data.datasets.front().files = files;
        });
    }
    static QPushButton* fetchIn(const QWidget& page) { return buttonOf(*page.findChild<FetchNotice*>(), "Fetch"); }

private slots:
    void namesStandWhereTheProjectHasThem() {
        session::RunSpec spec;
        spec.data.datasets.resize(2);
        spec.data.datasets[0].files = {"/a.jsonl", "hf:org/rows:train"};
        spec.data.datasets[1].files = {"hf:org/rows:train", "hf:org/more"};
        spec.data.validationFile = "hf:org/rows:test";
        QCOMPARE(ui::pages::namesToFetch(spec),
                 (std::vector<std::string>{"hf:org/rows:train", "hf:org/more", "hf:org/rows:test"}));
        ui::pages::putFiles("hf:org/rows:train", {"/1", "/2"}, spec);
        QCOMPARE(spec.data.datasets[0].files, (std::vector<std::string>{"/a.jsonl", "/1", "/2"}));
        QCOMPARE(spec.data.datasets[1].files, (std::vector<std::string>{"/1", "/2", "hf:org/more"}));
        QCOMPARE(spec.data.validationFile, std::string("hf:org/rows:test"));
        ui::pages::putFiles("hf:org/rows:test", {"/3"}, spec);
        QCOMPARE(spec.data.validationFile, std::string("/3"));
    }

    void aModelIsFetchedByTheButtonAndNotBefore() {
        const hub::StandIn server;
        hub::writeTinyModel(server);
        testing::TestServices test;
        ui::pages::ModelPage page(withHub(test, server));
        page.show();
        QVERIFY(!page.findChild<FetchNotice*>()->isVisible());
        name(test, "hf:org/tiny", {});
        QVERIFY(shows(page, "The project's model is hf:org/tiny of Hugging Face's Hub."));
        QCOMPARE(page.status(), (ui::pages::PageStatus{Mark::kMissing, QStringLiteral("to be fetched")}));
        QCOMPARE(page.missing().front().text, QStringLiteral("fetch the model"));
        QTest::qWait(100);
        QVERIFY(server.asked().empty());

        fetchIn(page)->click();
        QTRY_VERIFY(!page.findChild<FetchNotice*>()->isVisible());
        const std::filesystem::path folder = test.document.spec().model.path;
        QVERIFY(std::filesystem::exists(folder / "config.json"));
        QVERIFY(page.missing().empty());
        test.document.undoStack().undo();
        QCOMPARE(test.document.spec().model.path, std::string("hf:org/tiny"));
        QVERIFY(page.findChild<FetchNotice*>()->isVisible());
        const std::size_t numAsked = server.asked().size();
        fetchIn(page)->click(); // it is in the cache now: which commit it is is asked, and no file
        QTRY_COMPARE(std::filesystem::path(test.document.spec().model.path), folder);
        const auto asked = server.asked();
        for (std::size_t i = numAsked; i < asked.size(); ++i)
            QVERIFY2(asked[i].path.find("/api/") != std::string::npos, asked[i].path.c_str());
    }

    void allRowsThatAreNamedAreFetchedInTurn() {
        const hub::StandIn server;
        hub::writeTinyDataset(server);
        testing::TestServices test;
        ui::pages::DataPage page(withHub(test, server));
        page.show();
        name(test, "", {"hf:org/rows:train", "hf:org/rows:test"});
        QVERIFY(
            shows(page, "The project's rows are named on Hugging Face's Hub: hf:org/rows:train, hf:org/rows:test."));
        QVERIFY(shows(page, "To be fetched"));
        QCOMPARE(page.status().mark, Mark::kMissing);
        QCOMPARE(page.missing().front().text, QStringLiteral("Fetch the rows that the project names"));
        fetchIn(page)->click();
        QTRY_VERIFY(!page.findChild<FetchNotice*>()->isVisible());
        const std::vector<std::string> files = test.document.spec().data.datasets.front().files;
        QVERIFY(files.size() >= 2);
        for (const std::string& file : files)
            QVERIFY2(std::filesystem::exists(file), file.c_str());
    }

    void saysHowFarItIsAndStops() {
        const hub::StandIn server;
        hub::writeTinyModel(server);
        server.order("bytes:/large/", "slow", 10, "0.05"); // 10 s each
        testing::TestServices test;
        ui::pages::ModelPage page(withHub(test, server));
        page.show();
        name(test, "hf:org/tiny", {});
        fetchIn(page)->click();
        QVERIFY(!fetchIn(page)->isEnabled());
        auto* bar = page.findChild<QProgressBar*>();
        QTRY_VERIFY(bar->isVisible() && bar->maximum() > 0 && bar->value() > 0);
        buttonOf(page, "Stop")->click();
        QVERIFY(!bar->isVisible());
        QVERIFY(fetchIn(page)->isEnabled());
        fetchIn(page)->click();
        name(test, "", {}); // another model, or none: nobody waits for that one
        QVERIFY(!page.findChild<FetchNotice*>()->isVisible());
        QTest::qWait(300);
        QCOMPARE(test.document.spec().model.path, std::string());
    }

    void explainsWhatIsRefusedAndTriesAgain() {
        const hub::StandIn server;
        hub::writeTinyModel(server, "org/gated");
        server.write("models/org/gated/.hub.json", R"({"gated": "manual"})");
        testing::TestServices test;
        ui::pages::ModelPage page(withHub(test, server));
        page.show();
        name(test, "hf:org/gated", {});
        fetchIn(page)->click();
        QTRY_VERIFY(shows(page, "gated"));
        QTRY_VERIFY(shows(page, (server.settings().endpoint + "/org/gated").c_str())); // the page to visit
        QCOMPARE(test.document.spec().model.path, std::string("hf:org/gated"));
        server.write("models/org/gated/.hub.json", "{}"); // access was granted
        fetchIn(page)->click();
        QTRY_VERIFY(!page.findChild<FetchNotice*>()->isVisible());
        QVERIFY(std::filesystem::exists(test.document.spec().model.path));
    }

    void rowsToValidateOnOfSeveralFilesAreLeftToBeChosen() {
        const hub::StandIn server;
        for (const char* part : {"0", "1"})
            server.write("datasets/org/parts/data/test-0000" + std::string(part) + "-of-00002.jsonl",
                         "{\"text\":\"a\"}\n");
        testing::TestServices test;
        ui::pages::DataPage page(withHub(test, server));
        page.show();
        QStringList failures;
        connect(&page, &ui::pages::Page::failed, this, [&](const QString& problem) { failures += problem; });
        test.document.change(QStringLiteral("name"),
                             [](session::RunSpec& spec) { spec.data.validationFile = "hf:org/parts:test"; });
        fetchIn(page)->click();
        QTRY_COMPARE(failures, QStringList{QStringLiteral("The rows to validate on are of one file, but "
                                                          "hf:org/parts:test has 2.")});
        QVERIFY(fetchIn(page)->isEnabled());
    }
};

QTEST_MAIN(TestFetchNotice)
#include "tst_fetch_notice.moc"
