// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner chooses of an open step against every shape of the step by hand: plan_choices [QUESTIONS [SEED
// [any|tokens|nothing]]]. any: of a step in tokens the sizes of microbatches, too (--choose-microbatches); tokens: how
// they are grouped; nothing: what a step holds. All three by default.
#include "plan/choice_question.h"
#include "session/open_step.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Sums {
    std::vector<double> lost, seconds;
    int numByHand = 0;
};

double percent(double share) {
    return 100 * share;
}

void tell(const char* what, Sums sums) {
    std::ranges::sort(sums.lost);
    std::ranges::sort(sums.seconds);
    const std::size_t middle = sums.lost.size() / 2;
    std::printf("%s: %zu questions, %d shapes by hand: %td lose more than 1 %%, the worst %.2f %%, median %.3f %%; "
                "choosing took %.2f s in the median, %.2f at most\n",
                what, sums.lost.size(), sums.numByHand,
                std::ranges::count_if(sums.lost, [](double loss) { return loss > 0.01; }), percent(sums.lost.back()),
                percent(sums.lost[middle]), sums.seconds[middle], sums.seconds.back());
    std::fflush(stdout);
}

// `compare`: the n-th question.
template <class Compare>
void ask(const char* what, int numWanted, const Compare& compare) {
    Sums sums, larger;
    for (int n = 0; static_cast<int>(sums.lost.size()) < numWanted; ++n) {
        const auto compared = compare(n);
        if (!compared.fits) continue;
        sums.lost.push_back(compared.lost());
        sums.seconds.push_back(compared.seconds);
        sums.numByHand += compared.numByHand;
        if constexpr (requires { compared.lostToLarger(); }) larger.lost.push_back(compared.lostToLarger());
        if (compared.lost() > 0.002)
            std::printf("%s %d: %s, %.2f s\n  chosen  %s\n  by hand %s, %.1f %% faster\n", what, n,
                        compared.question.c_str(), compared.seconds, compared.chosen.c_str(), compared.byHand.c_str(),
                        percent(compared.byHandRate / compared.chosenRate - 1));
    }
    tell(what, std::move(sums));
    if (larger.lost.empty() || std::string(what) != "nothing") return;
    std::ranges::sort(larger.lost);
    std::printf("  against any step of up to 128 examples in one round: the worst loses %.2f %%, the median %.2f %%\n",
                percent(larger.lost.back()), percent(larger.lost[larger.lost.size() / 2]));
}

} // namespace

int main(int argc, char** argv) try {
    const int numWanted = argc > 1 ? std::atoi(argv[1]) : 100;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 15;
    const std::string which = argc > 3 ? argv[3] : "";
    using roundpipe::session::SaidOfStep;
    if (which.empty() || which == "any")
        ask("any", numWanted, [&](int n) { return roundpipe::plan::compareChoice(seed, n, 128); });
    for (const auto& [what, said] : {std::pair{"tokens", SaidOfStep::kTokens}, {"nothing", SaidOfStep::kNothing}})
        if (which.empty() || which == what)
            ask(what, numWanted, [&, said = said](int n) { return roundpipe::session::compareStep(seed, n, said); });
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
