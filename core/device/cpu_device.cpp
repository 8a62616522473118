// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cpu_device.h"

#include "base/error.h"
#include "device/cpu_stream.h"
#include "geometry/workspace.h"

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace roundpipe::device {
namespace {

constexpr std::array kRoles = {trace::LaneRole::kCompute, trace::LaneRole::kWeightsUp, trace::LaneRole::kActivationsUp,
                               trace::LaneRole::kActivationsDown, trace::LaneRole::kGradientsDown};

int64_t systemBytes(int pagesName) {
    return static_cast<int64_t>(::sysconf(pagesName)) * static_cast<int64_t>(::sysconf(_SC_PAGESIZE));
}

class CpuDevice final : public Device {
public:
    CpuDevice(DeviceId id, const DeviceContext& context, const DeviceLimits& limits)
        : Device(id, "cpu:" + std::to_string(id.value), DeviceKind::kCpu, -1, systemBytes(_SC_PHYS_PAGES), context,
                 limits) {
        const auto paceOf = [](double rate) { return rate > 0 ? std::make_shared<LinkPace>(rate) : nullptr; };
        const auto up = paceOf(limits.upBytesPerSecond), down = paceOf(limits.downBytesPerSecond);
        const std::array paces = {std::shared_ptr<LinkPace>(), up, up, down, down}; // by role
        for (std::size_t i = 0; i < kRoles.size(); ++i)
            m_streams[i] =
                logged(std::make_unique<CpuStream>(trace::laneOf(id, kRoles[i]), context, paces[i]), kRoles[i]);
    }

    Stream& stream(trace::LaneRole role) override {
        RP_CHECK(static_cast<std::size_t>(role) < m_streams.size());
        return *m_streams[static_cast<std::size_t>(role)];
    }

    int64_t freeBytes() const override { return systemBytes(_SC_AVPHYS_PAGES); }

    void drain() noexcept override {
        for (const auto& stream : m_streams)
            stream->synchronize();
    }

private:
    std::byte* allocateRaw(int64_t bytes) override {
        return static_cast<std::byte*>(std::aligned_alloc(geometry::kAlignmentBytes, static_cast<std::size_t>(bytes)));
    }
    void release(std::byte* data) noexcept override { std::free(data); }

    std::array<std::unique_ptr<Stream>, kRoles.size()> m_streams;
};

} // namespace

std::unique_ptr<Device> makeCpuDevice(DeviceId id, const DeviceContext& context, const DeviceLimits& limits) {
    return std::make_unique<CpuDevice>(id, context, limits);
}

} // namespace roundpipe::device
