// SPDX-License-Identifier: GPL-3.0-or-later
// A request that is changed again and again, and whether it then fits.
#pragma once

#include "plan/remedies/changes.h"
#include "plan/search/model_choice.h"

#include <optional>
#include <span>
#include <vector>

namespace roundpipe::plan {

// Whether it fits matters, not the last percent.
SearchOptions quickly(const SearchOptions& options);
// By memory alone. Throws kCancelled.
bool fits(const ModelRequest& request, const SearchOptions& options);
// Nothing where none fits.
std::optional<ModelChoice> fitting(const ModelRequest& request, const SearchOptions& options);

// A request that is changed again and again. A large mixture's thousands of tensors take longer to copy than it takes
// to see what fits, so that all variants have the layers of one copy in turn. No change looks at layers.
class Variants {
public:
    Variants(const ModelRequest& request, const Following& follow) : m_withoutLayers(request), m_follow(follow) {
        m_layers.swap(m_withoutLayers.model.layers);
    }
    // What is changed, its layers excepted.
    const ModelRequest& unchanged() const { return m_withoutLayers; }
    ModelRequest changed(std::span<const Fix> fixes) const { return m_follow(m_withoutLayers, fixes); }
    // What `use` makes of a request that changed() has made.
    template <class Use>
    auto with(ModelRequest made, const Use& use) {
        made.model.layers.swap(m_layers);
        auto result = use(made);
        made.model.layers.swap(m_layers);
        return result;
    }

private:
    ModelRequest m_withoutLayers;
    const Following& m_follow;
    std::vector<arch::LayerSpec> m_layers;
};

} // namespace roundpipe::plan
