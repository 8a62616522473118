// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the logits after every one of the ids that it is given: {"ids": […]} on standard input, rows on standard
// output. parity.py compares them with PEFT's. Usage: logits_probe MODEL ADAPTER [PRECISION]
#include "engine/answerer.h"

#include <nlohmann/json.hpp>

#include <iostream>

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    roundpipe::engine::AnswererOptions options;
    options.model = argv[1];
    options.adapter = argv[2];
    options.device = "cpu";
    options.precision = roundpipe::fromSpelling<roundpipe::Precision>(argc > 3 ? argv[3] : "fp32").value();
    const auto request = nlohmann::json::parse(std::cin);
    roundpipe::engine::Answerer answerer(options);
    const auto ids = request.at("ids").get<std::vector<int32_t>>();
    std::cout << nlohmann::json(answerer.logitsOfAll(ids)).dump() << "\n";
    return 0;
}
