#include "data/examples.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::data {

int64_t Example::numTrained() const {
    return trained.empty() ? 0 : std::ranges::count(trained.subspan(1), uint8_t{1});
}

void ExampleSet::add(int64_t id, RowPlace place, std::span<const int32_t> ids, std::span<const uint8_t> trained) {
    RP_CHECK(ids.size() == trained.size());
    m_tokens.insert(m_tokens.end(), ids.begin(), ids.end());
    m_trained.insert(m_trained.end(), trained.begin(), trained.end());
    m_starts.push_back(m_tokens.size());
    m_ids.push_back(id);
    m_places.push_back(place);
    m_numTrained += (*this)[size() - 1].numTrained();
    m_maxLength = std::max(m_maxLength, static_cast<int64_t>(ids.size()));
}

Example ExampleSet::operator[](int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    const auto i = static_cast<std::size_t>(index);
    const std::size_t length = m_starts[i + 1] - m_starts[i];
    return {m_ids[i], m_places[i], std::span(m_tokens).subspan(m_starts[i], length),
            std::span(m_trained).subspan(m_starts[i], length)};
}

int64_t ExampleSet::lengthOf(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    const auto i = static_cast<std::size_t>(index);
    return static_cast<int64_t>(m_starts[i + 1] - m_starts[i]);
}

} // namespace roundpipe::data
