// Sets of made-up examples.
#pragma once

#include "data/store/token_store.h"

#include <filesystem>
#include <memory>
#include <string>

namespace roundpipe::data {

// Collects examples in a file that goes with the set.
class ExampleMaker {
public:
    void add(int64_t id, RowPlace place, std::span<const int32_t> ids, std::span<const uint8_t> trained) {
        m_writer->add(id, place, ids, trained);
    }
    ExampleSet done() { return ExampleSet(m_writer->finish("")); }

private:
    std::unique_ptr<TokenStoreWriter> m_writer =
        std::make_unique<TokenStoreWriter>(std::filesystem::temp_directory_path());
};

} // namespace roundpipe::data
