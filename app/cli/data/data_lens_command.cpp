// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe data lens: rows as the model sees them, token by token, with what is trained.
#include "base/counted.h"
#include "base/error.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/terminal.h"
#include "console/warn.h"
#include "data/report/inspect.h"
#include "data/report/row_browser.h"
#include "exit_codes.h"
#include "options/data_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>
#include <ranges>

namespace roundpipe::cli {
namespace {

using session::LensToken;
using session::TokenLens;

struct DataLensOptions {
    DataInput input;
    int64_t row = 0;
    std::string rows;
    bool json = false;
    ColourChoice colours;
};

struct Range {
    int64_t first = 1;
    int64_t last = 1;
};

Range rangeOf(const DataLensOptions& options) {
    if (options.rows.empty()) return options.row > 0 ? Range{options.row, options.row} : Range{};
    Range range;
    const char* end = options.rows.data() + options.rows.size();
    const auto [dots, badFirst] = std::from_chars(options.rows.data(), end, range.first);
    const bool hasDots = badFirst == std::errc() && std::string_view(dots, end).starts_with("..");
    const auto [rest, badLast] = std::from_chars(hasDots ? dots + 2 : end, end, range.last);
    if (!hasDots || badLast != std::errc() || rest != end || range.first < 1 || range.last < range.first)
        throw invalidInput(fmt::format("--rows is '{}', but should be two numbers such as 10..20.", options.rows));
    return range;
}

nlohmann::ordered_json jsonOf(const TokenLens& lens) {
    nlohmann::ordered_json json;
    json["row"] = lens.place.number;
    json["name"] = lens.name;
    json["key"] = lens.key;
    json["text"] = lens.text;
    json["num_tokens"] = lens.numTokens;
    json["num_kept"] = lens.numKept;
    json["num_trained"] = lens.numTrained;
    json["masked_by"] = spellingOf(lens.maskedBy);
    json["dropped"] = nlohmann::ordered_json();
    if (lens.dropReason) json["dropped"] = {{"reason", spellingOf(*lens.dropReason)}, {"text", lens.dropped.text()}};
    json["notes"] = nlohmann::ordered_json::array();
    for (const session::Remark& note : lens.notes)
        json["notes"].push_back(note.text());
    json["messages"] = nlohmann::ordered_json::array();
    for (const session::LensMessage& message : lens.messages)
        json["messages"].push_back(
            {{"role", message.role}, {"num_tokens", message.numTokens}, {"num_trained", message.numTrained}});
    json["tokens"] = nlohmann::ordered_json::array();
    for (const LensToken& token : lens.tokens)
        json["tokens"].push_back(
            {{"id", token.id},
             {"piece", token.piece},
             {"begin", token.begin},
             {"end", token.end},
             {"message", token.message < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(token.message)},
             {"special", token.isSpecial},
             {"trained", token.isTrained},
             {"cut", token.isCut}});
    return json;
}

// A token's own part of the text, with what cannot be seen made visible. Line feeds stay: the printer breaks there.
std::string visible(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        if (c == '\n')
            shown += "⏎\n";
        else if (c == '\t')
            shown += "⇥\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            shown += c;
    }
    return shown;
}

constexpr int64_t kShownTokens = 16'384; // of a row's: some pages

// Each token in the text that is shown, as a piece of its own; one whose bytes were all shown with those before it is a
// ring.
std::vector<std::string> shownPieces(const TokenLens& lens) {
    std::vector<std::string> pieces;
    std::size_t shownUpTo = 0;
    for (const LensToken& token : lens.tokens | std::views::take(kShownTokens)) {
        const std::size_t begin = std::max(shownUpTo, static_cast<std::size_t>(token.begin));
        const auto end = static_cast<std::size_t>(token.end);
        if (begin < end)
            pieces.push_back(visible(std::string_view(lens.text).substr(begin, end - begin)));
        else
            pieces.push_back(token.isSpecial ? token.piece : "◦"); // added around the text, or part of a character
        shownUpTo = std::max(shownUpTo, end);
    }
    return pieces;
}

// Two shades in turn, so that every border shows; the panel is dark whatever the terminal's own background is.
std::string styleOf(const LensToken& token, std::size_t index) {
    const bool odd = index % 2 == 1;
    const int background = token.isTrained && !token.isCut ? (odd ? 28 : 22) : (odd ? 238 : 235);
    const int foreground = token.isSpecial ? 215 : token.isCut ? 131 : token.isTrained ? 231 : 247;
    return fmt::format("{}38;5;{};48;5;{}", token.isCut ? "9;" : "", foreground, background);
}

void printColoured(const TokenLens& lens) {
    const std::vector<std::string> pieces = shownPieces(lens);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string style = styleOf(lens.tokens[i], i);
        std::string_view rest = pieces[i];
        while (!rest.empty()) { // the background must not run on to the end of the line
            const std::size_t line = std::min(rest.find('\n'), rest.size());
            if (line > 0) fmt::print("{}", styled(rest.substr(0, line), style, true));
            if (line < rest.size()) fmt::print("\n");
            rest.remove_prefix(std::min(line + 1, rest.size()));
        }
    }
}

// [[trained]], {{cut off}}, and a dot between tokens.
void printPlain(const TokenLens& lens) {
    const std::vector<std::string> pieces = shownPieces(lens);
    const auto kindOf = [&](std::size_t i) {
        return i >= pieces.size() ? 0 : lens.tokens[i].isCut ? 2 : lens.tokens[i].isTrained ? 1 : 0;
    };
    static constexpr const char* kOpen[] = {"", "[[", "{{"};
    static constexpr const char* kClose[] = {"", "]]", "}}"};
    int inside = 0;
    for (std::size_t i = 0; i <= pieces.size(); ++i) {
        const int kind = kindOf(i);
        if (kind != inside)
            fmt::print("{}{}", kClose[inside], kOpen[kind]);
        else if (i > 0 && i < pieces.size() && !pieces[i - 1].ends_with('\n'))
            fmt::print("·");
        inside = kind;
        if (i < pieces.size()) fmt::print("{}", pieces[i]);
    }
}

constexpr std::size_t kShownMessages = 200; // of a row's

void printHead(const TokenLens& lens, bool colours) {
    const int64_t numTokens = lens.numTokens;
    fmt::print("{}\n", styled(lens.name, "1", colours));
    std::string facts =
        fmt::format("{} token{} · {} trained ({})", grouped(numTokens), numTokens == 1 ? "" : "s",
                    grouped(lens.numTrained), percentOf(lens.numTrained, std::max<int64_t>(1, lens.numKept)));
    if (lens.numKept < numTokens) facts += fmt::format(" · {} cut off", grouped(numTokens - lens.numKept));
    if (lens.maskedBy != session::MaskSource::kNone) facts += fmt::format(" · mask by {}", spellingOf(lens.maskedBy));
    if (!lens.tokens.empty()) fmt::print("{}\n", facts);
    if (lens.dropReason)
        fmt::print("{} {}\n", styled(fmt::format("DROPPED, {}:", spellingOf(*lens.dropReason)), "1;31", colours),
                   lens.dropped.text());
    for (const session::Remark& note : lens.notes)
        fmt::print("{} {}\n", styled("note:", "33", colours), note.text());
    for (std::size_t i = 0; i < std::min(kShownMessages, lens.messages.size()); ++i) {
        const session::LensMessage& message = lens.messages[i];
        const std::string trained =
            message.numTrained == 0 ? "" : styled(fmt::format("  {} trained", message.numTrained), "32", colours);
        fmt::print("{:>4}  {:<10}{:>7} token{}{}\n", i + 1, message.role, message.numTokens,
                   message.numTokens == 1 ? "" : "s", trained);
    }
    if (lens.messages.size() > kShownMessages)
        fmt::print("   … and {} more\n",
                   counted(static_cast<int64_t>(lens.messages.size() - kShownMessages), "message"));
}

void print(const TokenLens& lens, bool colours) {
    printHead(lens, colours);
    fmt::print("\n");
    if (lens.tokens.empty()) return;
    if (colours)
        printColoured(lens);
    else
        printPlain(lens);
    fmt::print("{}\n", lens.text.ends_with('\n') ? "" : "\n");
    const int64_t inJson = std::ssize(lens.tokens), shown = std::min(inJson, kShownTokens);
    if (shown < lens.numTokens)
        fmt::print("… and {} more (--json has the first {})\n\n", counted(lens.numTokens - shown, "token"),
                   grouped(inJson));
}

void printLegend(bool colours) {
    if (!colours) {
        fmt::print("[[trained]]  context  {{{{cut off}}}}  · between tokens\n");
        return;
    }
    LensToken trained, context, cut, special;
    trained.isTrained = cut.isCut = special.isSpecial = true;
    fmt::print("{}{}  {}{}  {}  {}\n", styled(" trained ", styleOf(trained, 0), true),
               styled(" tokens ", styleOf(trained, 1), true), styled(" context ", styleOf(context, 0), true),
               styled(" tokens ", styleOf(context, 1), true), styled(" cut off ", styleOf(cut, 0), true),
               styled(" special ", styleOf(special, 0), true));
}

int showRows(const DataLensOptions& options) {
    const Range range = rangeOf(options);
    const std::vector<data::DataOptions> datasets = options.input.datasets();
    const text::Tokenizer tokenizer = options.input.openTokenizer();
    const text::ChatTemplate chatTemplate = options.input.openTemplate();
    for (const data::DataOptions& dataset : datasets)
        data::requireNamedColumns(dataset);
    data::RowBrowser browser(datasets);
    browser.useModel(tokenizer, chatTemplate);
    const bool colours = options.colours.wanted();
    browser.lenses({0, range.first}, range.last, [&](const TokenLens& lens) {
        if (options.json)
            printJson(jsonOf(lens), -1);
        else
            print(lens, colours);
    });
    if (!options.json) printLegend(colours);
    warn(options.input.remarks());
    return kSuccess;
}

} // namespace

CommandBody addDataLensCommand(CLI::App& app) {
    const auto options = std::make_shared<DataLensOptions>();
    options->input.addTo(app);
    app.add_option("--row", options->row, "Number of the row: line, element or record, from 1. (1)")
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 48));
    app.add_option("--rows", options->rows, "Rows from one number to another, 10..20.")->excludes("--row");
    app.add_flag("--json", options->json, "Print one JSON object a row.");
    app.add_flag("--no-color", options->colours.never, "Brackets instead of colours; so does NO_COLOR.");
    app.add_flag("--color", options->colours.always, "Colours even where the output is no terminal.")
        ->excludes("--no-color");
    return [options] { return showRows(*options); };
}

} // namespace roundpipe::cli
