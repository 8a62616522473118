// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner chooses of an open step against every shape of the step by hand: plan_choices [QUESTIONS [SEED]].
#include "plan/choice_question.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

int main(int argc, char** argv) try {
    using namespace roundpipe::plan;
    const int numWanted = argc > 1 ? std::atoi(argv[1]) : 100;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 15;
    std::vector<double> lost, seconds;
    int numByHand = 0;
    for (int n = 0; static_cast<int>(lost.size()) < numWanted; ++n) {
        const ComparedChoice compared = compareChoice(seed, n, 128);
        if (!compared.fits) continue;
        lost.push_back(compared.lost());
        seconds.push_back(compared.seconds);
        numByHand += compared.numByHand;
        if (compared.lost() > 0.002)
            std::printf("%d: %s, %.2f s\n  chosen  %s\n  by hand %s, %.1f %% faster\n", n, compared.question.c_str(),
                        compared.seconds, compared.chosen.c_str(), compared.byHand.c_str(),
                        100 * (compared.byHandRate / compared.chosenRate - 1));
    }
    std::ranges::sort(lost);
    std::ranges::sort(seconds);
    std::printf("%d questions, %d shapes by hand: %td lose more than 1 %%, the worst %.2f %%, median %.3f %%; "
                "choosing took %.2f s in the median, %.2f at most\n",
                numWanted, numByHand, std::ranges::count_if(lost, [](double loss) { return loss > 0.01; }),
                100 * lost.back(), 100 * lost[lost.size() / 2], seconds[seconds.size() / 2], seconds.back());
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
