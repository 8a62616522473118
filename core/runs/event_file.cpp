// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/event_file.h"

#include "base/error.h"
#include "base/file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

namespace roundpipe::runs {
namespace {

constexpr std::array<uint32_t, 256> makeCrcTable() {
    constexpr uint32_t kPolynomial = 0x82F63B78; // bits reversed
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1) != 0 ? crc >> 1 ^ kPolynomial : crc >> 1;
        table[byte] = crc;
    }
    return table;
}

template <class Number>
void putBytes(std::string& out, Number number) {
    static_assert(std::endian::native == std::endian::little);
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Protocol buffers: a key is the field's number and its wire type, whole numbers have seven bits a byte.
void putVarint(std::string& out, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        out += static_cast<char>(number | 0x80);
    out += static_cast<char>(number);
}

void putText(std::string& out, int field, std::string_view text) {
    putVarint(out, static_cast<uint64_t>(field) << 3 | 2);
    putVarint(out, text.size());
    out += text;
}

std::string eventAt(double wallTime) {
    std::string event = "\x09"; // field 1, eight bytes
    putBytes(event, wallTime);
    return event;
}

void putScalar(std::string& summary, std::string_view tag, double value) {
    if (!std::isfinite(value)) return;
    std::string scalar;
    putText(scalar, 1, tag);
    scalar += '\x15'; // field 2, four bytes
    putBytes(scalar, static_cast<float>(value));
    putText(summary, 1, scalar);
}

uint32_t maskedCrc(std::string_view bytes) {
    return std::rotr(crc32c(bytes), 15) + 0xA282EAD8u;
}

void putRecord(std::string& out, std::string_view bytes) {
    std::string length;
    putBytes(length, static_cast<uint64_t>(bytes.size()));
    out += length;
    putBytes(out, maskedCrc(length));
    out += bytes;
    putBytes(out, maskedCrc(bytes));
}

} // namespace

uint32_t crc32c(std::string_view bytes) {
    static constexpr std::array<uint32_t, 256> kTable = makeCrcTable();
    uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes)
        crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
    return ~crc;
}

std::string eventsOf(std::span<const session::StepMetrics> steps, int64_t startedAt) {
    std::string out;
    auto time = static_cast<double>(startedAt);
    std::string version = eventAt(time);
    putText(version, 3, "brain.Event:2");
    putRecord(out, version);
    for (const session::StepMetrics& step : steps) {
        time += step.seconds;
        std::string summary;
        putScalar(summary, "train/loss", step.loss);
        if (step.validationLoss) putScalar(summary, "validation/loss", *step.validationLoss);
        putScalar(summary, "train/learning_rate", step.learningRate);
        putScalar(summary, "train/gradient_norm", step.gradNorm);
        if (step.lossScale != 1) putScalar(summary, "train/loss_scale", step.lossScale);
        putScalar(summary, "train/tokens_per_second", static_cast<double>(step.tokens) / step.seconds);
        std::string event = eventAt(time);
        event += '\x10'; // field 2, a varint
        putVarint(event, static_cast<uint64_t>(step.step));
        putText(event, 5, summary);
        putRecord(out, event);
    }
    return out;
}

std::filesystem::path writeEvents(std::span<const session::StepMetrics> steps, int64_t startedAt,
                                  const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw ioError("make the folder", folder, failed.value());
    const std::filesystem::path file = folder / fmt::format("events.out.tfevents.{}.roundpipe", startedAt);
    writeFileAtomically(file, eventsOf(steps, startedAt));
    return file;
}

std::string curvesCsv(std::span<const session::StepMetrics> steps) {
    const auto cell = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
    std::string text = "step,loss,validation_loss,learning_rate,gradient_norm,tokens,trained_tokens,seconds\n";
    for (const session::StepMetrics& step : steps)
        text += fmt::format("{},{},{},{},{},{},{},{}\n", step.step, cell(step.loss),
                            step.validationLoss ? cell(*step.validationLoss) : "", cell(step.learningRate),
                            cell(step.gradNorm), step.tokens, step.trainedTokens, cell(step.seconds));
    return text;
}

} // namespace roundpipe::runs
