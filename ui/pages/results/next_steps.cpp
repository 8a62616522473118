// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/next_steps.h"

#include "base/plain_words.h"
#include "runs/run_files.h"
#include "session/spec/export_remark.h"
#include "ui/models/command_line.h"

#include <QCoreApplication>

namespace roundpipe::ui::pages {
namespace {

QString line(const QStringList& parts) {
    return models::asTyped(parts.join(QStringLiteral(" \\\n  ")));
}

QString inPython(QString text) {
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('"'), QStringLiteral("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString trainOn(const bridge::RunDetails& details, const QString& from) {
    return line({QStringLiteral("roundpipe train ") +
                     quoted(QString::fromStdString(runs::RunFiles{details.run.folder}.spec().string())),
                 from,
                 QStringLiteral("--out ") +
                     quoted(QString::fromStdString(details.run.folder.string()) + QStringLiteral("-more"))});
}

// As one of our exports makes it, and what then takes it.
QString exported(const bridge::RunDetails& details, ExportKind kind, const QString& use, const char* file) {
    const std::filesystem::path folder = runs::exportFolderOf(details.run.folder, kind, GgufType::kQ4KM, {});
    const QString run = quoted(QString::fromStdString(details.run.folder.string()));
    return line({QStringLiteral("roundpipe export ") + run,
                 QStringLiteral("--to %1 --type %2")
                     .arg(QLatin1String(spellingOf(kind)), QLatin1String(spellingOf(GgufType::kQ4KM)))}) +
           QLatin1Char('\n') + line({use, quoted(QString::fromStdString((folder / file).string()))});
}

void addExports(std::vector<NextStep>& steps, const bridge::RunDetails& details) {
    const QString name = QString::fromStdString(plainName(details.run.name));
    steps.push_back({QStringLiteral("Ollama"), exported(details, ExportKind::kOllama,
                                                        QStringLiteral("ollama create %1 -f").arg(name), "Modelfile")});
    steps.push_back({QStringLiteral("llama.cpp"),
                     exported(details, ExportKind::kGguf, QStringLiteral("llama-server -m"), "model.gguf")});
}

// The first that the run itself was asked.
QString promptOf(const bridge::RunDetails& details) {
    const std::string prompt = details.answers.empty() ? "Who are you?" : details.answers.front().prompt;
    return QStringLiteral("--prompt ") + quoted(QString::fromStdString(prompt));
}

// What full fine-tuning makes is used as any other model.
std::vector<NextStep> stepsOfModel(const bridge::RunDetails& details) {
    const QString folder = QString::fromStdString(runs::RunFiles{details.run.folder}.model().string());
    const QString model = quoted(folder), name = QString::fromStdString(plainName(details.run.name));
    std::vector<NextStep> steps = {
        {QCoreApplication::translate("NextSteps", "Ask it"),
         line({QStringLiteral("roundpipe generate"), QStringLiteral("--model ") + model, promptOf(details)})},
        {QStringLiteral("vLLM"),
         line({QStringLiteral("vllm serve ") + model, QStringLiteral("--served-model-name ") + name})}};
    addExports(steps, details);
    steps.push_back(
        {QStringLiteral("transformers"), QStringLiteral("from transformers import AutoModelForCausalLM\n"
                                                        "model = AutoModelForCausalLM.from_pretrained(\n  %1)")
                                             .arg(inPython(folder))});
    steps.push_back(
        {QCoreApplication::translate("NextSteps", "Train on"), trainOn(details, QStringLiteral("--model ") + model)});
    return steps;
}

} // namespace

QString quoted(const QString& word) {
    return QString::fromStdString(shellWord(word.toStdString()));
}

std::vector<NextStep> nextStepsOf(const bridge::RunDetails& details) {
    if (!details.spec || details.run.resultBytes() == 0) return {};
    if (details.run.modelBytes > 0) return stepsOfModel(details);
    const runs::RunFiles files{details.run.folder};
    const auto path = [](const std::filesystem::path& file) { return QString::fromStdString(file.string()); };
    const QString adapter = path(files.adapter());
    const QString model = quoted(QString::fromStdString(details.spec->model.path));
    const QString name = QString::fromStdString(plainName(details.run.name));
    const int64_t rank = session::vllmRankFor(details.spec->lora.rank);
    const bool isAdapterAlone = details.spec->lora.modulesToSave.empty(); // all that vLLM takes
    std::vector<NextStep> steps;
    steps.push_back({QCoreApplication::translate("NextSteps", "Ask it"),
                     line({QStringLiteral("roundpipe generate"), QStringLiteral("--model ") + model,
                           QStringLiteral("--adapter ") + quoted(adapter), promptOf(details)})});
    if (isAdapterAlone && rank > 0)
        steps.push_back({QStringLiteral("vLLM"),
                         line({QStringLiteral("vllm serve %1 --enable-lora").arg(model),
                               QStringLiteral("--max-lora-rank %1").arg(rank),
                               QStringLiteral("--lora-modules ") + quoted(name + QLatin1Char('=') + adapter)})});
    addExports(steps, details);
    const QString loaded = QStringLiteral("from peft import AutoPeftModelForCausalLM\n"
                                          "model = AutoPeftModelForCausalLM.from_pretrained(\n  %1)")
                               .arg(inPython(adapter));
    steps.push_back({QStringLiteral("PEFT"), loaded});
    if (!isAdapterAlone)
        steps.push_back(
            {QCoreApplication::translate("NextSteps", "As a whole model"),
             loaded + QStringLiteral(".merge_and_unload()\nmodel.save_pretrained(%1)").arg(inPython(name))});
    steps.push_back({QCoreApplication::translate("NextSteps", "Train on"),
                     trainOn(details, QStringLiteral("--init-adapter ") + quoted(adapter))});
    return steps;
}

} // namespace roundpipe::ui::pages
