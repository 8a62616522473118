// SPDX-License-Identifier: GPL-3.0-or-later
// An optimizer whose layers can be read as they were at one moment while it goes on: a checkpoint of all weights is
// written while the next steps train. A layer is copied aside before it changes, and not at all where everything is
// written by then.
#pragma once

#include "optim/optimizer.h"

#include <memory>
#include <mutex>
#include <vector>

namespace roundpipe::optim {

class StillLayers final : public Optimizer {
public:
    using Bytes = std::span<const std::byte>;

    explicit StillLayers(Optimizer& optimizer); // outlives it
    ~StillLayers() override;

    // From now on read() gives `layers[l]`, parts of layer l, as they are now. Nothing is held, and no layer is being
    // updated. Takes memory as layers are updated, as much as they have at most. Throws kOutOfMemory.
    void hold(const std::vector<std::vector<Bytes>>& layers);
    // `bytes`, of one held part, as they were. Valid until the next call, or release(). One thread at a time.
    Bytes read(Bytes bytes);
    // Nothing is held any more, and its memory is given back; nothing happens where nothing was. Nobody reads.
    void release();

    void update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) override;
    void willChange(LayerId layer, ThreadTeam& team) override;
    std::vector<Bytes> kept(LayerId layer) const override { return m_optimizer.kept(layer); }

private:
    class Held;
    std::shared_ptr<Held> held() const;

    Optimizer& m_optimizer;
    mutable std::mutex m_mutex;   // guards the pointer
    std::shared_ptr<Held> m_held; // a layer may still be copied when nobody wants it any more
};

} // namespace roundpipe::optim
