// SPDX-License-Identifier: GPL-3.0-or-later
// The elementwise, reduction and attention kernels of a transformer layer. Each has a CUDA version and a CPU twin (a
// template that also runs in double), chosen by Target; `selftest.h` compares them on the user's own machine.
//
// Rules for all: row-major views with a pitch; nothing is allocated; outputs may not alias inputs unless said; the
// storage type T is bf16, fp16, fp32 or fp64, arithmetic and statistics are fp32 (fp64 for T = fp64); the same inputs
// give the same bits on every call (fixed reduction orders, no atomics on floats). CPU twins use the calling thread
// only. On CUDA a call enqueues on Target::stream, whose device is the thread's current one, and returns; a launch that
// fails throws kDevice, a build without CUDA kUnsupported. Operands that don't fit each other throw kInternal, other
// types than the four and heads of more than 256 columns kUnsupported. Empty matrices are fine. No LibTorch here.
//
// Shape letters: T tokens, D hidden size, H heads, G key/value heads, K head size, F intermediate size, V vocabulary.
#pragma once

#include "base/matrix.h"

#include <array>
#include <cstdint>
#include <span>

namespace roundpipe::kernels {

// Where a kernel runs.
struct Target {
    bool cuda = false;
    void* stream = nullptr; // cudaStream_t
};

// out[t] = table[ids[t]]; table [V, D], out [T, D]. An id outside of the table gives a row of NaN.
void embed(const Target&, const Matrix& table, const int32_t* ids, const Matrix& out);
// The gradient of the table: table[ids[t]] += dOut[t], the tokens of a row in their order; dOut [T, D] of T, table
// [V, D] of the statistics type. An id outside of it adds nothing.
void embedGradient(const Target&, const Matrix& dOut, const int32_t* ids, const Matrix& table);

// The weight of an RMSNorm, [D] of T; null: there is no norm.
struct NormWeight {
    const void* data = nullptr;
    bool addsOne = false; // values are multiplied by 1 + w, and not rounded before it (Gemma)

    // Forced inline, as all that instruction sets share (README.md).
    __attribute__((always_inline)) NormWeight(const void* weight = nullptr, bool plusOne = false)
        : data(weight), addsOne(plusOne) {}
    __attribute__((always_inline)) explicit operator bool() const { return data != nullptr; }
};

// out = round_T(x * rstd) * weight, rstd = 1 / sqrt(mean(x²) + eps): rounded in the order of Hugging Face.
// x, out [T, D]; rstd [T] of the statistics type, may be null when not wanted.
void rmsNorm(const Target&, const Matrix& x, NormWeight weight, double eps, const Matrix& out, void* rstd);
// dx = gradient through rmsNorm plus, where `residual` is not null, the matrix residual [T, D] of T.
// dx may alias dy or residual.
void rmsNormBackward(const Target&, const Matrix& dy, const Matrix& x, NormWeight weight, const void* rstd,
                     const Matrix* residual, const Matrix& dx);

// Sums over rows, for gradients of vectors. out [cols] of the statistics type is added to. The rows are cut into as
// many parts of equal length as `parts` [P, cols] of that type (scratch) has rows; each part is summed by itself, and
// then the parts in their order.
//
// out[c] += sum of x[t][c]: of a bias.
void addColumnSums(const Target&, const Matrix& x, const Matrix& parts, void* out);
// out[c] += sum of dy[t][c] * x[t][c] * rstd[t]: of rmsNorm's weight.
void rmsNormWeightGradient(const Target&, const Matrix& dy, const Matrix& x, const void* rstd, const Matrix& parts,
                           void* out);

// Cosines and sines of rotary positions: cosSin [T, 2 * R] fp32 (fp64 for T = fp64): first the R = rotaryDim / 2
// cosines of row t's position, then the sines, both times `scaling` (yarn's attention factor). inverseFrequencies [R],
// fp64; the angle is their product in the table's type, as Hugging Face multiplies in fp32.
void rotaryTable(const Target&, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                 double scaling, const Matrix& cosSin);

// Per head h of x [T, H * K]: optional RMSNorm over the head's K columns (its weight has K), then rotary
// over its first rotaryDim columns in the half-split layout of Hugging Face (rotate_half). rstd [T * H] or null as in
// rmsNorm. out may alias x where there is no norm.
void headNormRotary(const Target&, const Matrix& x, int64_t numHeads, NormWeight normWeight, double eps,
                    const Matrix& cosSin, const Matrix& out, void* rstd);
// The gradient of the same; x is the input of forward (only read with a norm). dx may alias dy.
void headNormRotaryBackward(const Target&, const Matrix& dy, const Matrix& x, int64_t numHeads, NormWeight normWeight,
                            const void* rstd, const Matrix& cosSin, const Matrix& dx);

// out [K] += the gradient of normWeight, summed over tokens and heads, from the same dy and x; parts [P, K] as for
// other sums over rows.
void headNormWeightGradient(const Target&, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* rstd,
                            const Matrix& cosSin, const Matrix& parts, void* out);

// Causal attention within each sequence. q, out [T, H * K]; k, v [T, G * K]; head h reads key/value head h / (H / G).
// starts [S + 1] (on the target). window 0: all earlier tokens, else the last `window` ones, itself included.
// logSumExp [H, T] of the statistics type (kept for backward), may be null.
struct AttentionShape {
    int64_t numSequences = 0;
    int64_t maxLength = 0;
    int64_t numHeads = 0;
    int64_t numKvHeads = 0;
    int64_t headDim = 0;
    int64_t window = 0;
    double scale = 0; // of the scores, usually 1 / sqrt(K)
};
void attention(const Target&, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k,
               const Matrix& v, const Matrix& out, void* logSumExp);
// dq [T, H * K]; dk, dv [T, G * K]. scratch [H, T] of the statistics type.
void attentionBackward(const Target&, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k,
                       const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut, const Matrix& dq,
                       const Matrix& dk, const Matrix& dv, void* scratch);

// Attention of new queries over a cache, for generation: one sequence; the Tq rows of q follow each other, the first at
// positions[0] (on the target), and each sees all up to its own. q, out [Tq, H * K]; keys, values [C, G * K], of which
// nothing beyond the last query is read; logSumExp [H, Tq] as attention()'s. numSequences and maxLength are not read.
void attentionCached(const Target&, const AttentionShape&, const int32_t* positions, const Matrix& q,
                     const Matrix& keys, const Matrix& values, const Matrix& out, void* logSumExp);

// Gives a head's softmax one more logit, its sink, which has no value (gpt-oss), in what attention() or
// attentionCached() gave without: logSumExp becomes log(e^logSumExp + e^sink), and out shrinks as much as the other
// weights do. attentionBackward() of these two is that of attention with sinks. sinks [H] of T; logSumExp [H, T] of the
// statistics type, or [T, H] where `byToken`.
void addSinks(const Target&, const void* sinks, int64_t numHeads, bool byToken, void* logSumExp, const Matrix& out);

// The heads of new tokens on their way to attentionCached(): q and k go through headNormRotary by the angles of their
// positions, as rotaryTable makes them; k and v go to the rows of the cache that their positions say. qkv [T, (H + 2 G)
// * K] side by side, positions [T] on the target, below C; queries [T, H * K]; keys, values [C, G * K].
struct CachedHeads {
    int64_t numHeads = 0;
    int64_t numKvHeads = 0;
    int64_t headDim = 0;
    NormWeight qNorm, kNorm; // [K]
    double eps = 0;
    std::span<const double> inverseFrequencies; // [R], on the host: they go along with the call
    double scaling = 1;
};
void headsIntoCache(const Target&, const CachedHeads&, const Matrix& qkv, const int32_t* positions,
                    const Matrix& queries, const Matrix& keys, const Matrix& values);

// Linears of a single row, as an answer is made token by token: bound by the reading of weights, so all else happens on
// the way. x [1, in] goes through rmsNorm first where there is a weight of one [in].
struct RowInput {
    Matrix x;
    NormWeight normWeight = {};
    double eps = 0;
};
// y = x Wᵀ + bias + scale * xA Bᵀ
struct RowLinear {
    Matrix weight;                 // [out, in]
    const void* bias = nullptr;    // [out] of T, or null
    Matrix b = {};                 // [out, r], all of T; without a row: not adapted
    const void* product = nullptr; // xA, [r] of T
    double scale = 0;
};
inline constexpr std::size_t kMostRowLinears = 3; // q, k and v
// out [1, out of all]: the y of one to three linears side by side, plus `residual` of the same size where it is not
// null; rounded once. out may alias residual.
void rowProduct(const Target&, const RowInput&, std::span<const RowLinear>, const Matrix* residual, const Matrix& out);
// What a gate goes through: g / (1 + e^-g), or GELU by its tanh formula (Gemma).
enum class Activation { kSilu, kGeluTanh };
// out [1, F] = glu of the y of both, each rounded before as rowProduct() would.
void rowGlu(const Target&, Activation, const RowInput&, const RowLinear& gate, const RowLinear& up, const Matrix& out);

// The likeliest token takes the place of the one before it: *id = the first of the largest logits [1, V] (NaN is none),
// and *position grows by 1. Both on the target.
void nextToken(const Target&, const Matrix& logits, int32_t* id, int32_t* position);

// What cuDNN asks about sequences laid end to end (starts [S + 1]): out [7, count + 1] holds, for `count` of them from
// `first` on, where each begins in rows of so many elements as `pitches` says, six times; then how many tokens it has,
// and a 0. Sequences beyond the last have none.
struct SequenceRange {
    int64_t numSequences = 0; // S
    int64_t first = 0;
    int64_t count = 0;
};
using RowPitches = std::array<int32_t, 6>;
void sequenceOffsets(const Target&, const int32_t* starts, const SequenceRange& range, const RowPitches& pitches,
                     int32_t* out);

// out = 1 / (1 + e^-x); out may alias x.
void sigmoid(const Target&, const Matrix& x, const Matrix& out);
// dX from dOut and what sigmoid() gave; dX may alias dOut.
void sigmoidBackward(const Target&, const Matrix& dOut, const Matrix& out, const Matrix& dX);
// A gated linear unit: out = activation(gate) * up; [T, F]. Rounded as Hugging Face does (the gate to T, then the
// product).
void glu(const Target&, Activation, const Matrix& gate, const Matrix& up, const Matrix& out);
// dGate, dUp from dOut; they may alias gate and up. `act` [T, F] may be null, else receives what glu() gave again.
void gluBackward(const Target&, Activation, const Matrix& dOut, const Matrix& gate, const Matrix& up,
                 const Matrix& dGate, const Matrix& dUp, const Matrix* act);

// Experts of a block: each token goes through some of them. The rows that experts compute, one for each choice, lie
// sorted by expert, and those of an expert in the order of tokens. On the target.
//
// Shape letters: E experts, A experts of a token.
struct Routing {
    int64_t numTokens = 0;
    int64_t numExperts = 0;
    int64_t perToken = 0;
    int32_t* choices = nullptr; // [T, A] of each token, ascending
    int32_t* starts = nullptr;  // [E + 1] the first row of each expert, and the end of the last
    // Null where one expert takes all tokens, whose rows are theirs: what neither chooses nor sorts takes it.
    int32_t* rows = nullptr;    // [T, A] of each choice
    int32_t* sources = nullptr; // [T * A] of each row its choice, t * A + a

    int64_t numRows() const { return numTokens * perToken; }
};
// probabilities [T, E] = softmax(logits); choices: the A largest logits of each token, of equal ones the first; weights
// [T, A] = their probabilities, divided by their sum where `normalised`. logits [T, E] and weights of T,
// probabilities of the statistics type.
void chooseExperts(const Target&, const Matrix& logits, bool normalised, const Matrix& probabilities, const Routing&,
                   const Matrix& weights);
// dLogits [T, E] from the gradients dWeights [T, A], both of T. The choice itself has none.
void chooseExpertsBackward(const Target&, const Matrix& probabilities, const Routing&, bool normalised,
                           const Matrix& dWeights, const Matrix& dLogits);
// starts, rows and sources from choices: a counting sort, stable.
void sortByExpert(const Target&, const Routing&);
// out[row] = x[token of the row]; x [T, C], out [T * A, C], of any type.
void gatherRows(const Target&, const Matrix& x, const Routing&, const Matrix& out);
// out[t] = base[t] + the sum over t's experts, ascending, of weight * routed[row]; rounded once. routed [T * A, C],
// weights [T, A] of T; `base` [T, C] and `weights` may be null: 0 and 1. out may alias base.
void combineRows(const Target&, const Matrix* base, const Matrix& routed, const Routing&, const Matrix* weights,
                 const Matrix& out);
// A matrix of each of the experts [first, first + count): that of the first, and `stride` elements on the next one's.
struct ExpertRun {
    Matrix matrix;
    int64_t stride = 0;
    int64_t first = 0;
    int64_t count = 0;
};
// Of the run's experts: out = alpha * x W (or x Wᵀ where `transposed`), added to `out` where `adds`, for the rows of
// each expert with its W. x [T * A, in], out [T * A, out]; starts [E + 1] on the target, see Routing.
void expertProduct(const Target&, const Matrix& x, const int32_t* starts, const ExpertRun& weights, bool transposed,
                   double alpha, bool adds, const Matrix& out);
// Of the run's experts: gradient = alpha * aᵀ b over the rows of each expert, added to it where `adds`; zeros without
// rows. a [T * A, m], b [T * A, n]; gradients [m, n] each of the statistics type.
void expertGradient(const Target&, const Matrix& a, const Matrix& b, const int32_t* starts, double alpha, bool adds,
                    const ExpertRun& gradients);
// x[row] *= the weight of its choice; x [T * A, C].
void scaleRows(const Target&, const Matrix& x, const Routing&, const Matrix& weights);
// swiGluBackward of an expert's output times its weight. dAct [T * A, F] is what the gradient of the activation would
// be without the weight; dWeights [T, A] = the products of it and the activation, summed over a row. dGate and dUp may
// alias gate and up. `act` may be null or dAct, else receives the activation times the weight.
void expertSwiGluBackward(const Target&, const Matrix& dAct, const Matrix& gate, const Matrix& up, const Routing&,
                          const Matrix& weights, const Matrix& dGate, const Matrix& dUp, const Matrix* act,
                          const Matrix& dWeights);
// x[row] += the bias of its expert; x [T * A, C], biases [E, C] of T.
void addExpertBias(const Target&, const Matrix& x, const Routing&, const Matrix& biases);

// gpt-oss's gated unit, of gates in the even columns and ups in the odd ones of gateUp [R, 2 F]: with gates cut off
// above the limit and ups on both sides, out [R, F] = gate * sigma(slope * gate) * (up + 1). Rounded as Hugging Face
// does (what the gate gives, then up + 1, then the product).
struct ClampedGate {
    double slope = 1;
    double limit = 0;
};
void clampedGlu(const Target&, const ClampedGate&, const Matrix& gateUp, const Matrix& out);
// What expertSwiGluBackward() is for SiLU, of experts whose output has a bias: dWeights gets <dRows, bias>, too, with
// dRows [R, C] the gradients of the weighted outputs and biases [E, C]. dGateUp may alias gateUp; `act` may be null or
// dAct.
void expertClampedGluBackward(const Target&, const ClampedGate&, const Matrix& dAct, const Matrix& gateUp,
                              const Routing&, const Matrix& weights, const Matrix& dRows, const Matrix& biases,
                              const Matrix& dGateUp, const Matrix* act, const Matrix& dWeights);

// out = a + b; out may alias either.
void add(const Target&, const Matrix& a, const Matrix& b, const Matrix& out);
// out = scale * in, converting between floating types; may alias when the types are equal. Used to round adapters to
// the operand type and gradients to the type they travel in.
void convert(const Target&, const Matrix& in, double scale, const Matrix& out);
// Packed matrices that are alike, as those of experts: from each to the next so many bytes on, of what is packed and of
// `out`, in multiples of 16.
struct Repeated {
    int64_t count = 1;
    int64_t packedBytes = 0;
    int64_t outBytes = 0;
};
// The values of packed weights, of which out [rows, cols] has as many as were packed, in the order of rows; computed in
// fp32, so rounded once for a 16-bit type. What the parts are says base/nf4.h, and packing.h packs.
struct Nf4Parts {
    const uint8_t* codes = nullptr;      // two a byte, the first in the upper half
    const uint8_t* magnitudes = nullptr; // codes of kDynamicCode, one a block
    const float* scales = nullptr;       // of magnitudes, one for each kNf4Scales
    const float* mean = nullptr;         // 1; added to all magnitudes
};
void unpackNf4(const Target&, const Nf4Parts& parts, const Matrix& out, const Repeated& all = {});
// out[r][c] = values[r * cols + c] * scales[r] / 127
void unpackInt8(const Target&, const int8_t* values, const float* scales, const Matrix& out, const Repeated& all = {});
// out[r][c] = the value of codes[r * cols + c] (base/fp8.h) * scales[r]
void unpackFp8(const Target&, const uint8_t* codes, const float* scales, const Matrix& out, const Repeated& all = {});
// Two codes a byte, the first in the lower half, and a scale for each kMxfp4Group values (base/mxfp4.h).
void unpackMxfp4(const Target&, const uint8_t* codes, const uint8_t* scales, const Matrix& out,
                 const Repeated& all = {});

// Rows of e4m3 (base/fp8.h) for products on GPUs that take them: codes [rows, cols] dense, scales [rows].
struct Fp8Rows {
    uint8_t* codes = nullptr;
    float* scales = nullptr;
};
// The columns of a matrix are those of up to so many, side by side, each with a factor for every column.
inline constexpr int kMostColumnFactors = 3;
struct ColumnFactors {
    int64_t cols = 0;
    const float* factors = nullptr; // [cols]
};
// x, times the factors of its columns where there are any (`factors` of all columns, or none), in codes: each row's
// scale is its largest magnitude / 448, so that the largest value has the largest code. Values that are no numbers
// leave codes that are none; an infinite one makes its row so. In fp32, whatever x is.
void quantiseFp8(const Target&, const Matrix& x, std::span<const ColumnFactors> factors, const Fp8Rows& out);
// y[r][c] = y[r][c] * rowScales[r] * colScales[c] + bias[c]: what a product of codes lacks. colScales, bias: or null.
void scaleFp8Product(const Target&, const Matrix& y, const float* rowScales, const float* colScales, const void* bias);
// out [cols, rows] = the transposed of codes [rows, cols], dense both.
void transposeCodes(const Target&, const uint8_t* codes, int64_t rows, int64_t cols, uint8_t* out);

// Softmax cross-entropy of a chunk of rows. logits [C, V] of T; labels [C]. losses [C] of the statistics type receives
// -log softmax(logits)[label], 0 where the label is ignored (any negative one), NaN where it is not below V. With
// `gradientScale` != 0 the logits are replaced by gradientScale * (softmax - onehot), 0 in ignored rows.
void crossEntropy(const Target&, const Matrix& logits, const int32_t* labels, double gradientScale, void* losses);
// total[0] += the sum of values[0..count), fp64, in index order of fixed blocks. values of the statistics type.
void sumInto(const Target&, const void* values, DType dtype, int64_t count, double* total);

// Inverted dropout whose mask is a function of the key alone (random.h): element (t, c) is kept with probability 1 - p.
// out = keep ? x / (1 - p) : 0. `rowKeys` [T] (on the target): one 64-bit key per token, made by rowKeys().
void dropout(const Target&, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
             const Matrix& out);
// rowKeys[t] = a hash of (seed, step, exampleIds[s], positions[t]); s is token t's sequence by `starts`.
void makeRowKeys(const Target&, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                 int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys);

} // namespace roundpipe::kernels
