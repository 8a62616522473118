// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/serialise.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

namespace roundpipe::session {
namespace {

using Json = nlohmann::ordered_json;

// "learningRate, gradNorm" → {"learning_rate", "grad_norm"}
std::vector<std::string> namesIn(std::string_view list) {
    std::vector<std::string> names(1);
    for (const char c : list) {
        const auto letter = static_cast<unsigned char>(c);
        if (c == ',') names.emplace_back();
        if (c == ',' || c == ' ') continue;
        if (std::isupper(letter) != 0) names.back() += '_';
        names.back() += static_cast<char>(std::tolower(letter));
    }
    return names;
}

// Calls `see` with name and field of each of a value's fields, in order. The structured binding makes a list that
// forgets a field an error of the compiler.
#define RP_FIELDS(Type, ...)                                                                                           \
    template <class Value, class See>                                                                                  \
    requires std::is_same_v<std::remove_const_t<Value>, Type>                                                          \
    void eachField(Value& whole, const See& see) {                                                                     \
        auto& [__VA_ARGS__] = whole;                                                                                   \
        static const std::vector<std::string> names = namesIn(#__VA_ARGS__);                                           \
        seeAll(names, see, __VA_ARGS__);                                                                               \
    }

template <class See, class... Fields>
void seeAll(const std::vector<std::string>& names, const See& see, Fields&... fields) {
    std::size_t i = 0;
    (see(names[i++], fields), ...);
}

RP_FIELDS(StepMetrics, step, loss, validationLoss, learningRate, gradNorm, tokens, trainedTokens, seconds, lossScale,
          skipped)
RP_FIELDS(DeviceInfo, name, isGpu, memoryBytes)
RP_FIELDS(plan::LayerRange, begin, end)
RP_FIELDS(plan::Plan, numLayers, forward, fused, backward, deviceTable, tableRestarts, resident, replicas,
          prefetchDepth, keepsPackets, saving)

RP_FIELDS(trace::Lane, id, device, role, name)
RP_FIELDS(arch::ModelOutline, family, numBlocks, numExperts, expertsPerToken, hiddenSize, numParameters, maxPositions)
RP_FIELDS(RunPlan, plan, layerNames, layerBytes, devices, lanes, model, isSimulated, numTrainableParameters,
          numExamples, numValidationExamples, numDroppedRows, totalSteps, stepsDone, tokensPerEpoch,
          trainedTokensPerEpoch)
RP_FIELDS(GpuReading, usedBytes, temperatureCelsius, powerWatts, powerLimitWatts, computeClockMHz, memoryClockMHz,
          utilisation, pcieGeneration, pcieLanes)
RP_FIELDS(LinkRates, upBytesPerSecond, downBytesPerSecond)
RP_FIELDS(DeviceStatus, usedBytes, peakBytes, totalBytes, link, gpu)
RP_FIELDS(HostStatus, processBytes, pinnedBytes, availableBytes, totalBytes)
RP_FIELDS(MachineStatus, devices, host)
RP_FIELDS(Activity, code, arguments)
RP_FIELDS(RunText, code, arguments)
RP_FIELDS(Snapshot, state, step, totalSteps, epoch, last, tokensPerSecond, elapsedSeconds, remainingSeconds,
          remainingErrorSeconds, activities, pending, isPaused, machine)
RP_FIELDS(RunEvent, kind, state, plan, metrics, step, validationLoss, text, coded, advice, errorKind, prompt, tuned)
RP_FIELDS(Command, kind, prompts)
RP_FIELDS(RunJob, spec, samplePrompts, resume, acceptsChanges, trainsOn)

RP_FIELDS(RunLengths, training, validation, averageLength, trainedShare)
RP_FIELDS(plan::EngineAbilities, residency, peerCopies, activationsFirst)
RP_FIELDS(PlanQuestion, spec, lengths, shown, otherWeights, choosesMicrobatches, engine, usesMeasured, seeksBetter,
          showsSmallest, compares, wantsTimeline)
RP_FIELDS(plan::DeviceSpec, name, memoryBytes, matrixFlops, memoryBytesPerSecond, isGpu, numMultiprocessors,
          computeCapability)
RP_FIELDS(plan::Link, upBytesPerSecond, downBytesPerSecond, latencySeconds, duplex, root)
RP_FIELDS(plan::RootComplex, name, upBytesPerSecond, downBytesPerSecond, duplex)
RP_FIELDS(plan::PeerPath, from, to, bytesPerSecond, latencySeconds)
RP_FIELDS(plan::HostSpec, memoryBytes, pinnedBytes, memoryBytesPerSecond, diskBytes, diskBytesPerSecond)
RP_FIELDS(plan::Rig, name, devices, links, roots, peers, host)
RP_FIELDS(arch::LoraConfig, rank, alpha, dropout, rsLora, targets, modulesToSave)
RP_FIELDS(plan::TrainingShape, maxLength, sequences, tokenLimit, averageLength, averageSequences, trainedShare,
          operandType, weights, trainsBase, lora, deterministic, moments)
RP_FIELDS(plan::StepShape, roundSize, rounds, oneStepStale, usual)
RP_FIELDS(plan::Simulated, stepSeconds, bubbleShare, busySeconds, bytesUp, bytesDown, peakBytes, records)
RP_FIELDS(plan::DeviceMemoryTable, weights, residents, activations, gradients, workspace, batches, context)
RP_FIELDS(plan::HostParts, weights, optimizer, gradients, gradientSums, activations, rows)
RP_FIELDS(plan::HostMemoryTable, pinned, pageable, disk, parts, checkpointBytes, resultBytes)
RP_FIELDS(plan::EvaluatedPlan, plan, shape, step, deviceMemory, hostMemory, fastestThinkable, numEstimates)
RP_FIELDS(plan::Shortfall, memory, device, deviceName, neededBytes, availableBytes)
RP_FIELDS(plan::Misfit, obstacle, shortfalls, said)
RP_FIELDS(plan::Fix, kind, value, tokensPerSecond)
RP_FIELDS(plan::SavedOtherwise, withoutGateUp, inputOnly, allOnHost, withoutGateUpOnHost, inputOnHost)
RP_FIELDS(plan::PlanOutline, numForward, fusedLayers, numBackward, numDevices, replicas, saved)
RP_FIELDS(plan::Rival, schedule, numStages, outline, rounds, step, deviceMemory, problem)
RP_FIELDS(LengthsSource, numCounted, averageLength, longest, trainedShare)
RP_FIELDS(plan::Stage, id, kind, layers)
RP_FIELDS(PlannedLayer, name, forwardSeconds, backwardSeconds, weightBytes)
RP_FIELDS(PlannedStage, stage, devices, seconds, weightBytes, uploadBytes, numResident, saved)
RP_FIELDS(PredictedTimeline, lanes, records, steadyFromNs, steadyToNs)
RP_FIELDS(BetterCuts, plan, stepSeconds, tokensPerSecond)
RP_FIELDS(CodedText<ExportNote>, code, arguments)
RP_FIELDS(CodedText<ExportAdvice>, code, arguments)
RP_FIELDS(ExportRemark, consumer, refuses, what, advice)
RP_FIELDS(PlanAnswer, model, refusals, rig, lengthsFrom, choseMicrobatches, microbatchSize, choseRounds, timesFrom,
          isMeasured, hasPlan, training, choice, layers, stages, tokensPerStep, tokensPerSecond, explanation, timeline,
          problem, fixes, together, faster, better, rivals)
RP_FIELDS(PlanUpdate, question, isLast, answer, problem, advice, problemKind)

RP_FIELDS(RowPlace, file, number)
RP_FIELDS(Remark, code, arguments)
RP_FIELDS(LensToken, id, piece, begin, end, message, isSpecial, isTrained, isCut)
RP_FIELDS(LensMessage, role, numTokens, numTrained)
RP_FIELDS(DataColumn, name, types, example)
RP_FIELDS(ColumnChoice, field, column)
RP_FIELDS(DataFile, path, dataset, bytes, isValidation, kind, unit, format, reason, wanted, suggested, columns,
          readFrom, problem)
RP_FIELDS(LeftOutFile, path, reason)
RP_FIELDS(RowVerdict, place, numMessages, numTokens, numTrained, dropReason)
RP_FIELDS(TokenLens, place, name, key, messages, text, tokens, numTokens, numKept, numTrained, maskedBy, dropReason,
          dropped, notes)
RP_FIELDS(DropCount, reason, count)
RP_FIELDS(MaskCount, source, count)
RP_FIELDS(DroppedRow, place, reason, problem, text)
RP_FIELDS(RowPair, row, earlier)
RP_FIELDS(DuplicateCounts, numRows, examples)
RP_FIELDS(RowSample, numRows, examples)
RP_FIELDS(LengthBin, begin, end, numRows)
RP_FIELDS(LengthChoice, length, numOver, lostTokens, lostTrained)
RP_FIELDS(LengthStatistics, numRows, mean, p50, p90, p95, p99, max, histogram, choices)
RP_FIELDS(SpecialTokenUse, token, numRows, example)
RP_FIELDS(ColumnsNotRead, file, columns)
RP_FIELDS(RowsNotUsed, what, rows)
RP_FIELDS(DatasetPart, firstFile, numFiles, numRows, numUsed, numDropped, numNotTaken)
RP_FIELDS(DatasetReport, files, datasets, units, isComplete, numRows, numEncoded, numUsed, numNotTaken, dropReasons,
          dropped, dropAdvice, numTokens, numTrained, training, validation, refusal, lengths, lengthLimit, numTruncated,
          numSplit, numPieces, exact, near, leaked, nearlyLeaked, repeatedAcross, leakedAcross, notRead, notUsed,
          leftOut, emptyTurns, oneSided, unanswered, withoutEnd, withoutBos, doubledBos, specialTokens, maskSources)
RP_FIELDS(WorkbenchStatus, state, fraction, numRows, problem, advice, problemKind, report)
RP_FIELDS(RowSummary, place, text, preview)
RP_FIELDS(RowsResult, rows, lastNumber, isCounted)
RP_FIELDS(VerdictsResult, rows)
RP_FIELDS(FilesResult, files, leftOut)
RP_FIELDS(SearchResult, rows, fraction, isDone)
RP_FIELDS(LookupFailed, problem, advice)
RP_FIELDS(WorkbenchResult, request, value)
using LookupAnswer = decltype(WorkbenchResult::value);

// batch::ExampleLengths, which keeps its sums to itself.
struct LengthLists {
    std::vector<uint32_t> tokens, trained;
    std::vector<int64_t> datasets; // how many examples each has
};
RP_FIELDS(LengthLists, tokens, trained, datasets)
#undef RP_FIELDS

Error wrong(const std::string& field, const std::string& problem) {
    return invalidInput("'" + field + "' " + problem + ".");
}

// One way of writing a type, and of reading it where `field` names it in messages.
template <class Value>
struct Codec {
    static Json write(const Value& value) {
        Json json = Json::object();
        eachField(value, [&](const std::string& name, const auto& field) {
            json[name] = Codec<std::remove_cvref_t<decltype(field)>>::write(field);
        });
        return json;
    }
    static void read(const Json& json, Value& value, const std::string& where) {
        if (!json.is_object()) throw wrong(where, "is no object");
        std::size_t numRead = 0;
        eachField(value, [&](const std::string& name, auto& field) {
            const auto found = json.find(name);
            if (found == json.end()) throw wrong(where + "." + name, "is missing");
            Codec<std::remove_cvref_t<decltype(field)>>::read(*found, field, where + "." + name);
            ++numRead;
        });
        if (numRead != json.size()) throw wrong(where, "has a field that is not known");
    }
};

template <>
struct Codec<bool> {
    static Json write(bool value) { return value; }
    static void read(const Json& json, bool& value, const std::string& where) {
        if (!json.is_boolean()) throw wrong(where, "is neither true nor false");
        value = json.get<bool>();
    }
};

template <std::integral Number>
struct Codec<Number> {
    static Json write(Number value) { return value; }
    static void read(const Json& json, Number& value, const std::string& where) {
        const bool fits = json.is_number_unsigned()
                              ? std::in_range<Number>(json.get<uint64_t>())
                              : json.is_number_integer() && std::in_range<Number>(json.get<int64_t>());
        if (!fits) throw wrong(where, "is no whole number of its size");
        value = json.get<Number>();
    }
};

template <>
struct Codec<double> {
    static Json write(double value) {
        if (std::isfinite(value)) return value;
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
    static void read(const Json& json, double& value, const std::string& where) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        if (json.is_number())
            value = json.get<double>();
        else if (json == "nan")
            value = std::numeric_limits<double>::quiet_NaN();
        else if (json == "inf" || json == "-inf")
            value = json == "inf" ? kInfinity : -kInfinity;
        else
            throw wrong(where, "is no number");
    }
};

template <>
struct Codec<std::string> {
    static Json write(const std::string& value) { return asText(value); }
    static void read(const Json& json, std::string& value, const std::string& where) {
        if (!json.is_string()) throw wrong(where, "is no text");
        value = bytesOf(json.get_ref<const std::string&>());
    }
};

template <class Tag>
struct Codec<Id<Tag>> {
    static Json write(Id<Tag> id) { return id.value; }
    static void read(const Json& json, Id<Tag>& id, const std::string& where) {
        Codec<int32_t>::read(json, id.value, where);
    }
};

template <Spelled Enum>
struct Codec<Enum> {
    static Json write(Enum value) { return spellingOf(value); }
    static void read(const Json& json, Enum& value, const std::string& where) {
        std::string text;
        Codec<std::string>::read(json, text, where);
        const auto found = fromSpelling<Enum>(text);
        if (!found) throw wrong(where, "is '" + text + "', which is no choice");
        value = *found;
    }
};

template <>
struct Codec<geometry::LayerSaving> {
    static Json write(geometry::LayerSaving saving) { return saving.spelling(); }
    static void read(const Json& json, geometry::LayerSaving& saving, const std::string& where) {
        std::string text;
        Codec<std::string>::read(json, text, where);
        const auto found = geometry::layerSavingFrom(text);
        if (!found) throw wrong(where, "is '" + text + "', which is no choice");
        saving = *found;
    }
};

// Enums of other folders, by their number.
template <class Enum, Enum last>
struct NumberedCodec {
    static Json write(Enum value) { return static_cast<int>(value); }
    static void read(const Json& json, Enum& value, const std::string& where) {
        int number = 0;
        Codec<int>::read(json, number, where);
        if (number < 0 || number > static_cast<int>(last)) throw wrong(where, "is no choice");
        value = static_cast<Enum>(number);
    }
};
template <>
struct Codec<ErrorKind> : NumberedCodec<ErrorKind, ErrorKind::kInternal> {};
template <>
struct Codec<trace::LaneRole> : NumberedCodec<trace::LaneRole, trace::LaneRole::kSession> {};
template <>
struct Codec<DType> : NumberedCodec<DType, DType::kBool> {};
template <>
struct Codec<plan::StageKind> : NumberedCodec<plan::StageKind, plan::StageKind::kBackward> {};
template <>
struct Codec<WorkbenchState> : NumberedCodec<WorkbenchState, WorkbenchState::kFailed> {};

template <class Value>
struct Codec<std::optional<Value>> {
    static Json write(const std::optional<Value>& value) { return value ? Codec<Value>::write(*value) : Json(); }
    static void read(const Json& json, std::optional<Value>& value, const std::string& where) {
        value.reset();
        if (!json.is_null()) Codec<Value>::read(json, value.emplace(), where);
    }
};

template <class Value>
struct Codec<std::shared_ptr<const Value>> {
    static Json write(const std::shared_ptr<const Value>& value) {
        return value ? Codec<Value>::write(*value) : Json();
    }
    static void read(const Json& json, std::shared_ptr<const Value>& value, const std::string& where) {
        value.reset();
        if (json.is_null()) return;
        const auto made = std::make_shared<Value>();
        Codec<Value>::read(json, *made, where);
        value = made;
    }
};

template <class Value>
struct Codec<std::vector<Value>> {
    static Json write(const std::vector<Value>& values) {
        Json json = Json::array();
        for (const Value& value : values)
            json.push_back(Codec<Value>::write(value));
        return json;
    }
    static void read(const Json& json, std::vector<Value>& values, const std::string& where) {
        if (!json.is_array()) throw wrong(where, "is no list");
        values.clear();
        for (std::size_t i = 0; i < json.size(); ++i) {
            Value value{};
            Codec<Value>::read(json[i], value, where + "[" + std::to_string(i) + "]");
            values.push_back(std::move(value));
        }
    }
};

template <>
struct Codec<RunSpec> {
    static Json write(const RunSpec& spec) { return Json::parse(toJson(spec)); }
    static void read(const Json& json, RunSpec& spec, const std::string& where) {
        spec = parseRunSpec(json.dump(), where);
    }
};

template <>
struct Codec<batch::ExampleLengths> {
    static Json write(const batch::ExampleLengths& lengths) {
        const auto copied = [](std::span<const uint32_t> list) { return std::vector(list.begin(), list.end()); };
        std::vector<int64_t> sizes;
        for (const batch::DatasetLengths& dataset : lengths.datasets())
            sizes.push_back(dataset.size);
        return Codec<LengthLists>::write({copied(lengths.tokens()), copied(lengths.trained()), std::move(sizes)});
    }
    static void read(const Json& json, batch::ExampleLengths& lengths, const std::string& where) {
        LengthLists lists;
        Codec<LengthLists>::read(json, lists, where);
        if (lists.tokens.size() != lists.trained.size()) throw wrong(where, "has lists of unequal lengths");
        if (std::accumulate(lists.datasets.begin(), lists.datasets.end(), int64_t{0}) != std::ssize(lists.tokens))
            throw wrong(where, "has datasets of another length");
        lengths = {};
        std::size_t next = 0;
        for (const int64_t size : lists.datasets) {
            lengths.beginDataset();
            for (int64_t i = 0; i < size; ++i, ++next)
                lengths.add(lists.tokens[next], lists.trained[next]);
        }
    }
};

// As the block of packRecords, in hexadecimal digits: an object for each would be ten times as long.
template <>
struct Codec<std::vector<trace::Record>> {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    static Json write(const std::vector<trace::Record>& records) {
        std::string text;
        for (const char byte : packRecords(records)) {
            const auto bits = static_cast<unsigned char>(byte);
            text += {kDigits[bits >> 4], kDigits[bits & 15]};
        }
        return text;
    }
    static void read(const Json& json, std::vector<trace::Record>& records, const std::string& where) {
        std::string text;
        Codec<std::string>::read(json, text, where);
        if (text.size() % 2 != 0 || text.find_first_not_of(kDigits) != std::string::npos)
            throw wrong(where, "is no block of bytes in hexadecimal digits");
        std::string block;
        for (std::size_t i = 0; i < text.size(); i += 2)
            block += static_cast<char>(kDigits.find(text[i]) << 4 | kDigits.find(text[i + 1]));
        records.clear();
        unpackRecords(block, records);
    }
};

// {"rows": …}, {"lens": …}, …: one key, which says what it is.
template <>
struct Codec<LookupAnswer> {
    static constexpr std::array kNames = {"rows", "lens", "failed", "verdicts", "files", "search"};
    static_assert(kNames.size() == std::variant_size_v<LookupAnswer>);
    static Json write(const LookupAnswer& answer) {
        Json json;
        json[kNames[answer.index()]] = std::visit(
            [](const auto& value) { return Codec<std::remove_cvref_t<decltype(value)>>::write(value); }, answer);
        return json;
    }
    static void read(const Json& json, LookupAnswer& answer, const std::string& where) {
        const std::string name = json.is_object() && json.size() == 1 ? json.begin().key() : "";
        if (!readAs<0>(json, name, answer, where))
            throw wrong(where, "is none of rows, lens, failed, verdicts, files and search");
    }

private:
    template <std::size_t kIndex>
    static bool readAs(const Json& json, const std::string& name, LookupAnswer& answer, const std::string& where) {
        if constexpr (kIndex == kNames.size()) {
            return false;
        } else {
            if (name != kNames[kIndex]) return readAs<kIndex + 1>(json, name, answer, where);
            using Value = std::variant_alternative_t<kIndex, LookupAnswer>;
            Codec<Value>::read(json[name], answer.emplace<kIndex>(), where + "." + name);
            return true;
        }
    }
};

constexpr std::array<char, 4> kBlockMark = {'R', 'P', 'T', 'R'};
constexpr uint32_t kRecordBytes = sizeof(trace::Record);
constexpr std::size_t kHeaderBytes = kBlockMark.size() + sizeof kRecordBytes;
static_assert(std::is_trivially_copyable_v<trace::Record>);

} // namespace

template <class Value>
Value fromJson(std::string_view json) {
    constexpr int kDeepest = 100; // brackets within brackets: a spec is printed to be read, bracket by bracket
    if (isNestedDeeper(json, kDeepest))
        throw invalidInput("It is nested more than " + std::to_string(kDeepest) + " deep.");
    const Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded()) throw invalidInput("What came through the session's door is no JSON.");
    Value value;
    Codec<Value>::read(parsed, value, "value");
    return value;
}

#define RP_CROSSES(Type)                                                                                               \
    std::string toJson(const Type& value) {                                                                            \
        return Codec<Type>::write(value).dump();                                                                       \
    }                                                                                                                  \
    template Type fromJson<Type>(std::string_view);
RP_CROSSES(RunJob)
RP_CROSSES(Command)
RP_CROSSES(RunPlan)
RP_CROSSES(StepMetrics)
RP_CROSSES(Snapshot)
RP_CROSSES(RunEvent)
RP_CROSSES(PlanQuestion)
RP_CROSSES(PlanAnswer)
RP_CROSSES(PlanUpdate)
RP_CROSSES(RowPlace)
RP_CROSSES(WorkbenchStatus)
RP_CROSSES(WorkbenchResult)
#undef RP_CROSSES

std::string packRecords(std::span<const trace::Record> records) {
    std::string block(kBlockMark.data(), kBlockMark.size());
    block.append(reinterpret_cast<const char*>(&kRecordBytes), sizeof kRecordBytes);
    block.append(reinterpret_cast<const char*>(records.data()), records.size_bytes());
    return block;
}

namespace {

// Names and colours are looked up by these.
bool isKnown(const trace::Record& record) {
    std::byte flag{};
    std::memcpy(&flag, reinterpret_cast<const std::byte*>(&record) + offsetof(trace::Record, isGradient), 1);
    return static_cast<int>(record.kind) < trace::kNumKinds &&
           static_cast<int>(record.reason) < trace::kNumIdleReasons && flag <= std::byte{1};
}

} // namespace

void unpackRecords(std::string_view block, std::vector<trace::Record>& out) {
    const std::string expected = packRecords({});
    if (!block.starts_with(expected) || (block.size() - kHeaderBytes) % kRecordBytes != 0)
        throw invalidInput("A block of " + std::to_string(block.size()) + " bytes holds no trace records.");
    block.remove_prefix(kHeaderBytes);
    if (block.empty()) return; // nothing may be copied to a list that has no memory yet
    const std::size_t first = out.size();
    out.resize(first + block.size() / kRecordBytes);
    std::memcpy(out.data() + first, block.data(), block.size());
    if (std::all_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), isKnown)) return;
    out.resize(first);
    throw invalidInput("A block of trace records has one of a kind that there is not.");
}

} // namespace roundpipe::session
