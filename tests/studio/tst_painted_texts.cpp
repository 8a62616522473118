// SPDX-License-Identifier: GPL-3.0-or-later
// Words that widgets paint themselves stand alone: found where they do not, and tried where they could collide.
#include "painted_texts.h"
#include "scenes.h"
#include "ui/charts/curves_chart.h"
#include "ui/pages/data/report/length_histogram.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/timeline/panels/range_panel.h"
#include "ui/translations/language.h"
#include "ui/translations/number_text.h"

#include <QApplication>
#include <QLocale>
#include <QTest>
#include <QTranslator>

#include <algorithm>
#include <cmath>

using namespace roundpipe;
using testing::paintedOver;
using testing::paintedWords;
using ui::translations::Language;

class TestPaintedTexts : public QObject {
    Q_OBJECT

    // Of rows of all lengths: high bars, low ones and none beside each other.
    static session::LengthStatistics lengths(int64_t most) {
        session::LengthStatistics all;
        for (int half = 10; half < 26; ++half) {
            const auto at = [&](double halves) { return std::llround(std::exp2(halves / 2)); };
            const int64_t rows = half == 17 ? 0 : 1 + most * (half % 3) / (1 + half % 4);
            all.histogram.push_back({at(half), at(half + 1), rows});
            for (const double more : {0.5, 1.0})
                all.choices.push_back({at(half + more), rows / 2, 170 * rows, 17 * rows});
            all.numRows += rows;
        }
        return all;
    }
    static void everyLimitIn(ui::pages::LengthHistogram& histogram) {
        for (int eighths = 36; eighths < 112; ++eighths) { // those whose cost is known, and between them
            histogram.setLimit(std::llround(std::exp2(eighths / 8.0)));
            const QStringList found = paintedOver(histogram);
            QVERIFY2(found.isEmpty(),
                     qPrintable(QStringLiteral("limit %1: ").arg(histogram.limit()) + found.join(u';')));
        }
    }

private slots:
    void cleanup() { // the language, where a test has chosen one
        for (QTranslator* translator : qApp->findChildren<QTranslator*>())
            delete translator; // is removed by that
        QLocale::setDefault(QLocale::c());
    }

    // A chart whose numbers have no room.
    void whatIsPaintedOverIsFound() {
        const ui::theme::ThemeManager themes(*qApp);
        ui::charts::CurvesChart chart(themes);
        chart.resize(500, 300);
        chart.show();
        chart.setCurves({{QStringLiteral("training"), {0, 1000}, {1, 2}}}, QStringLiteral("step"), false);
        QCOMPARE(paintedOver(chart), QStringList());
        chart.xAxis->ticker()->setTickCount(80);
        chart.replot();
        const QStringList found = paintedOver(chart);
        QVERIFY(!found.filter(QStringLiteral("CurvesChart paints")).isEmpty());
    }

    void namesOfCurvesMakeRoomForEachOther() {
        const ui::theme::ThemeManager themes(*qApp);
        ui::charts::CurvesChart chart(themes);
        chart.resize(500, 300);
        chart.show();
        std::vector<ui::charts::NamedCurve> curves;
        for (int i = 0; i < 5; ++i)
            curves.push_back({QStringLiteral("Polly, attempt %1").arg(i), {0, 100}, {2, 1 + 0.001 * i}});
        chart.setCurves(curves, QStringLiteral("step"), false);
        QCOMPARE(paintedOver(chart), QStringList());
    }

    // However long work takes: figures are said so that they fit.
    void timesInTheTimelinesPanelAreWhole() {
        const ui::theme::ThemeManager themes(*qApp);
        trace::RangeStatistics statistics;
        statistics.endNs = 4'000'000'000'000;
        statistics.kinds = {{.kind = trace::Kind::kForward,
                             .count = 12345,
                             .p50Ns = 9'999'000'000,
                             .p95Ns = 12'345'000'000,
                             .bytes = 123.4e9}};
        statistics.stages = {{.stage = StageId(12),
                              .kind = trace::Kind::kBackward,
                              .count = 34567,
                              .totalNs = 3'723'000'000'000,
                              .p50Ns = 65'000'000'000,
                              .p95Ns = 187'000'000'000}};
        ui::timeline::RangePanel panel(themes);
        panel.resize(292, 400);
        panel.show();
        panel.set(statistics, false);
        QCOMPARE(paintedOver(panel), QStringList());
        const QStringList words = paintedWords(panel);
        const QString thousands =
            ui::translations::fixedText(9999, 0); // with a comma or without, as the language has it
        const QStringList figures = {"12345", thousands, "12.3 s", "115 GiB", "1 min 05 s", "3 min 07 s", "1 h 02 min"};
        const QString all = words.join(u'|').replace(QChar(QChar::Nbsp), u' ');
        for (const QString& figure : figures)
            QVERIFY2(all.split(u'|').contains(figure), qPrintable(figure + all));
    }

    // Which is a little narrower than the others: the last of them has fewer layers.
    void everyForwardStageOfADeepModelHasItsName() {
        const auto& scenes = testing::scenes();
        const auto deep = std::ranges::find(scenes, std::string("plan-94-layers"), &testing::Scene::name);
        QVERIFY(deep != scenes.end());
        testing::Studio studio({1280, 800}, deep->speed);
        deep->play(studio);
        auto* editor = studio.window().findChild<ui::pages::PartitionEditor*>();
        const QStringList words = paintedWords(*editor);
        QVERIFY(editor->shown().forward.size() > 20);
        for (std::size_t i = 0; i < editor->shown().forward.size(); ++i)
            QVERIFY2(words.contains(QStringLiteral("S%1").arg(i)), qPrintable(words.join(u'|')));
    }

    void theLengthLimitLiesOverNoNumber_data() {
        QTest::addColumn<Language>("language");
        QTest::addColumn<int>("width");
        QTest::addColumn<qint64>("most");
        for (const Language language : {Language::kEnglish, Language::kGerman, Language::kChinese})
            for (const int width : {300, 430, 460, 1100})
                for (const qint64 most : {3, 900, 2'000'000})
                    QTest::addRow("%s %d %lld", spellingOf(language), width, static_cast<long long>(most))
                        << language << width << most;
    }
    void theLengthLimitLiesOverNoNumber() {
        QFETCH(Language, language);
        QFETCH(int, width);
        QFETCH(qint64, most);
        ui::translations::use(language, *qApp);
        const ui::theme::ThemeManager themes(*qApp);
        ui::pages::LengthHistogram histogram(themes);
        histogram.setStatistics(lengths(most));
        histogram.show();
        for (const int height : {170, 260}) {
            histogram.resize(width, height);
            for (const OverLength choice : {OverLength::kTruncate, OverLength::kDrop, OverLength::kSplit}) {
                histogram.setOverLength(choice);
                everyLimitIn(histogram);
            }
        }
    }
};

QTEST_MAIN(TestPaintedTexts)
#include "tst_painted_texts.moc"
