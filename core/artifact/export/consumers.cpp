// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/consumers.h"

#include "artifact/gguf/gguf_names.h"
#include "base/error.h"
#include "text/tokenizer.h"

#include <algorithm>

namespace roundpipe::artifact {

using session::Consumer;
using session::ExportRemark;

session::AdapterFacts factsOf(const LoraFile& lora) {
    session::AdapterFacts facts;
    facts.rsLora = lora.rsLora();
    facts.wholeNames = lora.wholeTensors();
    for (const LoraModule& module : lora.modules()) {
        facts.rank = std::max(facts.rank, module.rank);
        facts.adaptsHead |= module.module == "lm_head";
        facts.hasStrengths |=
            module.scale != lora.modules().front().scale || module.rank != lora.modules().front().rank;
    }
    return facts;
}

std::vector<ExportRemark> remarksOnConsumers(const arch::ModelSpec& model, const session::AdapterFacts* adapter,
                                             int64_t tokenizerTokens) {
    std::vector<ExportRemark> remarks = session::remarksOnExports(model, adapter, tokenizerTokens);
    try {
        ggufArchitecture(model.config);
    } catch (const Error& error) {
        remarks.push_back({Consumer::kLlamaCpp, true,
                           CodedText<session::ExportNote>(session::ExportNote::kNoGguf, error.message()),
                           CodedText<session::ExportAdvice>(session::ExportAdvice::kAsSaid, error.advice())});
    }
    return remarks;
}

std::vector<ExportRemark> remarksOnAllKinds(const ExportJob& job) {
    const int64_t tokenizerTokens = text::Tokenizer::open(job.model).vocabSize();
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(job.model));
    if (job.adapters.empty()) return remarksOnConsumers(model, nullptr, tokenizerTokens);
    std::vector<ExportRemark> all;
    for (const WeightedAdapter& adapter : job.adapters) {
        const session::AdapterFacts facts = factsOf(LoraFile::open(adapter.folder, model));
        for (ExportRemark& remark : remarksOnConsumers(model, &facts, tokenizerTokens))
            if (std::ranges::find(all, remark) == all.end()) all.push_back(std::move(remark));
    }
    return all;
}

std::vector<ExportRemark> remarksOn(const ExportJob& job) {
    const bool isGguf = job.kind != ExportKind::kAdapter && job.kind != ExportKind::kMerged;
    const bool hasAdapter = job.kind == ExportKind::kAdapter || job.kind == ExportKind::kGgufAdapter ||
                            (job.kind == ExportKind::kOllama && job.adapterApart);
    ExportJob seen = job;
    if (!hasAdapter) seen.adapters.clear(); // it is in the weights
    std::vector<ExportRemark> remarks = remarksOnAllKinds(seen);
    std::erase_if(remarks, [&](const ExportRemark& remark) {
        return remark.consumer == Consumer::kLlamaCpp
                   ? !isGguf
                   : isGguf && (remark.consumer == Consumer::kVllm || remark.consumer == Consumer::kPeft);
    });
    return remarks;
}

} // namespace roundpipe::artifact
