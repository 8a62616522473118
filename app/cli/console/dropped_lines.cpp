// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/dropped_lines.h"

#include "console/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace roundpipe::cli {
namespace {

constexpr std::size_t kProblemsShown = 20;

struct SameProblem {
    const session::DroppedRow* first;
    int64_t count;
};

std::vector<SameProblem> sameProblems(std::span<const session::DroppedRow> rows) {
    std::map<std::string, std::size_t> known;
    std::vector<SameProblem> problems;
    for (const session::DroppedRow& row : rows) {
        const auto [at, isNew] = known.emplace(row.problem.text(), problems.size());
        if (isNew) problems.push_back({&row, 0});
        ++problems[at->second].count;
    }
    std::ranges::stable_sort(problems, std::ranges::greater{}, &SameProblem::count);
    return problems;
}

} // namespace

std::vector<std::string> linesOfDropped(std::span<const session::DroppedRow> rows) {
    const std::vector<SameProblem> problems = sameProblems(rows);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(kProblemsShown, problems.size()); ++i) {
        lines.push_back(problems[i].first->text);
        if (problems[i].count > 1)
            lines.push_back(fmt::format("    and {} more for the same", grouped(problems[i].count - 1)));
    }
    if (problems.size() > kProblemsShown)
        lines.push_back(
            fmt::format("… and {} other problems", grouped(static_cast<int64_t>(problems.size() - kProblemsShown))));
    return lines;
}

} // namespace roundpipe::cli
