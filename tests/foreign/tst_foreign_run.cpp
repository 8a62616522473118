// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/foreign_run.h"

#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace roundpipe::foreign {
namespace {

using testing::expectError;

class ForeignRuns : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << content;
        return path;
    }
    ForeignRun read(const std::string& content) { return readForeignRun(write("run.yaml", content)); }
    static std::string reasonOf(const ForeignRun& run, const std::string& key) {
        const auto found = std::ranges::find(run.notTaken, key, &NotTaken::key);
        return found == run.notTaken.end() ? "" : found->reason;
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(ForeignRuns, readLlamaFactorysWithItsDatasetsByName) {
    write("data/dataset_info.json", R"({
      "mine": {"file_name": "mine.json"},
      "more": {"file_name": "more.json"},
      "tools": {"file_name": "tools.jsonl", "formatting": "sharegpt", "columns": {"messages": "turns", "tools": "fns",
                "kto_tag": "good"}},
      "chat": {"file_name": "chat.jsonl", "formatting": "openai"},
      "pairs": {"file_name": "pairs.json", "ranking": true, "columns": {"prompt": "ask", "chosen": "best"}},
      "turns": {"file_name": "turns.json", "ranking": true, "formatting": "sharegpt", "columns": {"system": "rules"}},
      "far": {"hf_hub_url": "org/far"}})");
    write("models/tiny/config.json", "{}");
    const auto path = write("examples/lora/sft.yaml", R"(### model
model_name_or_path: models/tiny
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
lora_target: q_proj, v_proj
additional_target: embed_tokens,lm_head
dataset: mine,more, tools, chat, pairs,turns,far,absent
template: qwen3
cutoff_len: 2048
max_samples: 1000
output_dir: saves/x
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
learning_rate: 1e-4
num_train_epochs: 2.5
lr_scheduler_type: cosine
warmup_ratio: 0.1
bf16: true
val_size: 0.1
resume_from_checkpoint: null
)");
    const ForeignRun run = readForeignRun(path);
    EXPECT_EQ(run.program, "LLaMA-Factory");
    EXPECT_EQ(run.spec.model.path, (m_folder.path() / "models/tiny").string());
    EXPECT_EQ(run.spec.lora.rank, 8);
    EXPECT_EQ(run.spec.lora.alpha, 16); // its default: twice the rank
    EXPECT_EQ(run.spec.lora.targets, (std::vector<std::string>{"q_proj", "v_proj"}));
    EXPECT_EQ(run.spec.lora.modulesToSave, (std::vector<std::string>{"embed_tokens", "lm_head"}));
    EXPECT_EQ(reasonOf(run, "additional_target"), "");
    EXPECT_EQ(run.spec.data.maxLength, 2048);
    EXPECT_EQ(run.spec.data.validationFraction, 0.1);
    EXPECT_NE(reasonOf(run, "max_samples").find("rows to train on"), std::string::npos);
    EXPECT_EQ(reasonOf(read("model_name_or_path: m\nmax_samples: 9\n"), "max_samples"), "");
    EXPECT_EQ(run.spec.data.maxValidationRows, 1'000'000'000); // our own 500 would make another share of it
    const ForeignRun counted = read("model_name_or_path: m\nval_size: 120\n");
    EXPECT_EQ(counted.spec.data.validationFraction, 0.9); // as many as are asked for, but for some to train on
    EXPECT_EQ(counted.spec.data.maxValidationRows, 120);
    EXPECT_EQ(run.spec.batch.microbatchSize, 1);
    EXPECT_EQ(run.spec.batch.microbatches, 8);
    EXPECT_EQ(run.spec.optimizer.learningRate, 1e-4);
    EXPECT_EQ(run.spec.optimizer.schedule, ScheduleKind::kCosine);
    EXPECT_EQ(run.spec.duration.epochs, 2.5);
    EXPECT_EQ(run.spec.engine.precision, Precision::kBf16);
    ASSERT_EQ(run.spec.data.datasets.size(), 4u); // as so many rows are taken of each
    const auto file = [&](const char* name) { return (m_folder.path() / "data" / name).string(); };
    EXPECT_EQ(run.spec.data.datasets[0].files, std::vector<std::string>{file("mine.json")});
    EXPECT_EQ(run.spec.data.datasets[1].files, std::vector<std::string>{file("more.json")});
    EXPECT_EQ(run.spec.data.datasets[0].format, DataFormat::kAlpaca);
    EXPECT_EQ(run.spec.data.datasets[2].format, DataFormat::kShareGpt);
    EXPECT_EQ(run.spec.data.datasets[2].columns,
              (std::vector<std::string>{"conversations=turns", "system=", "label=good", "tools=fns"}));
    EXPECT_EQ(run.spec.data.datasets[3].format, DataFormat::kMessages);
    EXPECT_NE(reasonOf(run, "template").find("no counterpart"), std::string::npos);
    for (const session::DatasetSection& dataset : run.spec.data.datasets) {
        EXPECT_EQ(dataset.maxRows, 1000);
        EXPECT_EQ(dataset.subset, Subset::kFirst);
    }
    EXPECT_EQ(reasonOf(run, "resume_from_checkpoint"), ""); // says nothing
    std::string datasets;
    for (const NotTaken& item : run.notTaken)
        if (item.key == "dataset") datasets += item.reason + "; ";
    for (const char* part :
         {"'pairs' holds preferences", "pairs.json' among the data, with the columns instruction=ask,output=best",
          "with the columns prompt=conversations,completion=chosen,system=rules",
          "'far' is on the Hub: name hf:org/far", "'absent' is not in", "'mine' is to be in"})
        EXPECT_NE(datasets.find(part), std::string::npos) << datasets;
}

// Columns that an entry does not name are not read there, whatever they are called; splits of local files are not cut.
TEST_F(ForeignRuns, readOnlyTheColumnsThatLlamaFactoryReads) {
    write("data/dataset_info.json", R"({
      "plain": {"file_name": "plain.json", "split": "train[:10%]", "subset": "easy", "folder": null},
      "named": {"file_name": "named.json", "split": "train", "columns": {"prompt": "instruction",
                "response": "output", "system": "rules", "history": "before"}},
      "tagged": {"file_name": "tagged.json", "columns": {"prompt": "q", "query": "input", "response": "a",
                 "kto_tag": "good"}},
      "chat": {"file_name": "chat.json", "formatting": "sharegpt"}})");
    for (const char* name : {"plain", "named", "tagged", "chat"})
        write("data/" + std::string(name) + ".json", "[{}]");
    const ForeignRun run = read("model_name_or_path: m\ndataset: plain,named,tagged,chat\n");
    ASSERT_EQ(run.spec.data.datasets.size(), 4u);
    using Columns = std::vector<std::string>;
    EXPECT_EQ(run.spec.data.datasets[0].columns, (Columns{"system=", "label=", "history="}));
    EXPECT_EQ(run.spec.data.datasets[1].columns, (Columns{"input=", "system=rules", "label=", "history=before"}));
    EXPECT_EQ(run.spec.data.datasets[2].columns,
              (Columns{"instruction=q", "output=a", "system=", "label=good", "history="}));
    EXPECT_EQ(run.spec.data.datasets[3].columns, (Columns{"system=", "label=", "tools="}));
    for (const session::DatasetSection& dataset : run.spec.data.datasets)
        for (const std::string& column : dataset.columns)
            EXPECT_NO_THROW(session::parseColumnChoice(column)) << column;
    const auto note = std::ranges::find(run.notTaken, "dataset", &NotTaken::key);
    ASSERT_NE(note, run.notTaken.end());
    EXPECT_EQ(note->reason, "'plain' is taken, but without what has no counterpart: split, subset");
    EXPECT_EQ(note->value, R"({"split":"train[:10%]","subset":"easy"})"); // and not the dataset, or the list of all
    EXPECT_EQ(std::ranges::count(run.notTaken, "dataset", &NotTaken::key), 1);
}

// It would find no answer there, and none is guessed here.
TEST_F(ForeignRuns, takeNoDatasetOfWhichNoAnswersAreNamed) {
    write("data/dataset_info.json", R"({
      "asked": {"file_name": "a.json", "columns": {"prompt": "instruction"}},
      "told": {"file_name": "a.json", "columns": {"response": "output"}},
      "said": {"file_name": "a.json", "formatting": "sharegpt", "columns": {"system": "rules"}}})");
    write("data/a.json", "[{}]");
    for (const auto& [name, column] : {std::pair("asked", "response"), {"told", "prompt"}, {"said", "messages"}}) {
        const ForeignRun run = read(std::string("model_name_or_path: m\ndataset: ") + name + "\n");
        EXPECT_TRUE(run.spec.data.datasets.empty() || run.spec.data.datasets[0].files.empty()) << name;
        EXPECT_NE(reasonOf(run, "dataset").find("the column of its '" + std::string(column) + "'"), std::string::npos)
            << reasonOf(run, "dataset");
    }
    // Texts have no answers.
    EXPECT_EQ(reasonOf(read("model_name_or_path: m\nstage: pt\ndataset: asked\n"), "dataset"), "");
}

TEST_F(ForeignRuns, takeWhatLlamaFactorySaysOfItsMixture) {
    write("data/dataset_info.json", R"({"a": {"file_name": "a.json"}, "b": {"file_name": "b.json"},
      "valid": {"file_name": "valid.json"}, "chat": {"file_name": "chat.json", "formatting": "sharegpt"}})");
    for (const char* name : {"a", "b", "valid", "chat"})
        write("data/" + std::string(name) + ".json", "[{}]");
    const std::string mixed = "model_name_or_path: m\ndataset: a,b\nmix_strategy: interleave_under\n"
                              "interleave_probs: 0.7,0.3\ndefault_system: Be kind.\nenable_thinking: false\n";
    const ForeignRun run = read(mixed + "eval_dataset: valid\n");
    EXPECT_TRUE(run.notTaken.size() == 1 && run.notTaken[0].key == "model_name_or_path") << run.notTaken.back().key;
    ASSERT_EQ(run.spec.data.datasets.size(), 2u);
    EXPECT_EQ(run.spec.data.datasets[0].share, ShareKind::kWeight);
    EXPECT_EQ(run.spec.data.datasets[0].shareAmount, 0.7);
    EXPECT_EQ(run.spec.data.datasets[1].shareAmount, 0.3);
    EXPECT_EQ(run.spec.data.datasets[1].systemPrompt, "Be kind.");
    EXPECT_EQ(run.spec.data.validationFile, (m_folder.path() / "data/valid.json").string());
    EXPECT_EQ(run.spec.model.chatTemplateArgs, R"({"enable_thinking": false})");
    EXPECT_NE(reasonOf(read(mixed + "eval_dataset: chat\n"), "eval_dataset").find("another way"), std::string::npos);
    EXPECT_NE(reasonOf(read(mixed + "eval_dataset: a,valid\n"), "eval_dataset").find("several"), std::string::npos);
    write("data/dataset_info.json", R"({"a": {"file_name": "a.json", "num_samples": 3},
      "b": {"file_name": "b.json", "num_samples": 3}, "valid": {"file_name": "valid.json"}})");
    const ForeignRun few = read("model_name_or_path: m\ndataset: a,b\neval_dataset: valid\n");
    ASSERT_EQ(few.spec.data.datasets.size(), 2u); // of each so many
    EXPECT_EQ(few.spec.data.datasets[1].maxRows, 3);
    EXPECT_EQ(few.spec.data.datasets[1].subset, Subset::kRandom);
    EXPECT_FALSE(few.spec.data.validationFile.empty());
    for (const auto& [most, rows] : {std::pair("2", 2), std::pair("5", 3)}) { // the fewer of both
        const ForeignRun both = read(std::string("model_name_or_path: m\ndataset: a,b\nmax_samples: ") + most + "\n");
        ASSERT_EQ(both.spec.data.datasets.size(), 2u);
        EXPECT_EQ(both.spec.data.datasets[1].maxRows, rows) << most;
        EXPECT_EQ(both.spec.data.datasets[1].subset, Subset::kRandom) << most;
    }
    write("data/dataset_info.json", R"({"a": {"file_name": "a.json"}, "b": {"file_name": "b.json"}})");
    // All of both, one after another, are one dataset.
    EXPECT_EQ(read("model_name_or_path: m\ndataset: a,b\n").spec.data.datasets.size(), 1u);
}

// Texts that are longer are gone on with in the next example there, so they are split here.
TEST_F(ForeignRuns, readLlamaFactorysPretraining) {
    write("data/dataset_info.json", R"({
      "wiki": {"file_name": "wiki.jsonl", "columns": {"prompt": "text"}},
      "plain": {"file_name": "plain.jsonl"},
      "chat": {"file_name": "chat.jsonl", "formatting": "sharegpt"}})");
    write("data/wiki.jsonl", "{}");
    write("data/plain.jsonl", "{}");
    const ForeignRun run = read("model_name_or_path: org/m\nstage: pt\ncutoff_len: 512\nneat_packing: true\n"
                                "dataset: wiki, plain, chat\n");
    ASSERT_EQ(run.spec.data.datasets.size(), 2u);
    EXPECT_EQ(run.spec.data.datasets[0].format, DataFormat::kText);
    EXPECT_TRUE(run.spec.data.datasets[0].columns.empty());
    EXPECT_EQ(run.spec.data.datasets[1].columns, std::vector<std::string>{"text=instruction"});
    EXPECT_NE(reasonOf(run, "dataset").find("'chat' holds chats"), std::string::npos);
    EXPECT_EQ(run.spec.batch.packing, Packing::kBestFit);
    EXPECT_EQ(reasonOf(run, "neat_packing"), "");
    EXPECT_EQ(run.spec.data.overLength, OverLength::kSplit);
    EXPECT_EQ(run.spec.data.maxLength, 512);
    EXPECT_EQ(run.spec.data.datasets.front().trainOn, TrainOn::kAll);
    EXPECT_EQ(reasonOf(run, "stage"), "");
    EXPECT_EQ(run.spec.method, Method::kLora);
    EXPECT_EQ(read("model_name_or_path: org/m\nfinetuning_type: full\n").spec.method, Method::kFull);
}

TEST_F(ForeignRuns, takeWhatAxolotlDoesWithLongRows) {
    const ForeignRun run = read("base_model: org/m\nadapter: lora\nexcess_length_strategy: truncate\n");
    EXPECT_EQ(run.spec.data.overLength, OverLength::kTruncate);
}

TEST_F(ForeignRuns, takeLlamaFactorysBaseInFewerBits) {
    const auto weights = [&](const std::string& more) {
        return read("model_name_or_path: m\nstage: sft\nfinetuning_type: lora\n" + more);
    };
    EXPECT_EQ(weights("quantization_bit: 4\nquantization_type: nf4\ndouble_quantization: true\n").spec.model.weights,
              WeightFormat::kNf4);
    EXPECT_EQ(weights("quantization_bit: 8\n").spec.model.weights, WeightFormat::kInt8);
    EXPECT_EQ(weights("").spec.model.weights, WeightFormat::kAsIs);
    const ForeignRun other = weights("quantization_bit: 4\nquantization_type: fp4\n");
    EXPECT_EQ(other.spec.model.weights, WeightFormat::kAsIs);
    EXPECT_NE(reasonOf(other, "quantization_bit").find("model.weights"), std::string::npos);
}

TEST_F(ForeignRuns, readAxolotls) {
    write("rows.jsonl", "{}");
    const ForeignRun run = read(R"(base_model: org/Model-8B
load_in_8bit: true
datasets:
  - path: rows.jsonl
    type: chat_template
    field_messages: turns
    roles_to_train: [assistant]
  - path: org/on-the-hub
    type: alpaca
val_set_size: 0.05
sequence_len: 4096
sample_packing: true
adapter: lora
lora_r: 32
lora_alpha: 16
lora_target_linear: true
lora_modules_to_save: [embed_tokens, norm]
gradient_accumulation_steps: 4
micro_batch_size: 2
num_epochs: 4
lr_scheduler: constant_with_warmup
learning_rate: 0.0002
bf16: false
fp16: true
warmup_steps: 10
wandb_project:
flash_attention: true
)");
    EXPECT_EQ(run.program, "Axolotl");
    EXPECT_EQ(run.spec.model.path, "");
    EXPECT_EQ(run.spec.model.baseModelId, "org/Model-8B");
    EXPECT_NE(reasonOf(run, "base_model").find("choose the model's folder"), std::string::npos);
    ASSERT_EQ(run.spec.data.datasets.size(), 1u);
    EXPECT_EQ(run.spec.data.datasets[0].columns, std::vector<std::string>{"messages=turns"});
    EXPECT_EQ(run.spec.data.maxLength, 4096);
    EXPECT_EQ(run.spec.data.overLength, OverLength::kDrop); // its default
    EXPECT_EQ(run.spec.batch.packing, Packing::kBestFit);
    EXPECT_EQ(run.spec.engine.precision, Precision::kFp16);
    EXPECT_EQ(run.spec.lora.rank, 32);
    EXPECT_EQ(run.spec.lora.alpha, 16);
    EXPECT_EQ(run.spec.lora.modulesToSave, (std::vector<std::string>{"embed_tokens", "norm"}));
    EXPECT_EQ(run.spec.optimizer.schedule, ScheduleKind::kConstant);
    EXPECT_EQ(run.spec.optimizer.warmupSteps, 10);
    EXPECT_EQ(run.spec.duration.epochs, 4);
    EXPECT_EQ(run.spec.model.weights, WeightFormat::kInt8);
    for (const char* key : {"flash_attention", "datasets"})
        EXPECT_NE(reasonOf(run, key), "") << key;
    EXPECT_EQ(reasonOf(run, "wandb_project"), "");
}

TEST_F(ForeignRuns, takeAxolotlsOwnPrompts) {
    write("rows.jsonl", "{}");
    const ForeignRun run = read(R"(base_model: m
datasets:
  - path: rows.jsonl
    type: {field_instruction: q, field_output: a, format: "[INST] {instruction} {input} [/INST]", system_prompt: "Be kind. ",
           no_input_format: "[INST] {instruction} [/INST]"}
  - {path: rows.jsonl, type: chat_template, message_property_mappings: {role: from, content: value}}
  - {path: gone.jsonl, type: alpaca}
tokenizer_type: Auto
special_tokens: {pad_token: x}
)");
    ASSERT_EQ(run.spec.data.datasets.size(), 2u);
    const session::DatasetSection& own = run.spec.data.datasets[0];
    EXPECT_EQ(own.format, DataFormat::kCompletion);
    EXPECT_EQ(own.promptTemplate, "Be kind. [INST] {q} {input} [/INST]");
    EXPECT_EQ(own.columns, std::vector<std::string>{"completion=a"});
    std::string reasons, values;
    for (const NotTaken& item : run.notTaken) {
        if (item.key == "datasets") reasons += item.reason + "; ";
        values += item.value;
    }
    EXPECT_EQ(reasons, "'rows.jsonl' is taken, but without what has no counterpart: type.no_input_format; "
                       "'gone.jsonl' is not here: fetch it, and choose its files; ");
    EXPECT_EQ(values.find("…"), std::string::npos) << values;
    // Without an adapter it trains all weights, and so do we.
    EXPECT_EQ(run.spec.method, Method::kFull);
    EXPECT_EQ(reasonOf(run, "adapter"), "");
    EXPECT_EQ(read("base_model: m\nadapter: lora\n").spec.method, Method::kLora);
}

// Nothing of what is trained is guessed: it is taken, or the dataset is not.
TEST_F(ForeignRuns, takeWhatAxolotlTrains) {
    write("rows.jsonl", "{}");
    const auto runWith = [&](const std::string& fields) {
        return read("base_model: m\ndatasets:\n  - {path: rows.jsonl, " + fields + "}\n");
    };
    const auto trainOn = [&](const std::string& fields) { return runWith(fields).spec.data.datasets.at(0).trainOn; };
    EXPECT_EQ(trainOn("type: {format: \"{instruction} \", train_on_inputs: true}"), TrainOn::kAll);
    EXPECT_EQ(trainOn("type: {format: \"{instruction} \"}, train_on_inputs: true"), TrainOn::kAll);
    EXPECT_EQ(trainOn("type: alpaca, train_on_inputs: true"), TrainOn::kAll);
    const ForeignRun mixed = read("base_model: m\ntrain_on_inputs: true\ndatasets:\n"
                                  "  - {path: rows.jsonl, type: alpaca, train_on_inputs: false}\n"
                                  "  - {path: rows.jsonl, type: {format: \"{instruction} \"}}\n");
    ASSERT_EQ(mixed.spec.data.datasets.size(), 2u);
    EXPECT_EQ(mixed.spec.data.datasets[0].trainOn, TrainOn::kAssistant);
    EXPECT_EQ(mixed.spec.data.datasets[1].trainOn, TrainOn::kAll);
    // What ours do anyway.
    for (const char* same :
         {"roles_to_train: [assistant]", "roles_to_train: [gpt]", "train_on_eos: turn", "message_field_training: train",
          "message_field_training: training", "roles: {user: [human, user], assistant: [gpt]}",
          "message_property_mappings: {role: from, content: value}",
          "message_field_role: speaker, message_field_content: text"}) {
        const ForeignRun run = runWith(std::string("type: chat_template, ") + same);
        EXPECT_EQ(run.spec.data.datasets.size(), 1u) << same;
        EXPECT_EQ(reasonOf(run, "datasets"), "") << same;
    }
    const std::pair<const char*, const char*> others[] = {
        {"roles_to_train: [user, assistant]", "says by 'roles_to_train' what is trained, which has no counterpart"},
        {"roles_to_train: []", "says by 'roles_to_train' what is trained, which has no counterpart"},
        {"train_on_eos: all", "says by 'train_on_eos' what is trained, which has no counterpart"},
        {"message_field_training: learn", "says by 'message_field_training' what is trained, which has no counterpart"},
        {"message_field_training_detail: parts",
         "says by 'message_field_training_detail' what is trained, which has no counterpart"},
        {"roles: {assistant: [gpt, teacher]}", "names its roles in a way of its own ('roles')"},
        {"message_property_mappings: {role: who, content: said}",
         "names who speaks and what is said in a way of its own"},
        {"message_field_content: said", "names who speaks and what is said in a way of its own"}};
    for (const auto& [field, reason] : others) {
        const ForeignRun run = runWith(std::string("type: chat_template, ") + field);
        EXPECT_TRUE(run.spec.data.datasets.empty() || run.spec.data.datasets[0].files.empty()) << field;
        EXPECT_EQ(reasonOf(run, "datasets"), "'rows.jsonl' " + std::string(reason));
        const auto note = std::ranges::find(run.notTaken, "datasets", &NotTaken::key);
        ASSERT_NE(note, run.notTaken.end());
        EXPECT_TRUE(note->value.starts_with("{\"path\"")) << note->value; // of this dataset alone
    }
}

// An alpha that is not said is twice the rank, also of a rank that is not said; a rank that is no number is refused.
// A file that stands twice in one dataset would be refused, and rows that are trained are none to validate on.
TEST_F(ForeignRuns, trainWhatIsListedTwiceForTwoEpochs) {
    for (const char* name : {"a", "b"})
        write(std::string(name) + ".jsonl", "{}");
    const auto datasetsOf = [&](std::initializer_list<const char*> names) {
        std::string yaml = "base_model: m\ndatasets:\n";
        for (const char* name : names)
            yaml.append("  - {path: ").append(name).append(".jsonl, type: chat_template}\n");
        return read(yaml).spec.data.datasets;
    };
    const auto pathOf = [&](const char* name) { return (m_folder.path() / name).string(); };
    const auto thrice = datasetsOf({"a", "a", "a"});
    ASSERT_EQ(thrice.size(), 1u);
    EXPECT_EQ(thrice[0].files, std::vector<std::string>{pathOf("a.jsonl")});
    EXPECT_EQ(thrice[0].share, ShareKind::kEpochs);
    EXPECT_EQ(thrice[0].shareAmount, 3);
    const auto mixed = datasetsOf({"a", "a", "b", "a"});
    ASSERT_EQ(mixed.size(), 2u);
    EXPECT_EQ(mixed[0].shareAmount, 3);
    EXPECT_EQ(mixed[1].files, std::vector<std::string>{pathOf("b.jsonl")});
    const auto later = datasetsOf({"a", "b", "a"}); // the first two are one by now
    ASSERT_EQ(later.size(), 2u);
    EXPECT_EQ(later[0].files, (std::vector<std::string>{pathOf("a.jsonl"), pathOf("b.jsonl")}));
    EXPECT_EQ(later[1].files, std::vector<std::string>{pathOf("a.jsonl")});
    write("data/dataset_info.json", R"({"a": {"file_name": "a.json"}})");
    const ForeignRun weighed = read("model_name_or_path: m\ndataset: a,a\nmix_strategy: interleave_under\n"
                                    "interleave_probs: 0.5,0.5\n");
    ASSERT_EQ(weighed.spec.data.datasets.size(), 2u);
    EXPECT_EQ(weighed.spec.data.datasets[1].share, ShareKind::kWeight);
}

// None of them becomes the folder that the file lies in.
TEST_F(ForeignRuns, sayWhichOfAxolotlsDatasetsAreNone) {
    write("rows.jsonl", "{}");
    const ForeignRun run = read(R"(base_model: m
datasets:
  - {path: [1, 2], type: alpaca}
  - {type: alpaca}
  - {path: "", type: alpaca}
  - rows
  - {path: rows.jsonl, type: 7}
  - {path: rows.jsonl, type: alpaca}
)");
    ASSERT_EQ(run.spec.data.datasets.size(), 1u);
    EXPECT_EQ(run.spec.data.datasets[0].files,
              std::vector<std::string>{(m_folder.path() / "rows.jsonl").lexically_normal().string()});
    std::string reasons;
    for (const NotTaken& item : run.notTaken)
        if (item.key == "datasets") reasons += item.reason + "; ";
    EXPECT_EQ(reasons,
              "one names no file; one names no file; one names no file; 'rows' is no dataset, which has a path and a "
              "type; 'rows.jsonl' is of a type that is no name; 'rows.jsonl' is taken, but written by the model's chat "
              "template, not in the words of its type ('### Instruction:'); ");
    EXPECT_EQ(reasonOf(read("base_model: m\ndatasets: rows.jsonl\n"), "datasets"), "is no list of datasets");
}

TEST_F(ForeignRuns, takeWhatAxolotlValidatesOn) {
    write("rows.jsonl", "{}");
    write("held/out.jsonl", "{}");
    const auto runWith = [&](const std::string& tested) {
        return read("base_model: m\ndatasets: [{path: rows.jsonl, type: alpaca}]\ntest_datasets:\n" + tested);
    };
    const std::string file = (m_folder.path() / "held/out.jsonl").lexically_normal().string();
    for (const char* one : {"  - {path: held/out.jsonl, type: alpaca}", "  - {path: held, data_files: [out.jsonl]}",
                            "  - {path: json, data_files: held/out.jsonl, ds_type: json}"}) {
        const ForeignRun run = runWith(one);
        EXPECT_EQ(run.spec.data.validationFile, file) << one;
        EXPECT_EQ(reasonOf(run, "test_datasets"), "") << one;
    }
    for (const char* none : {"  - {path: held}", "  - {path: gone.jsonl}",
                             "  - {path: rows.jsonl}\n  - {path: rows.jsonl}", "  rows.jsonl"}) {
        const ForeignRun run = runWith(none);
        EXPECT_EQ(run.spec.data.validationFile, "") << none;
        EXPECT_EQ(reasonOf(run, "test_datasets"), "is not one file that is here: choose one to validate on") << none;
    }
}

TEST_F(ForeignRuns, findAxolotlsFilesWithinAFolder) {
    write("in/semi.csv", "a,b\n1,2\n");
    const ForeignRun run = read("base_model: m\ndatasets:\n  - {path: " + (m_folder.path() / "in").string() +
                                ", data_files: [semi.csv], type: chat_template}\n");
    ASSERT_EQ(run.spec.data.datasets.size(), 1u);
    EXPECT_EQ(run.spec.data.datasets[0].files,
              std::vector<std::string>{(m_folder.path() / "in/semi.csv").lexically_normal().string()});
    EXPECT_EQ(reasonOf(run, "datasets"), "");
}

TEST_F(ForeignRuns, findAxolotlsTurnsInTheColumnThatItNames) {
    write("rows.jsonl", "{}");
    const auto columns = [&](const char* type, const char* field) {
        return read(std::string("base_model: m\ndatasets: [{path: rows.jsonl, type: ") + type +
                    ", field_messages: " + field + "}]\n")
            .spec.data.datasets.at(0)
            .columns;
    };
    using Columns = std::vector<std::string>;
    EXPECT_EQ(columns("sharegpt", "messages"), Columns{"conversations=messages"});
    EXPECT_EQ(columns("sharegpt", "conversations"), Columns{});
    EXPECT_EQ(columns("chat_template", "messages"), Columns{});
}

TEST_F(ForeignRuns, nameSubsetsOfTheHub) {
    EXPECT_NE(reasonOf(read("base_model: m\ndatasets: [{path: org/set, name: en, type: alpaca}]\n"), "datasets")
                  .find("name hf:org/set/en among the data"),
              std::string::npos);
    write("rows.jsonl", "{}"); // of a file here, a subset is none
    EXPECT_NE(reasonOf(read("base_model: m\ndatasets: [{path: rows.jsonl, name: en, type: alpaca}]\n"), "datasets")
                  .find("is taken, but without what has no counterpart: name"),
              std::string::npos);
    write("data/dataset_info.json", R"({"far": {"hf_hub_url": "org/far", "subset": "en", "split": "test"}})");
    EXPECT_NE(reasonOf(read("model_name_or_path: m\ndataset: far\nstage: sft\n"), "dataset")
                  .find("name hf:org/far/en:test among the data"),
              std::string::npos);
}

// Which would become roles that nobody knows.
TEST_F(ForeignRuns, takeNoDatasetWithTagsOfItsOwn) {
    write("data/a.json", "[{}]");
    const auto withTags = [&](const char* tags) {
        write("data/dataset_info.json",
              std::string(R"({"a": {"file_name": "a.json", "formatting": "sharegpt", "tags": )") + tags + "}}");
        return read("model_name_or_path: m\ndataset: a\nstage: sft\n");
    };
    EXPECT_EQ(withTags(R"({"function_tag": "function_call", "user_tag": "human"})").spec.data.datasets.size(), 1u);
    EXPECT_NE(reasonOf(withTags(R"({"function_tag": "my_call"})"), "dataset").find("('tags')"), std::string::npos);
}

// Settings that go by another name here.
TEST_F(ForeignRuns, findCounterpartsByOtherNames) {
    const std::string trainers = "save_total_limit: 3\ngroup_by_length: true\n";
    const ForeignRun factory =
        read("model_name_or_path: m\ndisable_shuffling: true\nearly_stopping_steps: 4\n" + trainers);
    EXPECT_FALSE(factory.spec.data.shuffle);
    const ForeignRun axolotl = read("base_model: m\nearly_stopping_patience: 4\n" + trainers);
    EXPECT_TRUE(axolotl.spec.data.shuffle);
    for (const ForeignRun& run : {factory, axolotl}) {
        EXPECT_EQ(run.spec.duration.earlyStop, 4);
        EXPECT_EQ(run.spec.output.keepCheckpoints, 3);
        EXPECT_EQ(run.spec.batch.packing, Packing::kByLength);
        EXPECT_EQ(run.notTaken.size(), 1u); // the model
    }
    // Examples that are packed are of any length.
    EXPECT_EQ(read("model_name_or_path: m\npacking: true\ngroup_by_length: true\n").spec.batch.packing,
              Packing::kBestFit);
    EXPECT_EQ(read("base_model: m\nsample_packing: true\ngroup_by_length: true\n").spec.batch.packing,
              Packing::kBestFit);
    const auto unsloth = [&](const char* type) {
        return read(std::string("model: m\ntraining: {training_type: ") + type + "}\n");
    };
    EXPECT_EQ(unsloth("full").spec.method, Method::kFull);
    EXPECT_EQ(reasonOf(unsloth("full"), "training.training_type"), "");
    EXPECT_EQ(unsloth("lora").spec.method, Method::kLora);
    EXPECT_NE(reasonOf(unsloth("cpt"), "training.training_type"), "");
}

// The last one, or the first: programs differ, and nobody would see it.
TEST_F(ForeignRuns, refuseWhatIsSaidTwice) {
    expectError(ErrorKind::kInvalidInput, {"run.yaml", "the key 'base_model' a second time in line 3"},
                [&] { read("base_model: a\nseed: 1\nbase_model: b\n"); });
    expectError(ErrorKind::kInvalidInput, {"the key 'path' a second time in line 3"},
                [&] { read("base_model: a\ndatasets:\n  - {path: a, path: b}\n"); });
    expectError(ErrorKind::kInvalidInput, {"run.yaml", "a second document, which begins in line 3"},
                [&] { read("---\nbase_model: a\n---\nbase_model: b\n"); });
    expectError(ErrorKind::kInvalidInput, {"run.yaml"}, [&] { read(",--\nbase_model: a\n"); }); // and it ends
    EXPECT_EQ(read("---\nbase_model: a\nseed: 7\n---\n").spec.seed, 7);
}

TEST_F(ForeignRuns, takeLlamaFactorysRankHoweverItIsWritten) {
    EXPECT_EQ(read("{model_name_or_path: m, lora_rank: null}").spec.lora.alpha, 16);
    EXPECT_EQ(read("{model_name_or_path: m, lora_rank: 32, lora_alpha: null}").spec.lora.alpha, 64);
    EXPECT_EQ(read("{model_name_or_path: m, lora_rank: 32, lora_alpha: 8}").spec.lora.alpha, 8);
    for (const char* rank : {"many", "[8]", "yes"})
        EXPECT_NE(reasonOf(read(std::string("{model_name_or_path: m, lora_rank: ") + rank + "}"), "lora_rank"), "");
}

// The dataset itself is not among what is not taken.
TEST_F(ForeignRuns, listOfADatasetThatIsTakenOnlyWhatIsNot) {
    write("rows.jsonl", "{}");
    const ForeignRun run =
        read("base_model: m\ndatasets:\n"
             "  - {path: rows.jsonl, type: alpaca, shards: 10, data_files: [rows.jsonl, gone.jsonl]}\n");
    ASSERT_EQ(run.spec.data.datasets.size(), 1u);
    EXPECT_EQ(run.spec.data.datasets[0].files.size(), 1u);
    std::vector<std::string> values;
    for (const NotTaken& item : run.notTaken) {
        if (item.key != "datasets") continue;
        values.push_back(item.value);
        EXPECT_TRUE(item.reason.starts_with("'rows.jsonl' is taken")) << item.reason;
    }
    EXPECT_EQ(values, (std::vector<std::string>{R"({"data_files":["rows.jsonl","gone.jsonl"]})", R"({"shards":10})",
                                                R"({"type":"alpaca"})"}));
}

// All rows would be trained on, and nobody told.
TEST_F(ForeignRuns, sayThatAPartOfAxolotlsSplitIsNotTaken) {
    write("rows.jsonl", "{}");
    const auto reasonWith = [&](const std::string& split) {
        return reasonOf(read("base_model: m\ndatasets:\n  - {path: rows.jsonl, split: " + split + "}\n"), "datasets");
    };
    EXPECT_EQ(reasonWith("train"), "");
    EXPECT_EQ(reasonWith("'train[:10%]'"), "'rows.jsonl' is taken, but without what has no counterpart: split");
}

TEST_F(ForeignRuns, readUnsloths) {
    write("rows.csv", "a,b\n1,2\n");
    const ForeignRun run = read(R"(model: unsloth/Qwen3-4B
data:
  local_dataset: [rows.csv, gone.csv]
  format_type: alpaca
training:
  max_seq_length: 1024
  num_epochs: 1
  learning_rate: 3e-4
  packing: true
lora:
  lora_r: 16
  target_modules: "q_proj,lm_head, k_proj,embed_tokens" # whose tables it trains whole
logging:
  hf_token: secret
)");
    EXPECT_EQ(run.program, "Unsloth");
    EXPECT_EQ(run.spec.data.datasets.front().files, std::vector<std::string>{(m_folder.path() / "rows.csv").string()});
    EXPECT_EQ(run.spec.data.datasets.front().format, DataFormat::kAlpaca);
    EXPECT_EQ(run.spec.data.datasets.front().trainOn, TrainOn::kAll); // unless train_on_completions
    EXPECT_EQ(run.spec.lora.rank, 16);
    EXPECT_EQ(run.spec.lora.alpha, 16);
    EXPECT_EQ(run.spec.lora.targets, (std::vector<std::string>{"q_proj", "k_proj"}));
    EXPECT_EQ(run.spec.lora.modulesToSave, (std::vector<std::string>{"lm_head", "embed_tokens"}));
    EXPECT_EQ(run.spec.optimizer.learningRate, 3e-4);
    EXPECT_EQ(run.spec.seed, 3407);
    EXPECT_NE(reasonOf(run, "data.local_dataset").find("gone.csv"), std::string::npos);
    const auto token = std::ranges::find(run.notTaken, std::string("logging.hf_token"), &NotTaken::key);
    ASSERT_NE(token, run.notTaken.end());
    EXPECT_EQ(token->value.find("secret"), std::string::npos);
}

// Names of files are bytes: one in Latin-1 is found, and one that is not there is told.
TEST_F(ForeignRuns, takeNamesThatAreNotUtf8) {
    const std::string name = "caf\xE9.jsonl";
    const std::string yaml = "model: m\ntraining: {lora\xE9: 1}\ndata:\n  local_dataset: [" + name + ", gone\xE9]\n";
    std::string list = reasonOf(read(yaml), "data.local_dataset");
    EXPECT_NE(list.find("is not here"), std::string::npos);
    const std::filesystem::path file = write(name, "{}");
    EXPECT_EQ(read(yaml).spec.data.datasets.front().files, std::vector<std::string>{file.string()});
    for (const char* others : {"model_name_or_path: \xE9\ndataset: [[\xE9]]\n",
                               "base_model: m\ndatasets: [{path: caf\xE9.jsonl}]\n\xE9: \xE9\n"})
        EXPECT_FALSE(read(others).notTaken.empty());
}

TEST_F(ForeignRuns, sayWhereADatasetInfoIsNoJson) {
    write("data/dataset_info.json", "{\n  \"a\": {\"file_name\": \"a.json\",}\n}");
    expectError(ErrorKind::kInvalidInput, {"dataset_info.json", "line 2, column 31"},
                [&] { read("{model_name_or_path: m, dataset: a}"); });
    write("data/dataset_info.json", "[]");
    expectError(ErrorKind::kInvalidInput, {"should be an object"},
                [&] { read("{model_name_or_path: m, dataset: a}"); });
}

TEST_F(ForeignRuns, listWhatOurSettingsRefuse) {
    const ForeignRun run = read("model_name_or_path: x\nlora_rank: 99999\nlr_scheduler_type: polynomial\n"
                                "learning_rate: fast\n");
    EXPECT_EQ(run.spec.lora.rank, session::RunSpec{}.lora.rank);
    EXPECT_NE(reasonOf(run, "lr_scheduler_type").find("cannot be taken"), std::string::npos);
    EXPECT_NE(reasonOf(run, "learning_rate").find("should be a number"), std::string::npos);
}

TEST_F(ForeignRuns, takeNoPasswordAndShowNone) {
    const ForeignRun run = read("model_name_or_path: https://me:word@host/model\nlora_rank: 8\n");
    EXPECT_EQ(run.spec.model.path, "");
    EXPECT_NE(reasonOf(run, "model_name_or_path").find("a password or a token"), std::string::npos);
    for (const NotTaken& item : run.notTaken)
        EXPECT_EQ((item.value + item.reason).find("word@"), std::string::npos) << item.value << item.reason;
}

TEST_F(ForeignRuns, nameWhatIsNone) {
    expectError(ErrorKind::kInvalidInput, {"run.yaml", "line 2"}, [&] { read("a: b\n c: [\n"); });
    expectError(ErrorKind::kInvalidInput, {"LLaMA-Factory, Axolotl or Unsloth"}, [&] { read("a: b\n"); });
    expectError(ErrorKind::kInvalidInput, {"LLaMA-Factory, Axolotl or Unsloth"}, [&] { read("- a\n"); });
    // Each alias stands for ten of the one before: a few lines for more values than there is memory.
    std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 9; ++i) {
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j)
            bomb += (j > 0 ? ",*a" : "*a") + std::to_string(i - 1);
        bomb += "]\n";
    }
    expectError(ErrorKind::kInvalidInput, {"no run file"}, [&] { read(bomb); });
}

TEST(ForeignRun, readsEveryDatasetOfTheFixture) {
    RP_REQUIRE_FIXTURES();
    const testing::TemporaryFolder folder;
    const auto path = folder.path() / "run.yaml";
    std::ofstream(path) << "model_name_or_path: x\ndataset: identity,alpaca_en_demo,glaive_toolcall_en_demo,mllm_demo\n"
                        << "dataset_dir: " << (testing::fixtures() / "datasets" / "llama_factory").string() << "\n";
    const ForeignRun run = readForeignRun(path);
    ASSERT_EQ(run.spec.data.datasets.size(), 2u);
    EXPECT_EQ(run.spec.data.datasets[0].files.size(), 2u);
    EXPECT_EQ(run.spec.data.datasets[1].format, DataFormat::kShareGpt);
    for (const session::DatasetSection& dataset : run.spec.data.datasets)
        for (const std::string& file : dataset.files)
            EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

} // namespace
} // namespace roundpipe::foreign
