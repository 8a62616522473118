#include "data/store/examples.h"

#include "base/error.h"
#include "data/store/token_store.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::data {
namespace {

std::vector<uint32_t> allOf(const TokenStore& store) {
    std::vector<uint32_t> all(static_cast<std::size_t>(store.size()));
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

} // namespace

int64_t Example::numTrained() const {
    return trained.empty() ? 0 : std::count(trained.begin() + 1, trained.end(), uint8_t{1});
}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store) : ExampleSet(store, allOf(*store)) {}

ExampleSet::ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members)
    : m_store(std::move(store)), m_members(std::move(members)) {
    for (const uint32_t member : m_members) {
        const StoredExample& entry = m_store->entry(member);
        m_lengths.add(entry.numTokens, entry.numTrained);
    }
}

uint32_t ExampleSet::memberAt(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    return m_members[static_cast<std::size_t>(index)];
}

Example ExampleSet::operator[](int64_t index) const {
    return m_store->read(memberAt(index));
}

int64_t ExampleSet::idOf(int64_t index) const {
    return m_store->entry(memberAt(index)).id;
}

} // namespace roundpipe::data
