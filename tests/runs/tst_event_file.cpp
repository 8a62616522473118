// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/event_file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>

namespace roundpipe::runs {
namespace {

TEST(EventFile, hasThePublishedChecksums) { // of RFC 3720, B.4
    EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

template <class Number>
Number numberAt(const std::string& bytes, std::size_t at) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

uint32_t unmasked(uint32_t crc) {
    return std::rotl(crc - 0xA282EAD8u, 15);
}

// The bytes of each record, whose checksums are right.
std::vector<std::string> recordsOf(const std::string& file) {
    std::vector<std::string> records;
    for (std::size_t at = 0; at < file.size();) {
        const auto size = static_cast<std::size_t>(numberAt<uint64_t>(file, at));
        EXPECT_EQ(unmasked(numberAt<uint32_t>(file, at + 8)), crc32c(file.substr(at, 8)));
        records.push_back(file.substr(at + 12, size));
        EXPECT_EQ(unmasked(numberAt<uint32_t>(file, at + 12 + size)), crc32c(records.back()));
        at += size + 16;
    }
    return records;
}

// The fields of a message: by number, their bytes or their number.
struct Message {
    std::map<int, std::vector<std::string>> texts;
    std::map<int, uint64_t> numbers;
};

uint64_t takeVarint(const std::string& bytes, std::size_t& at) {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(at++));
        number |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return number;
    }
}

Message parse(const std::string& bytes) {
    Message message;
    for (std::size_t at = 0; at < bytes.size();) {
        const uint64_t key = takeVarint(bytes, at);
        const int field = static_cast<int>(key >> 3);
        switch (key & 7) {
        case 0:
            message.numbers[field] = takeVarint(bytes, at);
            break;
        case 1:
            message.numbers[field] = numberAt<uint64_t>(bytes, at);
            at += 8;
            break;
        case 2: {
            const auto size = static_cast<std::size_t>(takeVarint(bytes, at));
            message.texts[field].push_back(bytes.substr(at, size));
            at += size;
            break;
        }
        case 5:
            message.numbers[field] = numberAt<uint32_t>(bytes, at);
            at += 4;
            break;
        default:
            ADD_FAILURE() << "a wire type that is not written: " << (key & 7);
            return message;
        }
    }
    return message;
}

std::map<std::string, float> scalarsOf(const Message& event) {
    std::map<std::string, float> scalars;
    const Message summary = parse(event.texts.at(5).at(0));
    for (const std::string& value : summary.texts.at(1)) {
        const Message scalar = parse(value);
        scalars[scalar.texts.at(1).at(0)] = std::bit_cast<float>(static_cast<uint32_t>(scalar.numbers.at(2)));
    }
    return scalars;
}

TEST(EventFile, holdsEveryStep) {
    const std::vector<session::StepMetrics> steps = {
        {1, 2.5, {}, 0, 1.25, 100, 50, 2.0},
        {300, std::nan(""), 3.5, 2e-4, 0.5, 300, 50, 1.5},
    };
    const std::vector<std::string> records = recordsOf(eventsOf(steps, 1'000));
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(parse(records[0]).texts.at(3).at(0), "brain.Event:2");
    const Message first = parse(records[1]);
    EXPECT_EQ(std::bit_cast<double>(first.numbers.at(1)), 1'002.0);
    EXPECT_EQ(first.numbers.at(2), 1U);
    EXPECT_EQ(scalarsOf(first), (std::map<std::string, float>{{"train/loss", 2.5f},
                                                              {"train/learning_rate", 0.0f},
                                                              {"train/gradient_norm", 1.25f},
                                                              {"train/tokens_per_second", 50.0f}}));
    const Message second = parse(records[2]);
    EXPECT_EQ(std::bit_cast<double>(second.numbers.at(1)), 1'003.5);
    EXPECT_EQ(second.numbers.at(2), 300U);
    EXPECT_EQ(scalarsOf(second), (std::map<std::string, float>{{"validation/loss", 3.5f},
                                                               {"train/learning_rate", 2e-4f},
                                                               {"train/gradient_norm", 0.5f},
                                                               {"train/tokens_per_second", 200.0f}}));
}

TEST(EventFile, isCalledAsTensorBoardLooksForIt) {
    const testing::TemporaryFolder folder;
    const auto file = writeEvents({}, 17, folder.path() / "new");
    EXPECT_EQ(file.filename(), "events.out.tfevents.17.roundpipe");
    EXPECT_GT(std::filesystem::file_size(file), 16U);
}

TEST(CurvesCsv, hasALineAStep) {
    const std::vector<session::StepMetrics> steps = {{1, 2.5, {}, 0.1, 1.25, 100, 50, 2.0},
                                                     {2, std::nan(""), 3.5, 0.2, 0.5, 300, 50, 1.5}};
    EXPECT_EQ(curvesCsv(steps), "step,loss,validation_loss,learning_rate,gradient_norm,tokens,trained_tokens,seconds\n"
                                "1,2.5,,0.1,1.25,100,50,2\n"
                                "2,,3.5,0.2,0.5,300,50,1.5\n");
}

} // namespace
} // namespace roundpipe::runs
