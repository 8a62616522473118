// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/fixes_card.h"

#include "ui/models/plan_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

QLabel* wrapped(const char* objectName = nullptr) {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    if (objectName != nullptr) label->setObjectName(QString::fromLatin1(objectName));
    return label;
}

// Where the card is higher than its changes need, each has the same air below it.
void addRoom(QGridLayout& grid) {
    grid.addItem(new QSpacerItem(0, 8, QSizePolicy::Minimum, QSizePolicy::Expanding), grid.rowCount(), 0);
}

} // namespace

FixesCard::FixesCard(QWidget* parent)
    : Card(tr("Why not, and what makes it fit"), parent)
    , m_problem(wrapped("problem"))
    , m_advice(wrapped("dim"))
    , m_describe(new QPushButton(tr("Describe a rig…"))) {
    setProperty("tone", "bad");
    body()->addWidget(m_problem);
    body()->addWidget(m_advice);
    body()->addWidget(m_describe, 0, Qt::AlignLeft);
    m_describe->hide();
    connect(m_describe, &QPushButton::clicked, this, &FixesCard::rigWanted);
}

void FixesCard::offerRig(bool offers) {
    m_describe->setVisible(offers);
}

int FixesCard::addChange(QGridLayout& grid, const QString& change, const QString& cost) const {
    if (grid.count() > 0) addRoom(grid);
    const int line = grid.rowCount();
    auto* what = wrapped("title");
    what->setText(change);
    auto* price = wrapped("dim");
    price->setText(cost);
    grid.addWidget(what, line, 0);
    grid.addWidget(price, line + 1, 0);
    return line;
}

// Beside the rows from `firstRow` on; the first of the card is the one to press.
void FixesCard::addButton(QGridLayout& grid, const QString& text, int firstRow, const std::vector<plan::Fix>& fixes) {
    auto* button = new QPushButton(text);
    if (m_rows->findChild<QPushButton*>() == nullptr) button->setObjectName(QStringLiteral("primary"));
    button->setAccessibleName(tr("Apply: %1").arg(models::changesText(fixes)));
    connect(button, &QPushButton::clicked, this, [this, fixes] { emit fixesWanted(fixes); });
    grid.addWidget(button, firstRow, 1, grid.rowCount() - firstRow, 1, Qt::AlignVCenter);
}

void FixesCard::setProblem(const QString& problem, const QString& advice, const std::vector<plan::Fix>& fixes,
                           const std::vector<plan::Fix>& together, bool isWorking) {
    const bool isFaster = std::ranges::any_of(fixes, plan::keepsResults, &plan::Fix::kind);
    const bool allSettings = std::ranges::all_of(together, plan::isSetting, &plan::Fix::kind);
    m_problem->setText(problem);
    m_advice->setText(!advice.isEmpty()   ? advice
                      : !together.empty() ? models::togetherText(together, isFaster)
                      : !fixes.empty()    ? QString()
                      : isWorking         ? tr("Looking for what would help…")
                                  : tr("No change of settings, memory or GPUs is enough: choose a smaller model."));
    m_advice->setVisible(!m_advice->text().isEmpty());
    delete m_rows;
    m_rows = new QWidget;
    auto* grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setColumnStretch(0, 1);
    int firstRow = 0;
    for (const plan::Fix& fix : together) {
        const int row = addChange(*grid, models::changeText(fix), models::drawbackText(fix));
        if (firstRow == 0) firstRow = row;
    }
    if (!together.empty() && allSettings) addButton(*grid, tr("Apply all"), firstRow, together);
    for (const plan::Fix& fix : fixes) {
        const int row = addChange(*grid, models::changeText(fix), models::costText(fix));
        if (plan::isSetting(fix.kind)) addButton(*grid, tr("Apply"), row, {fix});
    }
    addRoom(*grid);
    body()->addWidget(m_rows, 1);
}

} // namespace roundpipe::ui::pages
