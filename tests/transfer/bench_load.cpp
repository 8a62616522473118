// SPDX-License-Identifier: GPL-3.0-or-later
// How fast weights come from a model folder into host memory; run by hand (tests/bench/README.md).
//
// usage: bench_load FOLDER [CONFIG_JSON]: with a config, writes a model of that shape into FOLDER first, where none is.
#include "arch/model_config.h"
#include "arch/safetensors_write.h"
#include "base/error.h"
#include "base/units.h"
#include "device/cuda_runtime.h"
#include "device/host_memory.h"
#include "transfer/load_checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <set>

namespace roundpipe::transfer {
namespace {

namespace fs = std::filesystem;

// Every element is the same: the disk and memory do not look at what they carry.
void writeModel(const fs::path& folder, const fs::path& config) {
    fs::create_directories(folder);
    fs::copy_file(config, folder / "config.json", fs::copy_options::overwrite_existing);
    const arch::ModelSpec spec = arch::makeModelSpec(arch::readModelConfig(config));
    std::vector<arch::TensorToWrite> tensors;
    std::set<std::string> names;
    int64_t largest = 0;
    for (const arch::LayerSpec& layer : spec.layers)
        for (const arch::TensorSpec& tensor : layer.tensors)
            if (names.insert(tensor.name).second) {
                tensors.push_back({tensor.name, DType::kBF16, tensor.shape, {}});
                largest = std::max(largest, tensor.numElements());
            }
    const std::vector<std::byte> values(static_cast<std::size_t>(2 * largest), std::byte{0x3c});
    for (arch::TensorToWrite& tensor : tensors) {
        int64_t elements = 1;
        for (const int64_t size : tensor.shape)
            elements *= size;
        tensor.data = {values.data(), static_cast<std::size_t>(2 * elements)};
    }
    arch::writeSafetensors(folder / "model.safetensors", tensors);
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void show(const char* what, int64_t bytes, double seconds) {
    fmt::print("{:<58} {:>8.2f} s {:>8.2f} GB/s\n", what, seconds, 1e-9 * static_cast<double>(bytes) / seconds);
    std::fflush(stdout);
}

void run(const fs::path& folder) {
    const arch::ModelSpec spec = arch::makeModelSpec(arch::readModelConfig(folder));
    arch::LoraConfig lora;
    lora.targets = {"all-linear"};
    const auto layouts = geometry::makeLayouts(spec, lora, DType::kBF16);
    const arch::Checkpoint checkpoint = arch::Checkpoint::open(folder);
    const bool pinned = device::cuda::probe().numGpus > 0;
    constexpr std::array kTimes{"first, perhaps from the disk", "again, from the page cache", "once more"};
    for (const char* time : kTimes) {
        const auto begin = std::chrono::steady_clock::now();
        HostWeightStore store(layouts, DType::kBF16, pinned);
        loadCheckpoint(store, checkpoint);
        show(time, store.bytes(), secondsSince(begin));
        if (store.unlockedBytes() > 0) fmt::print("  {} were not page-locked\n", formatBytes(store.unlockedBytes()));
        if (pinned) fmt::print("  {} page-locked\n", formatBytes(device::pinnedBytes()));
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<device::HostBuffer> blobs;
    int64_t bytes = 0;
    for (const geometry::LayerLayout& layout : layouts) {
        blobs.emplace_back(layout.base.bytes, pinned);
        bytes += layout.base.bytes;
    }
    show(pinned ? "for comparison: page-locked memory layer by layer, zeroed"
                : "for comparison: memory layer by layer, zeroed",
         bytes, secondsSince(begin));
}

} // namespace
} // namespace roundpipe::transfer

int main(int argc, char** argv) {
    try {
        if (argc < 2 || argc > 3) throw roundpipe::invalidInput("usage: bench_load FOLDER [CONFIG_JSON]");
        const std::filesystem::path folder = argv[1];
        if (argc == 3 && !std::filesystem::exists(folder / "model.safetensors"))
            roundpipe::transfer::writeModel(folder, argv[2]);
        roundpipe::transfer::run(folder);
    } catch (const roundpipe::Error& error) {
        fmt::print(stderr, "error: {}\n", error.message());
        return 1;
    }
    return 0;
}
