// SPDX-License-Identifier: GPL-3.0-or-later
// Writes down the kernels of a layer with the sizes of the run at hand: single ones, and those of linears.
#pragma once

#include "plan/cost/layer_work.h"

namespace roundpipe::plan {

// Appends kernels.
class KernelIssue {
public:
    KernelIssue(std::vector<KernelWork>& kernels, const TrainingShape& shape);

    double operand() const { return m_operand; }       // bytes of a value
    double statistics() const { return m_statistics; } // "

    // Those of `issues()` are of such devices alone.
    template <class Issues>
    void on(KernelWork::On devices, Issues&& issues) {
        const std::size_t first = m_kernels.size();
        issues();
        for (std::size_t i = first; i < m_kernels.size(); ++i)
            if (m_kernels[i].on == KernelWork::On::kAll) m_kernels[i].on = devices;
    }
    void pass(double bytes) { m_kernels.push_back({KernelWork::Kind::kPass, 0, bytes}); }
    void heavyPass(double bytes) { m_kernels.push_back({KernelWork::Kind::kHeavyPass, 0, bytes}); }
    // A pass over `elements` values of the operand type.
    void touch(double elements) { pass(elements * m_operand); }
    void drop(double elements) { heavyPass(2 * elements * m_operand); }
    // (rows, inner) times (inner, cols); `adds`: to what is there.
    void product(double rows, double cols, double inner, bool adds = false, double groups = 1);
    // The same of weights in FP8, which some devices multiply as they are: rows are quantised before, each by a block
    // that waits for the largest of it.
    void fp8Product(double rows, double cols, double inner) {
        on(KernelWork::On::kFp8, [&] { heavyPass(rows * inner * (m_operand + 1)); });
        product(rows, cols, inner);
        if (!m_kernels.empty()) m_kernels.back().inFp8 = true;
        on(KernelWork::On::kFp8ScaledAfter, [&] { touch(2 * rows * cols); });
    }
    // (rows, inner + appended) times the weights of adapted linears, of which `rank` columns serve each row: the others
    // are zeros.
    void appendedProduct(double rows, double cols, double inner, double appended, double rank) {
        product(rows, cols, inner + appended);
        m_kernels.back().flops -= 2 * rows * cols * (appended - rank);
    }
    // A gradient of a weight: 16-bit operands summed over `inner` rows into the statistics type.
    void gradient(double rows, double cols, double inner, double groups = 1);
    void attention(KernelWork::Kind kind, double flops, double bytes, double length, double heads) {
        m_kernels.push_back({kind, flops, bytes, length, 0, 0, heads});
    }

private:
    std::vector<KernelWork>& m_kernels;
    double m_operand, m_statistics;
};

// One linear with its adapter (core/model/compute/linear.cpp), or the same linear of every expert in grouped products.
struct LinearWork {
    double in = 0, out = 0;
    double rows = 0; // of each group
    double groups = 1;
    double rank = 0; // 0: not adapted
    double dropout = 0;
    bool isTrained = false; // its own weight
    bool isFp8 = false;     // " as geometry::TensorPlace::mayMultiplyFp8

    // Of its weight alone, forward or backward.
    void baseProduct(KernelIssue& issue, double cols, double inner, bool adds = false) const {
        if (isFp8)
            issue.fp8Product(rows, cols, inner);
        else
            issue.product(rows, cols, inner, adds, groups);
    }
    double elements(double cols) const { return groups * rows * cols; }
    void forward(KernelIssue& issue) const;
    void output(KernelIssue& issue) const;         // those of forward that backward can do without
    void adapterProduct(KernelIssue& issue) const; // the others
    void inputGradient(KernelIssue& issue, bool wanted, bool adds) const;
    void trainedGradient(KernelIssue& issue) const; // of the adapter, or of the weight
    void backward(KernelIssue& issue, bool wanted, bool adds) const;
};

// Linears of one input that are side by side, alike trained or not (geometry::LinearGroup): one product for all of
// them, one for their A where there is no dropout.
class JoinedLinears {
public:
    // `appended`: of geometry::appendedColumns().
    explicit JoinedLinears(std::vector<LinearWork> linears, double appended = 0);

    void forward(KernelIssue& issue) const;
    void backward(KernelIssue& issue, bool wanted) const; // the gradient of the input

private:
    bool drops() const { return m_all.dropout > 0; }
    void forwardApart(KernelIssue& issue) const;

    std::vector<LinearWork> m_linears;
    LinearWork m_all; // as one: out and rank are sums
    double m_appended;
};

} // namespace roundpipe::plan
