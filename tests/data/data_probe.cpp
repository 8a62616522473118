// Prints what a dataset becomes, one JSON line per row, for reference.py: {"number", "text", "ids", "trained"} or
// {"number", "dropped"}.
#include "base/error.h"
#include "data/dataset.h"

#include <cstdio>
#include <nlohmann/json.hpp>

using namespace roundpipe;

int main(int argc, char** argv) try {
    if (argc != 4) {
        std::fprintf(stderr, "usage: data_probe TOKENIZER_FOLDER TEMPLATE_FILE DATA_FILE\n");
        return 2;
    }
    const auto tokenizer = text::Tokenizer::open(argv[1]);
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(argv[1], argv[2]);
    data::DataOptions options;
    options.files = {argv[3]};
    options.maxLength = 1 << 30;
    options.maxValidationRows = 0;
    options.now = text::localTimeNow(); // as transformers has it
    const data::Dataset dataset = data::Dataset::load(options, tokenizer, chatTemplate);
    const auto print = [](const nlohmann::json& line) { std::printf("%s\n", line.dump().c_str()); };
    for (int64_t i = 0; i < dataset.training().size(); ++i) {
        const data::Example example = dataset.training()[i];
        print({{"number", example.place.number}, {"ids", example.ids}, {"trained", example.trained}});
    }
    for (const data::DroppedRow& row : dataset.dropped())
        print({{"number", row.place.number}, {"dropped", row.text}});
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
