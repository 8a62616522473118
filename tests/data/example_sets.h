// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of made-up examples.
#pragma once

#include "data/store/examples.h"
#include "data/store/tokens/token_store.h"

#include <filesystem>
#include <memory>
#include <utility>

namespace roundpipe::data {

// Collects examples in a file that goes with the set.
class ExampleMaker {
public:
    void add(Example example) { m_writer->add({std::move(example), {}}); }
    ExampleSet done() { return ExampleSet(m_writer->finish("")); }

private:
    std::unique_ptr<TokenStoreWriter> m_writer =
        std::make_unique<TokenStoreWriter>(std::filesystem::temp_directory_path());
};

} // namespace roundpipe::data
