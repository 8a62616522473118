#include "data/encode/call_check.h"

#include "data/rows/row_format.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

// What is put in the place of a name or an argument, and must be found again.
struct Mark {
    std::size_t message;
    RowRemark missing;
    std::string text;
};

class CallMarker {
public:
    CallMarker(const std::string& rendered, bool marksNames)
        : m_prefix(freshPrefix(rendered)), m_marksNames(marksNames) {
        while (rendered.find(std::to_string(m_number).substr(0, 8)) != std::string::npos)
            m_number += 1'000'000;
    }

    Json marked(const Json& messages) {
        Json result = messages;
        for (std::size_t i = 0; i < result.size(); ++i)
            if (auto calls = result[i].find("tool_calls"); calls != result[i].end() && calls->is_array())
                for (Json& call : *calls)
                    mark(call, i);
        return result;
    }
    const std::vector<Mark>& marks() const { return m_marks; }

private:
    void mark(Json& call, std::size_t message) {
        Json& function = call.contains("function") ? call["function"] : call;
        if (!function.is_object()) return;
        const auto name = function.find("name");
        if (m_marksNames && name != function.end() && name->is_string())
            *name = textFor(message, RowRemark::kCallNotPrinted);
        Json* arguments = argumentsOf(call);
        if (arguments == nullptr) return;
        const bool isText = arguments->is_string();
        Json values = isText ? parseInner(arguments->get_ref<const std::string&>()) : *arguments;
        markLeaves(values, message);
        *arguments = isText ? Json(values.dump()) : std::move(values);
    }

    void markLeaves(Json& value, std::size_t message) {
        if (value.is_structured()) {
            for (Json& item : value)
                markLeaves(item, message);
        } else if (value.is_string()) {
            value = textFor(message, RowRemark::kArgumentNotPrinted);
        } else if (value.is_number()) {
            value = ++m_number;
            m_marks.push_back({message, RowRemark::kArgumentNotPrinted, std::to_string(m_number)});
        }
    }

    std::string textFor(std::size_t message, RowRemark missing) {
        m_marks.push_back({message, missing, fmt::format("{}{:06}call", m_prefix, m_marks.size())});
        return m_marks.back().text;
    }

    const std::string m_prefix;
    const bool m_marksNames;
    int64_t m_number = 71'390'000'000'000; // of 14 digits, the first of which stand nowhere else
    std::vector<Mark> m_marks;
};

} // namespace

Json* argumentsOf(Json& call) {
    Json& function = call.contains("function") ? call["function"] : call;
    if (!function.is_object()) return nullptr;
    const auto arguments = function.find("arguments");
    if (arguments == function.end()) return nullptr;
    const bool isObject = arguments->is_object() ||
                          (arguments->is_string() && parseInner(arguments->get_ref<const std::string&>()).is_object());
    return isObject ? &*arguments : nullptr;
}

void requireCallsPrinted(const Conversation& conversation, const std::string& rendered, const RenderMessages& render) {
    const auto calls = [](const Json& message) { return message.contains("tool_calls"); };
    if (std::ranges::none_of(conversation.messages, calls)) return;
    for (const bool marksNames : {true, false}) { // a template may look its tools up by name
        CallMarker marker(rendered, marksNames);
        const Json messages = marker.marked(conversation.messages);
        std::string text;
        try {
            text = render(messages);
        } catch (const RowProblem&) {
            continue;
        }
        for (const Mark& mark : marker.marks())
            if (text.find(mark.text) == std::string::npos)
                throw RowProblem(DropReason::kMask, Remark(mark.missing, mark.message + 1));
        return;
    }
}

} // namespace roundpipe::data
