// SPDX-License-Identifier: GPL-3.0-or-later
#include "chat/talk_commands.h"

#include "base/error.h"
#include "base/file.h"
#include "chat/answer_json.h"
#include "data/rows/append_row.h"
#include "options/adapter_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace roundpipe::cli {
namespace {

using Body = std::string (*)(Talk& talk, const std::string& rest); // what is behind the command; what is said of it

double numberIn(const std::string& text) {
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number) || !std::isfinite(number))
        throw invalidInput("'" + text + "' is no number.");
    return number;
}

const std::string& requireWords(const std::string& rest, const char* usage) {
    if (rest.empty()) throw invalidInput("Something is missing.", std::string("Write ") + usage);
    return rest;
}

std::string adaptersOf(Talk& talk) {
    if (talk.conversation().adapters.empty()) return "The base model answers.\n";
    std::vector<std::string> words;
    for (const session::AdapterWeight& adapter : talk.conversation().adapters)
        words.push_back(fmt::format("{}={:g}", adapter.name, adapter.weight));
    return fmt::format("Answering: {}, at strength {:g}.\n", fmt::join(words, " "), talk.conversation().strength);
}

std::string reset(Talk& talk, const std::string&) {
    talk.forget();
    return "Forgotten.\n";
}

std::string setSystem(Talk& talk, const std::string& rest) {
    talk.conversation().system = rest;
    return rest.empty() ? "There is no system message.\n" : "The system message is set.\n";
}

std::string setStrength(Talk& talk, const std::string& rest) {
    if (!rest.empty()) talk.conversation().strength = strengthIn(rest);
    return adaptersOf(talk);
}

// "NAME", "NAME=0.5 OTHER=0.5", or "none".
std::string setAdapters(Talk& talk, const std::string& rest) {
    const std::vector<std::string>& known = talk.about().adapters;
    if (rest.empty())
        return adaptersOf(talk) +
               (known.empty() ? "No adapter was loaded.\n" : fmt::format("Loaded: {}.\n", fmt::join(known, ", ")));
    std::vector<session::AdapterWeight> loaded, chosen;
    for (const std::string& name : known)
        loaded.push_back({name, 1});
    std::istringstream words(rest == "none" ? "" : rest);
    for (std::string word; words >> word;)
        chosen.push_back(adapterIn(word, loaded));
    talk.conversation().adapters = std::move(chosen);
    return adaptersOf(talk);
}

std::string compare(Talk& talk, const std::string&) {
    if (!talk.compares() && talk.conversation().adapters.empty())
        throw invalidInput("There is no adapter to compare with the base model.",
                           "Choose one by /adapter, or give --adapter when starting.");
    talk.compare(!talk.compares());
    return talk.compares() ? "Base and tuned answer from now on.\n" : "One answers from now on.\n";
}

std::string setOption(Talk& talk, const std::string& rest) {
    session::SamplingOptions& sampling = talk.conversation().sampling;
    std::string lines;
    std::istringstream words(rest);
    std::string name, value;
    words >> name >> value;
    std::ranges::replace(name, '-', '_');
    for (const session::SamplingField& field : session::samplingFields()) {
        if (!value.empty() && name == field.key) setSampling(sampling, field, numberIn(value), field.key);
        if (rest.empty() || name == field.key)
            lines += fmt::format("  {} {:g}\n", field.key, samplingValue(sampling, field));
    }
    if (lines.empty()) throw invalidInput("No option is called '" + name + "'.", "/set alone lists them.");
    return lines;
}

// What another program, or a run, would miss is not written over.
void requireNoOthers(const std::string& file) {
    if (file.ends_with(".jsonl"))
        throw invalidInput("'" + file + "' is a file of rows by its name.", "/row appends a row; /save takes a .json.");
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return;
    if (!std::filesystem::is_regular_file(file, none) ||
        !session::isConversation(readTextFile(file, session::kMostOfConversation)))
        throw invalidInput("'" + file + "' is there and holds no saved conversation.", "Choose another name.");
}

std::filesystem::path placeOf(const std::string& file) {
    return std::filesystem::absolute(file).lexically_normal();
}

// "FILE", or "--force FILE", which replaces a conversation. This one may be saved again as it grows, while nobody else
// writes there.
std::string save(Talk& talk, const std::string& rest) {
    constexpr std::string_view kForce = "--force";
    const bool isForced = rest == kForce || rest.starts_with(std::string(kForce) + " ");
    const std::size_t begin = isForced ? std::min(rest.find_first_not_of(" \t", kForce.size()), rest.size()) : 0;
    const std::string file = requireWords(rest.substr(begin), "/save FILE");
    const std::filesystem::path place = placeOf(file);
    const FileStamp there = stampOf(place); // before it is looked at: what comes later is not replaced
    requireNoOthers(file);
    const bool isKnown = talk.file().path == place;
    if (!isForced && there != FileStamp{} && !(isKnown && talk.file().only == there))
        throw invalidInput("'" + file +
                               (isKnown ? "' is not as this conversation has left it." : "' is there already."),
                           "/save --force " + file + " replaces that conversation; or choose another name.");
    talk.setFile({place, writeFileAtomically({place, there}, session::conversationJson(talk.conversation()))});
    return "Saved to " + file + "\n";
}

std::string load(Talk& talk, const std::string& rest) {
    const std::filesystem::path place = placeOf(requireWords(rest, "/load FILE"));
    const FileStamp there = stampOf(place);
    talk.load(readTextFile(rest, session::kMostOfConversation));
    talk.setFile({place, there});
    return countOf(std::ssize(talk.conversation().messages), "message") + ". " + adaptersOf(talk);
}

std::string addAnyRow(Talk& talk, const std::string& rest) {
    requireWords(rest, "/row FILE");
    const std::vector<session::ChatMessage> exchange = talk.lastExchange();
    if (exchange.empty()) throw invalidInput("There is no answer yet.", "Ask something first.");
    if (exchange.back().content.empty()) throw invalidInput("The answer is empty.", "A row needs one to train on.");
    data::appendMessagesRow(rest, exchange);
    return "Appended to " + rest + "\n";
}

// A model that is trained on answers without an end learns not to end.
std::string addRow(Talk& talk, const std::string& rest) {
    const session::AnswerEnd end = talk.sides().back().answer.end;
    if (end == session::AnswerEnd::kLimit || end == session::AnswerEnd::kStopped)
        throw invalidInput(end == session::AnswerEnd::kLimit ? "The answer was cut off." : "The answer was stopped.",
                           "Ask again for a whole one (/set max_new_tokens N allows more); /row! FILE takes it as it "
                           "is.");
    return addAnyRow(talk, rest);
}

std::string showTokens(Talk& talk, const std::string&) {
    std::string lines;
    for (const TalkSide& side : talk.sides()) {
        if (side.answer.prompt.empty()) continue;
        if (!side.label.empty()) lines += side.label + ":\n";
        lines += tokenLines(side.answer);
    }
    if (lines.empty()) throw invalidInput("There is no answer yet.", "Ask something first.");
    return lines;
}

std::string help(Talk&, const std::string&);
std::string quit(Talk&, const std::string&) {
    return {};
}

struct TalkCommand {
    const char* name;
    const char* words;
    const char* help;
    Body body;
};
constexpr std::array kCommands = {
    TalkCommand{"/reset", "", "forgets what was said", reset},
    TalkCommand{"/system", "[TEXT]", "sets the system message, or takes it away", setSystem},
    TalkCommand{"/adapter", "[NAME[=W] …|none]", "who answers; alone it lists them", setAdapters},
    TalkCommand{"/strength", "[X]", "a factor on what the adapters add; 0 is the base model", setStrength},
    TalkCommand{"/compare", "", "base and tuned answer side by side, or no longer", compare},
    TalkCommand{"/set", "[NAME [VALUE]]", "how tokens are chosen: temperature, top_p, …", setOption},
    TalkCommand{"/tokens", "", "the last prompt's tokens, and how likely each of the answer was", showTokens},
    TalkCommand{"/row", "FILE", "appends the last exchange to a JSONL file, as a row to train on", addRow},
    TalkCommand{"/row!", "FILE", "the same of an answer that was cut off or stopped", addAnyRow},
    TalkCommand{"/save", "[--force] FILE", "writes the conversation; --force: over another one", save},
    TalkCommand{"/load", "FILE", "goes on with a conversation that was saved", load},
    TalkCommand{"/help", "", "these lines", help},
    TalkCommand{"/quit", "", "ends (as Ctrl-D does)", quit},
};

std::string help(Talk&, const std::string&) {
    std::string lines;
    for (const TalkCommand& command : kCommands)
        lines += fmt::format("  {:<28}  {}\n", fmt::format("{} {}", command.name, command.words), command.help);
    return lines + "A line that ends with \\ goes on in the next one; // says a line that begins with /.\n"
                   "Ctrl-C stops an answer.\n";
}

} // namespace

Obeyed obey(const std::string& line, Talk& talk) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string name = line.substr(0, end);
    const std::size_t begin = std::min(line.find_first_not_of(" \t", end), line.size());
    const auto command = std::ranges::find_if(kCommands, [&](const TalkCommand& known) { return name == known.name; });
    if (command == kCommands.end())
        throw invalidInput("'" + name + "' is no command.", "/help lists them; // says a line that begins with /.");
    return {command->body(talk, line.substr(begin)), command->body == quit};
}

} // namespace roundpipe::cli
