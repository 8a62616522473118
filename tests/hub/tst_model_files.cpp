// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/model_files.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::hub {
namespace {

using testing::expectError;

Listing listingOf(const std::vector<std::string>& paths) {
    Listing listing;
    for (const std::string& path : paths)
        listing.files.push_back({.path = path, .sizeBytes = 1});
    return listing;
}

std::vector<std::string> chosen(const std::vector<std::string>& paths) {
    std::vector<std::string> names;
    for (const HubFile& file : modelFiles(listingOf(paths), "org/model"))
        names.push_back(file.path);
    std::ranges::sort(names);
    return names;
}

using Names = std::vector<std::string>;

TEST(HubModelFiles, areWhatAModelFolderNeedsAndNothingThatRuns) {
    EXPECT_EQ(chosen({"config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "README.md",
                      "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                      "model.safetensors.index.json", "pytorch_model.bin", "modeling_x.py", "training_args.bin",
                      "original/consolidated.00.pth", "original/model.safetensors", "consolidated.safetensors",
                      "onnx/model.onnx", "runs/events.out", ".gitattributes"}),
              (Names{"README.md", "chat_template.jinja", "config.json", "model-00001-of-00002.safetensors",
                     "model-00002-of-00002.safetensors", "model.safetensors.index.json", "tokenizer.json",
                     "tokenizer_config.json"}));
    const Names withPictures{"config.json", "model.safetensors", "preprocessor_config.json", "processor_config.json"};
    EXPECT_EQ(chosen(withPictures), withPictures);
    EXPECT_EQ(chosen({"config.json", "weights.safetensors"}), (Names{"config.json", "weights.safetensors"}));
    EXPECT_EQ(chosen({"config.json", "model.safetensors", "model-00001-of-00001.safetensors",
                      "model.safetensors.index.json"}),
              (Names{"config.json", "model-00001-of-00001.safetensors", "model.safetensors.index.json"}));
}

TEST(HubModelFiles, areRefusedInWordsWhereThereIsNothingToTrain) {
    expectError(ErrorKind::kUnsupported, {"'org/model'", "pickles"}, [] {
        chosen({"config.json", "pytorch_model.bin"});
    });
    expectError(ErrorKind::kUnsupported, {"GGUF"}, [] { chosen({"config.json", "model.gguf"}); });
    expectError(ErrorKind::kUnsupported, {"no config.json", "adapter"}, [] {
        chosen({"adapter_config.json", "adapter_model.safetensors"});
    });
}

} // namespace
} // namespace roundpipe::hub
