// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page on a large JSONL, without a display: time from choosing the file to its first rows on show, how long
// the window's thread is held at most, and how many frames a second it scrolls at while the rows come in. Writes the
// file itself and removes it.
//
// usage: QT_QPA_PLATFORM=offscreen data_page FOLDER GIBIBYTES
#include "ui/pages/data/data_page.h"
#include "../ui/test_services.h"
#include "large_jsonl.h"
#include "ui/pages/data/rows/rows_table.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace roundpipe;
using ui::pages::RowsModel;

namespace {

constexpr int kFrames = 600;

double milliseconds(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// Runs the event loop until the condition holds; keeps the longest time that one pass of it took.
template <class Condition>
void waitFor(const Condition& condition, double& longest) {
    while (!condition()) {
        QElapsedTimer pass;
        pass.start();
        QCoreApplication::processEvents();
        longest = std::max(longest, milliseconds(pass));
        QThread::usleep(500);
    }
}

void print(const char* what, std::vector<double> times) {
    std::ranges::sort(times);
    std::printf("%-28s %7.2f ms median, %7.2f ms p99, %7.2f ms longest\n", what, times[times.size() / 2],
                times[times.size() * 99 / 100], times.back());
}

// Each frame scrolls and paints; between frames answers come in. `step`: rows a frame.
void scroll(const char* what, ui::pages::RowsTable& table, int step) {
    std::vector<double> frames;
    int numFilled = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
        QElapsedTimer timer;
        timer.start();
        QScrollBar* bar = table.verticalScrollBar();
        bar->setValue((bar->value() + step) % std::max(1, bar->maximum()));
        table.viewport()->repaint();
        QCoreApplication::processEvents();
        frames.push_back(milliseconds(timer));
        QTest::qSleep(std::max(0, 16 - static_cast<int>(frames.back())));
        const QModelIndex first = table.indexAt({40, 4}).siblingAtColumn(RowsModel::kText);
        numFilled += first.data().toString() != QStringLiteral("…") ? 1 : 0;
    }
    print(what, frames);
    std::printf("  first row there in %d of %d frames\n", numFilled, kFrames);
}

// From anywhere to anywhere, until the row is on show.
void jump(QWidget& page, ui::pages::RowsTable& table, int64_t numRows) {
    std::vector<double> times;
    double longest = 0;
    for (int64_t i = 1; i <= 50; ++i) {
        const session::RowPlace place{0, 1 + i * 7'919'993 % numRows};
        QElapsedTimer timer;
        timer.start();
        table.select(place);
        const QModelIndex text = table.currentIndex().siblingAtColumn(RowsModel::kText);
        waitFor(
            [&] {
                page.grab();
                return text.data().toString() != QStringLiteral("…");
            },
            longest);
        times.push_back(milliseconds(timer));
    }
    print("a jump to any row", times);
}

void measure(const std::string& path) {
    testing::TestServices test;
    test.document.change(QStringLiteral("model"), [](session::RunSpec& spec) {
        spec.model.path = (testing::sourceFolder() / "resources" / "demo" / "model").string();
        spec.data.cache = false;
    });
    ui::pages::DataPage page(test.services());
    page.resize(1072, 740);
    page.show();
    QCoreApplication::processEvents();
    auto& table = *page.findChild<ui::pages::RowsTable*>();
    double longest = 0;
    QElapsedTimer timer;
    timer.start();
    test.document.set(session::fieldByKey("data.files"), std::vector<std::string>{path});
    waitFor(
        [&] {
            page.grab();
            return table.model()->rowCount() > 0 &&
                   table.model()->index(0, RowsModel::kText).data().toString() != QStringLiteral("…");
        },
        longest);
    std::printf("first rows on show after     %7.1f ms\n", milliseconds(timer));
    scroll("scrolled while it is counted", table, 7);
    auto& model = static_cast<RowsModel&>(*table.model());
    waitFor([&] { return model.isCounted(); }, longest);
    std::printf("all %lld rows counted after %.1f s\n", static_cast<long long>(model.numCounted()),
                milliseconds(timer) / 1e3);
    scroll("scrolled, 7 rows a frame", table, 7);
    scroll("dragged, 20,011 rows a frame", table, 20'011);
    jump(page, table, model.numCounted());
    std::printf("window's thread held at most %7.1f ms at a time, outside of these frames\n", longest);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: data_page FOLDER GIBIBYTES\n");
        return 2;
    }
    QApplication application(argc, argv);
    const bench::LargeJsonl file(argv[1], std::strtod(argv[2], nullptr));
    measure(file.path().string());
    return 0;
}
