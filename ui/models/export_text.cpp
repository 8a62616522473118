// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_text.h"

#include "base/spelling.h"
#include "ui/models/coded_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::models {
namespace {

struct Exports {
    Q_DECLARE_TR_FUNCTIONS(Exports)
};

QString shareText(double share) {
    return translations::shortText(100 * share, 2);
}

} // namespace

QString exportName(ExportKind kind) {
    switch (kind) {
    case ExportKind::kAdapter:
        return Exports::tr("Adapter, PEFT");
    case ExportKind::kMerged:
        return Exports::tr("Merged model");
    case ExportKind::kGguf:
        return Exports::tr("GGUF model");
    case ExportKind::kGgufAdapter:
        return Exports::tr("GGUF adapter");
    case ExportKind::kOllama:
        return Exports::tr("Model for Ollama");
    }
    return {};
}

QString remarkText(const session::ExportRemark& remark) {
    const QString who = wordsOf("ExportRemark", spellingOf(remark.consumer), {});
    const QString what = wordsOf("ExportRemark", remark.what);
    const QString text =
        remark.refuses ? Exports::tr("Refused. %1: %2.").arg(who, what) : Exports::tr("%1: %2.").arg(who, what);
    const QString advice = wordsOf("ExportRemark", remark.advice);
    return advice.isEmpty() ? text : Exports::tr("%1 %2", "a sentence, and the next").arg(text, advice);
}

QString exportUse(ExportKind kind) {
    switch (kind) {
    case ExportKind::kAdapter:
        return Exports::tr("PEFT, vLLM: the adapter");
    case ExportKind::kMerged:
        return Exports::tr("vLLM, transformers: a merged model");
    case ExportKind::kGguf:
        return Exports::tr("llama.cpp, LM Studio, Jan: a model in one file");
    case ExportKind::kGgufAdapter:
        return Exports::tr("llama.cpp: the adapter in one file");
    case ExportKind::kOllama:
        return Exports::tr("Ollama: a model and its Modelfile");
    }
    return {};
}

QString ggufTypeText(GgufType type) {
    const QString name = QString::fromLatin1(spellingOf(type));
    const auto bits = [&](double count) { return translations::fixedText(count, 1); };
    switch (type) {
    case GgufType::kF32:
    case GgufType::kF16:
    case GgufType::kBF16:
        return Exports::tr("%1: as it was trained, rounded at most once").arg(name);
    case GgufType::kQ8:
        return Exports::tr("%1: no difference that one meets, %2 bits a weight").arg(name, bits(8.5));
    case GgufType::kQ6K:
        return Exports::tr("%1: hardly any difference, %2 bits a weight").arg(name, bits(6.6));
    case GgufType::kQ5KM:
        return Exports::tr("%1: a small difference, %2 bits a weight").arg(name, bits(5.7));
    case GgufType::kQ4KM:
        return Exports::tr("%1: what most people run, %2 bits a weight").arg(name, bits(4.8));
    }
    return {};
}

QString exportName(const runs::ExportRecord& made) {
    const auto kind = fromSpelling<ExportKind>(made.kind);
    QString name = kind ? exportName(*kind) : QString::fromStdString(made.kind);
    if (!made.type.empty())
        name = Exports::tr("%1, %2", "an export, and its type").arg(name, QString::fromStdString(made.type));
    if (made.checkpoint.empty()) return name;
    return Exports::tr("%1, of checkpoint %2").arg(name, QString::fromStdString(made.checkpoint));
}

QString proofText(const runs::ExportRecord& made) {
    if (!made.proof) return Exports::tr("not proved");
    const runs::ExportProof& proof = *made.proof;
    const QString agreeing = translations::wholeText(proof.agreeing), tokens = translations::wholeText(proof.tokens);
    const QString gap = shareText(proof.meanGap), allowed = shareText(proof.allowedGap);
    return (proof.passed ? Exports::tr("proved: %1 of %2 tokens agree, gap %3 % (%4 % allowed)")
                         : Exports::tr("proof failed: %1 of %2 tokens agree, gap %3 % (%4 % allowed)"))
        .arg(agreeing, tokens, gap, allowed);
}

QString proofInFull(const runs::ExportProof& proof) {
    return Exports::tr("%1 answers of the run and of the export, read back from its files, were compared token by "
                       "token: %2 of %3 agree, %4 contradict. The largest gap of two logits is %5, the mean %6 % of "
                       "their spread, where %7 % are allowed.")
        .arg(translations::wholeText(proof.prompts), translations::wholeText(proof.agreeing),
             translations::wholeText(proof.tokens), translations::wholeText(proof.contradicted),
             translations::shortText(proof.largestGap, 3), shareText(proof.meanGap), shareText(proof.allowedGap));
}

} // namespace roundpipe::ui::models
