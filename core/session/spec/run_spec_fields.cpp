// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/run_spec_fields.h"

#include "base/edit_distance.h"
#include "base/error.h"
#include "session/spec/no_secret.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace roundpipe::session {
namespace {

Error notAChoice(const Field& field, const std::string& text) {
    std::string choices;
    for (const std::string& choice : field.choices)
        choices += (choices.empty() ? "" : ", ") + choice;
    return invalidInput("'" + field.key + "' is '" + text + "'.", "Choose one of: " + choices + ".");
}

struct Limits {
    double minimum = 0;
    double maximum = 0;
};

// The enum whose spellings a member holds, one or a list of them; void: it holds none.
template <class Member>
struct ChoiceOf {
    using Type = std::conditional_t<Spelled<Member>, Member, void>;
};
template <Spelled Enum>
struct ChoiceOf<std::vector<Enum>> {
    using Type = Enum;
};

template <class Member>
FieldValue valueOf(const Member& member) {
    if constexpr (Spelled<Member>) {
        return std::string(spellingOf(member));
    } else if constexpr (!std::is_void_v<typename ChoiceOf<Member>::Type>) {
        std::vector<std::string> texts;
        for (const auto choice : member)
            texts.emplace_back(spellingOf(choice));
        return texts;
    } else {
        return member;
    }
}

template <class Enum>
Enum choiceFrom(const std::string& text, const Field& field) {
    const auto choice = fromSpelling<Enum>(text);
    if (!choice) throw notAChoice(field, text);
    return *choice;
}

template <class Member>
void assign(Member& member, FieldValue value, const Field& field) {
    using Choice = typename ChoiceOf<Member>::Type;
    if constexpr (Spelled<Member>) {
        member = choiceFrom<Choice>(std::get<std::string>(value), field);
    } else if constexpr (!std::is_void_v<Choice>) {
        Member chosen;
        for (const std::string& text : std::get<std::vector<std::string>>(value))
            chosen.push_back(choiceFrom<Choice>(text, field));
        member = std::move(chosen);
    } else {
        member = std::get<Member>(std::move(value));
    }
}

template <class Access>
constexpr bool kIsOfDataset = std::is_invocable_v<Access, DatasetSection&>;

template <class Access>
auto& memberOf(RunSpec& spec, std::size_t dataset, const Access& access) {
    if constexpr (kIsOfDataset<Access>)
        return access(spec.data.datasets.at(dataset));
    else
        return access(spec);
}

// Makes the accessors of one member, whatever its type; `access` reaches it in a RunSpec or a DatasetSection.
template <class Access>
Field makeField(std::string key, std::string option, std::string label, std::string help, Access access,
                Limits limits = {}, bool isPath = false) {
    using Member = std::remove_cvref_t<decltype(memberOf(std::declval<RunSpec&>(), 0, access))>;
    Field field;
    field.key = std::move(key);
    field.option = std::move(option);
    field.label = std::move(label);
    field.help = std::move(help);
    field.minimum = limits.minimum;
    field.maximum = limits.maximum;
    field.isPath = isPath;
    field.isOfDataset = kIsOfDataset<Access>;
    using Choice = typename ChoiceOf<Member>::Type;
    if constexpr (!std::is_void_v<Choice>)
        for (const char* name : spellings(Choice{}))
            field.choices.emplace_back(name);
    field.read = [access](const RunSpec& spec, std::size_t dataset) {
        return valueOf(memberOf(const_cast<RunSpec&>(spec), dataset, access));
    };
    field.write = [access, named = field](RunSpec& spec, FieldValue value, std::size_t dataset) {
        assign(memberOf(spec, dataset, access), std::move(value), named);
    };
    return field;
}

#define RP_AT(member)                                                                                                  \
    [](RunSpec & s) -> auto& {                                                                                         \
        return s.member;                                                                                               \
    }
#define RP_OF_DATASET(member)                                                                                          \
    [](DatasetSection & s) -> auto& {                                                                                  \
        return s.member;                                                                                               \
    }

std::vector<Field> makeGeneralFields() {
    return {
        makeField("version", "--spec-version", "Format version", "Version of this file's format.", RP_AT(version),
                  {2, 2}),
        makeField("name", "--name", "Name", "What the run is called in lists.", RP_AT(name)),
        makeField("seed", "--seed", "Seed", "Decides the order of rows, dropout and fresh weights.", RP_AT(seed),
                  {0, 9.0e15}),
        makeField("method", "--method", "Method",
                  "What is trained: lora, adapters beside the frozen weights; full, the weights themselves.",
                  RP_AT(method)),
    };
}

std::vector<Field> makeModelFields() {
    return {
        makeField("model.path", "--model", "Model folder", "Hugging Face folder with config.json and safetensors.",
                  RP_AT(model.path), {}, true),
        makeField("model.chat_template", "--chat-template", "Chat template",
                  "Template file that replaces the model folder's own.", RP_AT(model.chatTemplate), {}, true),
        makeField("model.chat_template_args", "--chat-template-args", "Template arguments",
                  "JSON object of extra variables for the template.", RP_AT(model.chatTemplateArgs)),
        makeField("model.weights", "--weights", "Weights",
                  "How the frozen matrices of blocks are kept and streamed beside adapters: as they are, in 8 bits "
                  "(int8 and fp8, a scale a row) or in 4 (nf4, as QLoRA has them); embedding and head stay as they "
                  "are. GPUs with FP8 units multiply fp8 as it is. mxfp4 is of experts alone, 4 bits as gpt-oss is "
                  "published.",
                  RP_AT(model.weights)),
        makeField("model.random_weights", "--random-weights", "Random weights",
                  "Make the weights from config.json alone, by the seed (for benchmarks).", RP_AT(model.randomWeights)),
        makeField("model.base_id", "--base-model-id", "Base model id",
                  "Name of the base model that is written into the adapter; empty: the folder.",
                  RP_AT(model.baseModelId)),
        makeField("model.base_revision", "--base-model-revision", "Base model revision",
                  "Revision of the base model that is written into the adapter.", RP_AT(model.baseModelRevision)),
    };
}

std::vector<Field> makeDataFields() {
    return {
        makeField("data.files", "--data", "Data files",
                  "Files or folders with training rows: JSONL, JSON, CSV, TSV, Parquet, text; also .gz and .zst.",
                  RP_OF_DATASET(files), {}, true),
        makeField("data.format", "--format", "Row format", "How a row is read; auto looks at its columns.",
                  RP_OF_DATASET(format)),
        makeField("data.columns", "--columns", "Columns",
                  "Fields that stand in columns of another name: prompt=question,completion=answer.",
                  RP_OF_DATASET(columns)),
        makeField(
            "data.prompt_template", "--prompt-template", "Prompt",
            "What the user says, from columns in braces: {question}\\n{schema} (\\n: line feed); empty: as a column "
            "has it.",
            RP_OF_DATASET(promptTemplate)),
        makeField("data.system_prompt", "--system-prompt", "System prompt",
                  "What the system says at a chat's start (\\n: line feed); empty: only what the rows have.",
                  RP_OF_DATASET(systemPrompt)),
        makeField("data.system_prompt_use", "--system-prompt-use", "System prompt for",
                  "default: rows that have none; override: all rows, in place of their own.",
                  RP_OF_DATASET(systemPromptUse)),
        makeField("data.delimiter", "--delimiter", "Between cells",
                  "Character between the cells of a CSV file, or tab; empty: found out.", RP_OF_DATASET(delimiter)),
        makeField("data.header", "--header", "Header",
                  "The first line of a CSV file names its columns; else they are column 1, column 2 and so on.",
                  RP_OF_DATASET(header)),
        makeField("data.validation_file", "--validation-data", "Validation file",
                  "File with rows to validate on, written as the first dataset's are; empty: split off from the data.",
                  RP_AT(data.validationFile), {}, true),
        makeField("data.validation_fraction", "--validation-fraction", "Validation share",
                  "Share of each dataset's rows that is split off to validate on.", RP_AT(data.validationFraction),
                  {0, 0.9}),
        makeField("data.max_validation_rows", "--max-validation-rows", "Validation rows at most",
                  "Upper limit of rows that are split off each dataset.", RP_AT(data.maxValidationRows), {0, 1e9}),
        makeField("data.max_length", "--max-length", "Length", "Tokens of an example at most.", RP_AT(data.maxLength),
                  {2, 1 << 24}),
        makeField("data.over_length", "--over-length", "Longer rows",
                  "What happens to rows that are longer. split: texts become pieces, other rows are cut off.",
                  RP_AT(data.overLength)),
        makeField("data.overlap", "--overlap", "Overlap of pieces",
                  "Tokens that a piece of a split text repeats of the one before. They are context and are not trained "
                  "a second time; at least one is repeated.",
                  RP_AT(data.overlap), {0, 1 << 23}),
        makeField("data.train_on", "--train-on", "Train on", "Which tokens the loss counts.", RP_OF_DATASET(trainOn)),
        makeField("data.turn_begin", "--turn-begin", "Turn begins after",
                  "Text that stands before each of the assistant's turns (\\n: line feed); empty: the template tells.",
                  RP_OF_DATASET(turnBegin)),
        makeField("data.turn_end", "--turn-end", "Turn ends before",
                  "Text that stands after each of the assistant's turns; given together with the one before.",
                  RP_OF_DATASET(turnEnd)),
        makeField("data.leave_out", "--leave-out", "Leave out",
                  "Rows that are not trained on though they could be: repeated ones, those that leak into validation, "
                  "those with an empty turn.",
                  RP_OF_DATASET(leaveOut)),
        makeField("data.leave_out_rows", "--leave-out-rows", "Single rows left out",
                  "Rows that are left out one by one, each by its number and the hash of what it says.",
                  RP_OF_DATASET(leaveOutRows)),
        makeField("data.max_rows", "--max-rows", "Rows at most",
                  "Rows of the dataset that are trained on; 0: all. Those to validate on are split off before.",
                  RP_OF_DATASET(maxRows), {0, 1e12}),
        makeField("data.subset", "--subset", "Which rows",
                  "Which rows those are, where there are more: drawn by the seed, or the first ones.",
                  RP_OF_DATASET(subset)),
        makeField(
            "data.share", "--share", "Share by",
            "What says how much an epoch takes of the dataset: how often it goes over all of it, a number of rows "
            "or tokens, or a weight among the datasets that have one.",
            RP_OF_DATASET(share)),
        makeField("data.share_amount", "--share-amount", "Share",
                  "How many epochs, rows or tokens, or which weight. Rows repeat where they do not suffice.",
                  RP_OF_DATASET(shareAmount), {1e-6, 1e12}),
        makeField("data.min_trained_share", "--min-trained-share", "Trained share at least",
                  "A run is not started if fewer of a dataset's tokens are trained; 0: whatever the share.",
                  RP_AT(data.minTrainedShare), {0, 1}),
        makeField("data.cache", "--data-cache", "Keep tokens",
                  "Keep the tokenised rows in the user's cache folder, so that the next run need not make them again.",
                  RP_AT(data.cache)),
        makeField("data.shuffle", "--shuffle", "Shuffle",
                  "Take rows in an order drawn by the seed, else in file order.", RP_AT(data.shuffle)),
        makeField("data.template_date", "--template-date", "Template date",
                  "Day that templates see, as 2026-01-31; empty: the day on which the run is made.",
                  RP_AT(data.templateDate)),
    };
}

std::vector<Field> makeLoraFields() {
    return {
        makeField("lora.rank", "--rank", "Rank", "Rank of the adapters.", RP_AT(lora.rank), {1, 4096}),
        makeField("lora.alpha", "--alpha", "Alpha", "The adapters' output is scaled by alpha / rank.",
                  RP_AT(lora.alpha), {0, 1e6}),
        makeField("lora.dropout", "--dropout", "Dropout", "Probability with which an adapter's input is dropped.",
                  RP_AT(lora.dropout), {0, 0.99}),
        makeField("lora.rslora", "--rslora", "Rank-stabilised", "Scale by alpha / sqrt(rank) instead.",
                  RP_AT(lora.rsLora)),
        makeField("lora.targets", "--targets", "Layers",
                  "Linear layers that get an adapter: names such as q_proj, or all-linear.", RP_AT(lora.targets)),
        makeField("lora.modules_to_save", "--modules-to-save", "Trained whole",
                  "Modules that are trained whole beside the adapters: embed_tokens, lm_head, norm (every norm).",
                  RP_AT(lora.modulesToSave)),
        makeField("lora.init_from", "--init-adapter", "Start from adapter",
                  "Adapter folder, as PEFT writes it, to go on from.", RP_AT(lora.initFrom), {}, true),
    };
}

std::vector<Field> makeOptimizerFields() {
    return {
        makeField("optimizer.learning_rate", "--learning-rate", "Learning rate", "Peak learning rate.",
                  RP_AT(optimizer.learningRate), {0, 10}),
        makeField("optimizer.schedule", "--schedule", "Schedule", "How the learning rate falls after the warm-up.",
                  RP_AT(optimizer.schedule)),
        makeField("optimizer.warmup_steps", "--warmup-steps", "Warm-up steps",
                  "Steps in which the rate rises from 0; wins over the ratio.", RP_AT(optimizer.warmupSteps), {0, 1e9}),
        makeField("optimizer.warmup_ratio", "--warmup-ratio", "Warm-up share",
                  "Share of all steps in which the rate rises.", RP_AT(optimizer.warmupRatio), {0, 1}),
        makeField("optimizer.weight_decay", "--weight-decay", "Weight decay", "Decoupled weight decay of AdamW.",
                  RP_AT(optimizer.weightDecay), {0, 10}),
        makeField("optimizer.beta1", "--beta1", "Beta 1", "Decay of the first moment.", RP_AT(optimizer.beta1),
                  {0, 0.9999999}),
        makeField("optimizer.beta2", "--beta2", "Beta 2", "Decay of the second moment.", RP_AT(optimizer.beta2),
                  {0, 0.9999999}),
        makeField("optimizer.epsilon", "--epsilon", "Epsilon", "Added to the denominator of the update.",
                  RP_AT(optimizer.epsilon), {1e-20, 1}),
        makeField("optimizer.max_grad_norm", "--max-grad-norm", "Clip norm",
                  "Gradients are scaled down to this global norm; 0: never.", RP_AT(optimizer.maxGradNorm), {0, 1e9}),
        makeField(
            "optimizer.moments", "--moments", "Moments",
            "What the optimizer keeps its two moments of every trained value in. bf16 takes half the host memory; "
            "values are then rounded up or down at random, by the seed.",
            RP_AT(optimizer.moments)),
        makeField("optimizer.updates", "--updates", "Updates",
                  "synchronous: a step waits for the update before it; one-step-stale: steps flow into each other, and "
                  "each reads the weights of one step earlier.",
                  RP_AT(optimizer.updates)),
        makeField("optimizer.when_diverging", "--when-diverging", "When it diverges",
                  "What follows three steps in a row whose loss or gradients are not finite. end: the run is saved and "
                  "ends in words; roll-back: it goes on from the weights of its last checkpoint with the rows that "
                  "follow, also where the loss has doubled for three steps.",
                  RP_AT(optimizer.whenDiverging)),
    };
}

std::vector<Field> makeRunFields() {
    return {
        makeField("batch.microbatch_size", "--microbatch-size", "Microbatch size",
                  "Examples in a microbatch; 0: two, or as many as are fastest, where a step is said in tokens and its "
                  "microbatches are chosen.",
                  RP_AT(batch.microbatchSize), {0, 65536}),
        makeField("batch.microbatches", "--microbatches", "Microbatches",
                  "Microbatches that go through the pipeline together; 0: as many as keep the devices busy.",
                  RP_AT(batch.microbatches), {0, 4096}),
        makeField("batch.rounds", "--rounds", "Rounds", "Rounds of microbatches in one optimizer step.",
                  RP_AT(batch.rounds), {1, 4096}),
        makeField("batch.tokens_per_step", "--tokens-per-step", "Tokens a step",
                  "Tokens in an optimizer step, to the nearest example; 0: so many examples as size, microbatches and "
                  "rounds say.",
                  RP_AT(batch.tokensPerStep), {0, 1e12}),
        makeField(
            "batch.microbatch_tokens", "--microbatch-tokens", "Microbatch tokens",
            "Tokens in a microbatch at most; 0: microbatch size times length where tokens or packing decide, else "
            "by examples.",
            RP_AT(batch.microbatchTokens), {0, 1 << 30}),
        makeField("batch.packing", "--packing", "Packing",
                  "Which examples of a step share a microbatch: as drawn, of like length, or the fewest microbatches. "
                  "The loss is the same.",
                  RP_AT(batch.packing)),
        makeField("duration.epochs", "--epochs", "Epochs", "How often every row is trained on.", RP_AT(duration.epochs),
                  {0, 1e6}),
        makeField("duration.max_steps", "--max-steps", "Steps", "Optimizer steps; 0: by epochs.",
                  RP_AT(duration.maxSteps), {0, 1e12}),
        makeField("duration.early_stop", "--early-stop", "Early stop",
                  "Validations in a row without a lower loss after which the run ends; 0: never.",
                  RP_AT(duration.earlyStop), {0, 1e6}),
        makeField("engine.devices", "--devices", "Devices",
                  "auto (every GPU, else a CPU worker per core), cpu, cpu:3 (three workers), cuda:0, a GPU's UUID. "
                  "cuda:0@24GiB takes so much of its memory at most, cuda:0@4090 has memory and link of such a card.",
                  RP_AT(engine.devices)),
        makeField("engine.precision", "--precision", "Precision",
                  "Type of weights and activations; auto: bf16 on GPUs, fp32 on CPU workers. fp16 is more exact than "
                  "bf16 but ends at 65,504; steps are skipped until the scale of its loss fits.",
                  RP_AT(engine.precision)),
        makeField("engine.determinism", "--determinism", "Determinism",
                  "strict: the same bits on every run; fast: within tolerances, and quicker.",
                  RP_AT(engine.determinism)),
        makeField("engine.replicas", "--replicas", "Replicas",
                  "never: all GPUs take a step's stages in turn; always: each takes its part of a step's microbatches "
                  "through all stages alone, and gradients are added up, so that losses of later steps differ in their "
                  "last bits; auto: what is faster, and never on CPU workers.",
                  RP_AT(engine.replicas)),
        makeField(
            "engine.host_memory", "--host-memory", "Host memory",
            "GiB of the machine's memory that it may be planned with, where the system says less than there is or "
            "other programs need some; 0: what it says is free.",
            RP_AT(engine.hostMemory), {0, 1e6}),
        makeField("engine.forward_stages", "--forward-stages", "Forward stages",
                  "Layers in each forward stage; empty: planned, or none where backward stages are given.",
                  RP_AT(engine.forwardStages), {0, 1e6}),
        makeField("engine.backward_stages", "--backward-stages", "Backward stages",
                  "Layers in the fused stage and in each backward stage, from the head down; empty: planned.",
                  RP_AT(engine.backwardStages), {0, 1e6}),
        makeField("output.folder", "--out", "Run folder", "Folder that receives metrics, checkpoints and the adapter.",
                  RP_AT(output.folder), {}, true),
        makeField("output.save_every_steps", "--save-every", "Save every",
                  "Optimizer steps between checkpoints; 0: by time alone.", RP_AT(output.saveEverySteps), {0, 1e12}),
        makeField("output.save_every_minutes", "--save-every-minutes", "Save after",
                  "Minutes between checkpoints; 0: by steps alone. At the end and on stop one is written in any case.",
                  RP_AT(output.saveEveryMinutes), {0, 100000}),
        makeField("output.keep_checkpoints", "--keep-checkpoints", "Keep checkpoints",
                  "How many of the last checkpoints are kept, beside the best one.", RP_AT(output.keepCheckpoints),
                  {1, 1000}),
        makeField("output.eval_every_steps", "--eval-every", "Validate every",
                  "Optimizer steps between validations; 0: at the end of every epoch.", RP_AT(output.evalEverySteps),
                  {0, 1e12}),
        makeField("output.save_trace", "--save-trace", "Save the trace", "Write the timeline into the run folder.",
                  RP_AT(output.saveTrace)),
    };
}

#undef RP_AT
#undef RP_OF_DATASET

std::vector<Field> makeFields() {
    std::vector<Field> all;
    for (auto make :
         {makeGeneralFields, makeModelFields, makeDataFields, makeLoraFields, makeOptimizerFields, makeRunFields})
        std::ranges::move(make(), std::back_inserter(all));
    return all;
}

void checkNumber(const Field& field, double value) {
    const bool limited = field.minimum != 0 || field.maximum != 0;
    if (std::isfinite(value) && (!limited || (value >= field.minimum && value <= field.maximum))) return;
    const auto text = [](double number) {
        if (!std::isfinite(number)) return std::to_string(number); // "nan", "inf"
        const bool isWhole = number == std::floor(number) && std::abs(number) < 1e15;
        return (isWhole ? nlohmann::json(static_cast<int64_t>(number)) : nlohmann::json(number)).dump();
    };
    throw invalidInput("'" + field.key + "' is " + text(value) + ".",
                       "It must be between " + text(field.minimum) + " and " + text(field.maximum) + ".");
}

// People leave out the section, or write the option.
std::size_t distanceTo(const Field& field, std::string_view word) {
    const std::string_view key = field.key, option = field.option;
    return std::min({editDistance(word, key), editDistance(word, key.substr(key.rfind('.') + 1)),
                     editDistance(word, option), editDistance(word, option.substr(2))});
}

} // namespace

std::span<const Field> runSpecFields() {
    static const std::vector<Field> fields = makeFields();
    return fields;
}

const Field& fieldByKey(std::string_view key) {
    const auto& fields = runSpecFields();
    if (const auto found = std::ranges::find(fields, key, &Field::key); found != fields.end()) return *found;
    const auto nearest =
        std::ranges::min_element(fields, {}, [&](const Field& field) { return distanceTo(field, key); });
    throw invalidInput("There is no setting '" + std::string(key) + "'.", "Did you mean '" + nearest->key + "'?");
}

void checkLimits(const Field& field, const FieldValue& value) {
    if (const auto* whole = std::get_if<int64_t>(&value)) checkNumber(field, static_cast<double>(*whole));
    if (const auto* real = std::get_if<double>(&value)) checkNumber(field, *real);
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
        for (const int64_t item : *list)
            checkNumber(field, static_cast<double>(item));
}

void requireNoSecret(const Field& field, const FieldValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) session::requireNoSecret("'" + field.key + "'", *text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (const std::string& text : *texts)
            session::requireNoSecret("'" + field.key + "'", text);
}

void checkValue(const Field& field, const FieldValue& value) {
    checkLimits(field, value);
    requireNoSecret(field, value);
}

std::vector<const Field*> differingFields(const RunSpec& a, const RunSpec& b) {
    const std::size_t numDatasets = a.data.datasets.size();
    const bool sameList = numDatasets == b.data.datasets.size();
    const auto differs = [&](const Field& field) {
        if (!field.isOfDataset) return field.get(a) != field.get(b);
        bool same = sameList;
        for (std::size_t i = 0; same && i < numDatasets; ++i)
            same = field.get(a, i) == field.get(b, i);
        return !same;
    };
    std::vector<const Field*> fields;
    for (const Field& field : runSpecFields())
        if (differs(field)) fields.push_back(&field);
    return fields;
}

} // namespace roundpipe::session
