#include "data/store/examples.h"

#include "base/error.h"
#include "data/encode/token_mask.h"
#include "data/store/token_store.h"

#include <numeric>

namespace roundpipe::data {
int64_t Example::numTrained() const {
    return numTrainedOf(trained);
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store) : m_store(std::move(store)) {
    m_members.resize(static_cast<std::size_t>(m_store->size()));
    std::iota(m_members.begin(), m_members.end(), 0u);
    for (const uint32_t member : m_members)
        m_lengths.add(m_store->entry(member).numTokens, m_store->entry(member).numTrained);
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members,
                       batch::ExampleLengths lengths)
    : m_store(std::move(store)), m_members(std::move(members)), m_lengths(std::move(lengths)) {
    RP_CHECK(std::ssize(m_members) == m_lengths.size());
}

uint32_t ExampleSet::memberAt(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    return m_members[static_cast<std::size_t>(index)];
}

Example ExampleSet::operator[](int64_t index) const {
    return m_store->read(memberAt(index), m_lengths.lengthOf(index));
}

int64_t ExampleSet::idOf(int64_t index) const {
    return m_store->entry(memberAt(index)).id;
}

} // namespace roundpipe::data
