// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/samples_pane.h"

#include "ui/widgets/answers_pane.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {

SamplesPane::SamplesPane(QWidget* parent)
    : QWidget(parent)
    , m_top(new QWidget)
    , m_steps(new QComboBox)
    , m_answers(new widgets::AnswersPane(tr("There are no prompts that the model would answer before and after."),
                                         tr("Edit the prompts…"))) {
    auto* caption = new QLabel(tr("The answers &after"));
    caption->setObjectName(QStringLiteral("dim"));
    caption->setBuddy(m_steps);
    m_steps->setAccessibleName(tr("Answers after how many steps"));
    auto* top = new QHBoxLayout(m_top);
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(caption);
    top->addWidget(m_steps);
    top->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_top);
    layout->addWidget(m_answers, 1);
    connect(m_answers, &widgets::AnswersPane::linkClicked, this, &SamplesPane::editWanted);
    connect(m_steps, &QComboBox::currentIndexChanged, this, &SamplesPane::showStep);
    setPrompts({});
}

void SamplesPane::setPrompts(const QStringList& prompts) {
    m_prompts = prompts;
    m_base.clear();
    m_tuned.clear();
    m_steps->clear();
    m_top->hide();
    m_answers->setPrompts(prompts);
}

void SamplesPane::addAnswer(const QString& prompt, const QString& answer, bool tuned, qint64 step) {
    if (!m_prompts.contains(prompt)) addPrompt(prompt);
    if (!tuned) {
        m_base[prompt] = answer;
        return m_answers->setAnswer(prompt, answer, false);
    }
    const bool isNew = !m_tuned.contains(step);
    const bool showsNewest = m_steps->currentIndex() <= 0;
    m_tuned[step][prompt] = answer;
    if (isNew) {
        m_steps->insertItem(0, tr("step %1").arg(step), step);
        if (showsNewest) m_steps->setCurrentIndex(0);
    }
    m_top->setVisible(m_tuned.size() > 1);
    if (m_steps->currentData().toLongLong() == step) showStep();
}

void SamplesPane::addPrompt(const QString& prompt) {
    m_prompts.append(prompt);
    m_answers->setPrompts(m_prompts);
    for (auto base = m_base.cbegin(); base != m_base.cend(); ++base)
        m_answers->setAnswer(base.key(), base.value(), false);
    showStep();
}

// A prompt that was not asked at that step has no answer there.
void SamplesPane::showStep() {
    const QMap<QString, QString> answers = m_tuned.value(m_steps->currentData().toLongLong());
    for (const QString& prompt : m_prompts)
        m_answers->setAnswer(prompt, answers.value(prompt, QStringLiteral("–")), true);
}

} // namespace roundpipe::ui::pages
