#include "data/store/examples.h"

#include "base/error.h"
#include "data/encode/token_mask.h"
#include "data/store/token_store.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace roundpipe::data {
int64_t Example::numTrained() const {
    return numTrainedOf(trained);
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store) {
    std::vector<uint32_t> members(static_cast<std::size_t>(store->size()));
    std::iota(members.begin(), members.end(), 0u);
    for (const uint32_t member : members)
        m_lengths.add(store->entry(member).numTokens, store->entry(member).numTrained);
    if (!members.empty()) m_parts.push_back({std::move(store), std::move(members)});
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members,
                       batch::ExampleLengths lengths)
    : m_lengths(std::move(lengths)) {
    RP_CHECK(std::ssize(members) == m_lengths.size());
    if (!members.empty()) m_parts.push_back({std::move(store), std::move(members)});
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

const ExampleSet::StorePart& ExampleSet::partOf(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    return *std::prev(std::ranges::upper_bound(m_parts, index, {}, &StorePart::first));
}

Example ExampleSet::operator[](int64_t index) const {
    const StorePart& part = partOf(index);
    Example example = part.store->read(part.memberAt(index), m_lengths.lengthOf(index));
    example.id += part.firstId;
    example.place.file += part.firstFile;
    return example;
}

int64_t ExampleSet::idOf(int64_t index) const {
    const StorePart& part = partOf(index);
    return part.store->entry(part.memberAt(index)).id + part.firstId;
}

} // namespace roundpipe::data
