// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual.h"

#include "base/file.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace roundpipe::ui::help {
namespace {

QString withoutMarks(QString line) {
    static const QRegularExpression kLink(QStringLiteral("!?\\[([^\\]]*)\\]\\([^)]*\\)"));
    static const QRegularExpression kMarks(QStringLiteral("^\\s*(\\||- |\\d+\\. )|\\*+|`|\\|$"));
    static const QRegularExpression kRule(QStringLiteral("^\\|[-|: ]+\\|$"));
    if (kRule.match(line).hasMatch()) return {};
    line.replace(kLink, QStringLiteral("\\1"));
    line.remove(kMarks);
    return line.replace(QStringLiteral(" | "), QStringLiteral(" · ")).trimmed();
}

std::vector<ManualSection> sectionsOf(const QString& markdown) {
    static const QRegularExpression kHeading(QStringLiteral("^(#+) (.*)$"));
    std::vector<ManualSection> sections;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        const QRegularExpressionMatch match = kHeading.match(line);
        if (match.hasMatch()) {
            const QString heading = withoutMarks(match.captured(2));
            sections.push_back({heading, anchorOf(heading), static_cast<int>(match.capturedLength(1)), {}});
        } else if (!sections.empty()) {
            sections.back().text += withoutMarks(line) + QLatin1Char('\n');
        }
    }
    if (sections.empty()) sections.emplace_back();
    return sections;
}

ManualPage readPage(const std::filesystem::path& folder, const QString& file, const QString& group) {
    ManualPage page{file,
                    {},
                    group,
                    QString::fromStdString(readTextFile(folder / file.toStdString())),
                    QString::fromStdString(folder.string()),
                    {}};
    page.sections = sectionsOf(page.markdown);
    page.title = page.sections.front().heading;
    return page;
}

int countOf(const QStringList& words, const QString& text) {
    return static_cast<int>(
        std::ranges::count_if(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }));
}

QString bestLine(const QString& text, const QStringList& words) {
    QString best;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        if (best.isEmpty() || countOf(words, line) > countOf(words, best)) best = line;
    return best;
}

} // namespace

QString anchorOf(const QString& heading) {
    static const QRegularExpression kOther(QStringLiteral("[^\\w -]"), QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(kOther).replace(QLatin1Char(' '), QLatin1Char('-'));
}

Manual::Manual(const std::filesystem::path& folder) {
    static const QRegularExpression kGroup(QStringLiteral("^\\*\\*(.+)\\*\\*$"));
    static const QRegularExpression kEntry(QStringLiteral("^- \\[[^\\]]*\\]\\(([\\w-]+\\.md)\\)"));
    m_pages.push_back(readPage(folder, QStringLiteral("README.md"), {}));
    QString group;
    const QString contents = m_pages.front().markdown;
    for (const QString& line : contents.split(QLatin1Char('\n'))) {
        if (const auto match = kGroup.match(line); match.hasMatch()) group = match.captured(1);
        if (const auto match = kEntry.match(line); match.hasMatch())
            m_pages.push_back(readPage(folder, match.captured(1), group));
    }
}

const ManualPage* Manual::page(const QString& file) const {
    const auto found = std::ranges::find(m_pages, file, &ManualPage::file);
    return found == m_pages.end() ? nullptr : &*found;
}

std::vector<ManualHit> Manual::find(const QString& words) const {
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<ManualHit> hits;
    if (parts.isEmpty()) return hits;
    for (const ManualPage& page : m_pages)
        for (const ManualSection& section : page.sections)
            if (countOf(parts, section.heading + QLatin1Char('\n') + section.text) == parts.size())
                hits.push_back({&page, &section, bestLine(section.text, parts)});
    std::ranges::stable_sort(hits, std::greater(),
                             [&](const ManualHit& hit) { return countOf(parts, hit.section->heading); });
    return hits;
}

} // namespace roundpipe::ui::help
