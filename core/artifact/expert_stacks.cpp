// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/expert_stacks.h"

#include "base/error.h"

#include <cstring>

namespace roundpipe::artifact {
namespace {

constexpr std::string_view kWrapped = ".base_layer";

// body(an element's number in the file, its number where it is computed with)
template <class Body>
void forElements(const StackedB& b, Body&& body) {
    int64_t inFile = 0;
    for (int64_t row = 0; row < b.out; ++row)
        for (int64_t k = 0; k < b.rank; ++k)
            for (int64_t e = 0; e < b.experts; ++e)
                body(inFile++, (e * b.out + row) * b.rank + k);
}

template <std::size_t size>
void reorder(const StackedB& b, const std::byte* from, std::byte* to, bool isToFile) {
    forElements(b, [&](int64_t inFile, int64_t inBlock) {
        const int64_t read = isToFile ? inBlock : inFile, written = isToFile ? inFile : inBlock;
        std::memcpy(to + static_cast<std::size_t>(written) * size, from + static_cast<std::size_t>(read) * size, size);
    });
}

void reorder(const StackedB& b, std::span<const std::byte> from, std::span<std::byte> to, bool isToFile) {
    const std::size_t size = from.size() / static_cast<std::size_t>(b.experts * b.out * b.rank);
    RP_CHECK(from.size() == to.size() && (size == 2 || size == 4 || size == 8));
    if (size == 2) return reorder<2>(b, from.data(), to.data(), isToFile);
    if (size == 4) return reorder<4>(b, from.data(), to.data(), isToFile);
    reorder<8>(b, from.data(), to.data(), isToFile);
}

} // namespace

std::string wrapperOf(const std::string& parameter, std::size_t place, std::size_t count) {
    std::string module = parameter.substr(0, parameter.rfind('.'));
    for (std::size_t i = place + 1; i < count; ++i)
        module += kWrapped;
    return module;
}

bool mayBeWrapper(std::string_view module) {
    while (module.ends_with(kWrapped))
        module.remove_suffix(kWrapped.size());
    return module.ends_with(".experts");
}

void StackedB::toFile(std::span<const std::byte> values, std::span<std::byte> file) const {
    reorder(*this, values, file, true);
}

void StackedB::fromFile(std::span<const std::byte> file, std::span<std::byte> values) const {
    reorder(*this, file, values, false);
}

} // namespace roundpipe::artifact
