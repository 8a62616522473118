// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stats_text.h"

#include "base/short_names.h"
#include "console/dropped_lines.h"
#include "console/report_lines.h"
#include "console/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace roundpipe::cli {
namespace {

using session::DatasetReport;

class StatsText {
public:
    StatsText(const DatasetReport& report, std::span<const data::DataOptions> datasets, bool colours)
        : m_report(report), m_names(shortNames(report.files)), m_datasets(datasets), m_colours(colours) {}

    void print() const {
        printCounts();
        printDatasets();
        printHistogram();
        printLimits();
        printFindings();
        printNotUsed();
        printDropped();
        printVerdict();
    }

private:
    void heading(const char* text) const { fmt::print("\n{}\n", styled(text, "1", m_colours)); }

    void printCounts() const {
        std::string files;
        for (const std::string& file : m_names)
            files += (files.empty() ? "" : ", ") + file;
        fmt::print("{}\n", styled(files, "1", m_colours));
        fmt::print("  rows     {} read · {} used · {} dropped\n", grouped(m_report.numRows), grouped(m_report.numUsed),
                   grouped(static_cast<int64_t>(m_report.dropped.size())));
        if (m_report.numNotTaken > 0)
            fmt::print("  subset   {} more could be trained on, but for data.max_rows\n",
                       grouped(m_report.numNotTaken));
        if (m_report.numSplit > 0)
            fmt::print("  pieces   {} row{} {} pieces of at most {} tokens\n", grouped(m_report.numSplit),
                       m_report.numSplit == 1 ? " becomes" : "s become", grouped(m_report.numPieces),
                       grouped(m_report.lengthLimit));
        fmt::print("  split    {} to train on · {} to validate on{}\n", grouped(m_report.training.size()),
                   grouped(m_report.validation.size()), ofValidationFiles(m_datasets));
        fmt::print("  tokens   {} to train on · {} trained ({})\n", grouped(m_report.training.numTokens()),
                   grouped(m_report.training.numTrained()),
                   percentOf(m_report.training.numTrained(), m_report.training.numTokens()));
        for (const session::MaskCount& mask : m_report.maskSources)
            fmt::print("  mask     by {} in {} row{}\n", spellingOf(mask.source), grouped(mask.count),
                       mask.count == 1 ? "" : "s");
    }

    // Of each dataset, where there are several.
    void printDatasets() const {
        if (m_report.datasets.size() < 2) return;
        heading("Datasets");
        fmt::print("  {:>9} {:>9} {:>9} {:>9} {:>12} {:>9}\n", "rows", "dropped", "to train", "validate", "tokens",
                   "trained");
        for (std::size_t i = 0; i < m_report.datasets.size(); ++i) {
            const session::DatasetPart& dataset = m_report.datasets[i];
            const batch::DatasetLengths& training = m_report.training.datasets()[i];
            const std::string more = dataset.numFiles > 1 ? fmt::format(" and {} more", dataset.numFiles - 1) : "";
            fmt::print("  {:>9} {:>9} {:>9} {:>9} {:>12} {:>9}  {}{}\n", grouped(dataset.numRows),
                       grouped(dataset.numDropped), grouped(training.size),
                       grouped(m_report.validation.datasets()[i].size), grouped(training.numTokens),
                       percentOf(training.numTrained, training.numTokens),
                       m_names[static_cast<std::size_t>(dataset.firstFile)], more);
        }
    }

    void printHistogram() const {
        const session::LengthStatistics& lengths = m_report.lengths;
        if (lengths.numRows == 0) return;
        heading("Lengths in tokens, whole rows");
        fmt::print("  mean {:.0f} · p50 {} · p90 {} · p95 {} · p99 {} · max {}\n", lengths.mean, grouped(lengths.p50),
                   grouped(lengths.p90), grouped(lengths.p95), grouped(lengths.p99), grouped(lengths.max));
        const int64_t highest = std::ranges::max(lengths.histogram, {}, &session::LengthBin::numRows).numRows;
        for (const session::LengthBin& bin : lengths.histogram) {
            const bool isOver = bin.begin >= m_report.lengthLimit;
            const std::string bar = barOf(static_cast<double>(bin.numRows) / static_cast<double>(highest));
            fmt::print("  {:>9} – {:<9} {} {}\n", grouped(bin.begin), grouped(bin.end - 1),
                       styled(bar, isOver ? "38;5;131" : "38;5;71", m_colours),
                       bin.numRows == 0 ? "" : grouped(bin.numRows));
            if (!isOver && bin.end > m_report.lengthLimit)
                fmt::print("  {}\n", styled(fmt::format("{:-^62}", fmt::format(" limit {} ", m_report.lengthLimit)),
                                            "33", m_colours));
        }
    }

    // Forty columns; in eighths of a column where the terminal shows them.
    std::string barOf(double share) const {
        constexpr double kColumns = 40;
        if (!m_colours) {
            const double columns = share > 0 ? std::max(1.0, kColumns * share) : 0;
            return fmt::format("{:<40}", std::string(static_cast<std::size_t>(columns + 0.5), '#'));
        }
        static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
        const auto eighths = static_cast<std::size_t>(share > 0 ? std::max(1.0, kColumns * 8 * share) : 0);
        std::string bar;
        for (std::size_t i = 0; i < eighths / 8; ++i)
            bar += "█";
        bar += kEighths[eighths % 8];
        return bar + std::string(40 - (eighths + 7) / 8, ' ');
    }

    // From the longest limit that loses tokens of half the rows to the first that loses none.
    void printLimits() const {
        if (m_report.lengths.numRows == 0) return;
        heading("What a length limit costs");
        fmt::print("  {:>9}  {:>19}  {:>14}  {:>15}\n", "limit", "rows over", "tokens lost", "trained lost");
        const std::vector<session::LengthChoice> choices = shownLengths(m_report);
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const session::LengthChoice& choice = choices[i];
            const bool isChosen = choice.length == m_report.lengthLimit;
            const bool losesMost = i + 1 < choices.size() && choices[i + 1].numOver * 10 > m_report.lengths.numRows * 9;
            const bool losesNothing = i > 0 && choices[i - 1].numOver == 0;
            if (!isChosen && (losesMost || losesNothing)) continue;
            const std::string line =
                fmt::format("{} {:>9}  {:>9} {:>9}  {:>14}  {:>15}", isChosen ? "▸" : " ", grouped(choice.length),
                            grouped(choice.numOver), "(" + percentOf(choice.numOver, m_report.lengths.numRows) + ")",
                            grouped(choice.lostTokens), grouped(choice.lostTrained));
            fmt::print("{}\n", isChosen ? styled(line, "33", m_colours) : line);
        }
    }

    void finding(int64_t count, const std::string& text, const std::string& example = {}) const {
        if (count == 0) return;
        fmt::print("  {} {:>8}  {}{}\n", styled("!", "1;33", m_colours), grouped(count), text,
                   example.empty() ? "" : styled("  (" + example + ")", "2", m_colours));
    }

    void printFindings() const {
        const DatasetReport& r = m_report;
        const int64_t any = r.exact.numRows + r.near.numRows + r.leaked.numRows + r.nearlyLeaked.numRows +
                            r.leakedAcross.numRows + r.repeatedAcross.numRows + r.emptyTurns.numRows +
                            r.oneSided.numRows + r.unanswered.numRows + r.withoutEnd.numRows + r.withoutBos.numRows +
                            r.doubledBos.numRows + static_cast<int64_t>(r.specialTokens.size());
        heading(any == 0 ? "Nothing else that deserves a look" : "What deserves a look, in rows");
        for (const RowFinding& repeats : repeatsIn(r))
            finding(repeats.numRows, repeats.what, repeats.example);
        const auto verb = [](int64_t count, const char* one, const char* more) { return count == 1 ? one : more; };
        const auto has = [&](int64_t count, const char* what) {
            finding(count, fmt::format("{} {}", verb(count, "has", "have"), what));
        };
        has(r.withoutEnd.numRows, "a trained turn without an end: the model does not learn to stop");
        has(r.emptyTurns.numRows, "a message that says nothing");
        has(r.oneSided.numRows, "no user");
        finding(r.unanswered.numRows,
                fmt::format("{} not end with the assistant", verb(r.unanswered.numRows, "does", "do")));
        finding(r.doubledBos.numRows, fmt::format("{} with two BOS", verb(r.doubledBos.numRows, "starts", "start")));
        has(r.withoutBos.numRows, "no BOS, which the tokenizer puts before other texts");
        for (const session::SpecialTokenUse& use : r.specialTokens)
            finding(use.numRows,
                    fmt::format("{} out {} in a message, which becomes the special token",
                                verb(use.numRows, "spells", "spell"), use.token),
                    nameOf(use.example, m_report));
    }

    void printNotUsed() const {
        const std::vector<std::string> lines = notUsedLines(m_report);
        if (lines.empty()) return;
        heading("Not used");
        for (const std::string& line : lines)
            fmt::print("  {}\n", line);
    }

    void printDropped() const {
        if (m_report.dropped.empty()) return;
        heading("Dropped rows");
        for (const session::DropCount& drop : m_report.dropReasons)
            fmt::print("  {:>8}  {}\n", grouped(drop.count),
                       drop.count == 1 ? spellingOf(drop.reason) : session::manyOf(drop.reason));
        fmt::print("\n");
        for (const std::string& line : linesOfDropped(m_report.dropped))
            fmt::print("  {}\n", styled(line, "2", m_colours));
        fmt::print("  --json lists every row\n");
        if (!m_report.dropAdvice.empty()) fmt::print("  {}\n", m_report.dropAdvice);
    }

    // Of several datasets the one of which no row is used, in the words of a run that is refused; else nothing.
    std::string unusedDataset() const {
        const auto unused = std::ranges::find(m_report.datasets, 0, &session::DatasetPart::numUsed);
        if (m_report.datasets.size() < 2 || unused == m_report.datasets.end()) return {};
        return fmt::format("Dataset {}: ", unused - m_report.datasets.begin() + 1);
    }

    void printVerdict() const {
        if (!m_report.refusal.empty())
            fmt::print("\n{}\n",
                       styled("A run on this data would not start: " + unusedDataset() + m_report.refusal.text(),
                              "1;31", m_colours));
        else if (m_report.withoutEnd.numRows > 0)
            fmt::print(
                "\n{}\n",
                styled(fmt::format("A run on this data would not teach the model to stop: in {} row{} a trained turn "
                                   "has no special token at its end ({}). {}",
                                   grouped(m_report.withoutEnd.numRows), m_report.withoutEnd.numRows == 1 ? "" : "s",
                                   nameOf(m_report.withoutEnd.examples.front(), m_report), adviceForEnds()),
                       "1;33", m_colours));
        else
            fmt::print("\n{}\n", styled("A run on this data would start.", "32", m_colours));
    }

    // No template ends turns that are found by what stands around them.
    const char* adviceForEnds() const {
        const bool hasMarkers = std::ranges::any_of(
            m_datasets, [](const data::DataOptions& options) { return !options.turnMarkers.begin.empty(); });
        return hasMarkers ? "Let a special token of the model stand where data.turn_end begins, or give the chats as "
                            "messages, whose turns the template ends."
                          : "Give a template that ends the assistant's turns with one (--chat-template).";
    }

    const DatasetReport& m_report;
    std::vector<std::string> m_names; // of its files
    std::span<const data::DataOptions> m_datasets;
    bool m_colours;
};

} // namespace

void printStats(const DatasetReport& report, std::span<const data::DataOptions> datasets, bool colours) {
    StatsText(report, datasets, colours).print();
}

} // namespace roundpipe::cli
