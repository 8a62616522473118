// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/findings_pane.h"

#include "ui/theme/icon.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kIconSize = 18;

QLabel* wrapped(const char* objectName) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QPushButton* linkButton() {
    auto* button = new QPushButton;
    button->setObjectName(QStringLiteral("link"));
    return button;
}

} // namespace

FindingsPane::FindingsPane(const theme::ThemeManager& themes, QWidget* parent)
    : QScrollArea(parent), m_themes(themes), m_well(wrapped("dim")), m_layout(nullptr) {
    auto* content = new QWidget;
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, 0, 4, 0);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_well);
    m_layout->addStretch(1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Findings"));
    content->setAutoFillBackground(false); // the card's shows through
    viewport()->setAutoFillBackground(false);
    connect(&themes, &theme::ThemeManager::changed, this, &FindingsPane::drawIcons);
    clear();
}

void FindingsPane::clear() {
    for (Row& row : m_rows)
        row.widget->hide();
    m_numShown = 0;
    m_well->setText(tr("What slows the run stands here after its first steps."));
    m_well->show();
    emit changed();
}

void FindingsPane::setFindings(const session::RunFindings& findings, const session::RunPlan& plan, bool isOver) {
    m_numShown = findings.all.size();
    while (m_rows.size() < m_numShown)
        addRow();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (i < m_numShown) fill(m_rows[i], findings.all[i], plan);
        m_rows[i].widget->setVisible(i < m_numShown);
    }
    const QString well = models::allIsWellText(findings);
    if (!well.isEmpty())
        m_well->setText(translations::withWholeFigures(well));
    else if (isOver)
        m_well->setText(tr("The run ended before its second step, too early to tell what slows it."));
    m_well->setVisible(m_numShown == 0);
    layOut();
    drawIcons();
    emit changed();
}

// At once, as a busy window paints before it comes to what it was asked to lay out: words in their row, rows in the
// list, and the list as long as they are.
void FindingsPane::layOut() {
    for (const Row& row : m_rows)
        row.widget->layout()->activate();
    m_layout->activate();
    QEvent request(QEvent::LayoutRequest); // the list's length is up to what scrolls it
    QCoreApplication::sendEvent(this, &request);
}

QString FindingsPane::firstText() const {
    if (m_numShown == 0) return m_well->text();
    const models::FindingText& text = m_rows.front().text;
    return QStringLiteral("%1 – %2").arg(text.headline, text.detail);
}

bool FindingsPane::firstHasEvidence() const {
    return m_numShown > 0 && m_rows.front().finding.endNs > m_rows.front().finding.beginNs;
}

void FindingsPane::showFirst() {
    if (firstHasEvidence()) emit evidenceWanted(m_rows.front().finding.beginNs, m_rows.front().finding.endNs);
}

void FindingsPane::addRow() {
    Row row{new QWidget, new QLabel, wrapped("title"), wrapped("dim"), linkButton(), linkButton(), {}, {}};
    row.show->setText(tr("Show"));
    auto* links = new QHBoxLayout;
    links->setSpacing(4);
    links->addWidget(row.show);
    links->addWidget(row.act);
    links->addStretch(1);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(row.headline);
    words->addWidget(row.detail);
    words->addLayout(links);
    auto* layout = new QHBoxLayout(row.widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(row.icon, 0, Qt::AlignTop);
    layout->addLayout(words, 1);
    const std::size_t index = m_rows.size();
    connect(row.show, &QPushButton::clicked, this,
            [this, index] { emit evidenceWanted(m_rows[index].finding.beginNs, m_rows[index].finding.endNs); });
    connect(row.act, &QPushButton::clicked, this,
            [this, index] { emit pageWanted(m_rows[index].text.page, m_rows[index].text.field); });
    m_layout->insertWidget(static_cast<int>(index), row.widget);
    m_rows.push_back(std::move(row));
}

void FindingsPane::fill(Row& row, const session::RunFinding& finding, const session::RunPlan& plan) {
    row.finding = finding;
    row.text = models::findingText(finding, plan);
    row.headline->setText(translations::withWholeFigures(row.text.headline));
    row.detail->setText(translations::withWholeFigures(row.text.detail));
    row.show->setVisible(finding.endNs > finding.beginNs);
    row.show->setAccessibleName(tr("Show on the timeline: %1").arg(row.text.headline));
    row.show->setToolTip(tr("The longest such wait, on the timeline"));
    row.act->setVisible(!row.text.action.isEmpty());
    row.act->setText(row.text.action);
}

void FindingsPane::drawIcons() {
    const theme::Theme& theme = m_themes.theme();
    for (std::size_t i = 0; i < m_numShown; ++i) {
        const bool isSerious = m_rows[i].finding.isSerious;
        m_rows[i].icon->setPixmap(theme::pixmapOf(isSerious ? theme::Icon::kBad : theme::Icon::kWarning,
                                                  isSerious ? theme.bad : theme.warning, kIconSize,
                                                  devicePixelRatioF()));
        m_rows[i].icon->setAccessibleName(isSerious ? tr("Costs much") : tr("Worth knowing"));
    }
}

} // namespace roundpipe::ui::pages
