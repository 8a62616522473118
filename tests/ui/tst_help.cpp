// SPDX-License-Identifier: GPL-3.0-or-later
// The manual: its pages hang together, and its window shows, searches and follows them.
#include "base/error.h"
#include "session/spec/run_spec_fields.h"
#include "testing/fixtures.h"
#include "ui/help/help_window.h"
#include "ui/help/page_document.h"
#include "ui/help/page_view.h"

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>

#include <algorithm>
#include <ctime>

using namespace roundpipe;
using ui::help::anchorOf;
using ui::help::HelpWindow;
using ui::help::Manual;
using ui::help::ManualPage;
using ui::help::ManualSection;
using ui::help::PageView;

class TestHelp : public QObject {
    Q_OBJECT

    std::filesystem::path m_folder = testing::sourceFolder() / "resources" / "manual";

    static bool hasPlace(const Manual& manual, const QString& file, const QString& anchor) {
        const ManualPage* page = manual.page(file);
        return page != nullptr && (anchor.isEmpty() || std::ranges::any_of(page->sections, [&](const auto& section) {
                                       return section.anchor == anchorOf(anchor);
                                   }));
    }
    // The line that a reader sees first.
    static QString topLine(const HelpWindow& window) {
        const auto* view = window.findChild<PageView*>();
        return view->document()->findBlock(view->topPosition()).text();
    }
    // As it is painted: another one where the page ends before the window does.
    static QString paintedTopLine(const HelpWindow& window) {
        const auto* view = window.findChild<PageView*>();
        return view->cursorForPosition(QPoint(view->viewport()->width() / 2, 24)).block().text();
    }
    static void clickLink(HelpWindow& window, const QString& link) {
        emit window.findChild<PageView*>()->anchorClicked(QUrl(link));
    }

private slots:
    void everyPageStandsInTheContents() {
        const Manual manual(m_folder);
        for (const auto& entry : std::filesystem::directory_iterator(m_folder)) {
            const QString file = QString::fromStdString(entry.path().filename().string());
            QVERIFY2(manual.page(file) != nullptr, qPrintable(file));
        }
        QCOMPARE(manual.pages().front().file, QStringLiteral("README.md"));
        for (const ManualPage& page : manual.pages())
            QVERIFY2(!page.title.isEmpty() && page.sections.front().level == 1, qPrintable(page.file));
    }

    void everyLinkLeadsToAPlaceOfTheManualOrToTheNet() {
        static const QRegularExpression kLink(QStringLiteral("(?<!!)\\[[^\\]]*\\]\\(([^)\\s]+)\\)"));
        const Manual manual(m_folder);
        for (const ManualPage& page : manual.pages())
            for (auto it = kLink.globalMatch(page.markdown); it.hasNext();) {
                const QString link = it.next().captured(1);
                const QString file = link.section(QLatin1Char('#'), 0, 0);
                const bool isThere =
                    link.startsWith(QLatin1String("https://")) ||
                    hasPlace(manual, file.isEmpty() ? page.file : file, link.section(QLatin1Char('#'), 1));
                QVERIFY2(isThere, qPrintable(page.file + QStringLiteral(": ") + link));
            }
    }

    void picturesAreShownInASizeThatFitsAPage() {
        static const QRegularExpression kPicture(QStringLiteral("!\\[[^\\]]*\\]\\(([^)\\s]+)\\)"));
        ui::theme::ThemeManager themes(*qApp);
        const Manual manual(m_folder);
        int numPictures = 0;
        for (const ManualPage& page : manual.pages()) {
            const auto document = ui::help::makeDocument(page, themes.theme(), qApp->font());
            for (auto it = kPicture.globalMatch(page.markdown); it.hasNext(); ++numPictures) {
                const QString name = it.next().captured(1);
                const auto image = document->resource(QTextDocument::ImageResource, QUrl(name)).value<QImage>();
                QVERIFY2(image.width() > 100, qPrintable(page.file + QStringLiteral(": ") + name));
                QVERIFY2(image.deviceIndependentSize().width() <= 640, qPrintable(name));
            }
        }
        QVERIFY(numPictures >= 4);
    }

    void everySettingHasItsPlace() {
        const Manual manual(m_folder);
        for (const session::Field& field : session::runSpecFields())
            QVERIFY2(hasPlace(manual, QStringLiteral("settings.md"), QString::fromStdString(field.key)),
                     field.key.c_str());
    }

    void anchorsAreThoseOfMarkdown() {
        QCOMPARE(anchorOf(QStringLiteral("Where a model does not fit")), QStringLiteral("where-a-model-does-not-fit"));
        QCOMPARE(anchorOf(QStringLiteral("lora.init_from")), QStringLiteral("lorainit_from"));
        QCOMPARE(anchorOf(anchorOf(QStringLiteral("CSV and TSV"))), QStringLiteral("csv-and-tsv"));
    }

    void opensWithoutAWait() {
        ui::theme::ThemeManager themes(*qApp);
        const std::clock_t before = std::clock();
        HelpWindow window(m_folder, themes);
        window.open(QStringLiteral("settings.md#output.save_trace"));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.grab();
        const double milliseconds = 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        qInfo("painted after %.0f ms of the processor", milliseconds);
        QVERIFY(milliseconds < 400); // 100, but sanitizers and emulation take their share
    }

    void leadsToASettingAndStaysThereWhenTheWindowChanges() {
        ui::theme::ThemeManager themes(*qApp);
        HelpWindow window(m_folder, themes);
        window.open(QStringLiteral("settings.md#lora.rank"));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(paintedTopLine(window), QStringLiteral("lora.rank"));
        window.resize(700, 500);
        QCOMPARE(paintedTopLine(window), QStringLiteral("lora.rank"));
        QCOMPARE(window.findChild<PageView*>()->extraSelections().size(), 1); // the heading is shaded
    }

    void goesBackAndForward() {
        ui::theme::ThemeManager themes(*qApp);
        HelpWindow window(m_folder, themes);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.open(QStringLiteral("README.md"));
        clickLink(window, QStringLiteral("data-files.md"));
        clickLink(window, QStringLiteral("#limits"));
        QCOMPARE(window.place(), QStringLiteral("data-files.md"));
        QCOMPARE(topLine(window), QStringLiteral("Limits"));
        window.findChild<PageView*>()->setFocus();
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(topLine(window), QStringLiteral("Data files"));
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(window.place(), QStringLiteral("README.md"));
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Left, Qt::AltModifier); // there is nothing before
        QCOMPARE(window.place(), QStringLiteral("README.md"));
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Right, Qt::AltModifier);
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(topLine(window), QStringLiteral("Limits"));
    }

    void opensNoBrowserButSaysThatALinkWasChosen() {
        ui::theme::ThemeManager themes(*qApp);
        HelpWindow window(m_folder, themes);
        window.open(QStringLiteral("README.md"));
        QSignalSpy chosen(&window, &HelpWindow::externalLinkChosen);
        clickLink(window, QStringLiteral("https://ui.perfetto.dev"));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(window.place(), QStringLiteral("README.md"));
    }

    void findsWordsOnAllPagesHeadingsFirst() {
        const Manual manual(m_folder);
        const auto hits = manual.find(QStringLiteral("DOES NOT fit model"));
        QVERIFY(!hits.empty());
        QCOMPARE(hits.front().section->heading, QStringLiteral("Where a model does not fit"));
        for (const auto& hit : hits)
            for (const char* word : {"does", "not", "fit", "model"})
                QVERIFY((hit.section->heading + hit.section->text).contains(QLatin1String(word), Qt::CaseInsensitive));
        QVERIFY(manual.find(QStringLiteral("no such words zyzzyva")).empty());
        QVERIFY(manual.find({}).empty());
    }

    void searchIsAllKeys() {
        ui::theme::ThemeManager themes(*qApp);
        HelpWindow window(m_folder, themes);
        window.open(QStringLiteral("README.md"));
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* search = window.findChild<QLineEdit*>();
        window.findChild<PageView*>()->setFocus();
        QTest::keyClick(window.findChild<PageView*>(), Qt::Key_Slash);
        QTRY_VERIFY(search->hasFocus());
        auto* found = window.findChild<QListWidget*>();
        QTest::keyClicks(search, QStringLiteral("e")); // stands nearly everywhere: laid out at once are a few
        QVERIFY2(found->count() > 10 && found->count() < 50, qPrintable(QString::number(found->count())));
        QVERIFY(found->item(found->count() - 1)
                    ->data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("more letters")));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("zstandard"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(window.place(), QStringLiteral("data-files.md"));
        QVERIFY(!window.findChild<PageView*>()->extraSelections().isEmpty());
        QTest::keyClicks(search, QStringLiteral(" zyzzyva"));
        QVERIFY(window.findChild<QListWidget*>()
                    ->item(0)
                    ->data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("Nothing has all")));
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(search->text().isEmpty() && window.isVisible());
        QVERIFY(window.findChild<QTreeWidget*>()->isVisible());
        QTest::keyClick(search, Qt::Key_Down);
        QTest::keyClick(window.findChild<QTreeWidget*>(), Qt::Key_Home);
        QCOMPARE(window.place(), QStringLiteral("README.md"));
        QTest::keyClick(window.findChild<QTreeWidget*>(), Qt::Key_Escape);
        QVERIFY(!window.isVisible());
    }

    void followsTheTheme() {
        ui::theme::ThemeManager themes(*qApp);
        HelpWindow window(m_folder, themes);
        window.open(QStringLiteral("run-file.md#the-run-folder"));
        window.show();
        const auto linkColour = [&] {
            const QTextDocument& document = *window.findChild<PageView*>()->document();
            for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
                for (auto part = block.begin(); !part.atEnd(); ++part)
                    if (part.fragment().charFormat().isAnchor())
                        return part.fragment().charFormat().foreground().color();
            return QColor();
        };
        themes.choose(ui::theme::Choice::kDark);
        QCOMPARE(linkColour(), ui::theme::darkTheme().accent);
        QVERIFY(window.grab().toImage().pixelColor(window.width() - 20, window.height() / 2).lightness() < 60);
        themes.choose(ui::theme::Choice::kLight);
        QCOMPARE(linkColour(), ui::theme::lightTheme().accent);
        QVERIFY(window.grab().toImage().pixelColor(window.width() - 20, window.height() / 2).lightness() > 200);
        QCOMPARE(topLine(window), QStringLiteral("The run folder")); // where one was reading
    }

    void aFolderWithoutAManualIsAnError() {
        const testing::TemporaryFolder empty;
        QVERIFY_THROWS_EXCEPTION(roundpipe::Error, Manual(empty.path()));
    }
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
