// SPDX-License-Identifier: GPL-3.0-or-later
// The first start's set-up against made-up scripts in place of packaging/setup; nothing is downloaded.
#include "base/file.h"
#include "testing/fixtures.h"
#include "ui/setup/set_up_dialog.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <fstream>

using namespace roundpipe;
using ui::setup::isSetUp;
using ui::setup::SetUpDialog;
using ui::setup::SetUpProcess;

namespace {

namespace fs = std::filesystem;

// A folder "packaging" with this setup in it, and an empty cache.
class MadeUp {
public:
    explicit MadeUp(const std::string& fetching) {
        fs::create_directories(packaging() / "requirements");
        write(packaging() / "requirements" / "engine.txt", "torch==1 # 1\n");
        write(packaging() / "requirements" / "data.txt", "arrow==1 # 1\n");
        write(packaging() / "setup", "#!/bin/bash\ncd " + folder().string() +
                                         "\necho \"$*\" >>calls\necho '@missing 2568 5136'\n"
                                         "case \"$*\" in *--list*) exit 0 ;; esac\n" +
                                         fetching);
        fs::permissions(packaging() / "setup", fs::perms::owner_all);
        qputenv("ROUNDPIPE_CACHE", QByteArray::fromStdString((folder() / "cache").string()));
    }
    ~MadeUp() { qunsetenv("ROUNDPIPE_CACHE"); }
    const fs::path& folder() const { return m_folder.path(); }
    fs::path packaging() const { return folder() / "packaging"; }
    std::string calls() const { return readTextFile(folder() / "calls"); }
    static void write(const fs::path& file, const std::string& text) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

private:
    testing::TemporaryFolder m_folder;
};

// Blanks that do not break are blanks to who reads.
QString asRead(QString text) {
    return text.replace(QChar(QChar::Nbsp), QLatin1Char(' '));
}

QPushButton* button(const QWidget& widget, const char* text) {
    for (QPushButton* one : widget.findChildren<QPushButton*>())
        if (one->isVisibleTo(&widget) && asRead(one->text()).contains(QLatin1String(text))) return one;
    return nullptr;
}

bool isShown(const QWidget& widget, const char* part) {
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget) && asRead(label->text()).contains(QLatin1String(part))) return true;
    return false;
}

constexpr const char* kSlow = R"(
echo "@progress 1000 2568"
echo "[1/9] torch==1, 530 MB"
sleep 60 & echo $! >sleeper
wait
)";

pid_t sleeperOf(const MadeUp& machine) {
    pid_t pid = 0;
    std::ifstream(machine.folder() / "sleeper") >> pid;
    return pid;
}

// A killed child of a child is a zombie until its new parent has looked.
bool isGone(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
}

} // namespace

class TestSetup : public QObject {
    Q_OBJECT

private slots:
    void saysHowMuchItIsAndFetchesNothingUnasked() {
        const MadeUp machine("touch fetched\n");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(isShown(dialog, "2.39 GiB"));
        QVERIFY(isShown(dialog, "about 4.78 GiB"));
        QVERIFY(button(dialog, "Download 2.39 GiB and set up") != nullptr);
        QVERIFY(isShown(dialog, machine.folder().filename().c_str())); // the folder that it goes to
        QSignalSpy putOff(&dialog, &SetUpDialog::putOff);
        button(dialog, "Not now")->click();
        QCOMPARE(putOff.size(), 1);
        QCOMPARE(machine.calls(), std::string("--run-time --report --list\n"));
        QVERIFY(!fs::exists(machine.folder() / "fetched"));
    }

    void saysWhereThereIsTooLittleRoom() {
        const MadeUp machine("");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(isShown(dialog, "about 4.78 GiB"));
        QVERIFY(!isShown(dialog, "too little"));
        MadeUp::write(machine.packaging() / "setup",
                      "#!/bin/bash\necho '@missing 2568 2000000000'\n"); // no disk is so large
        SetUpDialog later(machine.packaging(), nullptr);
        later.show();
        QTRY_VERIFY(isShown(later, "iB: too little"));
    }

    void saysHowLongItTakesOnceThatIsKnown() {
        const MadeUp machine("for done in $(seq 100 10 2000); do echo \"@progress $done 2568\"; sleep 0.1; done\n");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        button(dialog, "Download 2")->click();
        QTRY_VERIFY(isShown(dialog, "2.39 GiB downloaded"));
        QVERIFY(!isShown(dialog, "left"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(dialog, "2.39 GiB downloaded, about "), 15'000);
        QVERIFY(isShown(dialog, " s left"));
    }

    void growsWithItsTexts() { // those of another language
        const MadeUp machine("");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        button(dialog, "Not now")->setText(QStringLiteral("At another time that suits me better, tomorrow perhaps"));
        const auto isWhole = [&](const char* text) {
            const QPushButton* one = button(dialog, text);
            return one != nullptr && one->width() >= one->sizeHint().width();
        };
        QTRY_VERIFY(isWhole("tomorrow perhaps") && isWhole("Use the simulated engine") && isWhole("Download 2"));
    }

    void showsProgressAndTheLogAndSaysWhenItIsReady() {
        const MadeUp machine(
            "echo '@progress 642 2568'; echo '[1/9] torch==1, 530 MB'\n"
            "until [ -e go ]; do sleep 0.05; done\necho '@progress 2568 2568'; echo 'Set-up: done.'\n");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        QSignalSpy ready(&dialog, &SetUpDialog::ready);
        button(dialog, "Download 2")->click();
        const auto* bar = dialog.findChild<QProgressBar*>();
        QTRY_COMPARE(bar->value(), 642);
        QCOMPARE(bar->maximum(), 2568);
        QVERIFY(isShown(dialog, "612 MiB of 2.39 GiB downloaded"));
        QTRY_VERIFY(isShown(dialog, "[1/9] torch==1"));
        QVERIFY(button(dialog, "Download 2") == nullptr && button(dialog, "Cancel the download") != nullptr);
        button(dialog, "Log")->click();
        QVERIFY(dialog.findChild<QPlainTextEdit*>()->isVisible());
        QSignalSpy putOff(&dialog, &SetUpDialog::putOff);
        button(dialog, "Go on in the background")->click();
        QVERIFY(!dialog.isVisible() && dialog.isFetching());
        MadeUp::write(machine.folder() / "go", "");
        QTRY_COMPARE(ready.size(), 1);
        QCOMPARE(putOff.size(), 0);
        QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().endsWith(QStringLiteral("Set-up: done.")));
        QCOMPARE(machine.calls(), std::string("--run-time --report --list\n--run-time --report --yes\n"));
    }

    void cancellingEndsAllThatItStartedAndMayBeTakenUpAgain() {
        const MadeUp machine(kSlow);
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        button(dialog, "Download 2")->click();
        QTRY_VERIFY(sleeperOf(machine) > 0);
        button(dialog, "Cancel the download")->click();
        QTRY_VERIFY_WITH_TIMEOUT(isShown(dialog, "Cancelled. What was complete is kept"), 10'000);
        QTRY_VERIFY(isGone(sleeperOf(machine)));
        QVERIFY(!dialog.isFetching());
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        fs::remove(machine.folder() / "sleeper");
        button(dialog, "Download 2")->click();
        QTRY_VERIFY(sleeperOf(machine) > 0);
        QVERIFY(dialog.isFetching());
    }

    // What is missing is said before the look is over.
    void isBegunWhileTheLookIsNotOver() {
        const MadeUp machine(kSlow);
        MadeUp::write(machine.packaging() / "setup", "#!/bin/bash\ncd " + machine.folder().string() +
                                                         "\necho '@missing 2568 5136'\n"
                                                         "case \"$*\" in *--list*) sleep 60 ;; esac\n" +
                                                         kSlow);
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        button(dialog, "Download 2")->click();
        QTRY_VERIFY_WITH_TIMEOUT(sleeperOf(machine) > 0, 10'000);
        QVERIFY(dialog.isFetching());
    }

    void theEndOfTheProgramEndsIt() {
        const MadeUp machine(kSlow);
        {
            SetUpProcess process(machine.packaging());
            process.fetch();
            QTRY_VERIFY(sleeperOf(machine) > 0);
        }
        QTRY_VERIFY(isGone(sleeperOf(machine)));
    }

    void aFailureIsSaidInSetUpsOwnWordsAndTriedAgain() {
        const MadeUp machine(
            "[ ! -e network ] || exit 0\necho 'Small wheels'\n"
            "printf '\\nroundpipe: pip failed. The connection broke.\\nThen run it again.\\n' >&2; exit 1\n");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        QSignalSpy ready(&dialog, &SetUpDialog::ready);
        button(dialog, "Download 2")->click();
        QTRY_VERIFY(isShown(dialog, "pip failed. The connection broke.\nThen run it again."));
        QVERIFY(isShown(dialog, "Set-up did not succeed."));
        QCOMPARE(ready.size(), 0);
        MadeUp::write(machine.folder() / "network", "");
        button(dialog, "Download 2")->click();
        QTRY_COMPARE(ready.size(), 1);
    }

    void aFailureInTheBackgroundBringsItBack() {
        const MadeUp machine("until [ -e go ]; do sleep 0.05; done\nexit 7\n");
        SetUpDialog dialog(machine.packaging(), nullptr);
        dialog.show();
        QTRY_VERIFY(button(dialog, "Download 2") != nullptr);
        button(dialog, "Download 2")->click();
        button(dialog, "Go on in the background")->click();
        QVERIFY(!dialog.isVisible());
        MadeUp::write(machine.folder() / "go", "");
        QTRY_VERIFY(dialog.isVisible());
        QVERIFY(isShown(dialog, "Set-up ended early"));
    }

    void aScriptThatIsNotThereIsNamed() {
        const testing::TemporaryFolder folder;
        SetUpProcess process(folder.path());
        QSignalSpy failed(&process, &SetUpProcess::failed);
        process.fetch();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains(QString::fromStdString((folder.path() / "setup").string())));
        QVERIFY(!process.isFetching());
    }

    void isSetUpOnlyWithTheListsOfThisVersion() {
        const MadeUp machine("");
        QVERIFY(!isSetUp(machine.packaging()));
        const fs::path sets = machine.folder() / "cache" / "python" / ".sets";
        MadeUp::write(sets / "engine.txt", "torch==1 # 1\n");
        QVERIFY(!isSetUp(machine.packaging()));
        MadeUp::write(sets / "data.txt", "arrow==1 # 1\n");
        QVERIFY(isSetUp(machine.packaging()));
        MadeUp::write(machine.packaging() / "requirements" / "engine.txt", "torch==2 # 1\n");
        QVERIFY(!isSetUp(machine.packaging()));
        QVERIFY(!isSetUp(machine.folder())); // no lists at all
    }

    // The real one: it only counts.
    void theRealSetUpSaysItsSizes() {
        const MadeUp empty("");
        SetUpProcess process(testing::sourceFolder() / "packaging");
        QSignalSpy looked(&process, &SetUpProcess::looked);
        process.look();
        QTRY_COMPARE_WITH_TIMEOUT(looked.size(), 1, 20'000);
        QVERIFY(looked[0][0].toInt() > 2'000);
        QCOMPARE(looked[0][1].toInt(), 2 * looked[0][0].toInt());
        QVERIFY(!fs::exists(empty.folder() / "cache"));
    }
};

QTEST_MAIN(TestSetup)
#include "tst_setup.moc"
