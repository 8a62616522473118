// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/yaml_tree.h"

#include "base/bytes_as_text.h"
#include "base/error.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace roundpipe::foreign {
namespace {

constexpr int kMaxNodes = 100'000; // an alias may stand for as many as it likes
constexpr int kMaxNesting = 100;

bool isOneOf(const std::string& text, std::initializer_list<const char*> words) {
    std::string small = text;
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::ranges::find(words, std::string_view(small)) != words.end();
}

template <class Number>
bool readWhole(std::string_view text, Number& number) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size();
}

Tree scalarOf(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    if (node.Tag() == "!") return asText(text); // in quotes
    if (isOneOf(text, {"", "~", "null"})) return nullptr;
    if (isOneOf(text, {"true", "yes", "on"})) return true;
    if (isOneOf(text, {"false", "no", "off"})) return false;
    std::string digits = text;
    std::erase(digits, '_');
    const std::string_view unsignedDigits = std::string_view(digits).substr(digits.starts_with('+') ? 1 : 0);
    if (int64_t whole = 0; readWhole(unsignedDigits, whole)) return whole;
    const bool isSpelled = isOneOf(text, {"nan", "inf", "infinity", "-inf", "-infinity"}); // words, not numbers
    if (double number = 0; !isSpelled && readWhole(unsignedDigits, number)) return number;
    return asText(text); // a file's name may be any bytes
}

class Reader {
public:
    explicit Reader(std::string name) : m_name(std::move(name)) {}

    Tree read(const YAML::Node& node, int depth = 0) {
        if (++m_numNodes > kMaxNodes || depth > kMaxNesting)
            throw invalidInput(m_name + " is no run file: it has more values, or deeper ones, than any has.");
        if (node.IsScalar()) return scalarOf(node);
        if (node.IsSequence()) {
            Tree list = Tree::array();
            for (const YAML::Node& item : node)
                list.push_back(read(item, depth + 1));
            return list;
        }
        if (!node.IsMap()) return nullptr;
        Tree object = Tree::object();
        for (const auto& entry : node) {
            if (!entry.first.IsScalar()) continue;
            const std::string key = asText(entry.first.Scalar());
            if (object.contains(key)) // which of the two is meant, programs take differently
                throw invalidInput(fmt::format("{} has the key '{}' a second time in line {}.", m_name, key,
                                               entry.first.Mark().line + 1),
                                   "Keep the one that is meant.");
            object[key] = read(entry.second, depth + 1);
        }
        return object;
    }

private:
    std::string m_name;
    int m_numNodes = 0;
};

// Where a document begins, and whether something stands in it.
class DocumentGlance : public YAML::EventHandler {
public:
    YAML::Mark begin;
    bool isEmpty = true;

    void OnDocumentStart(const YAML::Mark& mark) override {
        begin = mark;
        isEmpty = true;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { isEmpty = false; }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {
        isEmpty = false;
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        isEmpty = false;
    }
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        isEmpty = false;
    }
    void OnMapEnd() override {}
};

// A "---" at the end begins nothing. YAML::LoadAll() would not do: of a text that nothing takes, such as ",", it makes
// documents for ever, each of which begins where the last did.
void refuseSecondDocument(const std::string& text, const std::string& name) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentGlance document;
    parser.HandleNextDocument(document);
    for (int last = document.begin.pos; parser.HandleNextDocument(document) && document.begin.pos > last;
         last = document.begin.pos)
        if (!document.isEmpty)
            throw invalidInput(
                fmt::format("{} has a second document, which begins in line {}.", name, document.begin.line + 1),
                "Write each run into a file of its own.");
}

} // namespace

Tree jsonOfYaml(const std::string& text, const std::string& nameForErrors) {
    try {
        refuseSecondDocument(text, nameForErrors);
        return Reader(nameForErrors).read(YAML::Load(text));
    } catch (const YAML::Exception& error) {
        throw invalidInput(fmt::format("{} is not valid YAML: line {}, column {}: {}.", nameForErrors,
                                       error.mark.line + 1, error.mark.column + 1, error.msg));
    }
}

} // namespace roundpipe::foreign
