// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/start_question.h"

#include <QPushButton>

namespace roundpipe::ui::pages {
namespace {

constexpr int kWideButton = 220; // three of them must fit into a small window

// Broken at the space next to its middle where it is wide.
QString onTwoLines(QString text, const QFontMetrics& metrics) {
    if (metrics.horizontalAdvance(text) <= kWideButton) return text;
    const qsizetype middle = text.size() / 2;
    const qsizetype before = text.lastIndexOf(QLatin1Char(' '), middle);
    const qsizetype after = text.indexOf(QLatin1Char(' '), middle);
    const qsizetype at = after < 0 || (before >= 0 && middle - before < after - middle) ? before : after;
    if (at >= 0) text[at] = QLatin1Char('\n');
    return text;
}

} // namespace

StartQuestionBox::StartQuestionBox(QWidget* parent)
    : QMessageBox(QMessageBox::Warning, tr("The run does not fit"), {}, QMessageBox::NoButton, parent)
    , m_remedy(addButton(QString(), QMessageBox::AcceptRole))
    , m_anyway(addButton(tr("Start anyway"), QMessageBox::DestructiveRole)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setTextFormat(Qt::PlainText);
    QPushButton* look = addButton(tr("Look at the plan"), QMessageBox::RejectRole);
    setDefaultButton(look);
    setEscapeButton(look);
    connect(this, &QMessageBox::buttonClicked, this, [this](const QAbstractButton* clicked) {
        if (clicked == m_remedy && m_takeRemedy) m_takeRemedy();
        emit answered(clicked == m_anyway ? StartAnswer::kStartAnyway : StartAnswer::kLookAtThePlan);
    });
}

void StartQuestionBox::say(const StartQuestion& question) {
    const bool fits = question.problem.isEmpty();
    setIcon(fits ? QMessageBox::Information : QMessageBox::Warning);
    setText(fits ? tr("It fits now.") : question.problem);
    if (question.isOld)
        setInformativeText(tr("The settings have changed since: the plan is being worked out anew."));
    else
        setInformativeText(
            fits ? QString()
                 : tr("Unless the estimate is wrong, it ends for want of memory before its first step or soon after."));
    m_takeRemedy = question.takeRemedy;
    m_remedy->setText(onTwoLines(question.remedy, m_remedy->fontMetrics()));
    m_remedy->setAccessibleName(question.remedy);
    m_remedy->setVisible(!question.remedy.isEmpty() && !question.isOld);
    m_anyway->setText(fits ? tr("Start") : tr("Start anyway"));
}

} // namespace roundpipe::ui::pages
