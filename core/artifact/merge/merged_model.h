// SPDX-License-Identifier: GPL-3.0-or-later
// A base model with adapters in its weights: what its tensors are, and their values row by row, without ever holding
// more than one of them.
#pragma once

#include "arch/checkpoint.h"
#include "arch/layers.h"
#include "artifact/merge/lora_file.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::artifact {

// One tensor of the result. Its values are those of `entry` in `file`, and the products of adapters added to them.
struct MergedTensor {
    struct Product {
        const LoraFile* lora = nullptr;
        const LoraModule* module = nullptr;
        double weight = 1;
    };

    std::string name;          // of the parameter (arch/text_part.h)
    std::string storedAs;      // in the base's files, and in those that are written
    DType dtype = DType::kF32; // the base's
    std::vector<int64_t> shape;
    std::string shard; // name of the file that has it in the base
    const arch::SafetensorsFile* file = nullptr;
    const arch::TensorEntry* entry = nullptr;
    std::vector<Product> products;
    // Of experts in MXFP4 that are to be unpacked: `entry` is that of their codes.
    const arch::SafetensorsFile* scalesFile = nullptr;
    const arch::TensorEntry* scales = nullptr;

    int64_t cols() const { return shape.empty() ? 1 : shape.back(); } // 1 row of a vector
    int64_t rows() const;
    int64_t bytes() const { return rows() * cols() * static_cast<int64_t>(sizeOf(dtype)); }
    bool isCopied() const { return products.empty() && entry->dtype == dtype; } // byte by byte
};

// Reads headers, and the base's weights where an adapter says which they must be and nobody has read them before.
// Immutable: any thread.
class MergedModel {
public:
    // No adapters: the base. Throws kInvalidInput where an adapter is of another base (a module or a shape that this
    // one does not have, another fingerprint), kUnsupported for what can't be merged.
    MergedModel(const std::filesystem::path& base, std::span<const WeightedAdapter> adapters);
    MergedModel(const MergedModel&) = delete;
    MergedModel& operator=(const MergedModel&) = delete;

    const std::filesystem::path& base() const { return m_base; }
    const arch::ModelSpec& spec() const { return m_spec; }
    const std::vector<MergedTensor>& tensors() const { return m_tensors; } // shard by shard, in the order of the bytes
    const MergedTensor* find(std::string_view name) const;
    // Of a model whose embedding is its head, an adapter of the head makes a table of its own of it.
    bool isUntied() const { return m_isUntied; }
    // Experts in MXFP4 are unpacked where an adapter changes some: all of them, as what reads such a model has either.
    bool isUnpacked() const { return m_isUnpacked; }
    // What its adapters say of the base's weights (arch/weights_fingerprint.h), which has been found right; empty where
    // they say nothing.
    const std::string& baseWeights() const { return m_baseWeights; }
    // Where tokenizer and template are: the first adapter's folder if it has them, else the base's.
    const std::filesystem::path& textFolder() const { return m_textFolder; }

private:
    void addBase();
    void add(const WeightedAdapter& adapter);
    void addWhole(const LoraFile& lora, const std::string& tensor);
    void unpackExperts();
    MergedTensor* toChange(const std::string& name, const LoraFile& lora);

    std::filesystem::path m_base, m_textFolder;
    arch::ModelSpec m_spec;
    arch::Checkpoint m_checkpoint;
    std::deque<LoraFile> m_loras; // tensors point at them
    std::vector<MergedTensor> m_tensors;
    bool m_isUntied = false;
    bool m_isUnpacked = false;
    std::string m_baseWeights;
};

class UnpackedStack;

// The rows of one tensor. Holds the matrices of its adapters, and the codes of experts that it unpacks; any thread
// reads.
class MergedRows {
public:
    explicit MergedRows(const MergedTensor& tensor);
    ~MergedRows();
    MergedRows(const MergedRows&) = delete;
    MergedRows& operator=(const MergedRows&) = delete;
    // `count` rows from `first` on, in fp32: the base's, to which the products are added one after another. Not rounded
    // to the tensor's type.
    void read(int64_t first, int64_t count, std::span<float> into) const;

private:
    // B and A of a linear. Of stacked experts, which lie transposed: A and B of each turned round, one behind the
    // other.
    struct Product {
        std::vector<float> left, right; // (rows, rank) and (rank, cols)
        int64_t rank;
        float scale;
        int64_t rowsOfRight; // that meet the same right one
    };
    void readBase(int64_t first, int64_t count, std::span<float> into) const;
    void add(const Product& product, int64_t first, int64_t count, float* into) const;

    const MergedTensor& m_tensor;
    std::vector<Product> m_products;
    std::unique_ptr<const UnpackedStack> m_unpacked;
};

} // namespace roundpipe::artifact
