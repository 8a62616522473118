// SPDX-License-Identifier: GPL-3.0-or-later
// All that a run waits for, by name: so that a check of its order (device/order) can leave each wait out and say what
// rests on it. Who waits names it: Stream::wait, Event::awaited, HostNotes::awaited.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace roundpipe::device {

enum class Awaited : uint8_t {
    // Of streams, for each other's work.
    kBatchesLanded,
    kWeightsLanded,
    kWeightsUsed,
    kVersionUsed,
    kPacketMade,
    kPacketWritten,
    kPacketRead,
    kPacketLanded,
    kPacketUsed,
    kPacketSent,
    kLossMade,
    kSavedMade,
    kSavedWritten,
    kSavedLanded,
    kSavedUsed,
    kSavedSent,
    kGradientsMade,
    kGradientsSent,
    // Of the host, for the work of streams.
    kGradientsArrived,
    kDownloadsDone,
    kStampsCopied,
    // Of host threads, for each other.
    kGradientsAdded,
    kVersionPublished,
    kProgramSubmitted,
    kProgramIssued,
    kPacketPosted,
    kGradientsPosted,
    kNormKnown,
    kStepUpdated,
    // For the pace, and to see that a device hangs.
    kGradientsDone,
    kPacketsFirst,
    kSlotsAhead,
    kInTurns,
};

// What would go wrong without it.
enum class RestsOn : uint8_t {
    kAccesses, // memory would be used while other work uses it
    kHandOver, // there would be nothing to go on with: a program, a place and its event, a result
    kNothing,  // it would be slower, take more, or not see that a device hangs: so no access may rest on it
};

struct AwaitedRow {
    Awaited awaited = Awaited::kInTurns;
    RestsOn restsOn = RestsOn::kNothing;
    std::string_view words; // what is waited for
};

// In the order of Wait.
inline constexpr std::array kAllAwaited{
    AwaitedRow{Awaited::kBatchesLanded, RestsOn::kAccesses, "the program's batches are on the device"},
    AwaitedRow{Awaited::kWeightsLanded, RestsOn::kAccesses, "a layer's weights are in their slot"},
    AwaitedRow{Awaited::kWeightsUsed, RestsOn::kAccesses, "the slot's layer before has been used"},
    AwaitedRow{Awaited::kVersionUsed, RestsOn::kAccesses, "the version before, in the same slot, has been used"},
    AwaitedRow{Awaited::kPacketMade, RestsOn::kAccesses, "a packet has been computed"},
    AwaitedRow{Awaited::kPacketWritten, RestsOn::kAccesses, "a packet is on the host"},
    AwaitedRow{Awaited::kPacketRead, RestsOn::kAccesses, "the packet before, in the same host buffer, has been read"},
    AwaitedRow{Awaited::kPacketLanded, RestsOn::kAccesses, "a packet is on the device that reads it"},
    AwaitedRow{Awaited::kPacketUsed, RestsOn::kAccesses, "the packet before, in the same device buffer, has been used"},
    AwaitedRow{Awaited::kPacketSent, RestsOn::kAccesses, "the outgoing packet before, in the same buffer, has gone"},
    AwaitedRow{Awaited::kLossMade, RestsOn::kAccesses, "a microbatch's loss has been computed"},
    AwaitedRow{Awaited::kSavedMade, RestsOn::kAccesses, "what a layer saves has been computed"},
    AwaitedRow{Awaited::kSavedWritten, RestsOn::kAccesses, "what a layer saves is on the host"},
    AwaitedRow{Awaited::kSavedLanded, RestsOn::kAccesses, "what a layer saved is on the device again"},
    AwaitedRow{Awaited::kSavedUsed, RestsOn::kAccesses, "what was saved before, in the same buffer, has been used"},
    AwaitedRow{Awaited::kSavedSent, RestsOn::kAccesses, "what was saved before, in the same buffer, has gone"},
    AwaitedRow{Awaited::kGradientsMade, RestsOn::kAccesses, "a layer's gradients are complete"},
    AwaitedRow{Awaited::kGradientsSent, RestsOn::kAccesses, "the gradients before, in the same buffer, have gone"},
    AwaitedRow{Awaited::kGradientsArrived, RestsOn::kAccesses, "a layer's gradients are on the host"},
    AwaitedRow{Awaited::kDownloadsDone, RestsOn::kAccesses, "packets and losses of a program have come down"},
    AwaitedRow{Awaited::kStampsCopied, RestsOn::kAccesses, "a weight slot's stamp is on the host (checks of slots)"},
    AwaitedRow{Awaited::kGradientsAdded, RestsOn::kAccesses,
               "the gradients before, in the same host buffer, are added"},
    AwaitedRow{Awaited::kVersionPublished, RestsOn::kAccesses, "a layer's version has been published"},
    AwaitedRow{Awaited::kProgramSubmitted, RestsOn::kHandOver, "a program has been submitted"},
    AwaitedRow{Awaited::kProgramIssued, RestsOn::kHandOver, "a controller has issued all of a program"},
    AwaitedRow{Awaited::kPacketPosted, RestsOn::kHandOver, "a packet, or what a layer saves, has been posted"},
    AwaitedRow{Awaited::kGradientsPosted, RestsOn::kHandOver, "a layer's gradients have been posted"},
    AwaitedRow{Awaited::kNormKnown, RestsOn::kHandOver, "the norm of a step is known"},
    AwaitedRow{Awaited::kStepUpdated, RestsOn::kHandOver, "a step is updated"},
    AwaitedRow{Awaited::kGradientsDone, RestsOn::kNothing, "gradients of a program have come down"},
    AwaitedRow{Awaited::kPacketsFirst, RestsOn::kNothing, "packets that are more urgent have gone"},
    AwaitedRow{Awaited::kSlotsAhead, RestsOn::kNothing, "the device has computed the slot before the last one"},
    AwaitedRow{Awaited::kInTurns, RestsOn::kNothing, "copies that are measured in turns"},
};

constexpr const AwaitedRow& rowOf(Awaited awaited) {
    return kAllAwaited[static_cast<std::size_t>(awaited)];
}

} // namespace roundpipe::device
