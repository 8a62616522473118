// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fingerprinting.h"

#include "arch/checkpoint.h"
#include "base/content_hash.h"
#include "base/file.h"
#include "base/thread_team.h"

#include <algorithm>
#include <string>
#include <utility>
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

// Of pieces, side by side: a thread alone is slower than the disks that large models lie on.
std::string hashOf(const std::vector<fs::path>& files, const std::atomic<bool>& cancelled) {
    constexpr int64_t kPiece = int64_t{16} << 20;
    constexpr int kThreads = 4; // devices are opened meanwhile, and steps are taken
    struct Piece {
        std::size_t file;
        int64_t begin;
    };
    std::vector<FileReader> readers;
    std::vector<Piece> pieces;
    for (const fs::path& file : files) {
        readers.emplace_back(file);
        for (int64_t begin = 0; begin < readers.back().sizeBytes(); begin += kPiece)
            pieces.push_back({readers.size() - 1, begin});
    }
    std::vector<std::string> hashes(pieces.size());
    forEachIndex(std::ssize(pieces), kThreads, [&](int64_t i) {
        if (cancelled) return;
        const Piece& piece = pieces[static_cast<std::size_t>(i)];
        const FileReader& reader = readers[piece.file];
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(kPiece, reader.sizeBytes() - piece.begin)));
        reader.readAt(piece.begin, bytes);
        ContentHasher hasher;
        hasher.add(bytes);
        hashes[static_cast<std::size_t>(i)] = hasher.hex();
    });
    std::string all;
    for (const std::string& hash : hashes)
        all += hash;
    return contentHash(all);
}

std::vector<fs::path> filesOf(const session::RunSpec& spec) {
    const fs::path folder = spec.model.path;
    std::vector<fs::path> files{folder / "config.json"};
    if (spec.model.randomWeights) return files;
    const arch::Checkpoint checkpoint = arch::Checkpoint::open(folder);
    for (const arch::SafetensorsFile& file : checkpoint.files())
        files.push_back(file.path());
    return files;
}

} // namespace

Fingerprinting::Fingerprinting(const session::RunSpec& spec, const data::Dataset& dataset)
    : m_rows(
          std::async(std::launch::async, [this, &dataset] { m_print.rows = hashOf(dataset.training(), m_cancelled); }))
    , m_model(std::async(std::launch::async,
                         [this, files = filesOf(spec)] { m_print.model = hashOf(files, m_cancelled); })) {}

Fingerprinting::~Fingerprinting() {
    m_cancelled = true;
}

const runs::Fingerprint& Fingerprinting::get() {
    for (std::future<void>* part : {&m_rows, &m_model})
        if (part->valid()) part->get();
    return m_print;
}

} // namespace roundpipe::engine
