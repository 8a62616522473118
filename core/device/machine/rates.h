// SPDX-License-Identifier: GPL-3.0-or-later
// Short measurements of what a device and its way to the host reach. The calling thread waits; nothing else may run on
// the devices meanwhile.
#pragma once

#include "device/device.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace roundpipe::device {

// Work that repeats on a stream: each `issue` does `amount` (bytes, or FLOP).
struct Job {
    Stream* stream = nullptr;
    std::function<void()> issue;
    double amount = 0;
};

// Runs all jobs side by side, equally often, for about `seconds` after a warm-up; returns the sum of amounts a second.
double measureRate(const std::vector<Job>& jobs, double seconds);

// Memory on both sides of a device's link, for copies.
class CopyBench {
public:
    CopyBench(Device& device, int64_t bytes); // throws kOutOfMemory

    Job upload(double share = 1);   // of `share` of the bytes, so that links of unequal rate end together
    Job download(double share = 1); // by the streams of activations
    // From one stream's request, through an event, to the end of another's small copy.
    double latencySeconds();
    // Copies a pattern from this device's memory to `to` directly, brings it back by way of the host and compares all
    // of it.
    bool copiesTrulyTo(CopyBench& to);
    Job copyTo(CopyBench& to);

private:
    Device& m_device;
    HostBuffer m_hostUp;
    HostBuffer m_hostDown;
    DeviceBuffer m_deviceUp;
    DeviceBuffer m_deviceDown;
};

// Bytes a second that the device reads and writes in copies of `bytes` within its own memory, which holds two of them
// meanwhile. Throws kOutOfMemory.
double measureOwnMemory(Device& device, int64_t bytes, double seconds);

// FLOP/s of large products by LibTorch, all `devices` at once: bf16 on GPUs, fp32 on CPU workers.
std::vector<double> measureMatrixRates(const std::vector<Device*>& devices, double seconds);

// Bytes a second that the host reads and writes in copies by `numThreads` threads.
double measureHostMemory(int numThreads, double seconds);

} // namespace roundpipe::device
