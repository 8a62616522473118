// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window_parts.h"
#include "test_services.h"
#include "ui/help/page_view.h"
#include "ui/shell/help_menu.h"
#include "ui/shell/navigation_rail.h"
#include "ui/shell/window_place.h"
#include "ui/widgets/help_place.h"

#include <QAction>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListView>
#include <QProxyStyle>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include <algorithm>

using namespace roundpipe;
using testing::buttonOf;
using testing::hasTitle;
using testing::shows;
using testing::startButton;
using ui::shell::MainWindow;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void opensWithoutAnEngine() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        QSignalSpy painted(&window, &MainWindow::firstPainted);
        window.show();
        QTRY_COMPARE_WITH_TIMEOUT(painted.size(), 1, 5'000);
        QVERIFY(!test.commands.start()->isEnabled());
        QVERIFY(startButton(window)->text().contains(QLatin1String("Loading")));
        QVERIFY(hasTitle(window, "Test run"));
    }

    void opensWithSettingsThatCannotBeReadOrMakeNoSense() {
        testing::TestServices test;
        writeFileAtomically(test.home.path() / "other.ini", std::string(4096, '\0'));
        ui::preferences::Preferences broken(test.home.path() / "other.ini");
        for (const char* key : {"window/place", "window/maximized", "window/theme", "settings/expert",
                                "settings/presets", "projects/recent", "models/folders"})
            broken.set(QLatin1String(key), QStringLiteral("@Rect(nonsense)"));
        MainWindow window({test.document,
                           test.run,
                           test.workbench,
                           test.plan,
                           test.themes,
                           broken,
                           test.commands,
                           test.runLibrary,
                           test.queue,
                           test.exports,
                           test.chat,
                           test.demo,
                           [] { return session::makePlanner(); },
                           {}});
        window.show();
        QVERIFY(shows(window, "other.broken.ini"));
        QVERIFY(window.screen()->availableGeometry().contains(window.geometry()));
    }

    void leadsToTheSetUpUntilThereIsAnEngine() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        const auto action = [&]() -> QAction* {
            for (QAction* one : window.findChildren<QAction*>())
                if (one->text() == QStringLiteral("Set up the training engine…")) return one;
            return nullptr;
        };
        QVERIFY(action() != nullptr && !action()->isVisible());
        int numAsked = 0;
        window.engineNotSetUp([&] { ++numAsked; });
        QVERIFY(shows(window, "The training engine is not set up yet."));
        buttonOf(window, "Set up…")->click();
        QCOMPARE(numAsked, 1);
        QVERIFY(action()->isVisible()); // the line above the page is gone, this stays
        action()->trigger();
        QCOMPARE(numAsked, 2);
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Set up training…"));
        test.commands.start()->trigger(); // whoever wants to train is led there, too
        QCOMPARE(numAsked, 3);
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("engine"), false);
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Start"));
        QVERIFY(!action()->isVisible());
        QVERIFY(!shows(window, "not set up"));
    }

    void returnPressesTheButtonThatHasTheFocus() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QApplication::setActiveWindow(&window);
        QPushButton* train = testing::buttonOf(*window.page(QStringLiteral("start")), "Train Polly");
        train->setFocus();
        QTest::keyClick(train, Qt::Key_Return);
        QCOMPARE(test.document.name(), QStringLiteral("Polly the parrot"));
        QCOMPARE(window.currentPage(), QStringLiteral("run"));
    }

    // Else a link that nobody chose would be framed, and Return would follow it.
    void aStepThatIsDoneLeadsToTheNext() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        struct Way {
            const char *page, *words, *next;
        };
        constexpr Way kWays[] = {{"model", "Next: Data", "data"},
                                 {"data", "Next: Settings", "settings"},
                                 {"settings", "Next: Plan", "plan"}};
        for (const auto& [page, words, next] : {kWays[0], kWays[1]}) {
            window.showPage(QLatin1String(page));
            QVERIFY(buttonOf(window, words) == nullptr); // nothing is chosen yet
        }
        QVERIFY(test.document.openCopy(test.demo));
        for (const auto& [page, words, next] : kWays) {
            window.showPage(QLatin1String(page));
            QTRY_VERIFY_WITH_TIMEOUT(buttonOf(window, words) != nullptr, 30'000);
            buttonOf(window, words)->click();
            QCOMPARE(window.currentPage(), QLatin1String(next));
        }
    }

    void aPageThatOneIsLedToHasNotTheFocus() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QApplication::setActiveWindow(&window);
        QPushButton* look = testing::buttonOf(*window.page(QStringLiteral("start")), "Look at the project first");
        look->setFocus();
        look->click();
        QCOMPARE(window.currentPage(), QStringLiteral("settings"));
        QVERIFY(window.focusWidget() != nullptr);
        QVERIFY(!window.page(QStringLiteral("settings"))->isAncestorOf(window.focusWidget()));
    }

    // What the run or the project says holds everywhere.
    void whatAPageSaysGoesWhenOneLeavesIt() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.showPage(QStringLiteral("runs"));
        emit window.page(QStringLiteral("runs"))->failed(QStringLiteral("It is under way."), {});
        QVERIFY(shows(window, "It is under way."));
        window.showPage(QStringLiteral("data"));
        QVERIFY(!shows(window, "It is under way."));
        emit test.document.failed(QStringLiteral("The disk is full."), {});
        window.showPage(QStringLiteral("runs"));
        QVERIFY(shows(window, "The disk is full."));
    }

    void anotherLanguageIsOfferedAtOnce() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QSignalSpy wanted(&window, &MainWindow::restartWanted);
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text() == QStringLiteral("Deutsch")) action->trigger();
        QPushButton* again = buttonOf(window, "Start it anew");
        QVERIFY(again != nullptr);
        again->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(test.preferences.value(QStringLiteral("window/language")).toString(), QStringLiteral("de"));
    }

    void aMissingEngineIsExplainedAndTheSimulatedOneOffered() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        bool accepted = false;
        window.engineFailed(QStringLiteral("libtorch_cpu.so: cannot open"), [&] { accepted = true; });
        QVERIFY(shows(window, "libtorch_cpu.so"));
        QVERIFY(startButton(window)->text().contains(QLatin1String("No engine")));
        QTest::mouseClick(buttonOf(window, "Use the simulated engine"), Qt::LeftButton);
        QVERIFY(accepted);
    }

    void onceItIsSetUpTheEngineIsLoaded() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.engineNotSetUp([] {});
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Set up training…"));
        window.engineIsLoading();
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Loading engine…"));
        QVERIFY(!shows(window, "The training engine is not set up yet."));
    }

    // Who is on a page is one Tab away from its first button, whatever stands below it in the rail.
    void tabLeavesTheRailAndArrowsGoThroughIt() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.page(QStringLiteral("start"))->findChild<QPushButton*>()->setFocus();
        window.showPage(QStringLiteral("data"));
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("rail-data"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(window.page(QStringLiteral("data"))->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("rail-data"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(window.currentPage(), QStringLiteral("model"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(window.page(QStringLiteral("model"))->isAncestorOf(QApplication::focusWidget()));
    }

    void tabReachesWhateverAPageHas() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.resize(1440, 860);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const char* id :
             {"start", "model", "data", "settings", "plan", "run", "results", "runs", "queue", "playground"}) {
            window.showPage(QString::fromLatin1(id));
            QTest::qWait(100); // models and runs are looked for
            if (QPushButton* all = buttonOf(*window.page(QStringLiteral("settings")), "Expert"))
                if (all->isVisible()) all->click();
            const auto* page = window.page(QString::fromLatin1(id));
            QSet<QWidget*> left;
            for (QWidget* widget : page->findChildren<QWidget*>()) {
                const auto* button = qobject_cast<QAbstractButton*>(widget);
                if (button != nullptr && button->group() != nullptr && !button->isChecked())
                    continue; // arrows lead there
                if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                    widget->focusProxy() == nullptr)
                    left.insert(widget);
            }
            QVERIFY(!left.isEmpty());
            auto* entry = window.findChild<QWidget*>(QStringLiteral("rail-") + QLatin1String(id));
            entry->setFocus();
            for (int i = 0; i < 300 && !left.isEmpty(); ++i) { // far more than any page has
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                left.remove(QApplication::focusWidget());
            }
            for (const QWidget* widget : left) // a page or part that hands its focus on hides the rest of it from Tab
                QFAIL(qPrintable(QString::fromLatin1(id) + QStringLiteral(": ") +
                                 QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                 widget->objectName() + widget->accessibleName()));
        }
    }

    void aPageIsSearchedFromTheRail() { // where Ctrl and a number leave the focus
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.showPage(QStringLiteral("settings"));
        auto* rail = window.findChild<ui::shell::NavigationRail*>();
        rail->setFocus();
        QWidget* focused = QApplication::focusWidget();
        QVERIFY(focused == rail || rail->isAncestorOf(focused));
        QTest::keyClick(focused, Qt::Key_F, Qt::ControlModifier);
        const auto* find = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(find != nullptr);
        QCOMPARE(find->accessibleName(), QStringLiteral("Find a setting"));
    }

    void aSlashFindsOnEveryPageThatHasAField() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* rail = window.findChild<ui::shell::NavigationRail*>();
        for (const char* page : {"settings", "run", "runs"}) {
            window.showPage(QString::fromLatin1(page));
            rail->setFocus();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Slash);
            QVERIFY2(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr, page);
        }
    }

    void f1LeadsToWhatTheManualSaysOfWhereOneIs() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto* menu = window.findChild<ui::shell::HelpMenu*>();
        const auto placeOfHelp = [&] {
            const auto* view = menu->window()->findChild<ui::help::PageView*>();
            return menu->window()->place() + QLatin1Char('#') + view->document()->findBlock(view->topPosition()).text();
        };
        const auto pressF1 = [&] {
            window.activateWindow();
            if (!QTest::qWaitForWindowActive(&window)) return;
            QTest::keyClick(&window, Qt::Key_F1);
        };
        QCOMPARE(menu->window(), nullptr); // read when it is wanted
        const ui::help::Manual manual(test.services().manual);
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const QString place = ui::widgets::helpPlaceOf(widget);
            const ui::help::ManualPage* page = manual.page(place.section(QLatin1Char('#'), 0, 0));
            const QString anchor = ui::help::anchorOf(place.section(QLatin1Char('#'), 1));
            const auto isIt = [&](const ui::help::ManualSection& section) { return section.anchor == anchor; };
            QVERIFY2(place.isEmpty() ||
                         (page != nullptr && (anchor.isEmpty() || std::ranges::any_of(page->sections, isIt))),
                     qPrintable(place));
        }
        for (const char* id :
             {"start", "model", "data", "settings", "plan", "run", "results", "runs", "queue", "playground"}) {
            window.showPage(QLatin1String(id));
            if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
            pressF1();
            QCOMPARE(placeOfHelp().toLower(), QStringLiteral("studio-pages.md#") + QLatin1String(id));
        }
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.showPage(QStringLiteral("settings"), QStringLiteral("lora.alpha"));
        pressF1();
        QCOMPARE(placeOfHelp(), QStringLiteral("settings.md#lora.alpha"));
        QToolButton* help = nullptr;
        const auto isThere = [&] {
            for (QToolButton* button : window.findChildren<QToolButton*>(QStringLiteral("help")))
                if (button->accessibleName().contains(QLatin1String("Weight decay"))) help = button;
            return help != nullptr;
        };
        QTRY_VERIFY(isThere());          // rows below the one that was asked for come later
        QTRY_VERIFY(help->height() > 0); // expert's rows have their place
        QTest::mouseClick(help, Qt::LeftButton);
        QCOMPARE(placeOfHelp(), QStringLiteral("settings.md#optimizer.weight_decay"));
        window.close();
        QVERIFY(!menu->window()->isVisible());
    }

    void aMissingManualIsSaid() {
        testing::TestServices test;
        ui::pages::Services services = test.services();
        services.manual = test.home.path() / "nowhere";
        MainWindow window(services);
        window.show();
        window.findChild<ui::shell::HelpMenu*>()->open(QStringLiteral("README.md"));
        QVERIFY(shows(window, "manual was not found"));
    }

    void staysOnTheScreenAndRemembersItsPlace() {
        using ui::shell::clampedTo;
        const QRect screen(0, 0, 1280, 800);
        QCOMPARE(clampedTo(screen, QRect(100, 50, 1600, 1000)), screen);
        QCOMPARE(clampedTo(screen, QRect(1000, 700, 600, 400)), QRect(680, 400, 600, 400));
        QCOMPARE(clampedTo(screen, QRect(-50, -50, 600, 400)), QRect(0, 0, 600, 400));
        testing::TestServices test;
        {
            MainWindow window(test.services());
            window.setGeometry(10, 60, 1000, 700);
            window.show();
            window.close();
        }
        const QRect available = QGuiApplication::primaryScreen()->availableGeometry();
        MainWindow again(test.services());
        QVERIFY(available.contains(again.geometry()));
        QCOMPARE(again.geometry(), clampedTo(available.adjusted(0, 36, 0, 0), QRect(10, 60, 1000, 700)));
    }

    // What completes a path in a file dialog stands on no card.
    void buttonsOfDialogsHaveWordsAlone() { // Qt's own pictures are dark on dark
        constexpr auto kHint = QStyle::SH_DialogButtonBox_ButtonsHaveIcons;
        class Pictures : public QProxyStyle { // as desktops ask for them
        public:
            int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const override {
                return hint == kHint ? 1 : QProxyStyle::styleHint(hint, option, widget, more);
            }
        };
        const testing::TestServices test;
        Pictures pictures;
        QDialogButtonBox box(QDialogButtonBox::Close);
        box.setStyle(&pictures);
        box.ensurePolished();
        QCOMPARE(box.style()->styleHint(kHint, nullptr, &box), 0);
    }

    void aListThatFloatsHasAGround() {
        const testing::TestServices test;
        QListView list;
        list.resize(80, 60);
        QCOMPARE(list.grab().toImage().pixelColor(40, 30), test.themes.theme().card);
    }

    // As the program starts: the sheet comes once, when all widgets stand.
    void aWindowThatWasMadeBeforeItsSheetLooksNoOther() {
        testing::TestServices test, other;
        const QString sheet = qApp->styleSheet();
        const int flashTime = QApplication::cursorFlashTime();
        const auto flashAgain = qScopeGuard([=] { QApplication::setCursorFlashTime(flashTime); });
        QApplication::setCursorFlashTime(0); // a cursor in a field is seen in both, not now and then
        MainWindow window(test.services());
        qApp->setStyleSheet({});
        MainWindow late(other.services());
        qApp->setStyleSheet(sheet);
        for (MainWindow* one : {&window, &late}) {
            one->resize(1280, 800);
            one->show();
        }
        const auto pictureOf = [](MainWindow& one) {
            one.activateWindow(); // the focus is seen there alone
            return QTest::qWaitForWindowActive(&one) ? one.grab().toImage() : QImage();
        };
        for (const char* page :
             {"start", "model", "data", "settings", "plan", "run", "results", "runs", "queue", "playground"}) {
            for (MainWindow* one : {&window, &late})
                one->showPage(QString::fromLatin1(page));
            // A tab that was never open takes room, too, and has its sheet once it is polished: by now, not by chance.
            for (MainWindow* one : {&window, &late})
                for (QWidget* part : one->findChildren<QWidget*>()) {
                    part->ensurePolished();
                    part->updateGeometry();
                }
            QTRY_VERIFY2_WITH_TIMEOUT(pictureOf(window) == pictureOf(late), page, 20'000);
        }
    }

    void themesSwitchWhileARunIsOnShow() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        test.themes.choose(ui::theme::Choice::kDark);
        const QColor dark = window.grab().toImage().pixelColor(window.width() - 8, 300);
        test.themes.choose(ui::theme::Choice::kLight);
        const QColor light = window.grab().toImage().pixelColor(window.width() - 8, 300);
        QVERIFY(dark.lightness() < 60);
        QVERIFY(light.lightness() > 200);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
