// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "demo_project.h"
#include "ui/document/dropped_files.h"
#include "ui/document/new_run.h"

#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;
using session::FieldValue;
using ui::document::Document;
using ui::document::kindOf;
using ui::document::take;

class TestDocument : public QObject {
    Q_OBJECT

    static const session::Field& field(const char* key) { return session::fieldByKey(key); }
    static std::filesystem::path projects(const testing::DemoProject& project) { return project.folder() / "projects"; }

private slots:
    void startsEmptyAndLeavesNothingBehind() {
        const testing::DemoProject demo(5);
        {
            const Document document(projects(demo));
            QCOMPARE(document.name(), QStringLiteral("Untitled"));
            QVERIFY(document.saved() == Document::Saved::kNothing);
        }
        QVERIFY(!std::filesystem::exists(projects(demo)));
    }

    void getsAFileWithItsFirstChange() {
        const testing::DemoProject demo(5);
        std::filesystem::create_directories(projects(demo) / "Untitled"); // the name is taken
        Document document(projects(demo));
        document.set(field("lora.rank"), int64_t{24});
        QVERIFY(document.saved() == Document::Saved::kSoon);
        QTRY_VERIFY_WITH_TIMEOUT(document.saved() == Document::Saved::kYes, 5'000);
        QCOMPARE(document.file(), projects(demo) / "Untitled 2" / "run.json");
        QCOMPARE(session::readRunSpec(document.file()).lora.rank, int64_t{24});
    }

    void savesWhatIsOpenBeforeAnotherIsOpenedAndAtTheEnd() {
        const testing::DemoProject demo(5);
        {
            Document document(projects(demo));
            QVERIFY(document.open(demo.runFile()));
            document.set(field("lora.rank"), int64_t{24});
            document.create();
            QCOMPARE(demo.spec().lora.rank, int64_t{24});
            QCOMPARE(document.spec().lora.rank, session::RunSpec().lora.rank);
            QVERIFY(document.open(demo.runFile()));
            document.set(field("lora.rank"), int64_t{48});
        }
        QCOMPARE(demo.spec().lora.rank, int64_t{48});
    }

    void undoesAndRedoesAndSaysWhichFieldsChanged() {
        const testing::DemoProject demo(5);
        Document document(projects(demo));
        QSignalSpy changed(&document, &Document::changed);
        document.set(field("lora.rank"), int64_t{24});
        document.change(QStringLiteral("preset"), [](session::RunSpec& spec) {
            spec.lora.alpha = 99;
            spec.duration.epochs = 7;
        });
        document.set(field("lora.rank"), int64_t{24}); // as it is: no step
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().undo();
        QCOMPARE(document.spec().lora.alpha, session::RunSpec().lora.alpha);
        QCOMPARE(document.spec().lora.rank, int64_t{24});
        document.undoStack().undo();
        QVERIFY(session::differingFields(document.spec(), {}).empty());
        document.undoStack().redo();
        QCOMPARE(document.spec().lora.rank, int64_t{24});
        QCOMPARE(changed.size(), 5);
        QCOMPARE(changed[0][0].toStringList(), QStringList{QStringLiteral("lora.rank")});
        QCOMPARE(changed[1][0].toStringList(),
                 (QStringList{QStringLiteral("lora.alpha"), QStringLiteral("duration.epochs")}));
        QCOMPARE(changed[2][0].toStringList(), changed[1][0].toStringList());
    }

    void aDragIsOneStep() {
        const testing::DemoProject demo(5);
        Document document(projects(demo));
        document.set(field("lora.rank"), int64_t{17});
        for (int64_t rank = 18; rank < 40; ++rank)
            document.set(field("lora.rank"), rank, rank > 18);
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().undo();
        QCOMPARE(document.spec().lora.rank, int64_t{17});
        document.set(field("lora.rank"), int64_t{20}, true); // what it went on with is undone
        document.set(field("lora.alpha"), 5.0, true);        // another field
        QCOMPARE(document.undoStack().count(), 3);
        document.undoStack().undo();
        QCOMPARE(document.spec().lora.rank, int64_t{20});
    }

    void aDragThatEndsWhereItBeganIsNoStep() {
        const testing::DemoProject demo(5);
        Document document(projects(demo));
        document.set(field("lora.rank"), int64_t{20});
        document.set(field("lora.rank"), session::RunSpec().lora.rank, true);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void whatCannotBeOpenedLeavesTheOpenProjectAsItIs() {
        const testing::DemoProject demo(5);
        Document document(projects(demo));
        QVERIFY(document.open(demo.folder())); // its run.json
        QSignalSpy failed(&document, &Document::failed);
        writeFileAtomically(demo.folder() / "broken.json", R"({"lora": {"rnk": 3}})");
        QVERIFY(!document.open(demo.folder() / "broken.json"));
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("rnk")));
        QVERIFY(failed[0][1].toString().contains(QStringLiteral("lora.rank")));
        writeFileAtomically(demo.folder() / "new.json", R"({"version": 99})");
        QVERIFY(!document.open(demo.folder() / "new.json"));
        QVERIFY(!document.open("/nonexistent/run.json"));
        QCOMPARE(failed.size(), 3);
        QCOMPARE(document.name(), QStringLiteral("Test run"));
    }

    void opensFilesOfVersion1AndKeepsPathsBelowItRelative() {
        const testing::DemoProject demo(5);
        Document document(projects(demo));
        writeFileAtomically(demo.folder() / "old.json",
                            R"({"version": 1, "model": {"path": "model"}, "data": {"files": ["data/a.jsonl"]}})");
        QVERIFY(document.open(demo.folder() / "old.json"));
        document.set(field("lora.rank"), int64_t{24});
        document.create();
        const std::string text = readTextFile(demo.folder() / "old.json");
        QVERIFY(text.find("\"path\": \"model\"") != std::string::npos);
        QVERIFY(text.find("\"version\": 2") != std::string::npos);
    }

    void brokenPromptsDoNotKeepAProjectFromOpeningAndAreNotLost() {
        const testing::DemoProject demo(5);
        writeFileAtomically(demo.folder() / "data" / "prompts.json", "[\"half");
        Document document(projects(demo));
        QSignalSpy warned(&document, &Document::warned);
        QVERIFY(document.open(demo.runFile()));
        QVERIFY(warned[0][0].toString().contains(QStringLiteral("prompts.json")));
        QVERIFY(document.prompts().empty());
        document.setPrompts({"Who are you?"});
        document.create();
        QCOMPARE(readTextFile(demo.folder() / "data" / "prompts.broken.json"), std::string("[\"half"));
        QVERIFY(document.open(demo.runFile()));
        QCOMPARE(document.prompts(), std::vector<std::string>{"Who are you?"});
    }

    void aCopyNeverWritesItsSource() {
        const testing::DemoProject demo(5);
        const std::string before = readTextFile(demo.runFile());
        Document document(projects(demo));
        QVERIFY(document.openCopy(demo.runFile()));
        QVERIFY(document.file().empty());
        document.set(field("lora.rank"), int64_t{24});
        document.create();
        QCOMPARE(readTextFile(demo.runFile()), before);
        QVERIFY(document.open(projects(demo) / "Test run"));
        QCOMPARE(document.spec().lora.rank, int64_t{24});
        QCOMPARE(document.prompts().size(), std::size_t{2});
        QCOMPARE(document.spec().model.path, demo.spec().model.path);
    }

    void whatIsSavedElsewhereIsFoundAgainAndNamedAfterItsFile() {
        const testing::TemporaryFolder home;
        Document document(home.path() / "projects");
        document.set(session::fieldByKey("lora.rank"), int64_t{24});
        QVERIFY(document.saveTo(home.path() / "kept" / "parrot"));
        QCOMPARE(document.file(), home.path() / "kept" / "parrot.json");
        QCOMPARE(document.name(), QStringLiteral("parrot"));
        document.set(session::fieldByKey("lora.rank"), int64_t{48});
        QVERIFY(document.saved() != Document::Saved::kYes);
        QVERIFY(document.save()); // at once
        QCOMPARE(session::readRunSpec(home.path() / "kept" / "parrot.json").lora.rank, int64_t{48});
        QVERIFY(document.saveTo(home.path() / "other" / "run.json"));
        QCOMPARE(document.name(), QStringLiteral("other"));
    }

    // Two windows with one project: neither loses what the other saved without a word.
    void whatAnotherWindowSavedIsKept() {
        const testing::DemoProject demo(5);
        Document one(demo.folder() / "one"), other(demo.folder() / "other");
        QVERIFY(one.open(demo.runFile()) && other.open(demo.runFile()));
        QSignalSpy warned(&other, &Document::warned);
        one.set(session::fieldByKey("lora.rank"), int64_t{24});
        QVERIFY(one.save());
        one.set(session::fieldByKey("lora.rank"), int64_t{32});
        QVERIFY(one.save());
        QVERIFY(!std::filesystem::exists(demo.folder() / "run.other.json")); // its own
        other.set(session::fieldByKey("lora.rank"), int64_t{8});
        QVERIFY(other.save());
        QCOMPARE(warned.size(), 1);
        QCOMPARE(session::readRunSpec(demo.runFile()).lora.rank, int64_t{8});
        QCOMPARE(session::readRunSpec(demo.folder() / "run.other.json").lora.rank, int64_t{32});
        one.set(session::fieldByKey("lora.rank"), int64_t{16});
        QVERIFY(one.save());
        QCOMPARE(session::readRunSpec(demo.folder() / "run.other 2.json").lora.rank, int64_t{8});
        QCOMPARE(session::readRunSpec(demo.folder() / "run.other.json").lora.rank, int64_t{32}); // stays
    }

    void saysWhenItCannotBeSavedAndGoesOnElsewhere() {
        const testing::DemoProject demo(5);
        writeFileAtomically(demo.folder() / "projects", "a file where the folder should be");
        Document document(projects(demo));
        QSignalSpy failed(&document, &Document::failed);
        document.set(field("lora.rank"), int64_t{24});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 5'000);
        QVERIFY(document.saved() == Document::Saved::kFailed);
        QVERIFY(document.saveTo(demo.folder() / "other" / "run.json"));
        QCOMPARE(session::readRunSpec(demo.folder() / "other" / "run.json").lora.rank, int64_t{24});
    }

    void keepsWhatCannotBeSavedInItsPlaceAmongTheUsersProjects() {
        const testing::DemoProject demo(5);
        const testing::TemporaryFolder home;
        const auto loseThePlace = [&] { // as a disk that is pulled out
            std::filesystem::rename(demo.folder() / "elsewhere", home.path() / "pulled out");
            writeFileAtomically(demo.folder() / "elsewhere", "");
        };
        QString kept;
        {
            Document document(home.path() / "projects");
            QVERIFY(document.saveTo(demo.folder() / "elsewhere" / "run.json"));
            document.setPrompts({"Who are you?"});
            loseThePlace();
            document.set(field("lora.rank"), int64_t{24});
            QTRY_VERIFY_WITH_TIMEOUT(document.saved() == Document::Saved::kFailed, 5'000);
            QSignalSpy warned(&document, &Document::warned);
            document.create();
            QCOMPARE(warned.size(), 1);
            kept = QStringLiteral("elsewhere (rescued)");
            QVERIFY(warned[0][0].toString().contains(kept));
        }
        const std::filesystem::path folder = home.path() / "projects" / kept.toStdString();
        QCOMPARE(session::readRunSpec(folder / "run.json").lora.rank, int64_t{24});
        Document document(home.path() / "projects");
        QVERIFY(document.open(folder));
        QCOMPARE(document.prompts(), std::vector<std::string>{"Who are you?"});
    }

    void savesWhatFailedBeforeOnceItsPlaceIsBack() {
        const testing::DemoProject demo(5);
        const std::filesystem::path place = demo.folder() / "elsewhere";
        {
            Document document(projects(demo));
            writeFileAtomically(place, "");
            QVERIFY(!document.saveTo(place / "run.json"));
            std::filesystem::remove(place);
            document.set(field("lora.rank"), int64_t{24});
        }
        QCOMPARE(session::readRunSpec(place / "run.json").lora.rank, int64_t{24});
        QVERIFY(!std::filesystem::exists(projects(demo)));
    }

    // As a crash of another program, or a full disk, may leave it.
    void aRunFileThatIsCutOffIsRefusedAndNotWritten() {
        const testing::DemoProject demo(5);
        const std::string whole = readTextFile(demo.runFile());
        for (std::size_t length = 0; length < whole.size(); length += 3) {
            writeFileAtomically(demo.runFile(), whole.substr(0, length));
            {
                Document document(projects(demo));
                QSignalSpy failed(&document, &Document::failed);
                QVERIFY(!document.open(demo.runFile()));
                QCOMPARE(failed.size(), 1);
                QVERIFY(failed[0][0].toString().contains(QStringLiteral("run.json")));
            }
            QCOMPARE(readTextFile(demo.runFile()), whole.substr(0, length));
        }
    }

    void knowsWhatWasDropped() {
        using enum ui::document::DroppedKind;
        const testing::DemoProject demo(5);
        const std::filesystem::path rows = demo.folder() / "rows.json";
        writeFileAtomically(rows, R"([{"text": "a"}])");
        writeFileAtomically(demo.folder() / "other.json", R"({"lora": {"rank": 3}})");
        QVERIFY(kindOf(demo.folder()) == kProject);
        QVERIFY(kindOf(demo.folder() / "other.json") == kProject);
        QVERIFY(kindOf(demo.folder() / "model") == kModel);
        QVERIFY(kindOf(demo.folder() / "model" / "config.json") == kModel);
        QVERIFY(kindOf(rows) == kRows);
        QVERIFY(kindOf(demo.folder() / "data") == kRows);
        QVERIFY(kindOf("/nonexistent") == kNothing);
        Document document(projects(demo));
        QVERIFY(take(document, {rows, demo.folder() / "model"}) == kModel);
        QVERIFY(document.spec().model.path.empty()); // whether it can be trained, its page finds out
        QVERIFY(ui::document::modelFolderAmong({rows, demo.folder() / "model"}) == demo.folder() / "model");
        QVERIFY(ui::document::modelFolderAmong({rows, demo.folder() / "model" / "config.json"}) ==
                demo.folder() / "model");
        QVERIFY(ui::document::modelFolderAmong({rows}).empty());
        QCOMPARE(document.spec().data.datasets.front().files, std::vector<std::string>{rows.string()});
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(take(document, {demo.runFile()}) == kProject);
        QCOMPARE(document.name(), QStringLiteral("Test run"));
    }

    void aRunGetsAFreshFolderInTheUsersDataFolderWhenNoneIsNamed() {
        const testing::TemporaryFolder home;
        const testing::DemoProject demo(5);
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(home.path().string()));
        Document document(projects(demo));
        document.change({}, [](session::RunSpec& spec) { spec.name = "A/B: test"; });
        const std::string folder = specForNewRun(document).output.folder;
        qunsetenv("XDG_DATA_HOME");
        QVERIFY(folder.starts_with((home.path() / "roundpipe" / "runs" / "A-B- test-").string()));
        document.change({}, [](session::RunSpec& spec) { spec.output.folder = "/named"; });
        QCOMPARE(specForNewRun(document).output.folder, std::string("/named"));
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
