// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/row_renderer.h"

#include "base/error.h"
#include "data/in_part.h"
#include "data/row_problem.h"
#include "data/rows/json/json_text.h"

#include <fmt/format.h>

#include <string_view>

namespace roundpipe::data {
namespace {

constexpr std::size_t kReasonBytes = 240; // of what a template says

// What templates read and write: a row of 64 MiB, the longest, may be rendered sixteen times, one of 1 MiB a thousand.
constexpr std::size_t kMaxRenderedBytes = std::size_t{2} << 30;

// Of an error that a tool lacks a description or parameters, or something that was to be printed as JSON, where in the
// row one does; else nothing.
std::string placeOf(std::string_view error, const std::string& tools) {
    const Json list = Json::parse(tools, nullptr, /*allow_exceptions=*/false);
    if (!list.is_array()) return {};
    const bool isUnnamed = error.find("Undefined is not JSON serializable") != std::string_view::npos;
    for (const char* field : {"description", "parameters"}) {
        const bool isNamed = error.find(fmt::format("no attribute '{}'", field)) != std::string_view::npos;
        for (std::size_t i = 0; (isNamed || isUnnamed) && i < list.size(); ++i) {
            const bool isWrapped = list[i].is_object() && list[i].contains("function");
            const Json& tool = isWrapped ? list[i]["function"] : list[i];
            if (tool.is_object() && !tool.contains(field))
                return fmt::format(": the row's tools[{}]{} has no '{}'", i, isWrapped ? ".function" : "", field);
        }
    }
    return {};
}

} // namespace

RowRenderer::RowRenderer(const DataOptions& options, const text::ChatTemplate& chatTemplate, const Json& tools)
    : m_options(options)
    , m_template(chatTemplate)
    , m_tools(tools.is_null() ? std::string() : jsonText(tools))
    , m_bytesLeft(kMaxRenderedBytes) {}

text::Rendered RowRenderer::render(const Json& messages, bool addGenerationPrompt) {
    const std::string said = jsonText(messages);
    spend(said.size() + m_tools.size());
    try {
        text::Rendered rendered =
            m_template.render({said, m_tools, {}, m_options.templateArguments}, {addGenerationPrompt, m_options.now});
        spend(rendered.text.size());
        return rendered;
    } catch (const text::TemplateSpent&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidInput) throw;
        if (m_tools.empty() && canRenderWithTools(said))
            throw RowProblem(DropReason::kTemplate, Remark(RowRemark::kTemplateWantsTools));
        throw RowProblem(DropReason::kTemplate,
                         Remark(RowRemark::kRefusedByTemplate,
                                inPartOnOneLine(error.message(), kReasonBytes) + placeOf(error.message(), m_tools)));
    }
}

bool RowRenderer::canRenderWithTools(const std::string& messages) const {
    try {
        m_template.render({messages, "[]", {}, m_options.templateArguments}, {false, m_options.now});
        return true;
    } catch (const Error&) {
        return false;
    }
}

void RowRenderer::spend(std::size_t bytes) {
    if (bytes > m_bytesLeft) throw text::TemplateSpent("to find its turns takes more than 2 GiB of renderings");
    m_bytesLeft -= bytes;
}

} // namespace roundpipe::data
