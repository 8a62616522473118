// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"

#include "base/error.h"
#include "kernels/kernel_table.h"

#include <string>

namespace roundpipe::kernels {

namespace {

const KernelTable& cpuTable() {
#ifdef RP_HAS_LEVEL_V3
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (wide) return v3::kTable;
#endif
    return baseline::kTable;
}

const KernelTable& tableOf(const Target& target) {
    if (!target.cuda) return cpuTable();
#ifdef ROUNDPIPE_HAS_CUDA
    return cuda::kTable;
#else
    throw unsupported("This build of RoundPipe Studio has no CUDA kernels.",
                      "Train on the CPU device, or install a build with CUDA.");
#endif
}

void checkStorage(const Matrix& matrix) {
    if (!isFloating(matrix.dtype))
        throw unsupported(std::string("Kernels can't compute in ") + toString(matrix.dtype) + ".",
                          "Use BF16, F16, F32 or F64.");
    RP_CHECK(matrix.rows >= 0 && matrix.cols >= 0 && matrix.pitch >= matrix.cols);
    RP_CHECK(matrix.data != nullptr || matrix.rows * matrix.cols == 0);
}

bool sameSize(const Matrix& a, const Matrix& b) {
    return a.rows == b.rows && a.cols == b.cols;
}

// Every one of `others` has the type and size of `first`.
template <class... Others>
void checkAlike(const Matrix& first, const Others&... others) {
    checkStorage(first);
    (checkStorage(others), ...);
    RP_CHECK(((others.dtype == first.dtype) && ...));
    RP_CHECK((sameSize(first, others) && ...));
}

bool isEmpty(const Matrix& matrix) {
    return matrix.rows == 0 || matrix.cols == 0;
}

void checkHeadDim(int64_t headDim) {
    if (headDim > kMaxHeadDim)
        throw unsupported("Heads of " + std::to_string(headDim) + " columns are more than the " +
                          std::to_string(kMaxHeadDim) + " that the kernels take.");
}

void checkHeads(const Matrix& x, int64_t numHeads, const Matrix& cosSin) {
    RP_CHECK(numHeads > 0 && x.cols % numHeads == 0);
    RP_CHECK(cosSin.dtype == statisticsType(x.dtype) && cosSin.rows == x.rows);
    RP_CHECK(cosSin.cols % 2 == 0 && cosSin.cols <= x.cols / numHeads);
    checkHeadDim(x.cols / numHeads);
}

void checkRowLinear(const RowInput& input, const RowLinear& linear, const Matrix& out) {
    checkStorage(input.x);
    checkStorage(linear.weight);
    checkStorage(linear.b);
    RP_CHECK(input.x.rows == 1 && input.x.cols > 0 && input.x.cols == linear.weight.cols);
    RP_CHECK(input.x.dtype == linear.weight.dtype && input.x.dtype == out.dtype);
    if (linear.b.rows == 0) return;
    RP_CHECK(linear.b.dtype == out.dtype && linear.b.rows == linear.weight.rows && linear.product != nullptr);
}

void checkSums(const Matrix& x, int64_t cols, const Matrix& parts) {
    checkStorage(parts);
    RP_CHECK(parts.dtype == statisticsType(x.dtype) && parts.cols == cols && parts.rows > 0);
}

void checkAttention(const AttentionShape& shape, const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& out) {
    checkAlike(q, out);
    checkAlike(k, v);
    RP_CHECK(q.dtype == k.dtype);
    RP_CHECK(shape.numKvHeads > 0 && shape.numHeads % shape.numKvHeads == 0 && shape.window >= 0);
    RP_CHECK(q.cols == shape.numHeads * shape.headDim && k.cols == shape.numKvHeads * shape.headDim);
    if (shape.headDim > kMaxHeadDim)
        throw unsupported("Attention heads of " + std::to_string(shape.headDim) + " columns are more than the " +
                          std::to_string(kMaxHeadDim) + " that the kernels take.");
}

void checkRouted(const Matrix& routed, const Routing& routing) {
    checkStorage(routed);
    RP_CHECK(routing.perToken > 0 && routing.perToken <= routing.numExperts && routed.rows == routing.numRows());
    RP_CHECK((routing.rows != nullptr && routing.sources != nullptr) || routing.numExperts == 1);
}

// One element for each choice.
void checkWeights(const Matrix& weights, const Routing& routing, DType dtype) {
    RP_CHECK(weights.dtype == dtype && weights.rows == routing.numTokens && weights.cols == routing.perToken);
}

// A row for each expert, of what each row of `routed` is added to or multiplied by.
void checkBiases(const Matrix& biases, const Routing& routing, const Matrix& routed) {
    checkStorage(biases);
    RP_CHECK(biases.dtype == routed.dtype && biases.rows == routing.numExperts && biases.cols == routed.cols);
    RP_CHECK(routing.choices != nullptr && routing.sources != nullptr);
}

void checkGateUp(const ClampedGate& gate, const Matrix& gateUp, const Matrix& act) {
    checkStorage(gateUp);
    checkStorage(act);
    RP_CHECK(gate.limit > 0 && gateUp.dtype == act.dtype);
    RP_CHECK(gateUp.rows == act.rows && gateUp.cols == 2 * act.cols);
}

void checkChoosing(const Matrix& logits, const Matrix& probabilities, const Routing& routing) {
    checkStorage(logits);
    RP_CHECK(sameSize(logits, probabilities) && probabilities.dtype == statisticsType(logits.dtype));
    RP_CHECK(logits.rows == routing.numTokens && logits.cols == routing.numExperts);
    RP_CHECK(routing.perToken > 0 && routing.perToken <= routing.numExperts);
}

} // namespace

void embed(const Target& target, const Matrix& table, const int32_t* ids, const Matrix& out) {
    checkStorage(table);
    checkStorage(out);
    RP_CHECK(table.dtype == out.dtype && table.cols == out.cols);
    if (!isEmpty(out)) tableOf(target).embed(target, table, ids, out);
}

void embedGradient(const Target& target, const Matrix& dOut, const int32_t* ids, const Matrix& table) {
    checkStorage(dOut);
    checkStorage(table);
    RP_CHECK(table.dtype == statisticsType(dOut.dtype) && table.cols == dOut.cols);
    if (!isEmpty(dOut)) tableOf(target).embedGradient(target, dOut, ids, table);
}

void addColumnSums(const Target& target, const Matrix& x, const Matrix& parts, void* out) {
    checkStorage(x);
    checkSums(x, x.cols, parts);
    if (!isEmpty(x)) tableOf(target).addColumnSums(target, x, parts, out);
}

void rmsNorm(const Target& target, const Matrix& x, NormWeight weight, double eps, const Matrix& out, void* rstd) {
    checkAlike(x, out);
    if (!isEmpty(x)) tableOf(target).rmsNorm(target, x, weight, eps, out, rstd);
}

void rmsNormBackward(const Target& target, const Matrix& dy, const Matrix& x, NormWeight weight, const void* rstd,
                     const Matrix* residual, const Matrix& dx) {
    checkAlike(x, dy, dx);
    if (residual) checkAlike(x, *residual);
    if (!isEmpty(x)) tableOf(target).rmsNormBackward(target, dy, x, weight, rstd, residual, dx);
}

void rmsNormWeightGradient(const Target& target, const Matrix& dy, const Matrix& x, const void* rstd,
                           const Matrix& parts, void* out) {
    checkAlike(x, dy);
    checkSums(x, x.cols, parts);
    if (!isEmpty(x)) tableOf(target).rmsNormWeightGradient(target, dy, x, rstd, parts, out);
}

void rotaryTable(const Target& target, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                 double scaling, const Matrix& cosSin) {
    checkStorage(cosSin);
    RP_CHECK(cosSin.dtype == statisticsType(cosSin.dtype) && cosSin.cols == 2 * halfDim);
    if (!isEmpty(cosSin)) tableOf(target).rotaryTable(target, positions, inverseFrequencies, halfDim, scaling, cosSin);
}

void headNormRotary(const Target& target, const Matrix& x, int64_t numHeads, NormWeight normWeight, double eps,
                    const Matrix& cosSin, const Matrix& out, void* rstd) {
    checkAlike(x, out);
    checkHeads(x, numHeads, cosSin);
    if (!isEmpty(x)) tableOf(target).headNormRotary(target, x, numHeads, normWeight, eps, cosSin, out, rstd);
}

void headNormRotaryBackward(const Target& target, const Matrix& dy, const Matrix& x, int64_t numHeads,
                            NormWeight normWeight, const void* rstd, const Matrix& cosSin, const Matrix& dx) {
    checkAlike(dy, dx);
    if (normWeight) checkAlike(dy, x);
    checkHeads(dy, numHeads, cosSin);
    if (!isEmpty(dy)) tableOf(target).headNormRotaryBackward(target, dy, x, numHeads, normWeight, rstd, cosSin, dx);
}

void headNormWeightGradient(const Target& target, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* rstd,
                            const Matrix& cosSin, const Matrix& parts, void* out) {
    checkAlike(dy, x);
    checkHeads(dy, numHeads, cosSin);
    checkSums(x, x.cols / numHeads, parts);
    if (!isEmpty(dy)) tableOf(target).headNormWeightGradient(target, dy, x, numHeads, rstd, cosSin, parts, out);
}

void attention(const Target& target, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
               const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    checkAttention(shape, q, k, v, out);
    RP_CHECK(q.rows == k.rows);
    if (!isEmpty(q)) tableOf(target).attention(target, shape, starts, q, k, v, out, logSumExp);
}

void attentionBackward(const Target& target, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* scratch) {
    checkAttention(shape, q, k, v, out);
    checkAlike(q, dOut, dq);
    checkAlike(k, dk, dv);
    RP_CHECK(q.rows == k.rows);
    if (!isEmpty(q))
        tableOf(target).attentionBackward(target, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv, scratch);
}

void attentionCached(const Target& target, const AttentionShape& shape, const int32_t* positions, const Matrix& q,
                     const Matrix& keys, const Matrix& values, const Matrix& out, void* logSumExp) {
    checkAttention(shape, q, keys, values, out);
    RP_CHECK(q.rows <= keys.rows);
    if (!isEmpty(q)) tableOf(target).attentionCached(target, shape, positions, q, keys, values, out, logSumExp);
}

void addSinks(const Target& target, const void* sinks, int64_t numHeads, bool byToken, void* logSumExp,
              const Matrix& out) {
    checkStorage(out);
    RP_CHECK(sinks != nullptr && logSumExp != nullptr && numHeads > 0 && out.cols % numHeads == 0);
    if (!isEmpty(out)) tableOf(target).addSinks(target, sinks, numHeads, byToken, logSumExp, out);
}

void headsIntoCache(const Target& target, const CachedHeads& heads, const Matrix& qkv, const int32_t* positions,
                    const Matrix& queries, const Matrix& keys, const Matrix& values) {
    checkStorage(qkv);
    checkStorage(queries);
    checkAlike(keys, values);
    const int64_t numKeyColumns = heads.numKvHeads * heads.headDim;
    RP_CHECK(qkv.dtype == queries.dtype && qkv.dtype == keys.dtype && qkv.rows == queries.rows);
    RP_CHECK(qkv.cols == queries.cols + 2 * numKeyColumns && keys.cols == numKeyColumns && qkv.rows <= keys.rows);
    RP_CHECK(queries.cols == heads.numHeads * heads.headDim);
    RP_CHECK(2 * static_cast<int64_t>(heads.inverseFrequencies.size()) <= heads.headDim);
    checkHeadDim(heads.headDim);
    if (!isEmpty(qkv)) tableOf(target).headsIntoCache(target, heads, qkv, positions, queries, keys, values);
}

void rowProduct(const Target& target, const RowInput& input, std::span<const RowLinear> linears, const Matrix* residual,
                const Matrix& out) {
    RP_CHECK(!linears.empty() && linears.size() <= kMostRowLinears);
    checkAlike(out, residual ? *residual : out);
    int64_t numColumns = 0;
    for (const RowLinear& linear : linears) {
        checkRowLinear(input, linear, out);
        numColumns += linear.weight.rows;
    }
    RP_CHECK(out.rows == 1 && out.cols == numColumns);
    tableOf(target).rowProduct(target, input, linears, residual, out);
}

void rowGlu(const Target& target, Activation activation, const RowInput& input, const RowLinear& gate,
            const RowLinear& up, const Matrix& out) {
    checkRowLinear(input, gate, out);
    checkRowLinear(input, up, out);
    RP_CHECK(out.rows == 1 && out.cols == gate.weight.rows && out.cols == up.weight.rows);
    tableOf(target).rowGlu(target, activation, input, gate, up, out);
}

void nextToken(const Target& target, const Matrix& logits, int32_t* id, int32_t* position) {
    checkStorage(logits);
    RP_CHECK(logits.rows == 1 && logits.cols > 0);
    tableOf(target).nextToken(target, logits, id, position);
}

void sequenceOffsets(const Target& target, const int32_t* starts, const SequenceRange& range, const RowPitches& pitches,
                     int32_t* out) {
    RP_CHECK(range.first >= 0 && range.first < range.numSequences && range.count >= 1);
    tableOf(target).sequenceOffsets(target, starts, range, pitches, out);
}

void sigmoid(const Target& target, const Matrix& x, const Matrix& out) {
    checkAlike(x, out);
    if (!isEmpty(x)) tableOf(target).sigmoid(target, x, out);
}

void sigmoidBackward(const Target& target, const Matrix& dOut, const Matrix& out, const Matrix& dX) {
    checkAlike(out, dOut, dX);
    if (!isEmpty(out)) tableOf(target).sigmoidBackward(target, dOut, out, dX);
}

void glu(const Target& target, Activation activation, const Matrix& gate, const Matrix& up, const Matrix& out) {
    checkAlike(gate, up, out);
    if (!isEmpty(gate)) tableOf(target).glu(target, activation, gate, up, out);
}

void gluBackward(const Target& target, Activation activation, const Matrix& dOut, const Matrix& gate, const Matrix& up,
                 const Matrix& dGate, const Matrix& dUp, const Matrix* act) {
    checkAlike(gate, up, dOut, dGate, dUp);
    if (act) checkAlike(gate, *act);
    if (!isEmpty(gate)) tableOf(target).gluBackward(target, activation, dOut, gate, up, dGate, dUp, act);
}

void chooseExperts(const Target& target, const Matrix& logits, bool normalised, const Matrix& probabilities,
                   const Routing& routing, const Matrix& weights) {
    checkChoosing(logits, probabilities, routing);
    checkWeights(weights, routing, logits.dtype);
    if (!isEmpty(logits)) tableOf(target).chooseExperts(target, logits, normalised, probabilities, routing, weights);
}

void chooseExpertsBackward(const Target& target, const Matrix& probabilities, const Routing& routing, bool normalised,
                           const Matrix& dWeights, const Matrix& dLogits) {
    checkChoosing(dLogits, probabilities, routing);
    checkWeights(dWeights, routing, dLogits.dtype);
    if (!isEmpty(dLogits))
        tableOf(target).chooseExpertsBackward(target, probabilities, routing, normalised, dWeights, dLogits);
}

void sortByExpert(const Target& target, const Routing& routing) {
    RP_CHECK(routing.numExperts > 0 && routing.numRows() >= 0);
    tableOf(target).sortByExpert(target, routing);
}

void gatherRows(const Target& target, const Matrix& x, const Routing& routing, const Matrix& out) {
    RP_CHECK(x.dtype == out.dtype && x.cols == out.cols && x.pitch >= x.cols && out.pitch >= out.cols);
    RP_CHECK(x.rows == routing.numTokens && out.rows == routing.numRows() && routing.sources != nullptr);
    if (!isEmpty(out)) tableOf(target).gatherRows(target, x, routing, out);
}

void combineRows(const Target& target, const Matrix* base, const Matrix& routed, const Routing& routing,
                 const Matrix* weights, const Matrix& out) {
    checkAlike(out, base ? *base : out);
    checkRouted(routed, routing);
    RP_CHECK(routed.dtype == out.dtype && routed.cols == out.cols && out.rows == routing.numTokens);
    if (weights) checkWeights(*weights, routing, out.dtype);
    if (!isEmpty(out)) tableOf(target).combineRows(target, base, routed, routing, weights, out);
}

void expertProduct(const Target& target, const Matrix& x, const int32_t* starts, const ExpertRun& weights,
                   bool transposed, double alpha, bool adds, const Matrix& out) {
    checkStorage(x);
    checkStorage(out);
    checkStorage(weights.matrix);
    RP_CHECK(x.dtype == out.dtype && x.dtype == weights.matrix.dtype && x.rows == out.rows);
    RP_CHECK(transposed ? weights.matrix.cols == x.cols && weights.matrix.rows == out.cols
                        : weights.matrix.rows == x.cols && weights.matrix.cols == out.cols);
    RP_CHECK(weights.first >= 0 && weights.count > 0);
    if (!isEmpty(out)) tableOf(target).expertProduct(target, x, starts, weights, transposed, alpha, adds, out);
}

void expertGradient(const Target& target, const Matrix& a, const Matrix& b, const int32_t* starts, double alpha,
                    bool adds, const ExpertRun& gradients) {
    checkStorage(a);
    checkStorage(b);
    checkStorage(gradients.matrix);
    RP_CHECK(a.dtype == b.dtype && a.rows == b.rows && gradients.matrix.dtype == statisticsType(a.dtype));
    RP_CHECK(gradients.matrix.rows == a.cols && gradients.matrix.cols == b.cols);
    RP_CHECK(gradients.first >= 0 && gradients.count > 0);
    if (!isEmpty(gradients.matrix)) tableOf(target).expertGradient(target, a, b, starts, alpha, adds, gradients);
}

void scaleRows(const Target& target, const Matrix& x, const Routing& routing, const Matrix& weights) {
    checkRouted(x, routing);
    checkWeights(weights, routing, x.dtype);
    if (!isEmpty(x)) tableOf(target).scaleRows(target, x, routing, weights);
}

void expertSwiGluBackward(const Target& target, const Matrix& dAct, const Matrix& gate, const Matrix& up,
                          const Routing& routing, const Matrix& weights, const Matrix& dGate, const Matrix& dUp,
                          const Matrix* act, const Matrix& dWeights) {
    checkAlike(gate, up, dAct, dGate, dUp);
    if (act) checkAlike(gate, *act);
    checkRouted(gate, routing);
    checkWeights(weights, routing, gate.dtype);
    checkWeights(dWeights, routing, gate.dtype);
    if (!isEmpty(gate))
        tableOf(target).expertSwiGluBackward(target, dAct, gate, up, routing, weights, dGate, dUp, act, dWeights);
}

void addExpertBias(const Target& target, const Matrix& x, const Routing& routing, const Matrix& biases) {
    checkRouted(x, routing);
    checkBiases(biases, routing, x);
    if (!isEmpty(x)) tableOf(target).addExpertBias(target, x, routing, biases);
}

void clampedGlu(const Target& target, const ClampedGate& gate, const Matrix& gateUp, const Matrix& out) {
    checkGateUp(gate, gateUp, out);
    if (!isEmpty(out)) tableOf(target).clampedGlu(target, gate, gateUp, out);
}

void expertClampedGluBackward(const Target& target, const ClampedGate& gate, const Matrix& dAct, const Matrix& gateUp,
                              const Routing& routing, const Matrix& weights, const Matrix& dRows, const Matrix& biases,
                              const Matrix& dGateUp, const Matrix* act, const Matrix& dWeights) {
    checkGateUp(gate, gateUp, dAct);
    checkAlike(gateUp, dGateUp);
    if (act) checkAlike(dAct, *act);
    checkRouted(gateUp, routing);
    checkRouted(dRows, routing);
    checkBiases(biases, routing, dRows);
    checkWeights(weights, routing, gateUp.dtype);
    checkWeights(dWeights, routing, gateUp.dtype);
    RP_CHECK(dRows.dtype == gateUp.dtype);
    if (!isEmpty(gateUp))
        tableOf(target).expertClampedGluBackward(target, gate, dAct, gateUp, routing, weights, dRows, biases, dGateUp,
                                                 act, dWeights);
}

void add(const Target& target, const Matrix& a, const Matrix& b, const Matrix& out) {
    checkAlike(a, b, out);
    if (!isEmpty(a)) tableOf(target).add(target, a, b, out);
}

void convert(const Target& target, const Matrix& in, double scale, const Matrix& out) {
    checkStorage(in);
    checkStorage(out);
    RP_CHECK(sameSize(in, out));
    if (!isEmpty(in)) tableOf(target).convert(target, in, scale, out);
}

void checkRepeated(const Repeated& all) {
    constexpr int64_t kMost = 65535; // of a grid's second dimension
    RP_CHECK(all.count >= 1 && all.count <= kMost && all.packedBytes % 16 == 0 && all.outBytes % 16 == 0);
}

void unpackNf4(const Target& target, const Nf4Parts& parts, const Matrix& out, const Repeated& all) {
    checkStorage(out);
    checkRepeated(all);
    if (!isEmpty(out)) tableOf(target).unpackNf4(target, parts, out, all);
}

void unpackInt8(const Target& target, const int8_t* values, const float* scales, const Matrix& out,
                const Repeated& all) {
    checkStorage(out);
    checkRepeated(all);
    if (!isEmpty(out)) tableOf(target).unpackInt8(target, values, scales, out, all);
}

void unpackFp8(const Target& target, const uint8_t* codes, const float* scales, const Matrix& out,
               const Repeated& all) {
    checkStorage(out);
    checkRepeated(all);
    if (!isEmpty(out)) tableOf(target).unpackFp8(target, codes, scales, out, all);
}

void unpackMxfp4(const Target& target, const uint8_t* codes, const uint8_t* scales, const Matrix& out,
                 const Repeated& all) {
    checkStorage(out);
    checkRepeated(all);
    if (!isEmpty(out)) tableOf(target).unpackMxfp4(target, codes, scales, out, all);
}

void quantiseFp8(const Target& target, const Matrix& x, std::span<const ColumnFactors> factors, const Fp8Rows& out) {
    checkStorage(x);
    int64_t cols = 0;
    for (const ColumnFactors& some : factors)
        cols += some.cols;
    RP_CHECK(std::ssize(factors) <= kMostColumnFactors);
    RP_CHECK(factors.empty() || cols == x.cols);
    if (!isEmpty(x)) tableOf(target).quantiseFp8(target, x, factors, out);
}

void scaleFp8Product(const Target& target, const Matrix& y, const float* rowScales, const float* colScales,
                     const void* bias) {
    checkStorage(y);
    RP_CHECK(rowScales != nullptr);
    if (!isEmpty(y)) tableOf(target).scaleFp8Product(target, y, rowScales, colScales, bias);
}

void transposeCodes(const Target& target, const uint8_t* codes, int64_t rows, int64_t cols, uint8_t* out) {
    if (rows * cols > 0) tableOf(target).transposeCodes(target, codes, rows, cols, out);
}

void crossEntropy(const Target& target, const Matrix& logits, const int32_t* labels, double gradientScale,
                  void* losses) {
    checkStorage(logits);
    RP_CHECK(logits.cols > 0);
    if (!isEmpty(logits)) tableOf(target).crossEntropy(target, logits, labels, gradientScale, losses);
}

void sumInto(const Target& target, const void* values, DType dtype, int64_t count, double* total) {
    RP_CHECK(dtype == statisticsType(dtype) && isFloating(dtype));
    if (count > 0) tableOf(target).sumInto(target, values, dtype, count, total);
}

void dropout(const Target& target, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
             const Matrix& out) {
    checkAlike(x, out);
    RP_CHECK(probability >= 0 && probability <= 1);
    if (!isEmpty(x)) tableOf(target).dropout(target, x, rowKeys, moduleKey, probability, out);
}

void makeRowKeys(const Target& target, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                 int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys) {
    if (numTokens > 0)
        tableOf(target).makeRowKeys(target, seed, step, exampleIds, starts, numSequences, positions, numTokens,
                                    rowKeys);
}

} // namespace roundpipe::kernels
