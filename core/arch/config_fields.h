// SPDX-License-Identifier: GPL-3.0-or-later
// One object of a config file of a model or of an adapter; every error names the file and the field. A null counts as
// absent, as transformers and PEFT write null for what is not set.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::arch {

inline constexpr int64_t kMaxDimension = int64_t{1} << 28; // of any one size: keeps products of two within 64 bits

class ConfigFields {
public:
    // Throws kInvalidInput for what is not a JSON object.
    ConfigFields(std::string_view text, std::string file);

    bool has(const char* key) const;
    bool mentions(const char* key) const; // a null, too
    bool isObject(const char* key) const;
    bool isText(const char* key) const;
    bool isEmpty() const;
    std::vector<std::string> objects() const; // the keys whose values are objects

    // Nothing where absent; throw bad() where there is something else.
    std::optional<int64_t> integer(const char* key, int64_t least, int64_t most) const;
    std::optional<double> number(const char* key, double least) const;
    std::optional<std::string> text(const char* key) const;
    std::optional<ConfigFields> object(const char* key) const; // errors call its fields "key.field"
    bool flag(const char* key, bool otherwise) const;
    double positive(const char* key, double otherwise) const;
    // Both throw kInvalidInput where absent.
    double requiredNumber(const char* key, double least) const;
    int64_t requiredSize(const char* key, int64_t most = kMaxDimension) const;
    // Lists; `expected` as in bad(). Of names, what is none is given as JSON.
    std::optional<std::vector<double>> numbers(const char* key, const std::string& expected) const;
    std::optional<std::vector<std::string>> names(const char* key, const std::string& expected) const;
    // An integer or a list of them.
    std::optional<std::vector<int64_t>> integers(const char* key, const std::string& expected) const;
    std::vector<int32_t> ids(const char* key) const; // of tokens; empty where absent

    // That a field must be `expected`, but is what stands there or, where that follows from other fields, `found`.
    Error bad(const char* key, const std::string& expected) const;
    Error bad(const char* key, const std::string& expected, int64_t found) const;
    Error bad(const char* key, const std::string& expected, double found) const;
    std::string shown(const char* key) const; // as JSON; empty where absent
    const std::string& file() const { return m_file; }

private:
    struct Object;
    ConfigFields(std::shared_ptr<const Object> object, std::string file, std::string prefix);
    Error missing(const char* key) const;
    Error badValue(const char* key, const std::string& expected, std::string found) const;

    std::shared_ptr<const Object> m_object;
    std::string m_file;
    std::string m_prefix;
};

} // namespace roundpipe::arch
