// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/examples.h"

#include "base/error.h"
#include "data/store/tokens/token_store.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace roundpipe::data {

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store) {
    std::vector<uint32_t> members(static_cast<std::size_t>(store->size()));
    std::iota(members.begin(), members.end(), 0u);
    for (const uint32_t member : members)
        m_lengths.add(store->entry(member).numTokens, store->entry(member).numTrained);
    if (!members.empty()) m_parts.push_back({std::move(store), std::move(members)});
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members,
                       batch::ExampleLengths lengths, PieceBegins begins)
    : m_lengths(std::move(lengths)) {
    RP_CHECK(std::ssize(members) == m_lengths.size());
    RP_CHECK(begins.tokens.empty() || begins.tokens.size() == members.size());
    if (!members.empty()) m_parts.push_back({std::move(store), std::move(members), 0, 0, 0, std::move(begins)});
}

void ExampleSet::append(ExampleSet dataset, int64_t firstId, int32_t firstFile) {
    for (StorePart& part : dataset.m_parts) {
        part.first += size();
        part.firstId += firstId;
        part.firstFile += firstFile;
        m_parts.push_back(std::move(part));
    }
    m_lengths.append(dataset.m_lengths);
}

int64_t ExampleSet::StorePart::beginAt(int64_t index) const {
    return begins.tokens.empty() ? 0 : begins.tokens[static_cast<std::size_t>(index - first)];
}

int64_t ExampleSet::StorePart::idAt(int64_t index, int64_t rowId) const {
    constexpr int kBitsOfRows = 32;
    return (beginAt(index) << kBitsOfRows) + firstId + rowId;
}

const ExampleSet::StorePart& ExampleSet::partOf(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    return *std::prev(std::ranges::upper_bound(m_parts, index, {}, &StorePart::first));
}

Example ExampleSet::operator[](int64_t index) const {
    const StorePart& part = partOf(index);
    const int64_t begin = part.beginAt(index);
    Example example = part.store->read(part.memberAt(index), begin, m_lengths.lengthOf(index));
    example.id = part.idAt(index, example.id);
    example.place.file += part.firstFile;
    if (begin > 0) std::fill_n(example.trained.begin(), part.begins.context, uint8_t{0});
    return example;
}

int64_t ExampleSet::idOf(int64_t index) const {
    const StorePart& part = partOf(index);
    return part.idAt(index, part.store->entry(part.memberAt(index)).id);
}

} // namespace roundpipe::data
