// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/call_check.h"

#include "data/encode/spans/find_text.h"
#include "data/rows/json/json_text.h"
#include "data/rows/json/long_number.h"
#include "data/rows/json/row_json.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <string_view>
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
        : m_textPrefix(freshPrefix(rendered))
        , m_numberPrefix(absentFrom(rendered, "71", kSaltDigits))
        , m_marksNames(marksNames) {}

    Json marked(const Json& messages) {
        Json result = messages;
        for (std::size_t i = 0; i < result.size(); ++i)
            if (auto calls = result[i].find("tool_calls"); calls != result[i].end() && calls->is_array())
                for (Json& call : *calls)
                    mark(call, i);
        return result;
    }

    // Throws RowProblem where one of the marks is not in the text.
    void requireIn(std::string_view text) const {
        const auto texts = textsOfSize(text, m_textPrefix, m_textPrefix.size() + kCountDigits + kTextEnd.size());
        const auto numbers = textsOfSize(text, m_numberPrefix, m_numberPrefix.size() + kCountDigits);
        for (const Mark& mark : m_marks)
            if (!texts.contains(mark.text) && !numbers.contains(mark.text))
                throw RowProblem(DropReason::kCallLost, Remark(mark.missing, mark.message + 1));
    }

private:
    void mark(Json& call, std::size_t message) {
        Json& function = functionOf(call);
        const auto name = function.find("name");
        if (m_marksNames && name != function.end() && name->is_string())
            *name = textFor(message, RowRemark::kCallNotPrinted);
        Json* arguments = namedArgumentsOf(call);
        if (arguments == nullptr) return;
        const bool isText = arguments->is_string();
        Json values = isText ? parseInner(arguments->get_ref<const std::string&>()) : *arguments;
        markLeaves(values, message);
        *arguments = isText ? Json(jsonText(values)) : std::move(values);
    }

    void markLeaves(Json& value, std::size_t message) {
        if (value.is_structured()) {
            for (Json& item : value)
                markLeaves(item, message);
        } else if (value.is_string()) {
            value = textFor(message, RowRemark::kArgumentNotPrinted);
        } else if (isNumber(value)) {
            m_marks.push_back({message, RowRemark::kArgumentNotPrinted, counted(m_numberPrefix)});
            value = std::stoll(m_marks.back().text);
        }
    }

    std::string textFor(std::size_t message, RowRemark missing) {
        m_marks.push_back({message, missing, counted(m_textPrefix).append(kTextEnd)});
        return m_marks.back().text;
    }
    std::string counted(const std::string& prefix) const {
        return fmt::format("{}{:0{}}", prefix, m_marks.size(), kCountDigits);
    }

    // A number has 16 digits, which JSON's readers keep.
    static constexpr int kSaltDigits = 6, kCountDigits = 8;
    static constexpr std::string_view kTextEnd = "call";

    const std::string m_textPrefix, m_numberPrefix;
    const bool m_marksNames;
    std::vector<Mark> m_marks;
};

} // namespace

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
        return marker.requireIn(text);
    }
}

} // namespace roundpipe::data
