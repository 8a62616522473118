// SPDX-License-Identifier: GPL-3.0-or-later
// The symbols of the engine as a shared library (app/studio/engine_library.h loads it).
#include "device/machine/rig_probe.h"
#include "engine/chat/local_chat.h"
#include "engine/engine.h"
#include "engine/exporter.h"

extern "C" roundpipe::session::Engine* roundpipe_make_engine() {
    return roundpipe::engine::makeEngine().release();
}

extern "C" roundpipe::session::Exporter* roundpipe_make_exporter() {
    return roundpipe::engine::makeExporter().release();
}

extern "C" roundpipe::session::Chat*
roundpipe_open_chat(const roundpipe::session::ChatSetup& setup,
                    const std::function<bool(const roundpipe::session::Activity&)>& onActivity) {
    return roundpipe::engine::openChat(setup, onActivity).release();
}

extern "C" void roundpipe_probe_rig(const std::vector<std::string>& deviceNames, roundpipe::plan::Rig& rig) {
    rig = roundpipe::device::probeRig(deviceNames).rig;
}
