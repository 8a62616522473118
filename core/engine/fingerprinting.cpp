// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fingerprinting.h"

#include "arch/weights_fingerprint.h"
#include "base/content_hash.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::engine {
namespace {

namespace fs = std::filesystem;

template <class Element>
void add(ContentHasher& hasher, const std::vector<Element>& values) {
    hasher.add(std::as_bytes(std::span(values)));
}

std::string hashOf(const data::ExampleSet& examples, const std::atomic<bool>& cancelled) {
    ContentHasher hasher;
    for (int64_t i = 0; i < examples.size() && !cancelled; ++i) {
        const data::Example example = examples[i];
        add(hasher, example.ids);
        add(hasher, example.trained);
    }
    return hasher.hex();
}

// The rows' part is still to be made.
runs::Fingerprint ofModelBefore(const runs::ModelFiles& model, const std::optional<runs::FoundCheckpoint>& before) {
    if (!model.ofCheckpoint || !before || !before->state.fingerprint) return {};
    return *before->state.fingerprint;
}

} // namespace

runs::Fingerprint quickFingerprint(const session::RunSpec& spec, const runs::ModelFiles& model,
                                   const std::optional<runs::FoundCheckpoint>& before, const data::Dataset& dataset) {
    const std::atomic<bool> cancelled{false};
    runs::Fingerprint print = ofModelBefore(model, before);
    print.rows = hashOf(dataset.training(), cancelled);
    print.validation = hashOf(dataset.validation(), cancelled);
    if (model.ofCheckpoint) return print;
    print.config = contentHashOfFile(fs::path(model.folder) / "config.json");
    if (!spec.model.randomWeights) print.weights = arch::keptFingerprintOfWeights(model.folder).value_or("");
    return print;
}

Fingerprinting::Fingerprinting(const session::RunSpec& spec, const runs::ModelFiles& model,
                               const std::optional<runs::FoundCheckpoint>& before, const data::Dataset& dataset)
    : m_print(ofModelBefore(model, before)), m_rows(std::async(std::launch::async, [this, &dataset] {
        m_print.rows = hashOf(dataset.training(), m_cancelled);
        m_print.validation = hashOf(dataset.validation(), m_cancelled);
    })) {
    if (model.ofCheckpoint) return;
    m_model =
        std::async(std::launch::async, [this, folder = fs::path(model.folder), hasWeights = !spec.model.randomWeights] {
            m_print.config = contentHashOfFile(folder / "config.json");
            if (hasWeights) m_print.weights = arch::fingerprintOfWeights(folder, m_cancelled);
        });
}

Fingerprinting::~Fingerprinting() {
    m_cancelled = true;
}

const runs::Fingerprint& Fingerprinting::get() {
    for (std::future<void>* part : {&m_rows, &m_model})
        if (part->valid()) part->get();
    return m_print;
}

} // namespace roundpipe::engine
