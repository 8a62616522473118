// SPDX-License-Identifier: GPL-3.0-or-later
// Exports on the page Results: chosen in a dialog, watched, stopped, and shown with their proofs.
#include "made_runs.h"
#include "shown_exporter.h"
#include "ui/pages/results/export_dialog.h"
#include "ui/pages/results/results_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;
using namespace roundpipe::ui;

namespace {

// The page with run "b" on show, and the door that its exports go through.
struct Shown {
    testing::TestServices test;
    testing::ShownExporter* exporter;
    std::filesystem::path run;
    std::unique_ptr<pages::ResultsPage> page;

    explicit Shown(bool passes = true) {
        testing::makeThreeRuns(test);
        run = test.home.path() / "runs" / "b";
        auto made = std::make_unique<testing::ShownExporter>(passes);
        exporter = made.get();
        test.exports.setExporter(std::move(made));
        open();
    }
    void open() {
        page = std::make_unique<pages::ResultsPage>(test.services());
        page->resize(1280, 800);
        page->show();
        page->showField(QString::fromStdString(run.string()));
        if (!QTest::qWaitFor([&] { return testing::shows(*page, "Exports for other programs"); }))
            qFatal("the run is not on show");
    }
    pages::ExportDialog* dialog() const {
        testing::buttonOf(*page, "Export…")->click();
        auto* dialog = page->findChild<pages::ExportDialog*>();
        return dialog != nullptr && QTest::qWaitFor([&] { return dialog->isVisible(); }) ? dialog : nullptr;
    }
};

QComboBox* boxOf(const QWidget& dialog, const char* name) {
    for (auto* box : dialog.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return nullptr;
}

void choose(const QWidget& dialog, const char* name, int value) {
    auto* const box = boxOf(dialog, name);
    box->setCurrentIndex(box->findData(value));
}

void accept(const QWidget& dialog) {
    testing::buttonOf(dialog, "Export")->click();
}

} // namespace

class TestExportsCard : public QObject {
    Q_OBJECT

private slots:
    void whatWasChosenIsMadeWatchedAndProved() {
        Shown shown;
        QVERIFY(testing::shows(*shown.page, "None yet. An export is asked the same"));
        auto* dialog = shown.dialog();
        QVERIFY(dialog != nullptr);
        choose(*dialog, "For which programs", static_cast<int>(ExportKind::kGguf));
        choose(*dialog, "Type of the weights", static_cast<int>(GgufType::kQ8));
        accept(*dialog);
        QTRY_VERIFY(shown.exporter->underWay());
        const session::ExportTask request = *shown.exporter->underWay();
        QCOMPARE(request.run, shown.run);
        QVERIFY(request.kind == ExportKind::kGguf && request.type == GgufType::kQ8 && request.isProved);
        QTRY_VERIFY(testing::shows(*shown.page, "writing: 1.86\u00a0GiB of 4.91\u00a0GiB"));
        QVERIFY(testing::buttonOf(*shown.page, "Export…") == nullptr); // one at a time
        shown.exporter->prove();
        QTRY_VERIFY(testing::shows(*shown.page, "proving it: 3 of 18"));
        QSignalSpy noticed(shown.page.get(), &pages::Page::noticed);
        shown.exporter->finish();
        QTRY_VERIFY(testing::shows(*shown.page, "GGUF model, q8_0"));
        QVERIFY(testing::shows(*shown.page, "proved: 251 of 256 tokens agree, gap 1.8\u00a0% (40\u00a0% allowed)"));
        QVERIFY(noticed[0][0].toString().contains(QLatin1String("exports/gguf-q8_0")));
        QVERIFY(!testing::shows(*shown.page, "proving it"));
        QVERIFY(testing::buttonOf(*shown.page, "Export…") != nullptr);
        shown.open(); // it is kept with the run
        QTRY_VERIFY(testing::shows(*shown.page, "GGUF model, q8_0"));
    }

    void aProofThatFailsIsSaidInItsColour() {
        Shown shown(false);
        accept(*shown.dialog());
        QTRY_VERIFY(shown.exporter->underWay());
        shown.exporter->finish();
        QTRY_VERIFY(
            testing::shows(*shown.page, "proof failed: 96 of 256 tokens agree, gap 81\u00a0% (40\u00a0% allowed)"));
        for (const QLabel* label : shown.page->findChildren<QLabel*>())
            if (label->text().startsWith(QLatin1String("proof failed")))
                QCOMPARE(label->objectName(), QLatin1String("problem"));
    }

    void whoWillRefuseItIsSaidBeforeAnythingIsWritten() {
        const Shown shown;
        auto* dialog = shown.dialog();
        QTRY_VERIFY(testing::shows(*dialog, "vLLM: takes rank 24"));
        QVERIFY(!testing::shows(*dialog, "Refused"));
        choose(*dialog, "For which programs", static_cast<int>(ExportKind::kGgufAdapter));
        QTRY_VERIFY(testing::shows(*dialog, "Refused. llama.cpp and Ollama: take no adapter of lm_head"));
        QVERIFY(testing::shows(*dialog, "Leave lm_head out of lora.targets"));
        QVERIFY(!std::filesystem::exists(shown.run / "exports.jsonl"));
        dialog->reject();
        QVERIFY(!shown.exporter->underWay());
    }

    // Adapters are small and take no small types; what keeps its weights has no type to choose.
    void typesAreThoseOfTheKind() {
        const Shown shown;
        auto* dialog = shown.dialog();
        auto* types = boxOf(*dialog, "Type of the weights");
        QCOMPARE(types->count(), 7);
        choose(*dialog, "For which programs", static_cast<int>(ExportKind::kGgufAdapter));
        QCOMPARE(types->count(), 3);
        choose(*dialog, "For which programs", static_cast<int>(ExportKind::kMerged));
        QVERIFY(!types->isEnabled());
        QCOMPARE(types->currentText(), QLatin1String("as they are"));
        dialog->findChild<QCheckBox*>()->setChecked(false);
        auto* from = boxOf(*dialog, "Of which state of the run");
        QCOMPARE(from->itemText(1), QLatin1String("checkpoint last, step 5"));
        from->setCurrentIndex(1);
        accept(*dialog);
        QTRY_VERIFY(shown.exporter->underWay());
        QVERIFY(!shown.exporter->underWay()->isProved);
        QCOMPARE(shown.exporter->underWay()->checkpoint, std::string("last"));
    }

    void canBeStopped() {
        Shown shown;
        accept(*shown.dialog());
        QTRY_VERIFY(testing::buttonOf(*shown.page, "Stop") != nullptr);
        QSignalSpy noticed(shown.page.get(), &pages::Page::noticed);
        testing::buttonOf(*shown.page, "Stop")->click();
        QTRY_COMPARE(noticed.size(), 1);
        QCOMPARE(noticed[0][0].toString(), QLatin1String("The export was stopped; nothing of it is left."));
        QVERIFY(testing::buttonOf(*shown.page, "Stop") == nullptr);
        QVERIFY(testing::buttonOf(*shown.page, "Export…") != nullptr);
    }

    void whatFailsIsSaid() {
        Shown shown;
        accept(*shown.dialog());
        QTRY_VERIFY(shown.exporter->underWay());
        QSignalSpy failed(shown.page.get(), &pages::Page::failed);
        shown.exporter->fail("The disk is full.");
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toString(), QLatin1String("The disk is full."));
    }

    // No button that does nothing: its place says why.
    void withoutTheEngineOrDuringARunTheReasonIsSaid() {
        Shown shown;
        shown.test.exports.setExporter(nullptr);
        QVERIFY(testing::shows(*shown.page, "The engine makes exports, and it is not loaded."));
        QVERIFY(testing::buttonOf(*shown.page, "Export…") == nullptr);
        shown.test.exports.setExporter(std::make_unique<testing::ShownExporter>());
        QVERIFY(testing::buttonOf(*shown.page, "Export…") != nullptr);
        shown.test.useSimulatedEngine(1);
        QVERIFY(shown.test.document.openCopy(shown.test.demo));
        shown.test.commands.start()->trigger();
        QTRY_VERIFY(shown.test.run.isRunning());
        shown.page->showField(QString::fromStdString(shown.run.string()));
        QTRY_VERIFY(testing::shows(*shown.page, "A run is under way: exports wait for its end"));
        shown.test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!shown.test.run.isRunning(), 20'000);
    }
};

QTEST_MAIN(TestExportsCard)
#include "tst_exports_card.moc"
