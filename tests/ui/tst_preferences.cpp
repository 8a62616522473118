// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers outlives crashes, and a file that a crash or a person has broken does not stop the start.
#include "base/file.h"
#include "testing/fixtures.h"
#include "ui/preferences/preferences.h"

#include <QSignalSpy>
#include <QTest>

#include <string>

using namespace roundpipe;
using ui::preferences::Preferences;

class TestPreferences : public QObject {
    Q_OBJECT

    static QString key() { return QStringLiteral("settings/expert"); }

private slots:
    void remembers() {
        const testing::TemporaryFolder home;
        const std::filesystem::path file = home.path() / "config" / "studio.ini"; // the folder is made
        {
            Preferences preferences(file);
            preferences.set(key(), true);
            preferences.addRecentProject(QString::fromStdString((home.path() / "gone.json").string()));
            preferences.addRecentProject(QString::fromStdString(home.path().string()), QStringLiteral("Polly"));
        }
        const Preferences preferences(file);
        QVERIFY(preferences.value(key()).toBool());
        QCOMPARE(preferences.recentProjects(), QStringList{QString::fromStdString(home.path().string())});
        QCOMPARE(preferences.nameOfRecent(QString::fromStdString(home.path().string())), QStringLiteral("Polly"));
        QVERIFY(preferences.problem().isEmpty());
    }

    void keepsAFileThatIsNoneAsideAndStartsAnew_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("zeros, as a lost block") << QByteArray(4096, '\0');
        QTest::newRow("cut off and overwritten") << QByteArray("[window]\nmaximized=true\n[proj\xff\xfe\n\x01\x02");
        QTest::newRow("another format") << QByteArray("{\"window\": true}\n");
    }
    void keepsAFileThatIsNoneAsideAndStartsAnew() {
        QFETCH(QByteArray, content);
        const testing::TemporaryFolder home;
        const std::filesystem::path file = home.path() / "studio.ini";
        writeFileAtomically(file, content.toStdString());
        {
            Preferences preferences(file);
            QVERIFY(preferences.problem().contains(QStringLiteral("studio.broken.ini")));
            QVERIFY(!preferences.value(QStringLiteral("window/maximized")).isValid());
            preferences.set(key(), true);
        }
        QCOMPARE(readTextFile(home.path() / "studio.broken.ini"), content.toStdString());
        const Preferences preferences(file);
        QVERIFY(preferences.problem().isEmpty());
        QVERIFY(preferences.value(key()).toBool());
    }

    // An editor's or a crash's half file: whatever is left, the start goes on.
    void opensAFileThatIsCutOffAnywhere() {
        const testing::TemporaryFolder home;
        const std::filesystem::path file = home.path() / "studio.ini";
        {
            Preferences preferences(file);
            preferences.set(QStringLiteral("window/place"), QRect(1, 2, 300, 400));
            preferences.set(QStringLiteral("settings/presets"),
                            QVariantMap{{QStringLiteral("mine"), QStringLiteral("{}")}});
            preferences.addRecentProject(QString::fromStdString(home.path().string()));
        }
        const std::string whole = readTextFile(file);
        QVERIFY(whole.size() > 100);
        for (std::size_t length = 0; length < whole.size(); length += 7) {
            writeFileAtomically(file, whole.substr(0, length));
            Preferences preferences(file);
            preferences.set(key(), true);
            QVERIFY(preferences.value(key()).toBool());
            preferences.recentProjects();
        }
    }

    void worksWhereNothingCanBeWritten() {
        const testing::TemporaryFolder home;
        writeFileAtomically(home.path() / "config", "a file where the folder should be");
        Preferences preferences(home.path() / "config" / "studio.ini");
        preferences.set(key(), true);
        QVERIFY(preferences.value(key()).toBool());
    }
};

QTEST_GUILESS_MAIN(TestPreferences)
#include "tst_preferences.moc"
