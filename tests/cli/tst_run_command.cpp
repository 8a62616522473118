// SPDX-License-Identifier: GPL-3.0-or-later
// What the window copies as a command, read back by the command line's own options.
#include "options/run_spec_options.h"
#include "session/spec/run_command.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

namespace roundpipe::cli {
namespace {

using session::RunSpec;

// Every field away from its default.
RunSpec unusual() {
    RunSpec spec;
    for (const session::Field& field : session::runSpecFields()) {
        if (field.key == "version") continue;
        session::FieldValue value = field.get(spec);
        if (auto* on = std::get_if<bool>(&value)) *on = !*on;
        if (auto* whole = std::get_if<int64_t>(&value)) *whole += 3;
        if (auto* real = std::get_if<double>(&value)) *real = *real * 0.37 + 0.011;
        if (auto* text = std::get_if<std::string>(&value))
            *text = !field.choices.empty() ? field.choices.back() : field.isPath ? "/a b/it's" : "-x \"y\" $HOME \\n";
        if (auto* texts = std::get_if<std::vector<std::string>>(&value))
            *texts = field.choices.empty() ? std::vector<std::string>{"/one", "/two three"} : field.choices;
        if (auto* numbers = std::get_if<std::vector<int64_t>>(&value)) *numbers = {3, 4};
        field.set(spec, std::move(value));
    }
    return spec;
}

RunSpec readBack(std::vector<std::string> words) {
    CLI::App app;
    CLI::App* train = app.add_subcommand("train");
    std::string file;
    std::vector<std::string> prompts;
    train->add_option("run", file);
    train->add_option("--sample", prompts)->allow_extra_args(false);
    RunSpecOptions fields;
    fields.addTo(*train);
    std::ranges::reverse(words); // as CLI11 takes them
    app.parse(words);
    EXPECT_EQ(file, "");
    RunSpec spec;
    fields.apply(spec);
    return spec;
}

TEST(RunCommand, saysEveryFieldThatIsNotAtItsDefault) {
    const RunSpec spec = unusual();
    const RunSpec again = readBack(session::trainArguments(spec, {"--hello", "you"}));
    for (const session::Field* field : session::differingFields(spec, again))
        ADD_FAILURE() << field->key;
    EXPECT_EQ(session::trainArguments({}), std::vector<std::string>{"train"});
}

TEST(RunCommand, saysEachDatasetOfAMixtureBehindItsFiles) {
    RunSpec spec;
    spec.data.maxLength = 77;
    spec.data.datasets = {unusual().data.datasets.front(), {}, unusual().data.datasets.front()};
    spec.data.datasets[1].files = {"/a,b.jsonl", "/odd,weight=3.jsonl"};
    spec.data.datasets[1].columns = {"prompt=q,rows=5", "completion=a"};
    spec.data.datasets[2].files = {"/c"};
    const std::vector<std::string> words = session::trainArguments(spec);
    EXPECT_EQ(words[1], "--data");
    EXPECT_EQ(std::ranges::count(words, "--data"), 3);
    EXPECT_NE(std::ranges::find(words, "/a,b.jsonl"), words.end()); // commas that begin no setting stay
    const RunSpec again = readBack(words);
    ASSERT_EQ(again.data.datasets.size(), 3u);
    for (const session::Field& field : session::runSpecFields())
        for (std::size_t i = 0; i < 3; ++i) {
            if (field.key == "data.columns" && i == 1) continue; // a list's comma parts its entries
            EXPECT_EQ(field.get(again, i), field.get(spec, i)) << field.key << " of dataset " << i;
        }
}

TEST(RunCommand, takesASingleFileWhoseNameLooksLikeASetting) {
    RunSpec spec;
    spec.data.datasets.front().files = {"/odd,weight=3.jsonl"};
    EXPECT_EQ(readBack(session::trainArguments(spec)).data.datasets.front().files, spec.data.datasets.front().files);
}

// Options of datasets hold for all; what stands behind one wins.
TEST(RunSpecOptions, makeADatasetOfEachData) {
    const RunSpec spec = readBack({"train", "--data", "/a.jsonl", "/b.jsonl,weight=2,columns=prompt=q,completion=a",
                                   "--format=completion", "--data=/c,d.csv,epochs=0.5,max-rows=10,format=text"});
    ASSERT_EQ(spec.data.datasets.size(), 2u);
    const session::DatasetSection& one = spec.data.datasets[0];
    const session::DatasetSection& other = spec.data.datasets[1];
    EXPECT_EQ(one.files, (std::vector<std::string>{"/a.jsonl", "/b.jsonl"}));
    EXPECT_EQ(one.columns, (std::vector<std::string>{"prompt=q", "completion=a"}));
    EXPECT_EQ(one.share, ShareKind::kWeight);
    EXPECT_EQ(one.shareAmount, 2);
    EXPECT_EQ(one.format, DataFormat::kCompletion);
    EXPECT_EQ(other.files, std::vector<std::string>{"/c,d.csv"});
    EXPECT_EQ(other.share, ShareKind::kEpochs);
    EXPECT_EQ(other.shareAmount, 0.5);
    EXPECT_EQ(other.maxRows, 10);
    EXPECT_EQ(other.format, DataFormat::kText);
}

TEST(RunSpecOptions, letNoSettingOfADatasetBeSaidTwice) {
    for (const char* twice : {"/a.jsonl,weight=2,epochs=3", "/a.jsonl,format=text,format=completion"})
        testing::expectError(ErrorKind::kInvalidInput, {"/a.jsonl", "stands beside"}, [&] {
            readBack({"train", "--data", twice});
        });
    testing::expectError(ErrorKind::kInvalidInput, {"'rows=5' stands beside 'weight=2'"}, [] {
        readBack({"train", "--data", "/a.jsonl,weight=2", "/b.jsonl,rows=5"});
    });
}

TEST(RunSpecOptions, nameASettingThatIsNoneOfADataset) {
    const auto read = [](const char* word) { return [word] { readBack({"train", "--data", word}); }; };
    testing::expectError(ErrorKind::kInvalidInput, {"'over_length' is a setting of all datasets", "--over-length"},
                         read("/a.jsonl,tokens=2000,over_length=split"));
    testing::expectError(ErrorKind::kInvalidInput, {"no setting 'wieght'", "Settings are format,"},
                         read("/a.jsonl,subset=first,wieght=2"));
    const RunSpec spec = readBack({"train", "--data", "/a.jsonl,system_prompt=Where x, say so: y=2"});
    EXPECT_EQ(spec.data.datasets[0].systemPrompt, "Where x, say so: y=2"); // words may hold both
}

TEST(RunCommand, isQuotedForAShell) {
    const RunSpec spec = unusual();
    const std::string line = session::trainCommand(spec, {"it's"});
    const std::string echo = "roundpipe() { printf '%s\\n' \"$@\"; }\n" + line;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("sh <<'END'\n" + echo + "\nEND").c_str(), "r"), pclose);
    std::string said;
    std::array<char, 4096> buffer{};
    while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
        said.append(buffer.data(), read);
    std::string expected;
    for (const std::string& word : session::trainArguments(spec, {"it's"}))
        expected += word + "\n";
    EXPECT_EQ(said, expected);
}

} // namespace
} // namespace roundpipe::cli
