// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/rig_table.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/file_choice.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <chrono>

namespace roundpipe::ui::pages {
namespace {

constexpr const char* kRigs[] = {"1x4090", "2x4090", "4x4090", "8x4090", "4x3090", "2x4090+2x3090", "1xh200"};

// What does not fit has a plan on show, too, whose times are nobody's.
bool isRunnable(const session::PlanAnswer* answer) {
    return answer != nullptr && answer->hasPlan && answer->problem.empty();
}

// How much longer a step takes than the project's own.
QString differenceText(double percent) {
    if (std::abs(percent) < 0.5) return RigTable::tr("the same");
    return RigTable::tr("%1%2 %")
        .arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"))
        .arg(translations::fixedText(std::abs(percent), 0));
}

QLabel* numberLabel() {
    auto* label = new QLabel;
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

} // namespace

RigTable::RigTable(std::unique_ptr<session::Planner> planner, QWidget* parent)
    : QWidget(parent), m_planner(std::move(planner)), m_grid(new QGridLayout), m_input(new QLineEdit) {
    setAccessibleName(tr("On another rig"));
    m_input->setPlaceholderText(tr("4x4090@pcie4x8,ram=256"));
    m_input->setAccessibleName(tr("Another rig"));
    m_input->setToolTip(tr("GPUs with their number, \"+\" between kinds; after commas ram=… in GiB. Enter adds it."));
    auto* addButton = new QPushButton(tr("Add rig"));
    connect(addButton, &QPushButton::clicked, this, [this] { addDescribed(m_input->text()); });
    connect(m_input, &QLineEdit::returnPressed, this, [this] { addDescribed(m_input->text()); });
    auto* fileButton = new QPushButton(tr("Rig file…"));
    fileButton->setToolTip(tr("Add a rig that a file describes, as roundpipe plan writes and reads it"));
    connect(fileButton, &QPushButton::clicked, this, &RigTable::chooseFile);
    auto* inputs = new QHBoxLayout;
    inputs->addWidget(m_input, 1);
    inputs->addWidget(addButton);
    inputs->addWidget(fileButton);
    m_grid->setColumnStretch(0, 1);
    m_grid->setHorizontalSpacing(18);
    m_grid->setVerticalSpacing(5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_grid);
    layout->addStretch(1);
    layout->addLayout(inputs);
    m_soon.setSingleShot(true);
    m_soon.setInterval(std::chrono::milliseconds(300));
    connect(&m_soon, &QTimer::timeout, this, &RigTable::begin);
    connect(&m_planner, &bridge::PlannerController::changed, this, &RigTable::take);
    for (const char* rig : kRigs)
        add(QString::fromLatin1(rig));
}

void RigTable::focusInput() {
    m_input->setFocus(Qt::OtherFocusReason);
}

void RigTable::addDescribed(const QString& text) {
    const QString rig = text.trimmed();
    if (rig.isEmpty()) return;
    add(rig);
    emit described(rig);
}

void RigTable::chooseFile() {
    const QString file = widgets::askForFile(this, tr("A rig"), tr("Rigs (*.json)"));
    if (!file.isEmpty()) addDescribed(file);
}

void RigTable::add(const QString& notation) {
    const QString text = notation.trimmed();
    if (text.isEmpty() || std::ranges::find(m_rows, text, &Row::notation) != m_rows.end()) return;
    m_input->clear();
    const QString name = QFileInfo(text).isFile() ? QFileInfo(text).completeBaseName() : text;
    Row row{text, new QPushButton(name), numberLabel(), numberLabel(), numberLabel(), false};
    row.name->setObjectName(QStringLiteral("link"));
    row.name->setToolTip(tr("Show the whole plan on this rig"));
    row.difference->setObjectName(QStringLiteral("dim"));
    connect(row.name, &QPushButton::clicked, this, [this, text] { emit rigWanted(text); });
    const int line = m_grid->rowCount();
    m_grid->addWidget(row.name, line, 0, Qt::AlignLeft);
    setTabOrder(m_rows.empty() ? m_input->previousInFocusChain() : m_rows.back().name, row.name); // as one reads
    m_grid->addWidget(row.step, line, 1);
    m_grid->addWidget(row.speed, line, 2);
    m_grid->addWidget(row.difference, line, 3);
    showUnknown(row, m_question.has_value());
    m_rows.push_back(row);
    if (m_question) m_soon.start();
}

int RigTable::numAnswered() const {
    return static_cast<int>(std::ranges::count(m_rows, true, &Row::isAnswered));
}

void RigTable::ask(session::PlanQuestion question, const std::string& ownRig, const session::PlanAnswer* own) {
    // A comparison of speeds needs neither pictures nor rivals.
    question.usesMeasured = false;
    question.seeksBetter = question.showsSmallest = question.compares = question.wantsTimeline = false;
    m_ownQuestion = question;
    m_ownRig = isRunnable(own) && own->isMeasured ? ownRig : std::string();
    m_ownSeconds = isRunnable(own) ? own->choice.step.stepSeconds : 0;
    // What is given counts devices of its own rig.
    question.spec.engine.forwardStages.clear();
    question.spec.engine.backwardStages.clear();
    m_question = std::move(question);
    m_isAsking = false; // what is under way answers the question of before
    for (Row& row : m_rows)
        showUnknown(row, true);
    m_soon.start();
}

void RigTable::forget(bool asksSoon) {
    m_question.reset();
    m_isAsking = false;
    m_soon.stop();
    for (Row& row : m_rows)
        showUnknown(row, asksSoon);
}

// Numbers of before would be read as those of now.
void RigTable::showUnknown(Row& row, bool asksSoon) {
    row.isAnswered = false;
    row.step->setText(asksSoon ? tr("being worked out…") : QString());
    row.step->setToolTip({});
    row.speed->clear();
    row.difference->clear();
    for (QLabel* label : {row.step, row.speed, row.difference})
        label->setEnabled(false);
}

void RigTable::begin() {
    for (m_asked = 0; m_asked < m_rows.size() && m_rows[m_asked].isAnswered;)
        ++m_asked;
    askNext();
}

void RigTable::askNext() {
    m_isAsking = m_question && m_asked < m_rows.size();
    if (m_isAsking && !m_ownRig.empty())
        m_planner.ask(m_ownQuestion, m_ownRig);
    else if (m_isAsking)
        m_planner.ask(*m_question, m_rows[m_asked].notation.toStdString());
    else
        emit answered();
}

void RigTable::take() {
    if (!m_isAsking || m_planner.isOld() || !m_planner.update().isLast) return;
    if (!m_ownRig.empty()) return takeOwn();
    showAnswer(m_rows[m_asked], m_planner.update());
    do
        ++m_asked;
    while (m_asked < m_rows.size() && m_rows[m_asked].isAnswered);
    askNext();
}

void RigTable::takeOwn() {
    const auto& answer = m_planner.update().answer;
    m_ownSeconds = isRunnable(answer.get()) ? answer->choice.step.stepSeconds : 0;
    m_ownRig.clear();
    askNext();
}

void RigTable::showAnswer(Row& row, const session::PlanUpdate& update) {
    row.isAnswered = true;
    for (QLabel* label : {row.step, row.speed, row.difference})
        label->setEnabled(true);
    if (isRunnable(update.answer.get())) {
        const session::PlanAnswer& answer = *update.answer;
        const double seconds = answer.choice.step.stepSeconds;
        row.name->setToolTip(tr("Show the whole plan on %1").arg(models::rigText(answer.rig)));
        row.step->setText(translations::durationText(seconds));
        row.speed->setText(tr("%1 tokens/s").arg(translations::countText(answer.tokensPerSecond)));
        row.difference->setText(m_ownSeconds > 0 ? differenceText(100 * (seconds / m_ownSeconds - 1)) : QString());
        row.step->setToolTip({});
    } else {
        const QString why = update.answer ? models::misfitText(update.answer->problem, update.answer->rig)
                                          : QString::fromStdString(update.problem);
        row.step->setText(update.answer ? tr("does not fit") : tr("not understood"));
        row.step->setToolTip(why);
        row.speed->clear();
        row.difference->clear();
    }
}

} // namespace roundpipe::ui::pages
