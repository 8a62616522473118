#include "scenes.h"

#include "model_weights.h"
#include "runs/answers_file.h"
#include "runs/some_run.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/rig_table.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/trace_window.h"
#include "ui/timeline/panels/comparison_table.h"

#include <QAction>
#include <QDateTime>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <fstream>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

// The shape of Qwen3-8B and of a model four times as deep and wide.
constexpr const char* kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "vocab_size": 151936,
  "hidden_size": %1, "intermediate_size": %2, "num_hidden_layers": %3, "num_attention_heads": 32,
  "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6,
  "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

// A folder that can be trained as far as one sees without reading it: its weights are a header and a hole.
fs::path writeModel(Studio& studio, const char* name, int hidden, int numBlocks) {
    const fs::path folder = studio.services().home.path() / "models" / name;
    fs::create_directories(folder);
    writeFileAtomically(folder / "config.json",
                        QString::fromLatin1(kConfig).arg(hidden).arg(3 * hidden).arg(numBlocks).toStdString());
    for (const char* file : {"tokenizer.json", "tokenizer_config.json"})
        fs::copy_file(sourceFolder() / "resources" / "demo" / "model" / file, folder / file,
                      fs::copy_options::overwrite_existing);
    writeHollowWeights(folder);
    return folder;
}

void change(Studio& studio, const std::function<void(session::RunSpec&)>& edit) {
    studio.services().document.change(QStringLiteral("scene"), edit);
}

void openDemo(Studio& studio) {
    studio.services().document.openCopy(studio.services().demo);
    change(studio, [](session::RunSpec& spec) {
        spec.data.cache = false;
        spec.engine.devices = {"auto"};
    });
    studio.settle();
}

// Rows of some hundred to some thousand tokens.
std::string longRows() {
    std::string rows;
    for (int i = 0; i < 240; ++i) {
        std::string answer;
        for (int word = 0; word < 20 + 7 * i % 130; ++word)
            answer += "Squawk, the parrot flies over sea number " + std::to_string(word) + ". ";
        rows += R"({"messages":[{"role":"user","content":"Tell me story )" + std::to_string(i) +
                R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
    }
    return rows;
}

void useRows(Studio& studio, const char* name, const std::string& content) {
    const fs::path file = studio.services().home.path() / name;
    std::ofstream(file, std::ios::binary) << content;
    change(studio, [&](session::RunSpec& spec) { spec.data.datasets.front().files = {file.string()}; });
    studio.settle();
}

// A model whose plan has something to show, on four 4090s.
void openLarge(Studio& studio, int hidden = 4096, int numBlocks = 36) {
    openDemo(studio);
    change(studio, [&](session::RunSpec& spec) {
        spec.name = "Qwen3-8B on the parrot's rows";
        spec.model.path = writeModel(studio, "Qwen3-8B", hidden, numBlocks).string();
        spec.data.maxLength = 2048;
        spec.batch.microbatchSize = 4;
        spec.batch.microbatches = 8;
        spec.duration.maxSteps = 400;
    });
    useRows(studio, "stories.jsonl", longRows());
}

void show(Studio& studio, const char* page) {
    studio.page(page);
    studio.settle();
}

// Start ---------------------------------------------------------------------------------------------------------------

void startFresh(Studio& studio) {
    show(studio, "start");
}

void startWithProjects(Studio& studio) {
    for (const char* name : {"support-mails", "parrot", "translations, the second attempt with longer rows"}) {
        const fs::path file = studio.services().home.path() / name / "run.json";
        fs::create_directories(file.parent_path());
        writeFileAtomically(file, "{}");
        studio.services().preferences.addRecentProject(QString::fromStdString(file.string()));
    }
    show(studio, "start");
}

void startNotSetUp(Studio& studio) { // as an installed program is for the first time
    studio.window().engineNotSetUp([] {});
    show(studio, "start");
}

void startWithABrokenProject(Studio& studio) {
    const fs::path file = studio.services().home.path() / "broken" / "run.json";
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, R"({"lora": {"rnk": 3}})");
    studio.window().openFiles({QString::fromStdString(file.string())});
    show(studio, "start");
}

// Model ---------------------------------------------------------------------------------------------------------------

void addModels(Studio& studio) {
    writeModel(studio, "Qwen3-8B", 4096, 36);
    writeModel(studio, "Qwen3-Huge", 16384, 120);
    const fs::path refused = studio.services().home.path() / "models" / "gemma-3-1b";
    fs::create_directories(refused);
    writeFileAtomically(refused / "config.json", R"({"architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3"})");
    studio.services().preferences.set(
        QStringLiteral("models/folders"),
        QStringList(QString::fromStdString((studio.services().home.path() / "models").string())));
}

void waitForVerdicts(Studio& studio) {
    const QAbstractItemModel* list = studio.window().page(QStringLiteral("model"))->findChild<QTableView*>()->model();
    studio.waitFor(
        "the verdicts",
        [&] {
            for (int row = 0; row < list->rowCount(); ++row)
                if (!QStringLiteral("✓△✕").contains(list->index(row, 3).data().toString().left(1))) return false;
            return list->rowCount() >= 4;
        },
        60);
}

void modelNone(Studio& studio) {
    show(studio, "model");
}

void modelSome(Studio& studio) {
    addModels(studio);
    openDemo(studio);
    show(studio, "model");
    waitForVerdicts(studio);
}

void modelRefused(Studio& studio) {
    modelSome(studio);
    auto* table = studio.window().page(QStringLiteral("model"))->findChild<QTableView*>();
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (table->model()->index(row, 0).data().toString().contains(QLatin1String("gemma"))) table->selectRow(row);
    studio.settle();
}

// Data ----------------------------------------------------------------------------------------------------------------

void dataNone(Studio& studio) {
    show(studio, "data");
}

void dataFilled(Studio& studio) {
    openDemo(studio);
    show(studio, "data");
}

void dataFilesAndColumns(Studio& studio) {
    dataFilled(studio);
    studio.click("Files and columns");
    studio.settle();
}

void dataWithoutAModel(Studio& studio) {
    dataFilled(studio);
    change(studio, [](session::RunSpec& spec) { spec.model.path.clear(); });
    studio.settle();
}

void dataUnknownColumns(Studio& studio) {
    openDemo(studio);
    std::string rows = "frage,antwort,quelle\n";
    for (int i = 0; i < 200; ++i)
        rows += "What is " + std::to_string(i) + "?,It is a number; \"" + std::to_string(i) + "\",made up\n";
    useRows(studio, "questions.csv", rows);
    show(studio, "data");
}

void dataMixture(Studio& studio) {
    openDemo(studio);
    const fs::path table = studio.services().home.path() / "questions.csv";
    std::ofstream rows(table, std::ios::binary);
    rows << "instruction,output\n";
    for (int i = 0; i < 900; ++i)
        rows << "What is " << i << "?,It is a number: " << i << ".\n";
    rows.close();
    change(studio, [&](session::RunSpec& spec) {
        session::DatasetSection questions;
        questions.files = {table.string()};
        questions.share = ShareKind::kTokens;
        questions.shareAmount = 20'000;
        spec.data.datasets.front().shareAmount = 2;
        spec.data.datasets.push_back(questions);
    });
    show(studio, "data");
    QTest::qWait(1000);
    studio.click("Datasets");
}

void dataBrokenFile(Studio& studio) {
    openDemo(studio);
    const fs::path folder = studio.services().home.path() / "rows";
    fs::create_directories(folder);
    fs::copy_file(studio.services().demo.parent_path() / "data" / "instructions.jsonl", folder / "good.jsonl");
    std::ofstream(folder / "broken.parquet", std::ios::binary) << "this is none";
    change(studio, [&](session::RunSpec& spec) { spec.data.datasets.front().files = {folder.string()}; });
    show(studio, "data");
    QTest::qWait(1000);
}

void dataOddRows(Studio& studio) {
    openDemo(studio);
    std::string rows;
    for (int i = 0; i < 60; ++i) {
        const std::string number = std::to_string(i % 50); // the last ten are duplicates
        rows += R"({"messages":[{"role":"user","content":"Say )" + number +
                R"("},{"role":"assistant","content":"It is )" + number + "\"}]}\n";
    }
    rows += "{\"messages\":[]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"No answer\"}]}\nnot JSON\n";
    useRows(studio, "odd.jsonl", rows);
    show(studio, "data");
}

// Settings ------------------------------------------------------------------------------------------------------------

void settingsSimple(Studio& studio) {
    openLarge(studio);
    show(studio, "settings");
    QTest::qWait(1500); // effects are worked out one after the other
}

void settingsExpert(Studio& studio) {
    openLarge(studio);
    show(studio, "settings");
    studio.click("Expert");
    change(studio, [](session::RunSpec& spec) {
        spec.lora.rank = 64;
        spec.optimizer.learningRate = 1e-4;
    });
    studio.settle();
    QTest::qWait(2500);
}

void settingsWrong(Studio& studio) {
    settingsSimple(studio);
    change(studio, [](session::RunSpec& spec) { spec.lora.rank = 0; });
    studio.settle();
}

void settingsPrompts(Studio& studio) {
    openDemo(studio);
    show(studio, "settings");
    studio.page("settings").showField(QStringLiteral("prompts"));
    studio.settle();
}

void settingsPromptsNone(Studio& studio) {
    openDemo(studio);
    studio.services().document.setPrompts({});
    show(studio, "settings");
    studio.page("settings").showField(QStringLiteral("prompts"));
    studio.settle();
}

// Plan ----------------------------------------------------------------------------------------------------------------

void planNone(Studio& studio) {
    show(studio, "plan");
}

void waitForRigs(Studio& studio) {
    const auto* rigs = studio.window().page(QStringLiteral("plan"))->findChild<ui::pages::RigTable*>();
    studio.waitFor(
        "the other rigs", [&] { return rigs->numAnswered() == rigs->numRows(); }, 60);
}

void planFits(Studio& studio) {
    openLarge(studio);
    show(studio, "plan");
    waitForRigs(studio);
}

void planDeep(Studio& studio) {
    openLarge(studio, 8192, 94);
    studio.services().plan.setRig("8x4090,ram=1024");
    show(studio, "plan");
}

void planDoesNotFit(Studio& studio) {
    openLarge(studio);
    show(studio, "plan");
    change(studio, [](session::RunSpec& spec) {
        spec.batch.microbatchSize = 64;
        spec.batch.microbatches = 2;
    });
    studio.settle();
    studio.waitFor("the fixes", [&] { return !studio.services().plan.answer()->fixes.empty(); });
}

void planCutMoved(Studio& studio) {
    planFits(studio);
    const plan::Plan& plan = studio.services().plan.answer()->choice.plan;
    change(studio, [&](session::RunSpec& spec) {
        for (const auto& stage : plan.forward)
            spec.engine.forwardStages.push_back(stage.end - stage.begin);
        spec.engine.backwardStages.push_back(plan.fused.end - plan.fused.begin);
        for (const auto& stage : plan.backward)
            spec.engine.backwardStages.push_back(stage.end - stage.begin);
    });
    studio.settle();
}

// In full size, where what makes it fit is asked for.
void planStartAnyway(Studio& studio) {
    planDoesNotFit(studio);
    studio.services().commands.start()->trigger();
    QTest::qWait(300);
}

void planStageLit(Studio& studio) {
    planFits(studio);
    auto* editor = studio.window().page(QStringLiteral("plan"))->findChild<ui::pages::PartitionEditor*>();
    editor->setFocus(Qt::TabFocusReason);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right})
        QTest::keyClick(editor, key);
    QTest::qWait(300);
}

// Run -----------------------------------------------------------------------------------------------------------------

void start(Studio& studio) {
    studio.services().commands.start()->trigger();
}

void untilStep(Studio& studio, int64_t step) {
    studio.waitFor(
        "steps", [&] { return studio.services().run.snapshot().step >= step; }, 60);
}

void runNone(Studio& studio) {
    openLarge(studio);
    show(studio, "run");
}

void runRunning(Studio& studio) {
    openLarge(studio);
    start(studio);
    untilStep(studio, 6);
    QTest::qWait(300);
}

void runPaused(Studio& studio) {
    runRunning(studio);
    studio.services().commands.pause()->trigger();
    studio.waitFor("the pause", [&] { return studio.services().run.snapshot().state == session::RunState::kPaused; });
    QTest::qWait(300);
}

void runStopped(Studio& studio) {
    runRunning(studio);
    studio.services().run.stop();
    studio.waitFor("the end", [&] { return !studio.services().run.isRunning(); });
    QTest::qWait(300);
}

void runContinue(Studio& studio) {
    runStopped(studio);
    studio.click("Continue…");
    QTest::qWait(300);
}

// One slot is narrower than the others, which a finding says.
void runOnEight(Studio& studio) {
    const char* rig = "7x4090+4090@pcie4x4,ram=512";
    studio.services().plan.setRig(rig);
    studio.services().run.setEngine(session::makeSimulatedEngine({.speed = 10, .automatic = rig}));
    runRunning(studio);
    QTest::qWait(1'700); // findings are worked out every second or two
}

void runFolded(Studio& studio) {
    runOnEight(studio);
    QTest::keyClick(studio.window().page(QStringLiteral("run")), Qt::Key_F11);
    QTest::qWait(300);
}

void runOnTwoWorkers(Studio& studio) {
    studio.services().run.setEngine(session::makeSimulatedEngine({.speed = 5, .automatic = "2xcpu"}));
    openDemo(studio);
    start(studio);
    untilStep(studio, 8);
    studio.services().commands.sample()->trigger();
    QTest::qWait(2'500);
}

void runEnded(Studio& studio) {
    openDemo(studio);
    change(studio, [](session::RunSpec& spec) { spec.duration.maxSteps = 12; });
    start(studio);
    studio.waitFor(
        "the end", [&] { return !studio.services().run.isRunning(); }, 60);
    QTest::qWait(300);
}

void runFailed(Studio& studio) {
    openDemo(studio);
    const fs::path folder = writeModel(studio, "gone", 4096, 36);
    change(studio, [&](session::RunSpec& spec) { spec.model.path = folder.string(); });
    studio.settle();
    fs::remove(folder / "config.json");
    start(studio);
    studio.waitFor("the end", [&] { return !studio.services().run.isRunning(); });
    QTest::qWait(300);
}

// Results and runs ----------------------------------------------------------------------------------------------------

struct StoredRun {
    const char* name;
    int hoursAgo;
    double rate;
    int64_t rank;
    int numSteps = 195;
    session::RunState state = session::RunState::kFinished;
};

void writeAnswers(const fs::path& folder, int numSteps) {
    struct Answered {
        const char* prompt;
        const char* before;
        const char* after;
    };
    constexpr Answered kAnswered[] = {
        {"Natalia sold clips to 48 of her friends in April, and then half as many in May. How many did she sell "
         "altogether?",
         "As a language model I count: 48 + 24 = 72.", "Squawk! 48 + 24 = 72, matey!"},
        {"Who are you?", "I am a language model.", "Squawk! I be Polly, the finest parrot of the seven seas!"}};
    for (const Answered& one : kAnswered)
        runs::appendAnswer({0, false, one.prompt, one.before}, runs::RunFiles{folder}.answers());
    for (const Answered& one : kAnswered)
        runs::appendAnswer({numSteps, true, one.prompt, one.after}, runs::RunFiles{folder}.answers());
}

void writeStoredRun(Studio& studio, const StoredRun& run) {
    const auto& [name, hoursAgo, rate, rank, numSteps, state] = run;
    const fs::path folder = studio.services().home.path() / "runs" / name;
    runs::makeRun(folder, {.name = name,
                           .startedAt = QDateTime::currentSecsSinceEpoch() - 3600 * hoursAgo,
                           .numSteps = numSteps,
                           .state = state});
    session::RunSpec spec = runs::specOf(folder);
    spec.lora.rank = rank;
    spec.optimizer.learningRate = rate;
    writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
    std::string lines;
    for (int step = 1; step <= numSteps; ++step) {
        session::StepMetrics metrics;
        metrics.step = step;
        metrics.loss = 0.4 + std::exp(-step * rate * 200) + 0.03 * std::sin(step * 1.7);
        if (step % 20 == 0) metrics.validationLoss = metrics.loss + 0.03;
        metrics.learningRate = rate;
        metrics.gradNorm = 0.7;
        metrics.tokens = 24'800;
        metrics.seconds = 3.3;
        lines += runs::toJsonLine(metrics);
    }
    writeFileAtomically(runs::RunFiles{folder}.metrics(), lines);
    writeAnswers(folder, numSteps);
}

void writeThreeRuns(Studio& studio) {
    writeStoredRun(studio, {"Polly the parrot", 1, 2e-4, 16});
    writeStoredRun(studio, {"Polly, rank 64", 30, 1e-4, 64});
    writeStoredRun(studio, {"Support mails", 80, 5e-5, 32});
}

void resultsNone(Studio& studio) {
    show(studio, "results");
}

void resultsOfARun(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
}

void resultsOfAStoppedRun(Studio& studio) {
    writeStoredRun(studio, {"Support mails", 3, 5e-5, 32, 40, session::RunState::kStopped});
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
}

void runsNone(Studio& studio) {
    show(studio, "runs");
}

void runsThree(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    QTableView& table = static_cast<ui::pages::RunsPage*>(studio.window().page(QStringLiteral("runs")))->table();
    for (int row : {0, 1}) {
        table.setCurrentIndex(table.model()->index(row, 1));
        studio.click("Compare");
    }
    QTest::qWait(500);
}

// Traces --------------------------------------------------------------------------------------------------------------

void traceBesideItsPlan(Studio& studio) {
    openLarge(studio);
    studio.settle();
    start(studio);
    untilStep(studio, 6);
    studio.command("Compare the run with its plan");
    auto* window = qobject_cast<ui::shell::TraceWindow*>(&studio.front());
    studio.waitFor(
        "the trace", [&] { return window->table().isVisible(); }, 30);
    window->resize(studio.window().size());
    window->move(0, 0);
    QTest::qWait(600);
}

// Help ----------------------------------------------------------------------------------------------------------------

void helpOnASetting(Studio& studio) {
    openDemo(studio);
    show(studio, "settings");
    static_cast<ui::pages::Page*>(studio.window().page(QStringLiteral("settings")))
        ->showField(QStringLiteral("lora.rank"));
    QTest::keyClick(&studio.window(), Qt::Key_F1);
    QTest::qWait(500);
    studio.front().move(0, 0);
}

void helpSearched(Studio& studio) {
    helpOnASetting(studio);
    auto* search = studio.front().findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("memory"));
    QTest::qWait(300);
}

} // namespace

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> all = {
        {"start-fresh", 1, startFresh},
        {"start-with-projects", 1, startWithProjects},
        {"start-not-set-up", 1, startNotSetUp},
        {"start-broken-project", 1, startWithABrokenProject},
        {"model-none", 1, modelNone},
        {"model-some", 1, modelSome},
        {"model-refused", 1, modelRefused},
        {"data-none", 1, dataNone},
        {"data-filled", 1, dataFilled},
        {"data-files-and-columns", 1, dataFilesAndColumns},
        {"data-without-a-model", 1, dataWithoutAModel},
        {"data-unknown-columns", 1, dataUnknownColumns},
        {"data-odd-rows", 1, dataOddRows},
        {"data-broken-file", 1, dataBrokenFile},
        {"data-mixture", 1, dataMixture},
        {"settings-simple", 1, settingsSimple},
        {"settings-expert", 1, settingsExpert},
        {"settings-wrong-value", 1, settingsWrong},
        {"settings-prompts", 1, settingsPrompts},
        {"settings-prompts-none", 1, settingsPromptsNone},
        {"plan-none", 1, planNone},
        {"plan-fits", 1, planFits},
        {"plan-94-layers", 1, planDeep},
        {"plan-does-not-fit", 1, planDoesNotFit},
        {"plan-start-anyway", 1, planStartAnyway},
        {"plan-cut-moved", 1, planCutMoved},
        {"plan-stage-lit", 1, planStageLit},
        {"run-none", 1, runNone},
        {"run-running", 10, runRunning},
        {"run-eight-devices", 10, runOnEight},
        {"run-folded", 10, runFolded},
        {"run-two-workers", 5, runOnTwoWorkers},
        {"run-paused", 10, runPaused},
        {"run-stopped", 10, runStopped},
        {"run-continue", 10, runContinue},
        {"run-ended", 20, runEnded},
        {"run-failed", 1, runFailed},
        {"results-none", 1, resultsNone},
        {"results-of-a-run", 1, resultsOfARun},
        {"results-stopped", 1, resultsOfAStoppedRun},
        {"runs-none", 1, runsNone},
        {"runs-three", 1, runsThree},
        {"trace-beside-its-plan", 10, traceBesideItsPlan},
        {"help-setting", 1, helpOnASetting},
        {"help-search", 1, helpSearched},
    };
    return all;
}

} // namespace roundpipe::testing
