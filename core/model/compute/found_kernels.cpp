// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/found_kernels.h"

#include <map>
#include <mutex>
#include <utility>

namespace roundpipe::model {
namespace {

struct Found {
    std::mutex mutex;
    std::map<std::pair<std::string, ProductClass>, KernelKind> kinds;
};

Found& found() {
    static Found all;
    return all;
}

} // namespace

std::optional<KernelKind> foundKernel(const std::string& device, const ProductClass& products) {
    const std::scoped_lock lock(found().mutex);
    const auto place = found().kinds.find({device, products});
    return place == found().kinds.end() ? std::nullopt : std::optional(place->second);
}

void putFoundKernel(const FoundKernel& kernel) {
    const std::scoped_lock lock(found().mutex);
    found().kinds.insert_or_assign({kernel.device, kernel.products}, kernel.kind);
}

std::vector<FoundKernel> allFoundKernels() {
    const std::scoped_lock lock(found().mutex);
    std::vector<FoundKernel> all;
    for (const auto& [of, kind] : found().kinds)
        all.push_back({of.first, of.second, kind});
    return all;
}

} // namespace roundpipe::model
