// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/length_options.h"

namespace roundpipe::cli {

std::array<CLI::Option*, 2> addLengthOptions(CLI::App& app, session::RunLengths& lengths) {
    return {app.add_option("--average-length", lengths.averageLength,
                           "Tokens of an example on average; else all are as long as --max-length.")
                ->check([](const std::string& given) {
                    return given.find_first_not_of("+-0.") == std::string::npos
                               ? std::string("leave it out where all examples are as long as --max-length.")
                               : std::string();
                }),
            app.add_option("--trained-share", lengths.trainedShare, "Share of the tokens that the loss counts. (1)")
                ->check(CLI::Range(0.0, 1.0))};
}

} // namespace roundpipe::cli
