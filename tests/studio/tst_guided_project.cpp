// SPDX-License-Identifier: GPL-3.0-or-later
// From an empty project to the adapter, by clicks and keys alone, as somebody does who has a model folder and a file of
// rows and nothing else.
#include "arch/checkpoint.h"
#include "base/error.h"
#include "model_weights.h"
#include "studio.h"
#include "ui/document/new_run.h"
#include "ui/pages/playground/playground_page.h"
#ifdef ROUNDPIPE_HAS_ENGINE
#include "engine_library.h"
#endif

#include <QComboBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace roundpipe;
using testing::Studio;
namespace fs = std::filesystem;

namespace {

// What such a person holds in hands.
struct Case {
    fs::path modelFolder; // one of models, or a model's own
    QString model;        // as the list names it
    fs::path rows;
    fs::path chatTemplate; // empty: the model's own
};

constexpr const char* kTinyQwen3 = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
  "vocab_size": 151936, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4,
  "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 2048, "rms_norm_eps": 1e-6,
  "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";

constexpr std::size_t kSteps = 40; // of the run that is paused for a talk

} // namespace

class TestGuidedProject : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;

    static void expect(bool isSo, const std::string& otherwise) {
        if (!isSo) throw invalidInput(otherwise);
    }

    static void chooseModel(Studio& studio, const Case& given) {
        studio.click("New project");
        expect(studio.window().currentPage() == QLatin1String("model"), "a new project does not begin at Model");
        studio.chooseFile("Add folder…", given.modelFolder);
        auto* table = studio.window().page(QStringLiteral("model"))->findChild<QTableView*>();
        const auto rowOf = [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (table->model()->index(row, 0).data().toString().startsWith(given.model)) return row;
            return -1;
        };
        studio.waitFor("the model in the list", [&] { return rowOf() >= 0; });
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(rowOf(), 0)).center());
        if (!studio.services().document.spec().model.path.empty()) return; // the only one was taken already
        studio.click("Use this model");
    }

    // The row of one setting alone is on show then.
    static const session::Field& find(Studio& studio, const char* key) {
        studio.page("settings");
        studio.type("Find a setting", QString::fromLatin1(key));
        return session::fieldByKey(key);
    }
    static void set(Studio& studio, const char* key, const QString& value) {
        studio.type(find(studio, key).label.c_str(), value);
    }

    static void chooseRows(Studio& studio, const Case& given) {
        studio.page("data");
        studio.chooseFile("Choose files…", given.rows);
        studio.settle();
        const session::WorkbenchStatus& status = studio.services().workbench.status();
        expect(status.state == session::WorkbenchState::kReady, status.problem);
        expect(status.report->numTrained > 0, "nothing is trained");
    }

    static void train(Studio& studio) {
        studio.page("plan");
        studio.settle();
        expect(testing::shows(*studio.window().page(QStringLiteral("plan")), "Fits"),
               studio.services().plan.problem().toStdString());
        studio.click("Start");
        expect(studio.window().currentPage() == QLatin1String("run"), "the start does not lead to Run");
        studio.waitFor(
            "the end of the run", [&] { return !studio.services().run.isRunning(); }, 240);
        expect(studio.services().run.snapshot().state == session::RunState::kFinished, "the run did not finish");
        expect(studio.services().run.snapshot().step == 4, "these are not the steps that were asked for");
    }

    static void takeTheAdapter(Studio& studio) {
        auto& results = studio.page("results");
        studio.waitFor("the results", [&] { return testing::shows(results, "Adapter, PEFT"); });
        const fs::path adapter = fs::path(studio.services().run.job().spec.output.folder) / "adapter";
        expect(fs::exists(adapter / "adapter_config.json"), "the adapter has no settings");
        const auto weights = arch::SafetensorsFile::open(adapter / "adapter_model.safetensors");
        expect(!weights.tensors().empty(), "the adapter is empty");
    }

    // On the processor, as everything here.
    static void loadToTalk(Studio& studio) {
        studio.page("playground");
        studio.waitFor("something to load", [&] {
            const QPushButton* load = testing::buttonOf(studio.window(), "Load");
            return load != nullptr && load->isEnabled();
        });
        studio.click("Load");
        studio.waitFor(
            "the model", [&] { return studio.services().chat.isLoaded(); }, 60);
    }
    static void ask(Studio& studio, const char* words) {
        for (auto* field : studio.window().findChildren<QPlainTextEdit*>())
            if (field->accessibleName() == QLatin1String("Question")) field->setPlainText(QString::fromUtf8(words));
        studio.click("Ask");
        studio.waitFor(
            "the answer", [&] { return studio.services().chat.state() == ui::bridge::ChatController::State::kReady; },
            60);
    }

    static void talkWithIt(Studio& studio) {
        studio.page("playground");
        studio.waitFor("the run's result", [&] {
            for (const auto* box : studio.window().findChildren<QComboBox*>())
                if (box->isVisible() && box->currentText().contains(QLatin1String("result, step"))) return true;
            return false;
        });
        loadToTalk(studio);
        expect(studio.services().chat.about().adapters.size() == 1, "the adapter is not loaded");
        studio.click("Side by side");
        ask(studio, "Who are you?");
        const auto& dialogue = static_cast<ui::pages::PlaygroundPage&>(studio.page("playground")).dialogue();
        for (const int side : {0, 1}) {
            const ui::pages::Dialogue::Answer answer = dialogue.answer(side, 1);
            expect(answer != nullptr && answer->numTokens > 0 && std::ssize(answer->tokens) == answer->numTokens,
                   "a side has no answer with its tokens");
        }
        const fs::path kept = fs::path(studio.services().run.job().spec.output.folder) / "conversations";
        studio.waitFor("the conversation", [&] { return fs::exists(kept) && !fs::is_empty(kept); });
        studio.click("Change…");
        studio.waitFor("the model to leave", [&] { return !studio.services().chat.isLoaded(); });
    }

    // The losses of a run of the open project, which is paused for a talk or not.
    static std::vector<double> trainAndTalk(Studio& studio, bool talks) {
        ui::bridge::RunController& run = studio.services().run;
        studio.services().document.change({}, [](session::RunSpec& spec) {
            spec.duration.maxSteps = kSteps;
            spec.engine.devices = {"cpu"};
        });
        std::vector<double> losses;
        QObject listener;
        QObject::connect(&run, &ui::bridge::RunController::stepDone, &listener,
                         [&](const session::StepMetrics& step) { losses.push_back(step.loss); });
        run.start({ui::document::specForNewRun(studio.services().document), {}});
        if (talks) {
            studio.page("playground");
            studio.waitFor(
                "a step", [&] { return run.snapshot().step > 0; }, 120);
            studio.click("Pause the run");
            studio.waitFor(
                "the pause", [&] { return run.snapshot().isPaused; }, 60);
            loadToTalk(studio);
            ask(studio, "Who are you?");
            run.resume();
            studio.waitFor(
                "the model to leave", [&] { return !studio.services().chat.isLoaded(); }, 60);
        }
        studio.waitFor(
            "the end", [&] { return !run.isRunning(); }, 240);
        expect(run.snapshot().state == session::RunState::kFinished, "the run did not finish");
        return losses;
    }

    // What went wrong; empty: nothing did.
    static QString guide(Studio& studio, const Case& given, bool trains) {
        try {
            follow(studio, given, trains);
            return {};
        } catch (const Error& error) {
            return QString::fromStdString(error.message());
        }
    }

    static void follow(Studio& studio, const Case& given, bool trains) {
        chooseModel(studio, given);
        if (!given.chatTemplate.empty()) {
            find(studio, "model.chat_template");
            studio.chooseFile("Browse…", given.chatTemplate);
            expect(studio.services().document.spec().model.chatTemplate == given.chatTemplate.string(),
                   "the chat template is '" + studio.services().document.spec().model.chatTemplate + "'");
        }
        set(studio, "data.max_length", QStringLiteral("256"));
        chooseRows(studio, given);
        set(studio, "duration.max_steps", QStringLiteral("4"));
        set(studio, "lora.rank", QStringLiteral("4"));
        set(studio, "batch.microbatches", QStringLiteral("2"));
        train(studio);
        if (!trains) return;
        takeTheAdapter(studio);
        talkWithIt(studio);
    }

    Case demo() const {
        const fs::path folder = testing::sourceFolder() / "resources" / "demo";
        return {folder / "model", QStringLiteral("model"), folder / "data" / "instructions.jsonl", {}};
    }

private slots:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_home.path() / "data").string()));
        qputenv("HF_HUB_CACHE", "/nonexistent");
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void withTheSimulatedEngine() {
        Studio studio({1280, 800}, 50);
        QCOMPARE(guide(studio, demo(), false), QString());
    }

    // It keeps its memory and its place: the losses are those of a run that nobody interrupted.
    void talksWhileARunIsPaused() {
#ifndef ROUNDPIPE_HAS_ENGINE
        QSKIP("built without the engine");
#else
        studio::EngineLibrary library;
        QSignalSpy loaded(&library, &studio::EngineLibrary::loaded);
        library.load(studio::findEngineLibrary());
        QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, 60'000);
        Studio studio({1280, 800}, library.takeEngine(), session::rememberingProbe(library.rigProbe()));
        studio.services().chat.setOpener(library.chatOpener());
        QVERIFY(studio.services().document.openCopy(testing::sourceFolder() / "resources" / "demo" / "run.json"));
        std::vector<double> alone, interrupted;
        try {
            alone = trainAndTalk(studio, false);
            interrupted = trainAndTalk(studio, true);
        } catch (const Error& error) {
            QFAIL(error.what());
        }
        QCOMPARE(alone.size(), kSteps);
        QVERIFY(alone == interrupted);
#endif
    }

    void withTheEngine_data() {
        QTest::addColumn<QString>("which");
        for (const char* name : {"demo", "qwen3", "stories"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void withTheEngine() {
#ifndef ROUNDPIPE_HAS_ENGINE
        QSKIP("built without the engine");
#else
        QFETCH(QString, which);
        const fs::path fixtures = testing::fixtures();
        if (which != QLatin1String("demo") && fixtures.empty())
            QSKIP("the shared fixtures are not beside this checkout; set ROUNDPIPE_FIXTURES to run this");
        Case given = demo();
        if (which == QLatin1String("qwen3")) {
            const fs::path model = m_home.path() / "models" / "Tiny-Qwen3";
            fs::create_directories(model.parent_path());
            fs::copy(fixtures / "tokenizers" / "qwen3", model);
            fs::permissions(model, fs::perms::owner_all);
            writeFileAtomically(model / "config.json", kTinyQwen3);
            testing::writeRandomWeights(model);
            given = {model.parent_path(),
                     QStringLiteral("Tiny-Qwen3"),
                     fixtures / "datasets" / "fastchat_dummy_conversation_sharegpt.json",
                     {}};
        }
        if (which == QLatin1String("stories"))
            given = {fixtures / "weights" / "stories260K-hf", QStringLiteral("stories260K-hf"),
                     fixtures / "datasets" / "alpaca_subset.csv",
                     fixtures / "chat_templates" / "Qwen-Qwen2.5-7B-Instruct.jinja"};
        studio::EngineLibrary library;
        QSignalSpy loaded(&library, &studio::EngineLibrary::loaded);
        library.load(studio::findEngineLibrary());
        QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, 60'000);
        Studio studio({1280, 800}, library.takeEngine(), session::rememberingProbe(library.rigProbe()));
        studio.services().chat.setOpener(library.chatOpener());
        QCOMPARE(guide(studio, given, true), QString());
#endif
    }
};

QTEST_MAIN(TestGuidedProject)
#include "tst_guided_project.moc"
