// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "queue/sweep.h"
#include "session/spec/value_text.h"

#include <gtest/gtest.h>

namespace roundpipe::queue {
namespace {

QueuedRun base() {
    QueuedRun run;
    run.spec.name = "demo";
    run.spec.model.path = "/models/a";
    run.spec.data.datasets = {{}, {}};
    run.spec.data.datasets[0].files = {"/rows.jsonl"};
    run.spec.data.datasets[1].files = {"/more.jsonl"};
    run.spec.output.folder = "/out";
    run.prompts = {"Hello?"};
    return run;
}

std::string refusalOf(const std::vector<std::string>& grids) {
    try {
        std::vector<SweptField> fields;
        for (const std::string& grid : grids)
            fields.push_back(sweptFieldOf(grid));
        sweepOf(base(), fields);
        return "";
    } catch (const Error& error) {
        return error.message() + " " + error.advice();
    }
}

TEST(Sweep, hasARunForEachCombinationNamedByWhatIsItsOwn) {
    const auto runs =
        sweepOf(base(), {sweptFieldOf("lora.rank=8,16"), sweptFieldOf("--learning-rate=1e-4,0.0002,3e-4")});
    ASSERT_EQ(runs.size(), 6U);
    EXPECT_EQ(runs[0].spec.lora.rank, 8);
    EXPECT_DOUBLE_EQ(runs[0].spec.optimizer.learningRate, 1e-4);
    EXPECT_DOUBLE_EQ(runs[1].spec.optimizer.learningRate, 2e-4) << "the last field's values are neighbours";
    EXPECT_EQ(runs[5].spec.lora.rank, 16);
    EXPECT_NE(runs[5].spec.name.find("demo, "), std::string::npos);
    EXPECT_NE(runs[5].spec.name.find("16"), std::string::npos);
    EXPECT_NE(runs[0].spec.name, runs[1].spec.name);
    for (const QueuedRun& run : runs) {
        EXPECT_TRUE(run.spec.output.folder.empty()) << "each gets its own";
        EXPECT_EQ(run.prompts, base().prompts);
        EXPECT_EQ(run.spec.model.path, base().spec.model.path);
    }
}

TEST(Sweep, takesFieldsOfEveryKind) {
    const auto targets = sweepOf(base(), {sweptFieldOf("lora.targets=q_proj+v_proj,q_proj")});
    ASSERT_EQ(targets.size(), 2U);
    EXPECT_EQ(targets[0].spec.lora.targets, (std::vector<std::string>{"q_proj", "v_proj"}));
    EXPECT_EQ(targets[1].spec.lora.targets, std::vector<std::string>{"q_proj"});
    const auto shuffled = sweepOf(base(), {sweptFieldOf("data.shuffle=on,off")});
    EXPECT_FALSE(shuffled[1].spec.data.shuffle);
    const auto rows = sweepOf(base(), {sweptFieldOf("data.max_rows=10,20")});
    EXPECT_EQ(rows[1].spec.data.datasets[0].maxRows, 20);
    EXPECT_EQ(rows[1].spec.data.datasets[1].maxRows, 20) << "a setting of datasets is meant of each";
}

TEST(Sweep, hasAllSettingsButThoseThatAreARunsOwn) {
    const auto fields = sweepableFields();
    EXPECT_EQ(fields.size() + 3, session::runSpecFields().size());
    for (const session::Field* field : fields)
        EXPECT_EQ(refusalOf({field->key + "=" + session::textOf(field->get(base().spec))}).find("cannot have"),
                  std::string::npos)
            << field->key;
}

TEST(Sweep, refusesWhatIsNoGridNamingIt) {
    EXPECT_NE(refusalOf({"lora.rank"}).find("lora.rank"), std::string::npos);
    EXPECT_NE(refusalOf({"lora.rank="}).find("no values"), std::string::npos);
    EXPECT_NE(refusalOf({"lora.rnak=8"}).find("rnak"), std::string::npos);
    EXPECT_NE(refusalOf({"lora.rank=8,x"}).find("'x'"), std::string::npos);
    EXPECT_NE(refusalOf({"lora.rank=8,0"}).find("Rank 0"), std::string::npos) << "which run of it is none";
    EXPECT_NE(refusalOf({"lora.rank=8,16", "--rank=4"}).find("twice"), std::string::npos);
    EXPECT_NE(refusalOf({"output.folder=/a,/b"}).find("folder"), std::string::npos);
    EXPECT_NE(refusalOf({"learning_rate=1e-4"}).find("'optimizer.learning_rate'"), std::string::npos);
    EXPECT_NE(refusalOf({"--learnin-rate=1e-4"}).find("'optimizer.learning_rate'"), std::string::npos);
    EXPECT_NE(refusalOf({"version=1,2"}).find("'version'"), std::string::npos);
    EXPECT_NE(refusalOf({"name=a,b"}).find("'name'"), std::string::npos);
    for (const char* word : {"nan", "inf", "-inf"})
        EXPECT_NE(refusalOf({"lora.dropout=0.1," + std::string(word)}).find("'" + std::string(word) + "'"),
                  std::string::npos);
    EXPECT_NE(refusalOf({"lora.rank=8,16,8"}).find("'lora.rank' at 8 twice"), std::string::npos);
    EXPECT_NE(refusalOf({"optimizer.learning_rate=1e-4,0.0001"}).find("twice"), std::string::npos) << "one number";
    std::string many = "seed=0";
    for (int i = 1; i < 40; ++i)
        many += "," + std::to_string(i);
    EXPECT_NE(refusalOf({many, "lora.rank" + many.substr(4)}).find("more than 1000"), std::string::npos);
}

} // namespace
} // namespace roundpipe::queue
