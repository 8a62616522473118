// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is cut off on any page in any of its states, and numbers are written as the language has them.
#include "clipped_texts.h"
#include "foreign_numbers.h"
#include "painted_texts.h"
#include "scenes.h"
#include "ui/pages/start/start_page.h"
#include "ui/translations/language.h"
#include "ui/widgets/elided_label.h"

#include <QApplication>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QTranslator>
#include <QVBoxLayout>

#include <algorithm>

using namespace roundpipe;

class TestScenes : public QObject {
    Q_OBJECT

    // What is cut off for a moment, while a large page is laid out anew, is none.
    static QString staysCutOff(QWidget& window) {
        const auto look = [&] { return testing::clippedTexts(window) + testing::paintedOver(window); };
        QStringList found = look();
        for (int i = 0; i < 30 && !found.isEmpty(); ++i) {
            QTest::qWait(50);
            found = look();
        }
        return found.join(QStringLiteral("; "));
    }
    // A test of its own for each, as playing all scenes takes minutes.
    static ui::translations::Language language() {
        return fromSpelling<ui::translations::Language>(qEnvironmentVariable("ROUNDPIPE_SCENES_IN").toStdString())
            .value_or(ui::translations::Language::kEnglish);
    }

private slots:
    void initTestCase() { qputenv("HF_HUB_CACHE", "/nonexistent"); }
    void cleanup() { // the language, where a test has chosen one
        for (QTranslator* translator : qApp->findChildren<QTranslator*>())
            delete translator; // is removed by that
        QLocale::setDefault(QLocale::c());
    }

    void whatIsCutOffIsFound() {
        QWidget window;
        QLabel label(QStringLiteral("A sentence that needs more room than it has"), &window);
        QPushButton button(QStringLiteral("So does this button"), &window);
        window.resize(400, 200);
        label.setGeometry(0, 0, 60, 20);
        button.setGeometry(350, 50, 300, 40);
        window.show();
        const QStringList found = testing::clippedTexts(window);
        QCOMPARE(found.size(), 3);
        QVERIFY(found[0].contains(QLatin1String("A sentence")));
        QVERIFY(found[1].contains(QLatin1String("outside")));
        QVERIFY(found[2].contains(QLatin1String("are seen")));
        label.setGeometry(0, 0, 400, 20);
        button.setGeometry(0, 50, 300, 40);
        QCOMPARE(testing::clippedTexts(window), QStringList());
    }

    // Which gives way by itself, to the room between its margins.
    void anElidedTextThatIsStillCutOffIsFound() {
        QWidget window;
        ui::widgets::ElidedLabel label(QStringLiteral("Qwen3-8B on the parrot's rows"), &window);
        label.setContentsMargins(8, 0, 8, 0);
        label.setGeometry(0, 0, 100, 20);
        window.resize(400, 200);
        window.show();
        QVERIFY(label.text().endsWith(QChar(0x2026)));
        QCOMPARE(testing::clippedTexts(window), QStringList());
        label.setText(label.fullText());
        QCOMPARE(testing::clippedTexts(window).size(), 1);
    }

    // By what holds its holder, which is as large as it wants to be.
    void whatIsCutOffFurtherOutIsFound() {
        QWidget window, frame(&window), row(&frame);
        QPushButton button(QStringLiteral("Compare"), &row);
        window.resize(400, 200);
        frame.setGeometry(0, 0, 200, 100);
        row.setGeometry(0, 0, 200, 100);
        button.setGeometry(100, 0, 90, 30);
        window.show();
        QCOMPARE(testing::clippedTexts(window), QStringList());
        frame.resize(150, 100);
        const QStringList found = testing::clippedTexts(window);
        QVERIFY2(!found.filter(QStringLiteral("only 50×30 px of 90×30 are seen")).isEmpty(),
                 qPrintable(found.join(u';')));
    }

    void neighboursOverEachOtherAreFound() {
        QWidget window;
        QPushButton one(QStringLiteral("One"), &window), other(QStringLiteral("Other"), &window);
        window.resize(400, 200);
        one.setGeometry(0, 0, 90, 30);
        other.setGeometry(90, 0, 90, 30);
        window.show();
        QCOMPARE(testing::clippedTexts(window), QStringList());
        other.move(80, 0);
        const QStringList found = testing::clippedTexts(window);
        QCOMPARE(found.size(), 1);
        QVERIFY(found[0].contains(QLatin1String("lies over")));
    }

    void nothingIsCutOff_data() {
        QTest::addColumn<int>("which");
        const auto& scenes = testing::scenes();
        for (std::size_t i = 0; i < scenes.size(); ++i)
            QTest::newRow(scenes[i].name.c_str()) << static_cast<int>(i);
    }
    // At both sizes in every language: pages have least room at the smaller one, words stand in the rail at the other.
    // To play a scene takes nine tenths of the time, to look at it again a twentieth.
    void nothingIsCutOff() {
        QFETCH(int, which);
        ui::translations::use(language(), *qApp);
        const testing::Scene& scene = testing::scenes()[static_cast<std::size_t>(which)];
        testing::Studio studio({1100, 700}, scene.speed);
        scene.play(studio);
        QCOMPARE(staysCutOff(studio.front()), QString());
        studio.front().resize(1280, 800);
        QTest::qWait(50);
        QCOMPARE(staysCutOff(studio.front()), QString());
        studio.endRun();
    }

    // A screen of 2560×1440 at scale 2.
    void whatACrashLeftPushesNothingOffASmallScreen_data() {
        QTest::addColumn<ui::translations::Language>("in");
        using enum ui::translations::Language;
        for (const auto language : {kEnglish, kGerman, kChinese})
            QTest::newRow(spellingOf(language)) << language;
    }
    void whatACrashLeftPushesNothingOffASmallScreen() {
        QFETCH(ui::translations::Language, in);
        ui::translations::use(in, *qApp);
        const auto& scenes = testing::scenes();
        const auto scene = std::ranges::find(scenes, std::string("start-interrupted"), &testing::Scene::name);
        QVERIFY(scene != scenes.end());
        testing::Studio studio({1280, 720}, scene->speed);
        scene->play(studio);
        const auto* column = studio.window().findChild<ui::pages::StartPage*>()->findChild<QScrollArea*>();
        QTRY_VERIFY(column->widget()->height() <= column->viewport()->height());
    }

    void aNumberWithAPointIsFound() {
        QLocale::setDefault(QLocale(QLocale::German));
        QWidget window;
        QLabel label(QStringLiteral("0.35 s je Schritt"), &window);
        QLabel other(&window);
        window.show();
        QCOMPARE(testing::foreignNumbers(window), QStringList(QStringLiteral("QLabel “0.35 s je Schritt”")));
        label.setText(QStringLiteral("0,35 s je Schritt, 1.234 Token, Qwen2.5-7B auf PCIe 4.0 x8, am 22.11.26"));
        QCOMPARE(testing::foreignNumbers(window), QStringList());
        other.setToolTip(QStringLiteral("1.5 GiB"));
        QCOMPARE(testing::foreignNumbers(window).size(), 1);
        QLocale::setDefault(QLocale::c());
        QCOMPARE(testing::foreignNumbers(window), QStringList());
    }

    void germanNumbersHaveAComma_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"model-some", "data-mixture", "settings-expert", "plan-fits", "plan-does-not-fit",
                                 "run-eight-devices", "results-of-a-run", "runs-three", "trace-beside-its-plan"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void germanNumbersHaveAComma() {
        QFETCH(QString, name);
        ui::translations::use(ui::translations::Language::kGerman, *qApp);
        const auto& scenes = testing::scenes();
        const auto scene = std::ranges::find(scenes, name.toStdString(), &testing::Scene::name);
        QVERIFY(scene != scenes.end());
        testing::Studio studio({1100, 700}, scene->speed);
        scene->play(studio);
        QCOMPARE(testing::foreignNumbers(studio.front()).join(QStringLiteral("; ")), QString());
        studio.endRun();
    }
};

QTEST_MAIN(TestScenes)
#include "tst_scenes.moc"
