// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/merged_model.h"

#include "arch/text_part.h"
#include "artifact/base_fingerprint.h"
#include "artifact/merge/rank_product.h"
#include "artifact/merge/unpacked_stack.h"
#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "lm_head.weight";
// Of experts in MXFP4, see arch::storedTensors().
constexpr const char* kCodes = "_blocks";
constexpr const char* kScales = "_scales";

const std::string& embeddingOf(const arch::ModelSpec& model) {
    return model.layers.front().tensors.front().name;
}

// As the embedding that it is made of is stored.
std::string nameOfHeadBeside(const MergedTensor& embedding) {
    return embedding.storedAs == embedding.name ? kHead : arch::olderNameOf(kHead);
}

Error otherBase(const LoraFile& lora, const fs::path& base, const std::string& why) {
    return invalidInput(fmt::format("The adapter '{}' is not one of the model '{}': {}.",
                                    lora.path().parent_path().string(), base.string(), why),
                        "Name the model that it was trained on: base_model_name_or_path in its adapter_config.json.");
}

bool haveSameBytes(const arch::SafetensorsFile& file, const arch::TensorEntry& a, const arch::TensorEntry& b) {
    if (a.dtype != b.dtype || a.bytes != b.bytes) return false;
    constexpr int64_t kPiece = 4 << 20;
    std::vector<std::byte> ofA, ofB;
    for (int64_t done = 0; done < a.bytes; done += kPiece) {
        const auto count = static_cast<std::size_t>(std::min(kPiece, a.bytes - done));
        ofA.resize(count);
        ofB.resize(count);
        file.read(a, done, ofA);
        file.read(b, done, ofB);
        if (ofA != ofB) return false;
    }
    return true;
}

} // namespace

int64_t MergedTensor::rows() const {
    int64_t product = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
        product *= shape[i];
    return product;
}

MergedModel::MergedModel(const fs::path& base, std::span<const WeightedAdapter> adapters)
    : m_base(base)
    , m_textFolder(base)
    , m_spec(arch::makeModelSpec(arch::readModelConfig(base)))
    , m_checkpoint(arch::Checkpoint::open(base)) {
    for (const arch::LayerSpec& layer : m_spec.layers)
        for (const arch::TensorSpec& tensor : layer.tensors)
            for (const arch::StoredTensor& stored : arch::storedTensors(tensor))
                m_checkpoint.require(stored);
    m_checkpoint.requireNoOthers(m_spec.layers);
    m_checkpoint.requireTiedHead(m_spec.layers);
    addBase();
    for (const WeightedAdapter& adapter : adapters)
        add(adapter);
    if (!adapters.empty() && fs::exists(adapters.front().folder / "tokenizer.json"))
        m_textFolder = adapters.front().folder;
}

void MergedModel::addBase() {
    for (const arch::SafetensorsFile& file : m_checkpoint.files())
        for (const arch::TensorEntry& entry : file.tensors())
            if (std::string name = arch::parameterOf(entry.name);
                name != kHead || !m_spec.config.tiedEmbeddings) // some folders store a tied head twice
                m_tensors.push_back({std::move(name),
                                     entry.name,
                                     entry.dtype,
                                     entry.shape,
                                     file.path().filename().string(),
                                     &file,
                                     &entry,
                                     {}});
    std::ranges::stable_sort(m_tensors, {}, &MergedTensor::shard);
}

const MergedTensor* MergedModel::find(std::string_view name) const {
    const auto found = std::ranges::find(m_tensors, name, &MergedTensor::name);
    return found == m_tensors.end() ? nullptr : &*found;
}

void MergedModel::unpackExperts() {
    const auto tensorAt = [&](const std::string& name) {
        const auto found = std::ranges::find(m_tensors, name, &MergedTensor::name);
        RP_CHECK(found != m_tensors.end());
        return found;
    };
    for (const arch::LayerSpec& layer : m_spec.layers)
        for (const arch::TensorSpec& stack : layer.tensors) {
            if (!stack.mxfp4) continue;
            const MergedTensor scales = *tensorAt(stack.name + kScales);
            m_tensors.erase(tensorAt(stack.name + kScales));
            MergedTensor& codes = *tensorAt(stack.name + kCodes);
            codes.name = codes.storedAs = stack.name;
            codes.dtype = find(embeddingOf(m_spec))->dtype;
            codes.shape = {stack.shape[0], stack.shape[2], stack.shape[1]};
            codes.scalesFile = scales.file;
            codes.scales = scales.entry;
        }
    m_isUnpacked = true;
}

// The tensor that an adapter changes; of a tied head a copy of the embedding, which stays as it is.
MergedTensor* MergedModel::toChange(const std::string& name, const LoraFile& lora) {
    if (name == kHead && m_spec.config.tiedEmbeddings && find(kHead) == nullptr) {
        MergedTensor head = *find(embeddingOf(m_spec));
        head.storedAs = nameOfHeadBeside(head);
        head.name = kHead;
        head.shard = m_tensors.back().shard;
        m_tensors.push_back(std::move(head));
        m_isUntied = true;
    }
    if (find(name + kCodes) != nullptr) unpackExperts();
    const auto found = std::ranges::find(m_tensors, name, &MergedTensor::name);
    if (found == m_tensors.end())
        throw otherBase(lora, m_base, fmt::format("it changes '{}', which is not in it", name));
    return &*found;
}

void MergedModel::add(const WeightedAdapter& adapter) {
    requireBase(adapter.folder, m_base);
    if (m_baseWeights.empty()) m_baseWeights = baseOf(adapter.folder);
    const LoraFile& lora = m_loras.emplace_back(LoraFile::open(adapter.folder, m_spec));
    for (const std::string& tensor : lora.wholeTensors()) {
        if (adapter.weight != 1)
            throw unsupported(fmt::format("The adapter '{}' has '{}', trained whole, which has no weight other than 1.",
                                          adapter.folder.string(), tensor),
                              "Leave its weight out.");
        addWhole(lora, tensor);
    }
    for (const LoraModule& module : lora.modules()) {
        MergedTensor& tensor = *toChange(module.tensor(), lora);
        std::vector<int64_t> shape{module.outFeatures, module.inFeatures};
        if (module.experts > 0) shape = {module.experts, module.inFeatures, module.outFeatures};
        if (tensor.shape != shape)
            throw otherBase(lora, m_base,
                            fmt::format("'{}' has {} outputs and {} inputs in it, but the shape [{}] in the model",
                                        module.module, module.outFeatures, module.inFeatures,
                                        fmt::join(tensor.shape, ", ")));
        tensor.products.push_back({&lora, &module, adapter.weight});
    }
}

void MergedModel::addWhole(const LoraFile& lora, const std::string& name) {
    const arch::TensorEntry& whole = lora.whole(name);
    const std::vector<std::string>& all = lora.wholeTensors();
    const std::string& embedding = embeddingOf(m_spec);
    if (name == kHead && m_spec.config.tiedEmbeddings && std::ranges::find(all, embedding) != all.end() &&
        haveSameBytes(lora.file(), whole, lora.whole(embedding)))
        return; // it stays one
    MergedTensor& tensor = *toChange(name, lora);
    if (tensor.shape != whole.shape)
        throw otherBase(lora, m_base,
                        fmt::format("'{}' has the shape [{}] in it, but [{}] in the model", name,
                                    fmt::join(whole.shape, ", "), fmt::join(tensor.shape, ", ")));
    if (std::ranges::any_of(m_loras, [&](const LoraFile& other) { return tensor.file == &other.file(); }))
        throw unsupported(fmt::format("Two adapters have '{}', trained whole: only one can be in its place.", name),
                          "Merge one of them.");
    tensor.file = &lora.file();
    tensor.entry = &whole;
}

namespace {

// Each of `count` matrices (rows, cols) turned round.
std::vector<float> turnedRound(const std::vector<float>& values, int64_t count, int64_t rows, int64_t cols) {
    std::vector<float> turned(values.size());
    for (int64_t m = 0; m < count; ++m)
        for (int64_t row = 0; row < rows; ++row)
            for (int64_t col = 0; col < cols; ++col)
                turned[static_cast<std::size_t>((m * cols + col) * rows + row)] =
                    values[static_cast<std::size_t>((m * rows + row) * cols + col)];
    return turned;
}

} // namespace

MergedRows::~MergedRows() = default;

MergedRows::MergedRows(const MergedTensor& tensor) : m_tensor(tensor) {
    if (tensor.scales != nullptr) m_unpacked = std::make_unique<const UnpackedStack>(tensor);
    for (const MergedTensor::Product& product : tensor.products) {
        const LoraModule& module = *product.module;
        const auto scale = static_cast<float>(product.weight * module.scale);
        std::vector<float> a = product.lora->readA(module), b = product.lora->readB(module);
        if (module.experts == 0) {
            m_products.push_back({std::move(b), std::move(a), module.rank, scale, tensor.rows()});
            continue;
        }
        m_products.push_back({turnedRound(a, module.experts, module.rank, module.inFeatures),
                              turnedRound(b, module.experts, module.outFeatures, module.rank), module.rank, scale,
                              module.inFeatures});
    }
}

void MergedRows::add(const Product& product, int64_t first, int64_t count, float* into) const {
    const int64_t cols = m_tensor.cols();
    for (int64_t done = 0; done < count;) {
        const int64_t row = first + done, matrix = row / product.rowsOfRight;
        const int64_t size = std::min(count - done, (matrix + 1) * product.rowsOfRight - row);
        addRankProduct(into + done * cols, product.left.data() + row * product.rank,
                       product.right.data() + matrix * product.rank * cols, size, cols, product.rank, product.scale);
        done += size;
    }
}

void MergedRows::read(int64_t first, int64_t count, std::span<float> into) const {
    const int64_t cols = m_tensor.cols();
    RP_CHECK(static_cast<int64_t>(into.size()) == count * cols);
    if (m_unpacked)
        m_unpacked->read(first, count, into);
    else
        readBase(first, count, into);
    for (const Product& product : m_products)
        add(product, first, count, into.data());
}

void MergedRows::readBase(int64_t first, int64_t count, std::span<float> into) const {
    const int64_t cols = m_tensor.cols();
    // Threads that each read a part leave the system's own reading ahead without a pattern to see.
    constexpr int64_t kAhead = 32 << 20;
    const int64_t size = static_cast<int64_t>(sizeOf(m_tensor.entry->dtype));
    m_tensor.file->expect(*m_tensor.entry, first * cols * size + kAhead, count * cols * size);
    readAsFloats(*m_tensor.file, *m_tensor.entry, first * cols, into);
}

} // namespace roundpipe::artifact
