// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/rig_table.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
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

constexpr int kName = 0, kRoom = 1, kStep = 2, kSpeed = 3, kDifference = 4; // columns of the grid
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

// As wide as a line that the eye follows.
QLayout* widthOf(QLayout* rows) {
    constexpr int kWidest = 1000;
    auto* table = new QWidget;
    table->setMaximumWidth(kWidest);
    table->setLayout(rows);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QHBoxLayout;
    layout->addWidget(table, 1000);
    layout->addStretch(1);
    return layout;
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
    m_grid->setColumnStretch(kRoom, 1);
    m_grid->setHorizontalSpacing(18);
    setRoom(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(widthOf(m_grid), 1);
    layout->addSpacing(4);
    layout->addLayout(inputs);
    m_soon.setSingleShot(true);
    m_soon.setInterval(std::chrono::milliseconds(300));
    connect(&m_soon, &QTimer::timeout, this, &RigTable::begin);
    connect(&m_planner, &bridge::PlannerController::changed, this, &RigTable::take);
    for (const char* rig : kRigs)
        add(QString::fromLatin1(rig));
}

void RigTable::setRoom(double room) {
    m_grid->setVerticalSpacing(static_cast<int>(5 + 15 * room));
    m_grid->activate(); // so that those around know at once
    if (layout() != nullptr) layout()->activate();
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
    Row row{text, new QPushButton(name), new widgets::ElidedLabel, numberLabel(), numberLabel(), numberLabel()};
    row.name->setObjectName(QStringLiteral("link"));
    row.name->setToolTip(tr("Show the whole plan on this rig"));
    row.difference->setObjectName(QStringLiteral("dim"));
    row.note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(row.name, &QPushButton::clicked, this, [this, text] { emit rigWanted(text); });
    const int line = m_grid->rowCount();
    m_grid->setRowStretch(line, 1); // a card that is higher than they need is filled
    m_grid->addWidget(row.name, line, kName, Qt::AlignLeft | Qt::AlignVCenter);
    setTabOrder(m_rows.empty() ? m_input->previousInFocusChain() : m_rows.back().name, row.name); // as one reads
    m_grid->addWidget(row.note, line, kRoom, 1, -1); // where there are no numbers
    m_grid->addWidget(row.step, line, kStep);
    m_grid->addWidget(row.speed, line, kSpeed);
    m_grid->addWidget(row.difference, line, kDifference);
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
    showNote(row, asksSoon ? tr("being worked out…") : QString());
}

// In place of numbers; where there is little room, the shorter one.
void RigTable::showNote(Row& row, const QString& note, const QStringList& shorter) {
    for (QLabel* number : {row.step, row.speed, row.difference})
        number->clear();
    row.note->setFullText(note, shorter);
    row.note->show();
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
    if (!update.answer) return showNote(row, QString::fromStdString(update.problem), {tr("not understood")});
    const session::PlanAnswer& answer = *update.answer;
    if (!isRunnable(&answer))
        return showNote(row, tr("does not fit: %1").arg(models::shortfallText(answer.problem, answer.rig)),
                        {tr("does not fit")});
    const double seconds = answer.choice.step.stepSeconds;
    row.note->hide();
    row.name->setToolTip(tr("Show the whole plan on %1").arg(models::rigText(answer.rig)));
    row.step->setText(translations::durationText(seconds));
    row.speed->setText(tr("%1 tokens/s").arg(translations::countText(answer.tokensPerSecond)));
    row.difference->setText(m_ownSeconds > 0 ? differenceText(100 * (seconds / m_ownSeconds - 1)) : QString());
}

} // namespace roundpipe::ui::pages
