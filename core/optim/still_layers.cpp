// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/still_layers.h"

#include "base/error.h"
#include "base/zero_pages.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

namespace roundpipe::optim {
namespace {

using Bytes = StillLayers::Bytes;

int64_t bytesOf(const std::vector<std::vector<Bytes>>& layers) {
    int64_t bytes = 0;
    for (const std::vector<Bytes>& parts : layers)
        for (const Bytes& part : parts)
            bytes += std::ssize(part);
    return bytes;
}

} // namespace

class StillLayers::Held {
public:
    explicit Held(const std::vector<std::vector<Bytes>>& layers)
        : m_pages(bytesOf(layers), "weights that are held for a checkpoint") {
        std::byte* aside = m_pages.data();
        for (const std::vector<Bytes>& parts : layers) {
            Layer& layer = m_layers.emplace_back();
            for (const Bytes& part : parts) {
                if (part.empty()) continue;
                m_places[part.data()] = {&layer, layer.parts.size()};
                layer.parts.push_back({part, aside});
                aside += part.size();
            }
        }
    }

    Bytes read(Bytes bytes) {
        const auto after = m_places.upper_bound(bytes.data());
        RP_CHECK(after != m_places.begin());
        const Place& place = std::prev(after)->second;
        const std::scoped_lock lock(place.layer->mutex);
        const Part& part = place.layer->parts[place.part];
        const auto from = static_cast<std::size_t>(bytes.data() - part.now.data());
        RP_CHECK(from + bytes.size() <= part.now.size());
        if (place.layer->isAside) return {part.aside + from, bytes.size()};
        m_read.assign(bytes.begin(), bytes.end());
        return m_read;
    }

    void setAside(LayerId id, ThreadTeam& team) {
        constexpr int64_t kGrain = 1 << 20;
        Layer& layer = m_layers[id.index()];
        const std::scoped_lock lock(layer.mutex);
        if (layer.isAside) return;
        for (const Part& part : layer.parts)
            team.split(std::ssize(part.now), kGrain, [&](int64_t begin, int64_t end) {
                std::copy(part.now.data() + begin, part.now.data() + end, part.aside + begin);
            });
        layer.isAside = true;
    }

private:
    struct Part {
        Bytes now;        // where the optimizer works on it
        std::byte* aside; // where its copy goes
    };
    struct Layer {
        std::mutex mutex; // held while its parts are copied, or read where they lie
        std::vector<Part> parts;
        bool isAside = false;
    };
    struct Place {
        Layer* layer;
        std::size_t part;
    };

    ZeroPages m_pages;
    std::deque<Layer> m_layers;
    std::map<const std::byte*, Place> m_places; // of parts, by their first byte
    std::vector<std::byte> m_read;              // what read() gives of a layer that lies where it did
};

StillLayers::StillLayers(Optimizer& optimizer) : m_optimizer(optimizer) {}
StillLayers::~StillLayers() = default;

std::shared_ptr<StillLayers::Held> StillLayers::held() const {
    const std::scoped_lock lock(m_mutex);
    return m_held;
}

void StillLayers::hold(const std::vector<std::vector<Bytes>>& layers) {
    auto held = std::make_shared<Held>(layers);
    const std::scoped_lock lock(m_mutex);
    RP_CHECK(!m_held);
    m_held = std::move(held);
}

StillLayers::Bytes StillLayers::read(Bytes bytes) {
    return bytes.empty() ? bytes : held()->read(bytes);
}

void StillLayers::release() {
    const std::scoped_lock lock(m_mutex);
    m_held.reset();
}

void StillLayers::update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) {
    m_optimizer.update(layer, arrays, step, team);
}

void StillLayers::willChange(LayerId layer, ThreadTeam& team) {
    if (const auto held = this->held()) held->setAside(layer, team);
}

} // namespace roundpipe::optim
