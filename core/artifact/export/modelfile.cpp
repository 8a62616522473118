// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/modelfile.h"

#include "artifact/export/chat_form.h"
#include "artifact/export/export_job.h"
#include "text/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kUsualContext = 8192; // more costs memory for its cache whether it is used or not

// On one line: a "{{-" would take away the line feeds that stand before it. Texts of forms hold no braces.
std::string templateOf(const PromptForm& form) {
    return fmt::format("{{{{ if .System }}}}{}{{{{ .System }}}}{}{{{{ end }}}}{{{{ range .Messages }}}}"
                       "{{{{ if eq .Role \"user\" }}}}{}{{{{ .Content }}}}{}"
                       "{{{{ else if eq .Role \"assistant\" }}}}{}{{{{ .Content }}}}{}{{{{ end }}}}{{{{ end }}}}{}",
                       form.systemBegin, form.systemEnd, form.userBegin, form.userEnd, form.assistantBegin,
                       form.assistantEnd, form.assistantBegin);
}

std::string quoted(const std::string& text) {
    return "\"\"\"" + text + "\"\"\"";
}

// The texts of every token that ends an answer, and those of the form.
std::set<std::string> stopsOf(const MergedModel& model, const std::vector<std::string>& ofForm) {
    std::set<std::string> stops(ofForm.begin(), ofForm.end());
    const text::Tokenizer tokenizer = text::Tokenizer::open(model.textFolder());
    for (const int32_t id : model.spec().config.eosIds)
        if (id < tokenizer.vocabSize()) stops.insert(tokenizer.idToToken(id));
    if (tokenizer.special().eos) stops.insert(tokenizer.special().eos->text);
    return stops;
}

} // namespace

Modelfile modelfileOf(const MergedModel& model, const ModelfileOptions& options) {
    Modelfile file;
    const std::optional<FoundForm> found = findChatForm(model.textFolder());
    file.text = fmt::format("# ollama create NAME -f Modelfile\nFROM ./{}\n", kGgufModelFile);
    if (options.adapterApart) file.text += fmt::format("ADAPTER ./{}\n", kGgufAdapterFile);
    if (found) {
        file.form = found->form.name;
        file.text += fmt::format("# {}, as the model's own template writes it\nTEMPLATE {}\n", file.form,
                                 quoted(templateOf(found->form)));
        if (!found->defaultSystem.empty()) file.text += "SYSTEM " + quoted(found->defaultSystem) + "\n";
    } else {
        file.text +=
            "# No TEMPLATE: the model's own is of no form that is known here. Ollama looks at the one in the GGUF\n"
            "# file (tokenizer.chat_template); where it does not know it either, write one here.\n";
    }
    for (const std::string& stop : stopsOf(model, found ? found->form.stops : std::vector<std::string>()))
        file.text += fmt::format("PARAMETER stop \"{}\"\n", stop);
    const arch::ModelConfig& config = model.spec().config;
    // llama.cpp turns all of a longer context by the frequencies of long texts, which rows that fit are not trained by.
    const bool isLongRope = config.rope.type == arch::RopeConfig::Type::kLongRope;
    const int64_t positions = isLongRope ? config.rope.originalMaxPositions : config.maxPositions;
    file.text += fmt::format("PARAMETER num_ctx {}\n",
                             options.contextTokens > 0 ? options.contextTokens : std::min(positions, kUsualContext));
    return file;
}

} // namespace roundpipe::artifact
