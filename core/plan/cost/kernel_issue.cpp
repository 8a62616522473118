// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/kernel_issue.h"

#include <algorithm>
#include <utility>

namespace roundpipe::plan {

KernelIssue::KernelIssue(std::vector<KernelWork>& kernels, const TrainingShape& shape)
    : m_kernels(kernels)
    , m_operand(static_cast<double>(sizeOf(shape.operandType)))
    , m_statistics(static_cast<double>(sizeOf(shape.statisticsType()))) {}

void KernelIssue::product(double rows, double cols, double inner, bool adds, double groups) {
    if (rows <= 0) return;
    const double elements = rows * inner + inner * cols + (adds ? 2 : 1) * rows * cols;
    m_kernels.push_back({KernelWork::Kind::kProduct, 2 * groups * rows * cols * inner, groups * elements * m_operand,
                         rows, cols, inner, groups});
}

void KernelIssue::gradient(double rows, double cols, double inner, double groups) {
    if (inner <= 0) return;
    const double bytes = (rows + cols) * inner * m_operand + 2 * rows * cols * m_statistics;
    m_kernels.push_back(
        {KernelWork::Kind::kProduct, 2 * groups * rows * cols * inner, groups * bytes, rows, cols, inner, groups});
}

void LinearWork::forward(KernelIssue& issue) const {
    baseProduct(issue, out, in);
    if (rank == 0) return;
    if (dropout > 0) issue.drop(elements(in));
    issue.product(rows, rank, in, false, groups);
    issue.product(rows, out, rank, true, groups);
}

void LinearWork::output(KernelIssue& issue) const {
    baseProduct(issue, out, in);
    if (rank > 0) issue.product(rows, out, rank, true, groups);
}

void LinearWork::adapterProduct(KernelIssue& issue) const {
    if (rank == 0) return;
    if (dropout > 0) issue.drop(elements(in));
    issue.product(rows, rank, in, false, groups);
}

void LinearWork::inputGradient(KernelIssue& issue, bool wanted, bool adds) const {
    if (wanted) baseProduct(issue, in, out, adds);
    if (rank == 0) return;
    issue.product(rows, rank, out, false, groups);
    if (!wanted) return;
    issue.product(rows, in, rank, dropout == 0, groups);
    if (dropout == 0) return;
    issue.drop(elements(in));
    issue.touch(3 * elements(in));
}

void LinearWork::trainedGradient(KernelIssue& issue) const {
    if (isTrained) issue.gradient(out, in, rows, groups);
    if (rank == 0) return;
    issue.gradient(out, rank, rows, groups);
    if (dropout > 0) issue.drop(elements(in));
    issue.gradient(rank, in, rows, groups);
}

void LinearWork::backward(KernelIssue& issue, bool wanted, bool adds) const {
    inputGradient(issue, wanted, adds);
    trainedGradient(issue);
}

JoinedLinears::JoinedLinears(std::vector<LinearWork> linears, double appended)
    : m_linears(std::move(linears)), m_all(m_linears.front()), m_appended(appended) {
    m_all.out = m_all.rank = m_all.dropout = 0;
    for (const LinearWork& linear : m_linears) {
        m_all.out += linear.out;
        m_all.rank += linear.rank;
        m_all.dropout = std::max(m_all.dropout, linear.dropout);
    }
}

void JoinedLinears::forward(KernelIssue& issue) const {
    if (m_appended == 0) return forwardApart(issue);
    const auto together = [&] {
        m_all.adapterProduct(issue);
        for (const LinearWork& linear : m_linears) // B behind the weights, with zeros
            issue.touch(linear.out * (linear.rank + m_appended));
        issue.touch(2 * m_all.rows * m_appended); // xA behind x
        issue.appendedProduct(m_all.rows, m_all.out, m_all.in, m_appended, m_linears.front().rank);
    };
    if (!m_all.isFp8) return together();
    issue.on(KernelWork::On::kPlain, together);
    issue.on(KernelWork::On::kFp8, [&] { forwardApart(issue); });
}

void JoinedLinears::forwardApart(KernelIssue& issue) const {
    m_all.baseProduct(issue, m_all.out, m_all.in);
    if (!drops()) m_all.adapterProduct(issue);
    for (const LinearWork& linear : m_linears) {
        if (drops()) linear.adapterProduct(issue);
        if (linear.rank > 0) issue.product(linear.rows, linear.out, linear.rank, true);
    }
}

void JoinedLinears::backward(KernelIssue& issue, bool wanted) const {
    if (wanted) m_all.baseProduct(issue, m_all.in, m_all.out);
    if (m_all.isTrained) issue.gradient(m_all.out, m_all.in, m_all.rows);
    for (const LinearWork& linear : m_linears) {
        if (linear.rank == 0) continue;
        issue.product(linear.rows, linear.rank, linear.out); // da
        issue.gradient(linear.out, linear.rank, linear.rows);
        if (!drops()) continue;
        if (wanted) {
            issue.product(linear.rows, linear.in, linear.rank);
            issue.drop(linear.elements(linear.in));
            issue.touch(3 * linear.elements(linear.in));
        }
        issue.drop(linear.elements(linear.in));
        issue.gradient(linear.rank, linear.in, linear.rows);
    }
    if (drops() || m_all.rank == 0) return;
    if (wanted) issue.product(m_all.rows, m_all.in, m_all.rank, true);
    issue.gradient(m_all.rank, m_all.in, m_all.rows);
}

} // namespace roundpipe::plan
