// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/cudnn_graphs.h"

#include "base/error.h"

#include <cudnn_frontend.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace roundpipe::model {
namespace {

namespace fe = cudnn_frontend;

using Tensor = std::shared_ptr<fe::graph::Tensor_attributes>;
using Numbers = std::vector<int64_t>;

// Names of a graph's tensors.
enum Uid : int64_t {
    kQ = 1,
    kK,
    kV,
    kOut,
    kLogSumExp,
    kDOut,
    kDq,
    kDk,
    kDv,
    kQStarts, // from here on as sequenceOffsets() gives them
    kKStarts,
    kVStarts,
    kHeadStarts,   // of dense rows of all heads
    kSharedStarts, // of dense rows of all key/value heads
    kSumStarts,
    kLengths
};

Error cudnnError(const std::string& what) {
    return Error(
        ErrorKind::kDevice, "cuDNN failed: " + what,
        "This is a fault of the GPU, its driver or its libraries. Run 'roundpipe selftest', and packaging/setup "
        "again.");
}

void check(cudnnStatus_t status, const char* doing) {
    if (status != CUDNN_STATUS_SUCCESS) throw cudnnError(std::string(doing) + ": " + cudnnGetErrorString(status));
}

void check(fe::error_t error, const char* doing) {
    if (error.is_bad()) throw cudnnError(std::string(doing) + ": " + error.get_message());
}

fe::DataType_t typeOf(DType dtype) {
    return dtype == DType::kF16 ? fe::DataType_t::HALF : fe::DataType_t::BFLOAT16;
}

// A graph under construction.
class Maker {
public:
    explicit Maker(const CudnnGraphKey& key) : m_key(key), m_graph(std::make_shared<fe::graph::Graph>()) {
        m_graph->set_io_data_type(typeOf(key.dtype))
            .set_intermediate_data_type(fe::DataType_t::FLOAT)
            .set_compute_data_type(fe::DataType_t::FLOAT);
        m_lengths = integers(kLengths, key.sequences);
    }

    std::shared_ptr<fe::graph::Graph> forward() {
        auto options = fe::graph::SDPA_attributes().set_name("attention").set_generate_stats(true);
        describe(options);
        const auto results = m_graph->sdpa(input(kQ), input(kK), input(kV), options);
        give(results[0], kOut);
        give(results[1], kLogSumExp);
        return m_graph;
    }

    std::shared_ptr<fe::graph::Graph> backward() {
        auto options = fe::graph::SDPA_backward_attributes()
                           .set_name("attention")
                           .set_max_total_seq_len_q(m_key.tokens)
                           .set_max_total_seq_len_kv(m_key.tokens)
                           .set_deterministic_algorithm(m_key.deterministic);
        describe(options);
        const auto results = m_graph->sdpa_backward(input(kQ), input(kK), input(kV), input(kOut), input(kDOut),
                                                    input(kLogSumExp), options);
        give(results[0], kDq);
        give(results[1], kDk);
        give(results[2], kDv);
        return m_graph;
    }

private:
    Tensor integers(Uid uid, int64_t count) {
        return m_graph->tensor(fe::graph::Tensor_attributes()
                                   .set_uid(uid)
                                   .set_dim({count, 1, 1, 1})
                                   .set_stride({1, 1, 1, 1})
                                   .set_data_type(fe::DataType_t::INT32));
    }

    bool isOfKeys(Uid uid) const { return uid == kK || uid == kV || uid == kDk || uid == kDv; }
    // [sequence, head, token, column]
    Numbers sizes(Uid uid) const {
        return {m_key.sequences, isOfKeys(uid) ? m_key.numKvHeads : m_key.numHeads, m_key.length,
                uid == kLogSumExp ? 1 : m_key.headDim};
    }
    Numbers strides(Uid uid) const {
        const Numbers size = sizes(uid);
        const int64_t pitch = uid <= kV ? m_key.pitches[static_cast<std::size_t>(uid - kQ)] : size[1] * size[3];
        return {size[2] * pitch, size[3], pitch, 1};
    }
    // Made when a tensor needs them: a graph has none that nobody reads.
    Tensor startsOf(Uid uid) {
        const Uid kind = startsUid(uid);
        Tensor& starts = m_starts[kind];
        if (!starts) starts = integers(kind, m_key.sequences + 1);
        return starts;
    }
    Uid startsUid(Uid uid) const {
        if (uid <= kV) return static_cast<Uid>(kQStarts + (uid - kQ));
        if (uid == kLogSumExp) return kSumStarts;
        return isOfKeys(uid) ? kSharedStarts : kHeadStarts;
    }
    fe::DataType_t typeOfTensor(Uid uid) const {
        return uid == kLogSumExp ? fe::DataType_t::FLOAT : typeOf(m_key.dtype);
    }

    Tensor input(Uid uid) {
        return m_graph->tensor(fe::graph::Tensor_attributes()
                                   .set_uid(uid)
                                   .set_dim(sizes(uid))
                                   .set_stride(strides(uid))
                                   .set_ragged_offset(startsOf(uid))
                                   .set_data_type(typeOfTensor(uid)));
    }

    void give(const Tensor& result, Uid uid) {
        result->set_output(true)
            .set_uid(uid)
            .set_dim(sizes(uid))
            .set_stride(strides(uid))
            .set_ragged_offset(startsOf(uid))
            .set_data_type(typeOfTensor(uid));
    }

    template <class Options>
    void describe(Options& options) {
        options.set_attn_scale(static_cast<float>(m_key.scale))
            .set_causal_mask(true)
            .set_padding_mask(true)
            .set_seq_len_q(m_lengths)
            .set_seq_len_kv(m_lengths);
        if (m_key.window > 0) options.set_diagonal_band_left_bound(static_cast<int>(m_key.window));
    }

    const CudnnGraphKey& m_key;
    std::shared_ptr<fe::graph::Graph> m_graph;
    std::map<Uid, Tensor> m_starts;
    Tensor m_lengths;
};

struct Graph {
    std::shared_ptr<fe::graph::Graph> graph;
    int64_t workspaceBytes = 0;
};

} // namespace

struct CudnnGraphs::Held {
    cudnnHandle_t handle = nullptr;
    std::map<CudnnGraphKey, Graph> graphs;

    Graph& at(const CudnnGraphKey& key) {
        Graph& found = graphs[key];
        if (found.graph) return found;
        Maker maker(key);
        const auto graph = key.isBackward ? maker.backward() : maker.forward();
        check(graph->validate(), "describing attention");
        check(graph->build_operation_graph(handle), "describing attention");
        check(graph->create_execution_plans({fe::HeurMode_t::A}), "choosing a kernel for attention");
        check(graph->check_support(handle), "choosing a kernel for attention");
        check(graph->build_plans(handle), "building a kernel for attention");
        check(graph->get_workspace_size(found.workspaceBytes), "sizing attention");
        found.graph = graph;
        return found;
    }
};

CudnnGraphs::CudnnGraphs() : m_held(*new Held) {
    check(cudnnCreate(&m_held.handle), "starting");
}

CudnnGraphs& CudnnGraphs::of(int cudaIndex) {
    static std::mutex mutex;
    static auto& all = *new std::map<int, std::unique_ptr<CudnnGraphs>>;
    const std::scoped_lock lock(mutex);
    std::unique_ptr<CudnnGraphs>& graphs = all[cudaIndex];
    if (!graphs) graphs.reset(new CudnnGraphs);
    return *graphs;
}

int64_t CudnnGraphs::workspaceBytes(const CudnnGraphKey& key) {
    const std::scoped_lock lock(m_mutex);
    return m_held.at(key).workspaceBytes;
}

void CudnnGraphs::run(const CudnnGraphKey& key, const CudnnArrays& arrays, void* workspace, void* stream) {
    const std::scoped_lock lock(m_mutex);
    Graph& found = m_held.at(key);
    int32_t* const offsets = arrays.offsets;
    const int64_t width = key.sequences + 1;
    std::unordered_map<int64_t, void*> memory{
        {kQ, arrays.q}, {kK, arrays.k}, {kV, arrays.v}, {kOut, arrays.out}, {kLogSumExp, arrays.logSumExp}};
    for (const Uid uid : {kQStarts, kKStarts, kVStarts, kHeadStarts, kSumStarts, kLengths})
        memory.insert({uid, offsets + (uid - kQStarts) * width});
    if (key.isBackward)
        memory.insert({{kDOut, arrays.dOut},
                       {kDq, arrays.dq},
                       {kDk, arrays.dk},
                       {kDv, arrays.dv},
                       {kSharedStarts, offsets + (kSharedStarts - kQStarts) * width}});
    check(cudnnSetStream(m_held.handle, static_cast<cudaStream_t>(stream)), "choosing a stream");
    check(found.graph->execute(m_held.handle, memory, workspace), "computing attention");
}

} // namespace roundpipe::model
