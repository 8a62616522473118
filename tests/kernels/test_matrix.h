// SPDX-License-Identifier: GPL-3.0-or-later
// A host matrix of any floating type with a pitch wider than its rows; what lies between rows is a canary.
#pragma once

#include "base/error.h"
#include "kernels/kernels.h"
#include "kernels/random.h"
#include "kernels/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace roundpipe::kernels {

class TestMatrix {
public:
    TestMatrix(DType dtype, int64_t rows, int64_t cols, int64_t spare = 3)
        : m_dtype(dtype)
        , m_rows(rows)
        , m_cols(cols)
        , m_pitch(cols + spare)
        , m_bytes(static_cast<std::size_t>(rows * m_pitch) * sizeOf(dtype) + 8, std::byte{0xA5}) {}

    Matrix view() { return {m_bytes.data(), m_dtype, m_rows, m_cols, m_pitch}; }
    void* data() { return m_bytes.data(); }
    int64_t rows() const { return m_rows; }
    int64_t cols() const { return m_cols; }

    double get(int64_t row, int64_t col) const {
        double value = 0;
        visitFloating(m_dtype, [&]<class T>(T) {
            value = static_cast<double>(widen(reinterpret_cast<const T*>(m_bytes.data())[row * m_pitch + col]));
        });
        return value;
    }
    void set(int64_t row, int64_t col, double value) {
        visitFloating(m_dtype, [&]<class T>(T) {
            reinterpret_cast<T*>(m_bytes.data())[row * m_pitch + col] = narrow<T>(static_cast<Statistic<T>>(value));
        });
    }

    // Uniform in [-scale, scale), rounded to the type.
    TestMatrix& random(uint64_t seed, double scale = 1) {
        for (int64_t r = 0; r < m_rows; ++r)
            for (int64_t c = 0; c < m_cols; ++c) {
                const Philox4 draw = philox(seed, static_cast<uint64_t>(r), static_cast<uint64_t>(c));
                set(r, c, scale * (2.0 * static_cast<double>(uniform(draw.values[0])) - 1.0));
            }
        return *this;
    }

    // The gaps between rows are as they were made.
    bool gapsUntouched() const {
        const std::size_t element = sizeOf(m_dtype);
        for (int64_t r = 0; r < m_rows; ++r)
            for (std::size_t b = static_cast<std::size_t>(r * m_pitch + m_cols) * element;
                 b < static_cast<std::size_t>((r + 1) * m_pitch) * element; ++b)
                if (m_bytes[b] != std::byte{0xA5}) return false;
        return true;
    }
    bool sameBitsAs(const TestMatrix& other) const { return m_bytes == other.m_bytes; }

private:
    DType m_dtype;
    int64_t m_rows, m_cols, m_pitch;
    std::vector<std::byte> m_bytes;
};

using Formula = std::function<double(int64_t row, int64_t col)>;

// |matrix - formula| <= tolerance * (1 + |formula|) everywhere.
inline void expectNear(const TestMatrix& matrix, double tolerance, const Formula& formula) {
    for (int64_t r = 0; r < matrix.rows(); ++r)
        for (int64_t c = 0; c < matrix.cols(); ++c) {
            const double expected = formula(r, c);
            ASSERT_NEAR(matrix.get(r, c), expected, tolerance * (1 + std::abs(expected)))
                << "row " << r << " col " << c;
        }
    EXPECT_TRUE(matrix.gapsUntouched());
}

// `gradient` is that of objective() by the fp64 matrix `variable`: central differences.
inline void expectGradient(TestMatrix& variable, const TestMatrix& gradient, const std::function<double()>& objective) {
    constexpr double kStep = 1e-5;
    for (int64_t r = 0; r < variable.rows(); ++r)
        for (int64_t c = 0; c < variable.cols(); ++c) {
            const double value = variable.get(r, c);
            variable.set(r, c, value + kStep);
            const double above = objective();
            variable.set(r, c, value - kStep);
            const double below = objective();
            variable.set(r, c, value);
            const double expected = (above - below) / (2 * kStep);
            ASSERT_NEAR(gradient.get(r, c), expected, 1e-8 * (1 + std::abs(expected))) << "row " << r << " col " << c;
        }
}

// The sum of a[i] * b[i]: turns an output and a chosen gradient into a scalar objective.
inline double dotOf(const TestMatrix& a, const TestMatrix& b) {
    double sum = 0;
    for (int64_t r = 0; r < a.rows(); ++r)
        for (int64_t c = 0; c < a.cols(); ++c)
            sum += a.get(r, c) * b.get(r, c);
    return sum;
}

// What one rounding to the type may cost, relative to the value.
inline double roundingOf(DType dtype) {
    switch (dtype) {
    case DType::kF64:
        return 1e-14;
    case DType::kBF16:
        return 0x1p-8;
    case DType::kF16:
        return 0x1p-10;
    default:
        return 1e-6;
    }
}

inline constexpr DType kFloatingTypes[] = {DType::kF64, DType::kF32, DType::kBF16, DType::kF16};

class EveryType : public ::testing::TestWithParam<DType> {};

inline std::string nameOfType(const ::testing::TestParamInfo<DType>& info) {
    return toString(info.param);
}

} // namespace roundpipe::kernels
