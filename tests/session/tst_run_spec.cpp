#include "base/error.h"
#include "base/file.h"
#include "session/run_spec.h"
#include "session/run_spec_fields.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <set>

namespace roundpipe::session {
namespace {

// A value that differs from the default, and lies within the field's limits and choices.
FieldValue changed(const Field& field) {
    FieldValue value = field.get(RunSpec{});
    if (auto* flag = std::get_if<bool>(&value)) *flag = !*flag;
    if (auto* whole = std::get_if<int64_t>(&value)) *whole = field.key == "version" ? 1 : *whole + 3;
    if (auto* real = std::get_if<double>(&value)) *real = *real / 2 + 0.05;
    if (auto* text = std::get_if<std::string>(&value))
        *text = field.choices.empty() ? "/some/\"text\"" : field.choices.back();
    if (auto* texts = std::get_if<std::vector<std::string>>(&value)) *texts = {"/a", "/b c"};
    if (auto* wholes = std::get_if<std::vector<int64_t>>(&value)) *wholes = {1, 2, 3};
    return value;
}

RunSpec valid() {
    RunSpec spec;
    spec.model.path = "/model";
    spec.data.files = {"/data.jsonl"};
    return spec;
}

std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
        return error.what();
    }
    return "no error";
}

TEST(RunSpec, everyFieldSurvivesJson) {
    RunSpec spec;
    for (const Field& field : runSpecFields())
        field.set(spec, changed(field));
    const RunSpec again = parseRunSpec(toJson(spec), "test");
    for (const Field& field : runSpecFields())
        EXPECT_EQ(field.get(again), changed(field)) << field.key;
}

TEST(RunSpec, keysOptionsAndLabelsAreUnique) {
    std::set<std::string> keys, options, labels;
    for (const Field& field : runSpecFields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_TRUE(options.insert(field.option).second) << field.option;
        EXPECT_TRUE(labels.insert(field.label).second) << field.label;
        EXPECT_FALSE(field.help.empty()) << field.key;
    }
}

TEST(RunSpec, namesTheNearestKeyForAnUnknownOne) {
    const std::string message = messageOf([] { parseRunSpec(R"({"lora": {"rnak": 8}})", "run.json"); });
    EXPECT_NE(message.find("run.json"), std::string::npos) << message;
    EXPECT_NE(message.find("lora.rnak"), std::string::npos) << message;
    EXPECT_NE(message.find("'lora.rank'"), std::string::npos) << message;
}

TEST(RunSpec, namesFieldAndExpectedTypeForAWrongOne) {
    const std::string message = messageOf([] { parseRunSpec(R"({"lora": {"rank": "eight"}})", "run.json"); });
    EXPECT_NE(message.find("lora.rank"), std::string::npos) << message;
    EXPECT_NE(message.find("a whole number"), std::string::npos) << message;
}

TEST(RunSpec, refusesWhatIsOutOfRange) {
    const auto refused = [](auto change) {
        RunSpec spec = valid();
        change(spec);
        return messageOf([&] { validate(spec); });
    };
    EXPECT_EQ(refused([](RunSpec&) {}), "no error");
    EXPECT_NE(refused([](RunSpec& s) { s.lora.rank = 0; }).find("lora.rank"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.optimizer.schedule = "sine"; }).find("cosine"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.lora.dropout = 1.5; }).find("lora.dropout"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.data.files.clear(); }).find("data.files"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.data.columns = {"prompt"}; }).find("prompt=question"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.data.columns = {"answer=x"}; }).find("completion"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.data.columns = {"text=a", "text=b"}; }).find("twice"), std::string::npos);
    EXPECT_EQ(refused([](RunSpec& s) { s.data.columns = {"prompt=q", "completion=a.b"}; }), "no error");
    EXPECT_NE(refused([](RunSpec& s) { s.engine.forwardStages = {1}; }).find("engine.backward_stages"),
              std::string::npos);
}

TEST(RunSpec, resolvesPathsAgainstItsFile) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "run.json",
                        R"({"model": {"path": "model"}, "data": {"files": ["a.jsonl", "/b"]}})");
    const RunSpec spec = readRunSpec(folder.path() / "run.json");
    EXPECT_EQ(spec.model.path, (std::filesystem::canonical(folder.path()) / "model").string());
    EXPECT_EQ(spec.data.files[0], (std::filesystem::canonical(folder.path()) / "a.jsonl").string());
    EXPECT_EQ(spec.data.files[1], "/b");
    EXPECT_TRUE(spec.output.folder.empty());
}

} // namespace
} // namespace roundpipe::session
