// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what a run's dataset becomes, one JSON line per row, for reference.py and trl_reference.py: {"number", "ids",
// "trained"} or {"number", "dropped"}.
#include "base/error.h"
#include "data/store/dataset.h"
#include "session/spec/run_spec.h"

#include <cstdio>
#include <nlohmann/json.hpp>

using namespace roundpipe;

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: data_probe RUN_SPEC_AS_JSON\n");
        return 2;
    }
    const session::RunSpec spec = session::parseRunSpec(argv[1], "the argument");
    const auto tokenizer = text::Tokenizer::open(spec.model.path);
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(spec.model.path, spec.model.chatTemplate);
    const data::Dataset dataset = data::Dataset::load(data::dataOptionsOf(spec), tokenizer, chatTemplate);
    const auto print = [](const nlohmann::json& line) { std::printf("%s\n", line.dump().c_str()); };
    for (int64_t i = 0; i < dataset.training().size(); ++i) {
        const data::Example example = dataset.training()[i];
        print({{"number", example.place.number}, {"ids", example.ids}, {"trained", example.trained}});
    }
    for (const session::DroppedRow& row : dataset.dropped())
        print({{"number", row.place.number}, {"dropped", row.text}});
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
