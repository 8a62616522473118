// SPDX-License-Identifier: GPL-3.0-or-later
// Loads a dataset and prints one JSON line: rows, tokens, trained tokens, seconds by the clock and of the
// processor, peak memory. For data_rate.py.
#include "data/store/dataset.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace roundpipe;

namespace {

rusage usageOfProcess() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double cpuSeconds() {
    const rusage usage = usageOfProcess();
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 6) {
        std::fprintf(stderr, "usage: data_rate TOKENIZER_FOLDER TEMPLATE_FILE DATA_FILE THREADS CACHE_FOLDER\n");
        return 2;
    }
    const auto tokenizer = text::Tokenizer::open(argv[1]);
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(argv[1], argv[2]);
    data::DataOptions options;
    options.files = {argv[3]};
    options.numThreads = std::atoi(argv[4]);
    options.modelFolder = argv[1];
    options.cacheFolder = argv[5];
    options.maxLength = 1 << 20;
    options.maxValidationRows = 0;
    const double cpuBefore = cpuSeconds();
    const auto began = std::chrono::steady_clock::now();
    const data::Dataset dataset = data::Dataset::load(options, tokenizer, chatTemplate);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    const double cpu = cpuSeconds() - cpuBefore;
    std::printf("{\"rows\": %lld, \"tokens\": %lld, \"trained\": %lld, \"seconds\": %.4f, \"cpu_seconds\": %.4f, "
                "\"peak_bytes\": %lld}\n",
                static_cast<long long>(dataset.training().size()),
                static_cast<long long>(dataset.training().numTokens()),
                static_cast<long long>(dataset.training().numTrained()), seconds.count(), cpu,
                static_cast<long long>(usageOfProcess().ru_maxrss) * 1024);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
