// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/report/findings_list.h"

#include "ui/models/command_line.h"
#include "ui/theme/icon.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

theme::Icon iconOf(Finding::Weight weight) {
    return weight == Finding::Weight::kBad    ? theme::Icon::kBad
           : weight == Finding::Weight::kGood ? theme::Icon::kCheck
                                              : theme::Icon::kWarning;
}

// However little room the buttons leave: a sentence is read to its end.
QLabel* wrapped(const QString& text, const char* objectName) {
    auto* label = new QLabel(models::withWholeOptions(text));
    label->setObjectName(QString::fromLatin1(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

FindingsList::FindingsList(const theme::ThemeManager& themes, QWidget* parent)
    : QScrollArea(parent), m_themes(themes), m_lines(new QVBoxLayout) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // its buttons have it
    auto* content = new QWidget;
    m_lines->setContentsMargins(0, 0, 4, 0);
    m_lines->setSpacing(2);
    content->setLayout(m_lines);
    setWidget(content);
    connect(&m_themes, &theme::ThemeManager::changed, this, &FindingsList::rebuild);
}

void FindingsList::setFindings(std::vector<Finding> findings) {
    m_findings = std::move(findings);
    m_why.clear();
    rebuild();
}

void FindingsList::sayWhy(const QString& words) {
    m_findings.clear();
    m_why = words;
    rebuild();
}

void FindingsList::rebuild() {
    const bool hadFocus = focusWidget() != nullptr && focusWidget()->hasFocus() && isAncestorOf(focusWidget());
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Finding& finding : m_findings)
        m_lines->addWidget(lineOf(finding));
    if (!m_why.isEmpty()) {
        auto* why = new QLabel(m_why);
        why->setObjectName(QStringLiteral("dim"));
        why->setWordWrap(true);
        m_lines->addWidget(why);
    }
    m_lines->addStretch(1);
    if (auto* first = findChild<QPushButton*>(); hadFocus && first != nullptr) first->setFocus();
}

QWidget* FindingsList::lineOf(const Finding& finding) {
    const theme::Theme& theme = m_themes.theme();
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 3, 0, 3);
    layout->setSpacing(10);
    auto* icon = new QLabel;
    const QColor colour = finding.weight == Finding::Weight::kBad    ? theme.bad
                          : finding.weight == Finding::Weight::kGood ? theme.good
                                                                     : theme.warning;
    icon->setPixmap(theme::pixmapOf(iconOf(finding.weight), colour, 16, devicePixelRatioF()));
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(wrapped(finding.title, "title"));
    words->addWidget(wrapped(finding.text, "dim"));
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addLayout(words, 1);
    if (!finding.rows.empty()) {
        auto* show = new QPushButton(tr("Show"));
        show->setAccessibleName(tr("Show the rows: %1").arg(finding.title));
        connect(show, &QPushButton::clicked, this, [this, finding] { emit rowsWanted(finding.title, finding.rows); });
        layout->addWidget(show, 0, Qt::AlignVCenter);
    }
    if (finding.choice) {
        auto* choose = new QPushButton(finding.choice->label);
        choose->setAccessibleName(tr("%1: %2, %3").arg(finding.choice->label, finding.title, finding.text));
        connect(choose, &QPushButton::clicked, this, [this, choice = *finding.choice] { emit choiceMade(choice); });
        layout->addWidget(choose, 0, Qt::AlignVCenter);
    }
    if (finding.lead) {
        auto* go = new QPushButton(finding.lead->label);
        connect(go, &QPushButton::clicked, this,
                [this, lead = *finding.lead] { emit leadFollowed(lead.page, lead.field); });
        layout->addWidget(go, 0, Qt::AlignTop);
    }
    return line;
}

} // namespace roundpipe::ui::pages
