// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/case_run.h"

#include "base/error.h"
#include "kernels/scalar.h"

#include <cstring>
#include <limits>
#include <memory>

#ifdef ROUNDPIPE_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

namespace roundpipe::kernels {

namespace {

constexpr std::byte kPoison{0xFF}; // NaN in every floating type

// Memory where a case runs: a copy of host bytes that can be read back.
class TestMemory {
public:
    virtual ~TestMemory() = default;
    virtual void* put(const std::vector<std::byte>& bytes) = 0;
    virtual void get(const void* data, std::vector<std::byte>& bytes) = 0;
    virtual Target target() = 0;
};

class HostTestMemory final : public TestMemory {
public:
    void* put(const std::vector<std::byte>& bytes) override {
        // 64-byte aligned, as the engine's buffers are.
        auto& buffer = m_buffers.emplace_back(new (std::align_val_t{64}) std::byte[bytes.size() + 1]);
        std::memcpy(buffer.get(), bytes.data(), bytes.size());
        return buffer.get();
    }
    void get(const void* data, std::vector<std::byte>& bytes) override {
        std::memcpy(bytes.data(), data, bytes.size());
    }
    Target target() override { return {}; }

private:
    struct Deleter {
        void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t{64}); }
    };
    std::vector<std::unique_ptr<std::byte[], Deleter>> m_buffers;
};

#ifdef ROUNDPIPE_HAS_CUDA
void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess) return;
    throw Error(ErrorKind::kDevice,
                std::string("The self-test could not ") + doing + " on the GPU: " + cudaGetErrorString(status) + ".",
                "Check the GPU with nvidia-smi.");
}

class CudaTestMemory final : public TestMemory {
public:
    explicit CudaTestMemory(int device) {
        check(cudaGetDevice(&m_deviceBefore), "ask for the current device");
        check(cudaSetDevice(device), "choose a device");
        check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "make a stream");
    }
    CudaTestMemory(const CudaTestMemory&) = delete;
    CudaTestMemory& operator=(const CudaTestMemory&) = delete;
    ~CudaTestMemory() override {
        for (void* buffer : m_buffers)
            cudaFree(buffer);
        cudaStreamDestroy(m_stream);
        cudaSetDevice(m_deviceBefore);
    }
    void* put(const std::vector<std::byte>& bytes) override {
        void* data = nullptr;
        check(cudaMalloc(&data, bytes.size() + 1), "allocate memory");
        m_buffers.push_back(data);
        check(cudaMemcpyAsync(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice, m_stream), "copy inputs");
        return data;
    }
    void get(const void* data, std::vector<std::byte>& bytes) override {
        check(cudaMemcpyAsync(bytes.data(), data, bytes.size(), cudaMemcpyDeviceToHost, m_stream), "copy results");
        check(cudaStreamSynchronize(m_stream), "run a kernel");
    }
    Target target() override { return {true, m_stream}; }

private:
    int m_deviceBefore = 0;
    cudaStream_t m_stream = nullptr;
    std::vector<void*> m_buffers;
};
#endif

std::unique_ptr<TestMemory> testMemoryOf(int cudaDevice) {
    if (cudaDevice < 0) return std::make_unique<HostTestMemory>();
#ifdef ROUNDPIPE_HAS_CUDA
    return std::make_unique<CudaTestMemory>(cudaDevice);
#else
    throw unsupported("This build of RoundPipe Studio has no CUDA kernels to test.");
#endif
}

bool isInteger(const CaseOperand& operand) {
    return operand.kind == OperandKind::kInt32 || operand.kind == OperandKind::kInt64;
}

// Calls visit(bytes of element (r, c), index in CaseOperand::values).
template <class Visit>
void forElements(const CaseOperand& operand, std::size_t elementBytes, std::vector<std::byte>& bytes, Visit&& visit) {
    for (int64_t r = 0; r < operand.rows; ++r)
        for (int64_t c = 0; c < operand.cols; ++c)
            visit(bytes.data() + static_cast<std::size_t>(r * operand.pitch + c) * elementBytes,
                  static_cast<std::size_t>(r * operand.cols + c));
}

std::vector<std::byte> encode(const CaseOperand& operand, DType dtype) {
    const std::size_t elementBytes = sizeOf(dtype);
    std::vector<std::byte> bytes(static_cast<std::size_t>(operand.rows * operand.pitch) * elementBytes, kPoison);
    if (operand.role == OperandRole::kOutput || operand.role == OperandRole::kScratch) return bytes;
    forElements(operand, elementBytes, bytes, [&](std::byte* to, std::size_t index) {
        if (isInteger(operand)) {
            const int32_t small = static_cast<int32_t>(operand.integers[index]);
            std::memcpy(to, elementBytes == 4 ? static_cast<const void*>(&small) : &operand.integers[index],
                        elementBytes);
            return;
        }
        visitFloating(dtype, [&]<class T>(T) {
            const T value = narrow<T>(static_cast<Statistic<T>>(operand.values[index]));
            std::memcpy(to, &value, sizeof value);
        });
    });
    return bytes;
}

bool gapsUntouched(const CaseOperand& operand, std::size_t elementBytes, const std::vector<std::byte>& bytes) {
    for (int64_t r = 0; r < operand.rows; ++r)
        for (std::size_t b = static_cast<std::size_t>(r * operand.pitch + operand.cols) * elementBytes;
             b < static_cast<std::size_t>((r + 1) * operand.pitch) * elementBytes; ++b)
            if (bytes[b] != kPoison) return false;
    return true;
}

// 64-bit integers come back as the exclusive or of their halves, as a double doesn't hold them.
std::vector<double> decode(const CaseOperand& operand, DType dtype, std::vector<std::byte>& bytes) {
    std::vector<double> values(static_cast<std::size_t>(operand.rows * operand.cols));
    const std::size_t elementBytes = sizeOf(dtype);
    if (!gapsUntouched(operand, elementBytes, bytes)) {
        for (double& value : values)
            value = std::numeric_limits<double>::infinity();
        return values;
    }
    forElements(operand, elementBytes, bytes, [&](const std::byte* from, std::size_t index) {
        if (isInteger(operand)) {
            int64_t value = 0;
            std::memcpy(&value, from, elementBytes);
            values[index] = static_cast<double>(static_cast<uint32_t>(value ^ (value >> 32)));
            return;
        }
        visitFloating(dtype, [&]<class T>(T) {
            T value;
            std::memcpy(&value, from, sizeof value);
            values[index] = static_cast<double>(widen(value));
        });
    });
    return values;
}

} // namespace

DType typeOf(const CaseOperand& operand, DType dtype) {
    switch (operand.kind) {
    case OperandKind::kStorage:
        return dtype;
    case OperandKind::kStatistic:
        return statisticsType(dtype);
    case OperandKind::kTotal:
        return DType::kF64;
    case OperandKind::kInt32:
        return DType::kI32;
    case OperandKind::kInt64:
        return DType::kI64;
    case OperandKind::kOther:
        return operand.dtype;
    }
    return dtype;
}

std::vector<std::vector<double>> runCase(const Case& which, DType dtype, int cudaDevice) {
    const std::unique_ptr<TestMemory> memory = testMemoryOf(cudaDevice);
    std::vector<Matrix> matrices;
    std::vector<std::vector<std::byte>> contents;
    for (const CaseOperand& operand : which.operands) {
        const DType type = typeOf(operand, dtype);
        contents.push_back(encode(operand, type));
        matrices.push_back({memory->put(contents.back()), type, operand.rows, operand.cols, operand.pitch});
    }
    which.call(memory->target(), matrices);
    std::vector<std::vector<double>> results;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        memory->get(matrices[i].data, contents[i]);
        results.push_back(decode(which.operands[i], matrices[i].dtype, contents[i]));
    }
    return results;
}

} // namespace roundpipe::kernels
