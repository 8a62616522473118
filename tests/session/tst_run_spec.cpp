// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "session/engine.h"
#include "session/spec/named_field.h"
#include "session/spec/row_key.h"
#include "session/spec/run_spec.h"
#include "session/spec/run_spec_fields.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include <set>

namespace roundpipe::session {
namespace {

// A value that differs from the default, and lies within the field's limits and choices.
FieldValue changed(const Field& field) {
    FieldValue value = field.get(RunSpec{});
    if (auto* flag = std::get_if<bool>(&value)) *flag = !*flag;
    if (auto* whole = std::get_if<int64_t>(&value)) *whole = field.key == "version" ? 2 : *whole + 3;
    if (auto* real = std::get_if<double>(&value)) *real = *real / 2 + 0.05;
    if (auto* text = std::get_if<std::string>(&value))
        *text = field.choices.empty() ? "/some/\"text\"" : field.choices.back();
    if (auto* texts = std::get_if<std::vector<std::string>>(&value))
        *texts = field.choices.empty() ? std::vector<std::string>{"/a", "/b c"} : field.choices;
    if (auto* wholes = std::get_if<std::vector<int64_t>>(&value)) *wholes = {1, 2, 3};
    return value;
}

DatasetSection& datasetOf(RunSpec& spec) {
    return spec.data.datasets.front();
}

RunSpec valid() {
    RunSpec spec;
    spec.model.path = "/model";
    spec.data.datasets.front().files = {"/data.jsonl"};
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

// As toJson() wrote it before datasets were a list: every field of version 1, none as it is by default.
constexpr const char* kVersion1 = R"({
  "version": 1, "name": "old", "seed": 7,
  "model": {"path": "/m", "chat_template": "/t.jinja", "chat_template_args": "{}", "random_weights": true,
            "base_id": "org/m", "base_revision": "main"},
  "data": {"files": ["/a.jsonl", "/b.csv"], "format": "alpaca", "columns": ["output=answer"],
           "validation_file": "/v.jsonl", "validation_fraction": 0.5, "max_validation_rows": 9, "max_length": 77,
           "over_length": "drop", "train_on": "last-assistant", "turn_begin": "<a>", "turn_end": "</a>",
           "min_trained_share": 0.25, "cache": false, "shuffle": false, "template_date": "2025-02-03"},
  "lora": {"rank": 3, "alpha": 5, "dropout": 0.125, "rslora": true, "targets": ["q_proj"], "init_from": "/adapter"},
  "optimizer": {"learning_rate": 0.75, "schedule": "linear", "warmup_steps": 11, "warmup_ratio": 0.5,
                "weight_decay": 0.5, "beta1": 0.5, "beta2": 0.75, "epsilon": 0.5, "max_grad_norm": 0.5},
  "batch": {"microbatch_size": 5, "microbatches": 6, "rounds": 7, "tokens_per_step": 8, "microbatch_tokens": 9,
            "packing": "best-fit"},
  "duration": {"epochs": 0.5, "max_steps": 13},
  "engine": {"devices": ["cpu:2"], "precision": "fp64", "determinism": "fast", "forward_stages": [1, 2],
             "backward_stages": [3]},
  "output": {"folder": "/out", "save_every_steps": 14, "eval_every_steps": 15, "save_trace": false}
})";

TEST(RunSpec, readsEveryFieldOfVersion1) {
    const RunSpec spec = parseRunSpec(kVersion1, "old run.json");
    EXPECT_EQ(spec.version, 2);
    for (const Field& field : runSpecFields()) {
        if (field.key == "version" || field.key == "method") continue;
        static const std::set<std::string> kCameLater = {"data.leave_out",
                                                         "data.leave_out_rows",
                                                         "data.prompt_template",
                                                         "data.system_prompt",
                                                         "data.system_prompt_use",
                                                         "data.delimiter",
                                                         "data.header",
                                                         "data.max_rows",
                                                         "data.subset",
                                                         "data.share",
                                                         "data.share_amount",
                                                         "optimizer.updates",
                                                         "data.overlap",
                                                         "engine.replicas",
                                                         "engine.host_memory",
                                                         "optimizer.moments",
                                                         "lora.modules_to_save",
                                                         "optimizer.when_diverging",
                                                         "duration.early_stop",
                                                         "model.weights",
                                                         "output.save_every_minutes",
                                                         "output.keep_checkpoints"};
        if (kCameLater.contains(field.key)) continue;
        EXPECT_NE(field.get(spec), field.get(RunSpec{})) << field.key << " was not read";
    }
    EXPECT_EQ(spec.method, Method::kLora);
    ASSERT_EQ(spec.data.datasets.size(), 1U);
    const DatasetSection& dataset = spec.data.datasets.front();
    EXPECT_EQ(dataset.files, (std::vector<std::string>{"/a.jsonl", "/b.csv"}));
    EXPECT_EQ(dataset.format, DataFormat::kAlpaca);
    EXPECT_EQ(dataset.columns, std::vector<std::string>{"output=answer"});
    EXPECT_EQ(dataset.trainOn, TrainOn::kLastAssistant);
    EXPECT_EQ(dataset.turnBegin + dataset.turnEnd, "<a></a>");
    EXPECT_EQ(spec.data.overLength, OverLength::kDrop);
    EXPECT_EQ(spec.optimizer.schedule, ScheduleKind::kLinear);
    EXPECT_EQ(spec.batch.packing, Packing::kBestFit);
    EXPECT_EQ(spec.engine.precision, Precision::kFp64);
    EXPECT_EQ(spec.engine.determinism, Determinism::kFast);
    EXPECT_NO_THROW(validate(spec));
    EXPECT_EQ(toJson(parseRunSpec(toJson(spec), "again")), toJson(spec));
}

// The demo's run as it stood in version 1, without a version, and as it is now.
TEST(RunSpec, readsWhatPeopleWroteForVersion1) {
    const RunSpec old = parseRunSpec(R"({
        "name": "Polly the parrot",
        "model": {"path": "model", "base_id": "roundpipe-demo"},
        "data": {"files": ["data/instructions.jsonl"], "validation_fraction": 0.08, "max_length": 256},
        "lora": {"rank": 16, "alpha": 32},
        "optimizer": {"learning_rate": 2e-3, "schedule": "linear", "warmup_steps": 8},
        "batch": {"microbatch_size": 2, "microbatches": 4},
        "duration": {"epochs": 3},
        "engine": {"devices": ["auto"]}})",
                                     "run.json");
    const std::filesystem::path file = testing::sourceFolder() / "resources" / "demo" / "run.json";
    EXPECT_EQ(toJson(old), toJson(parseRunSpec(readTextFile(file), "run.json")));
}

TEST(RunSpec, refusesInVersion1WhatCameLater) {
    for (const char* later : {R"("method": "lora")", R"("data": {"datasets": [{"files": ["a"]}]})"}) {
        const auto read = [&](const std::string& version) {
            return messageOf([&] { parseRunSpec("{" + version + later + "}", "run.json"); });
        };
        EXPECT_NE(read(R"("version": 1, )").find("version 1"), std::string::npos) << later;
        EXPECT_EQ(read(R"("version": 2, )"), "no error");
        EXPECT_EQ(read(""), "no error");
    }
}

TEST(RunSpec, takesSectionsApartFromTheirKeys) {
    const std::string message = messageOf([] { parseRunSpec(R"({"lora.rank": 8})", "run.json"); });
    for (const char* part : {"run.json", "'lora.rank'", "'rank' into the section 'lora'"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(messageOf([] { parseRunSpec(R"({"lora.rnak": 8})", "run.json"); }).find("lora.rank"), std::string::npos);
}

TEST(RunSpec, takesSeveralDatasetsEachWithSettingsOfItsOwn) {
    RunSpec spec = valid();
    DatasetSection more;
    more.files = {"/more.csv"};
    more.format = DataFormat::kText;
    more.columns = {"text=body"};
    more.trainOn = TrainOn::kAll;
    more.turnBegin = "b";
    more.turnEnd = "e";
    more.leaveOut = {LeaveOut::kLeaks};
    more.leaveOutRows = {"3@00000000000000ff"};
    more.promptTemplate = "{a}\n";
    more.systemPrompt = "Be brief.";
    more.systemPromptUse = SystemPromptUse::kOverride;
    more.delimiter = "tab";
    more.header = false;
    more.maxRows = 100;
    more.subset = Subset::kFirst;
    more.share = ShareKind::kTokens;
    more.shareAmount = 5e6;
    spec.data.datasets.push_back(more);
    RunSpec again = parseRunSpec(toJson(spec), "test");
    ASSERT_EQ(again.data.datasets.size(), 2U);
    EXPECT_EQ(toJson(again), toJson(spec));
    EXPECT_EQ(again.data.datasets[0].files, spec.data.datasets[0].files);
    EXPECT_EQ(again.data.datasets[1].columns, spec.data.datasets[1].columns);
    EXPECT_EQ(again.data.datasets[1].share, ShareKind::kTokens);
    EXPECT_EQ(again.data.datasets[1].shareAmount, 5e6);
    validate(again);
    again.data.datasets[1].shareAmount = 0;
    const std::string message = messageOf([&] { validate(again); });
    EXPECT_NE(message.find("Dataset 2: 'data.share_amount'"), std::string::npos) << message;
    again.data.datasets[1] = {};
    EXPECT_NE(messageOf([&] { validate(again); }).find("Dataset 2: 'data.files'"), std::string::npos);
}

TEST(RunSpec, tellsWhereAFieldOfTheDataBelongs) {
    const auto refused = [](const std::string& data) {
        return messageOf([&] { parseRunSpec(R"({"data": )" + data + "}", "run.json"); });
    };
    EXPECT_EQ(refused(R"({"datasets": [{"files": ["a"]}], "max_length": 8})"), "no error");
    for (const std::string& message :
         {refused(R"({"datasets": [{"files": ["a"]}], "files": ["b"]})"), // whose would they be?
          refused(R"({"files": ["b"], "datasets": [{"files": ["a"]}]})")}) {
        EXPECT_NE(message.find("'data.files' stands beside 'data.datasets'"), std::string::npos) << message;
        EXPECT_NE(message.find("run.json"), std::string::npos) << message;
    }
    EXPECT_NE(refused(R"({"datasets": [{"max_length": 8}]})").find("holds for all"), std::string::npos);
    EXPECT_NE(refused(R"({"datasets": [{"fils": []}]})").find("'data.files'"), std::string::npos);
    EXPECT_NE(refused(R"({"datasets": []})").find("at least one"), std::string::npos);
    EXPECT_NE(refused(R"({"datasets": [3]})").find("data.datasets[0]"), std::string::npos);
}

TEST(RunSpec, refusesAVersionThatItDoesNotKnow) {
    const std::string message = messageOf([] { parseRunSpec(R"({"new": {}, "version": 3})", "run.json"); });
    EXPECT_NE(message.find("version 3"), std::string::npos) << message;
    EXPECT_NE(message.find("1 to 2"), std::string::npos) << message;
}

TEST(RunSpec, takesEveryChoiceByItsSpelling) {
    int numChoices = 0;
    for (const Field& field : runSpecFields())
        for (const std::string& choice : field.choices) {
            RunSpec spec;
            const bool isList = std::holds_alternative<std::vector<std::string>>(field.get(spec));
            const FieldValue value = isList ? FieldValue(std::vector{choice}) : FieldValue(choice);
            field.set(spec, value);
            EXPECT_EQ(field.get(spec), value) << field.key;
            ++numChoices;
        }
    EXPECT_EQ(numChoices, 2 + 7 + 2 + 4 + 3 + 5 + 2 + 4 + 2 + 3 + 3 + 3 + 5 + 2 + 5 + 2 + 2)
        << "of the enums in base/choices.h";
    const std::string message = messageOf([] { parseRunSpec(R"({"optimizer": {"schedule": "sine"}})", "run.json"); });
    EXPECT_NE(message.find("'optimizer.schedule' is 'sine'"), std::string::npos) << message;
    EXPECT_NE(message.find("constant, linear, cosine"), std::string::npos) << message;
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

// They would become other numbers without a word.
TEST(RunSpec, refusesWholeNumbersThatHaveNoRoom) {
    const auto seedOf = [](const std::string& number) {
        return parseRunSpec(R"({"version": 2, "seed": )" + number + "}", "run.json").seed;
    };
    EXPECT_EQ(seedOf("9223372036854775807"), std::numeric_limits<int64_t>::max());
    EXPECT_EQ(seedOf("1e3"), 1000);
    EXPECT_EQ(seedOf("-9223372036854775808"), std::numeric_limits<int64_t>::min());
    for (const char* number : {"9223372036854775808", "18446744073709551615", "9.3e18", "1e300", "-1e300", "0.5"})
        testing::expectError(ErrorKind::kInvalidInput, {"run.json", "'seed'", "a whole number"},
                             [&] { seedOf(number); });
}

TEST(RunSpec, refusesWhatIsOutOfRange) {
    const auto refused = [](auto change) {
        RunSpec spec = valid();
        change(spec);
        return messageOf([&] { validate(spec); });
    };
    EXPECT_EQ(refused([](RunSpec&) {}), "no error");
    EXPECT_NE(refused([](RunSpec& s) { s.lora.rank = 0; }).find("lora.rank"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.lora.dropout = 1.5; }).find("lora.dropout"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { s.data.datasets.clear(); }).find("no dataset"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).files.clear(); }).find("data.files"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).columns = {"prompt"}; }).find("prompt=question"),
              std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).columns = {"answer=x"}; }).find("completion"), std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) {
                  datasetOf(s).columns = {"text=a", "text=b"};
              }).find("twice"),
              std::string::npos);
    EXPECT_EQ(refused([](RunSpec& s) { datasetOf(s).columns = {"prompt=q", "completion=a.b"}; }), "no error");
    // What a row can do without may be left unread, by whatever name it is there.
    EXPECT_EQ(refused([](RunSpec& s) {
                  datasetOf(s).columns = {"label=", "system=", "history=", "tools=", "input=", "weight=", "Train="};
              }),
              "no error");
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).columns = {"output="}; }).find("prompt=question"),
              std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).columns = {"weight=w"}; }).find("no format has"),
              std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) {
                  datasetOf(s).columns = {"prompt=q"};
                  datasetOf(s).promptTemplate = "{q}";
              }).find("'prompt'"),
              std::string::npos);
    EXPECT_NE(refused([](RunSpec& s) { datasetOf(s).promptTemplate = "{q"; }).find("never closed"), std::string::npos);
    for (const char* wrong : {";;", "\"", "\n", "\xC3"})
        EXPECT_NE(refused([&](RunSpec& s) { datasetOf(s).delimiter = wrong; }).find("data.delimiter"),
                  std::string::npos);
    for (const auto& [text, delimiter] :
         {std::pair("", '\0'), {"tab", '\t'}, {"\\t", '\t'}, {"\t", '\t'}, {"|", '|'}}) {
        EXPECT_EQ(refused([&](RunSpec& s) { datasetOf(s).delimiter = text; }), "no error");
        DatasetSection dataset;
        dataset.delimiter = text;
        EXPECT_EQ(delimiterOf(dataset), delimiter);
    }
    EXPECT_NE(refused([](RunSpec& s) { s.engine.forwardStages = {1}; }).find("engine.backward_stages"),
              std::string::npos);
    EXPECT_EQ(refused([](RunSpec& s) { s.engine.backwardStages = {12}; }), "no error") << "one fused stage";
}

TEST(RunSpec, refusesAKeyThatIsGivenTwice) {
    const auto said = [](const char* json) { return messageOf([&] { parseRunSpec(json, "run.json"); }); };
    EXPECT_EQ(said(R"({"seed": 1, "seed": 2})"), "run.json: 'seed' stands twice in one object. Leave one of them out.");
    EXPECT_NE(said(R"({"lora": {"rank": 8, "alpha": 2, "rank": 4}})").find("'rank' stands twice"), std::string::npos);
    EXPECT_EQ(said(R"({"data": {"datasets": [{"format": "auto"}]}, "output": {"folder": "format"}})"), "no error");
}

TEST(RunSpec, refusesWhatIsNestedWithoutEnd) {
    const std::string deep = R"({"seed": )" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    testing::expectError(ErrorKind::kInvalidInput, {"run.json", "nested more than 100 deep"},
                         [&] { parseRunSpec(deep, "run.json"); });
}

TEST(RunSpec, textsThatAreNoUtf8ComeBack) {
    RunSpec spec;
    spec.model.path = "/models/Caf\xe9";
    spec.data.datasets.front().files = {"/data/\xff", "/data/Café"};
    const RunSpec again = parseRunSpec(toJson(spec), "run.json");
    EXPECT_EQ(again.model.path, spec.model.path);
    EXPECT_EQ(again.data.datasets.front().files, spec.data.datasets.front().files);
}

TEST(RunSpec, resolvesPathsAgainstItsFile) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "run.json",
                        R"({"model": {"path": "model"}, "data": {"files": ["a.jsonl", "/b"]}})");
    const RunSpec spec = readRunSpec(folder.path() / "run.json");
    EXPECT_EQ(spec.model.path, (std::filesystem::canonical(folder.path()) / "model").string());
    EXPECT_EQ(spec.data.datasets.front().files[0], (std::filesystem::canonical(folder.path()) / "a.jsonl").string());
    EXPECT_EQ(spec.data.datasets.front().files[1], "/b");
    EXPECT_TRUE(spec.output.folder.empty());
}

TEST(RunSpec, saysWhatBecomesOfAnotherProgramsRun) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "lf.yaml", "# LLaMA-Factory\nmodel_name_or_path: m\n");
    testing::expectError(ErrorKind::kInvalidInput, {"lf.yaml", "is YAML"},
                         [&] { readRunSpec(folder.path() / "lf.yaml"); });
    writeFileAtomically(folder.path() / "ours.yaml", R"({"seed": 7})"); // by another name
    EXPECT_EQ(readRunSpec(folder.path() / "ours.yaml").seed, 7);
}

TEST(RunSpec, leavesALinkItsNameAndANameOfTheHubAsItIs) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path home = std::filesystem::canonical(folder.path());
    std::filesystem::create_directories(home / "snapshots/1");
    std::filesystem::create_directory_symlink(home / "snapshots", home / "elsewhere");
    writeFileAtomically(home / "0a1b2c", "a blob");
    std::filesystem::create_symlink("../../0a1b2c", home / "snapshots/1/train.csv");
    writeFileAtomically(home / "run.json", R"({"model": {"path": "hf:org/model@v1"},
                                               "data": {"files": ["elsewhere/1/train.csv", "hf:org/rows:train"]}})");
    const RunSpec spec = readRunSpec(home / "run.json");
    EXPECT_EQ(spec.model.path, "hf:org/model@v1");
    EXPECT_EQ(spec.data.datasets.front().files,
              (std::vector<std::string>{(home / "snapshots/1/train.csv").string(), "hf:org/rows:train"}));
    writeRunSpec(spec, home / "again.json");
    EXPECT_EQ(readRunSpec(home / "again.json").data.datasets.front().files, spec.data.datasets.front().files);
}

TEST(RunSpec, isWrittenSoThatItsFolderCanBeMoved) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path here = std::filesystem::canonical(folder.path());
    std::filesystem::create_directories(here / "old" / "data");
    RunSpec spec = valid();
    spec.model.path = (here / "models" / "tiny").string(); // beside the project: stays where it is
    datasetOf(spec).files = {(here / "old" / "data" / "a.jsonl").string(), "/elsewhere/b.jsonl"};
    spec.output.folder = (here / "old").string(); // a run's own file
    spec.lora.rank = 24;
    writeRunSpec(spec, here / "old" / "run.json");
    EXPECT_TRUE(differingFields(readRunSpec(here / "old" / "run.json"), spec).empty());
    std::filesystem::rename(here / "old", here / "new");
    const RunSpec moved = readRunSpec(here / "new" / "run.json");
    EXPECT_EQ(moved.model.path, spec.model.path);
    EXPECT_EQ(moved.data.datasets.front().files[0], (here / "new" / "data" / "a.jsonl").string());
    EXPECT_EQ(moved.data.datasets.front().files[1], "/elsewhere/b.jsonl");
    EXPECT_EQ(moved.output.folder, (here / "new").string());
    std::filesystem::create_directory_symlink(here / "new", here / "link");
    spec.output.folder = (here / "link").string();
    writeRunSpec(spec, here / "link" / "run.json");
    EXPECT_EQ(readRunSpec(here / "new" / "run.json").output.folder, (here / "new").string());
}

TEST(RunSpec, saysWhichFieldsDiffer) {
    RunSpec changed = valid();
    EXPECT_TRUE(differingFields(valid(), changed).empty());
    changed.lora.rank += 1;
    datasetOf(changed).columns = {"prompt=q"};
    const auto fields = differingFields(valid(), changed);
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0]->key, "data.columns");
    EXPECT_EQ(fields[1]->key, "lora.rank");
    RunSpec two = valid();
    two.data.datasets.push_back(datasetOf(two));
    EXPECT_EQ(differingFields(two, two).size(), 0u);
    RunSpec other = two;
    other.data.datasets[1].trainOn = TrainOn::kAll;
    ASSERT_EQ(differingFields(two, other).size(), 1u);
    EXPECT_EQ(differingFields(two, other).front()->key, "data.train_on");
    EXPECT_FALSE(differingFields(valid(), two).empty()) << "one dataset more";
}

TEST(RunSpec, checksOneValueAgainstItsLimits) {
    const Field& rank = fieldByKey("lora.rank");
    EXPECT_EQ(messageOf([&] { checkValue(rank, int64_t{16}); }), "no error");
    const std::string message = messageOf([&] { checkValue(rank, int64_t{5000}); });
    EXPECT_NE(message.find("lora.rank"), std::string::npos) << message;
    EXPECT_NE(message.find("between 1 and 4096"), std::string::npos) << message;
    EXPECT_NE(messageOf([&] {
                  checkValue(fieldByKey("engine.forward_stages"), std::vector<int64_t>{3, -1});
              }),
              "no error");
}

TEST(RunSpec, takesNoPasswordAndNoToken) {
    const auto said = [](auto change) {
        RunSpec spec = valid();
        spec.data.datasets.push_back(datasetOf(spec));
        change(spec);
        return messageOf([&] { validate(spec, false); });
    };
    EXPECT_EQ(said([](RunSpec& spec) { spec.model.path = "https://host/model?b=1"; }), "no error");
    for (const std::string& message :
         {said([](RunSpec& spec) { spec.model.path = "https://me:word@host/model"; }),
          said([](RunSpec& spec) { spec.model.baseModelId = "hf_wordWORDword01234567"; }),
          said([](RunSpec& spec) { spec.data.datasets[1].files.push_back("/a/https:/host/rows?token=word1234"); })}) {
        EXPECT_NE(message.find("with a password or a token in it"), std::string::npos) << message;
        EXPECT_NE(message.find("HF_TOKEN"), std::string::npos) << message;
        EXPECT_EQ(message.find("word@"), std::string::npos) << message;
        EXPECT_EQ(message.find("=word"), std::string::npos) << message;
    }
    EXPECT_NE(said([](RunSpec& spec) {
                  spec.data.datasets[1].files = {"https://me:word@host/rows"};
              }).find("Dataset 2: 'data.files' is"),
              std::string::npos);
}

TEST(RunSpec, aRunThatWasToldASecretBeforeStillGoesOn) {
    RunJob job{valid(), {}, false, false, false};
    job.spec.name = "ghp_wordWORDword01234567";
    testing::expectError(ErrorKind::kInvalidInput, {"'name' is 'ghp_(hidden)'"}, [&] { validate(job); });
    job.resume = true;
    EXPECT_NO_THROW(validate(job));
    job.spec.lora.rank = 0;
    testing::expectError(ErrorKind::kInvalidInput, {"lora.rank"}, [&] { validate(job); });
}

TEST(RunSpec, takesNoPromptWithASecret) {
    RunJob job{valid(), {"My password is weak.", "Is password=hunter2 strong?"}, false, false, false};
    testing::expectError(ErrorKind::kInvalidInput, {"A prompt is 'Is password=(hidden) strong?'"},
                         [&] { validate(job); });
    job.samplePrompts.pop_back();
    EXPECT_NO_THROW(validate(job));
}

TEST(RunSpec, listsRowsToLeaveOutByRulesAndOneByOne) {
    const RunSpec spec = parseRunSpec(
        R"({"model": {"path": "/m"}, "data": {"datasets": [{"files": ["/a.jsonl"], "leave_out": ["duplicates", "leaks"],
            "leave_out_rows": ["75@9f3c01ab0e2d4455"]}]}})",
        "run.json");
    const DatasetSection& dataset = spec.data.datasets.front();
    EXPECT_EQ(dataset.leaveOut, (std::vector{LeaveOut::kDuplicates, LeaveOut::kLeaks}));
    EXPECT_EQ(parseRowKey(dataset.leaveOutRows.at(0)), (RowKey{75, 0x9f3c01ab0e2d4455}));
    EXPECT_EQ(RowKey::of(75, "{}").text(), parseRowKey(RowKey::of(75, "{}").text()).text());
    EXPECT_NO_THROW(validate(spec));
    EXPECT_EQ(toJson(parseRunSpec(toJson(spec), "again")), toJson(spec));
    testing::expectError(ErrorKind::kInvalidInput, {"data.leave_out", "'twins'", "near-duplicates"},
                         [] { parseRunSpec(R"({"data": {"leave_out": ["twins"]}})", "run.json"); });
    for (const char* wrong : {"75", "75@", "0@9f", "-3@9f", "75@9g", "75@9f3c01ab0e2d44550", "@9f", ""}) {
        RunSpec broken = spec;
        broken.data.datasets.front().leaveOutRows = {wrong};
        testing::expectError(ErrorKind::kInvalidInput,
                             {"data.leave_out_rows", "'" + std::string(wrong) + "'", "data lens"},
                             [&] { validate(broken); });
    }
}

TEST(NamedField, isTheFirstThatATextNames) {
    const auto keyIn = [](const char* text) {
        const Field* field = fieldNamedIn(text);
        return field == nullptr ? std::string() : field->key;
    };
    EXPECT_EQ(keyIn("It has no template. Give one with model.chat_template (--chat-template FILE)."),
              "model.chat_template");
    EXPECT_EQ(keyIn("Give it (--chat-template-args), or data.train_on."), "model.chat_template_args");
    EXPECT_EQ(keyIn("Say so by data.header."), "data.header");
    EXPECT_EQ(keyIn("Train on all tokens (data.train_on: all) or see --rank."), "data.train_on");
    EXPECT_EQ(keyIn("The seed of mydata.header and data.headers, its name and method"), "");
    EXPECT_EQ(keyIn(""), "");
}

} // namespace
} // namespace roundpipe::session
