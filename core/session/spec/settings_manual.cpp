// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/settings_manual.h"

#include "session/spec/field_advice.h"
#include "session/spec/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace roundpipe::session {
namespace {

struct Section {
    const char* prefix; // of keys; empty: those without a section
    const char* title;
    const char* words;
};

// In the order of the run file.
constexpr std::array<Section, 9> kSections = {{
    {"", "The run itself", "These stand beside the sections of the run file."},
    {"model.", "model", "What is trained on: a folder as Hugging Face's models have it."},
    {"data.", "data",
     "The rows, and which of their tokens are trained. In a file, those that every dataset has of its "
     "own stand in `data.datasets`."},
    {"lora.", "lora", "The adapter: how much it can learn, and where."},
    {"optimizer.", "optimizer", "How the adapter follows its gradients: AdamW and its learning rate."},
    {"batch.", "batch",
     "How many examples a step holds, and how they are dealt out. An optimizer step holds microbatch "
     "size × microbatches × rounds examples, or as many as give the tokens a step."},
    {"duration.", "duration", "When the run ends."},
    {"engine.", "engine", "What it runs on, and how."},
    {"output.", "output", "What the run writes, and how often."},
}};

struct More {
    const char* key;
    const char* text;
};

// Where the manual says more of a setting than its help does.
constexpr std::array<More, 42> kMore = {{
    {"model.path", "[The Model page](studio-pages.md#model)"},
    {"model.chat_template", "[Chat templates](dropped-rows.md#chat-templates)"},
    {"model.weights", "[A base in fewer bits](adapters.md#a-base-in-fewer-bits)"},
    {"model.base_id", "[Adapters](adapters.md)"},
    {"data.files", "[Data files](data-files.md)"},
    {"data.format", "[Row formats](row-formats.md)"},
    {"data.columns", "[Columns by other names](row-formats.md#columns-by-other-names)"},
    {"data.prompt_template", "[A prompt of several columns](row-formats.md#a-prompt-of-several-columns)"},
    {"data.system_prompt", "[System prompts](row-formats.md#system-prompts)"},
    {"data.system_prompt_use", "[System prompts](row-formats.md#system-prompts)"},
    {"data.delimiter", "[CSV and TSV](data-files.md#csv-and-tsv)"},
    {"data.header", "[CSV and TSV](data-files.md#csv-and-tsv)"},
    {"data.max_length", "[Length](trained-tokens.md#length)"},
    {"data.over_length", "[Length](trained-tokens.md#length)"},
    {"data.overlap", "[Length](trained-tokens.md#length)"},
    {"data.train_on", "[What is trained](trained-tokens.md)"},
    {"data.turn_begin", "[What is trained](trained-tokens.md)"},
    {"data.turn_end", "[What is trained](trained-tokens.md)"},
    {"data.leave_out", "[Rows left out by choice](dropped-rows.md#rows-left-out-by-choice)"},
    {"data.leave_out_rows", "[Rows left out by choice](dropped-rows.md#rows-left-out-by-choice)"},
    {"data.max_rows", "[Fewer rows](mixtures.md#fewer-rows)"},
    {"data.subset", "[Fewer rows](mixtures.md#fewer-rows)"},
    {"data.share", "[Shares](mixtures.md#shares)"},
    {"data.share_amount", "[Shares](mixtures.md#shares)"},
    {"data.min_trained_share", "[Too little is trained](trained-tokens.md#too-little-is-trained)"},
    {"data.cache", "[Where tokens are kept](data-files.md#where-tokens-are-kept)"},
    {"data.template_date", "[Chat templates](dropped-rows.md#chat-templates)"},
    {"lora.targets", "[Which layers](adapters.md#which-layers)"},
    {"lora.modules_to_save", "[Whole modules](adapters.md#whole-modules)"},
    {"lora.init_from", "[Starting from an adapter](adapters.md#starting-from-an-adapter)"},
    {"optimizer.when_diverging", "[The loss](errors.md#the-loss)"},
    {"batch.microbatch_size", "[Where a model does not fit](plans.md#where-a-model-does-not-fit)"},
    {"batch.microbatches", "[Several GPUs](several-gpus.md)"},
    {"batch.tokens_per_step", "[Reading a plan](plans.md)"},
    {"engine.host_memory", "[Out of memory](errors.md#out-of-memory)"},
    {"engine.forward_stages", "[The Plan page](studio-pages.md#plan)"},
    {"engine.backward_stages", "[The Plan page](studio-pages.md#plan)"},
    {"output.folder", "[The run folder](run-file.md#the-run-folder)"},
    {"output.save_every_steps", "[Checkpoints](run-file.md#checkpoints)"},
    {"output.save_every_minutes", "[Checkpoints](run-file.md#checkpoints)"},
    {"output.keep_checkpoints", "[Checkpoints](run-file.md#checkpoints)"},
    {"output.save_trace", "[Reading the timeline](timeline.md)"},
}};

std::string code(const std::string& text) {
    return "`" + text + "`";
}

std::string textOf(double number) {
    const bool isWhole = number == std::floor(number) && std::abs(number) < 1e15;
    return (isWhole ? nlohmann::json(static_cast<int64_t>(number)) : nlohmann::json(number)).dump();
}

template <class Item, class Text>
std::string joined(const std::vector<Item>& items, const Text& text) {
    std::string all;
    for (const Item& item : items)
        all += (all.empty() ? "" : ", ") + text(item);
    return all;
}

// "Whole number from 1 to 4096".
std::string kindOf(const Field& field, const FieldValue& value) {
    const bool hasLimits = field.minimum != 0 || field.maximum != 0;
    const std::string limits = hasLimits ? " from " + textOf(field.minimum) + " to " + textOf(field.maximum) : "";
    if (!field.choices.empty())
        return (std::holds_alternative<std::string>(value) ? "One of " : "Any of ") + joined(field.choices, code);
    if (std::holds_alternative<bool>(value)) return "On or off";
    if (std::holds_alternative<int64_t>(value)) return "Whole number" + limits;
    if (std::holds_alternative<double>(value)) return "Number" + limits;
    if (std::holds_alternative<std::vector<int64_t>>(value)) return "List of whole numbers";
    if (std::holds_alternative<std::vector<std::string>>(value))
        return field.isPath ? "List of paths" : "List of texts";
    return field.isPath ? "Path" : "Text";
}

// "default 16"; "empty by default".
std::string defaultOf(const FieldValue& value) {
    struct Visitor {
        std::string operator()(bool on) const { return on ? "on" : "off"; }
        std::string operator()(int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return textOf(number); }
        std::string operator()(const std::string& text) const { return text.empty() ? "" : code(text); }
        std::string operator()(const std::vector<std::string>& texts) const { return joined(texts, code); }
        std::string operator()(const std::vector<int64_t>& numbers) const {
            return joined(numbers, [](int64_t number) { return std::to_string(number); });
        }
    };
    const std::string text = std::visit(Visitor{}, value);
    return text.empty() ? "empty by default" : "default " + text;
}

std::string commandLineOf(const Field& field, const FieldValue& value) {
    if (field.key == "version") return "Stands in files only.";
    if (!std::holds_alternative<bool>(value)) return "Option " + code(field.option) + ".";
    return "Options " + code(field.option) + " and " + code("--no-" + field.option.substr(2)) + ".";
}

// Of `advice` the sentences that `said` has not.
std::string beyond(std::string_view said, std::string_view advice) {
    std::string text;
    while (!advice.empty()) {
        const std::size_t end = std::min(advice.find(". "), advice.size() - 1); // of the sentence, without its stop
        const std::string_view sentence = advice.substr(0, end);
        if (said.find(sentence) == std::string_view::npos) text += " " + std::string(sentence) + ".";
        advice.remove_prefix(std::min(end + 2, advice.size()));
    }
    return text;
}

// The help, and what the window says of it: for both methods where they differ.
std::string wordsOn(const Field& field) {
    std::string words = field.help;
    for (const Method method : {Method::kLora, Method::kFull})
        words += beyond(words, adviceOn(field.key, method));
    return words;
}

std::string entryOf(const Field& field) {
    const FieldValue usual = field.get(RunSpec{});
    std::string text = "### " + field.key + "\n**" + field.label + ".** " + wordsOn(field) + "\n\n" +
                       kindOf(field, usual) + ", " + defaultOf(usual) + ". " + commandLineOf(field, usual);
    for (const More& more : kMore)
        if (field.key == more.key) text += std::string(" More: ") + more.text + ".";
    return text + "\n\n";
}

bool standsIn(const Field& field, std::string_view prefix) {
    return prefix.empty() ? field.key.find('.') == std::string::npos : field.key.starts_with(prefix);
}

} // namespace

std::string settingsManual() {
    std::string text = "# Settings\n\nEvery setting of a run: its key in the [run file](run-file.md), its name on the "
                       "Studio's page *Settings* (where F1 leads here), what it does, what it may be, its default, and "
                       "its option of `roundpipe train`. The program makes this page from the table that it checks "
                       "settings by; `roundpipe settings` prints it.\n\n";
    for (const Section& section : kSections) {
        text += std::string("## ") + section.title + "\n" + section.words + "\n\n";
        for (const Field& field : runSpecFields())
            if (standsIn(field, section.prefix)) text += entryOf(field);
    }
    text.pop_back(); // one line feed at the end
    return text;
}

} // namespace roundpipe::session
