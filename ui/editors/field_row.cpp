// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/field_row.h"

#include "base/error.h"
#include "ui/editors/field_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/help_place.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSizePolicy>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::editors {
namespace {

constexpr int kLabelWidth = 178;
constexpr int kControlWidth = 200;
constexpr int kRoomBeside = 590; // of the whole row: what a setting does has 190 then
constexpr int kInputHeight = 27; // what is beside an input stands in its middle

QLabel* wrapped(const char* objectName) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    return label;
}

} // namespace

FieldRow::FieldRow(document::Document& document, const session::Field& field, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_field(field)
    , m_control(makeFieldControl(field))
    , m_key(new QLabel)
    , m_change(new QWidget)
    , m_reset(new QPushButton)
    , m_problem(wrapped("problem"))
    , m_effect(wrapped("dim")) {
    widgets::setHelpPlace(*this, helpPlace());
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    m_grid = new QGridLayout(this);
    m_inputs = new QVBoxLayout;
    m_grid->setContentsMargins(0, 5, 0, 3);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnMinimumWidth(1, kControlWidth);
    m_grid->setColumnStretch(1, 2);
    m_grid->addWidget(buildWords(), 0, 0, Qt::AlignTop);
    m_inputs->setSpacing(2);
    m_control->setMinimumHeight(kInputHeight); // a tick, too
    m_inputs->addWidget(m_control);
    buildChange();
    m_inputs->addWidget(m_change);
    m_inputs->addStretch(1);
    m_grid->addLayout(m_inputs, 0, 1);
    m_grid->addWidget(m_problem, 1, 1, 1, 2);
    buildRemark();
    placeEffect();
    setEffect({});

    connect(m_control, &FieldControl::edited, this, &FieldRow::take);
    connect(m_control, &FieldControl::rejected, this, [this](const QString& why, bool continues) {
        beginUnless(continues);
        refuse(why);
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        focusInput(); // the button goes, and would hand the focus on to another setting
        m_document.set(m_field, m_field.get(session::RunSpec{}));
        showValue();
    });
    connect(&m_document, &document::Document::opened, this, &FieldRow::showValue);
    if (m_field.isOfDataset) connect(&m_document, &document::Document::datasetChanged, this, &FieldRow::showValue);
    connect(&m_document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QString::fromStdString(m_field.key))) showValue();
    });
    showValue();
}

// Beside the input where lines of it are long enough to be read, else right below: whether it was changed comes last
// then, whose line is kept free so that nothing moves. In one cell: a grid gives wrapped lines that go over two rows
// the height that they would have in a narrow column.
void FieldRow::placeEffect() {
    m_grid->removeWidget(m_effect);
    m_inputs->removeWidget(m_effect);
    m_grid->setColumnStretch(2, m_isBelow ? 0 : 4);
    m_effect->setMinimumHeight(m_isBelow ? 0 : kInputHeight);
    if (m_isBelow)
        m_inputs->insertWidget(1, m_effect);
    else
        m_grid->addWidget(m_effect, 0, 2, Qt::AlignTop);
}

void FieldRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_isBelow == (width() < kRoomBeside)) return;
    m_isBelow = !m_isBelow;
    placeEffect();
}

QString FieldRow::helpPlace() const {
    return QStringLiteral("settings.md#") + QString::fromStdString(m_field.key);
}

QWidget* FieldRow::buildWords() {
    auto* label = new widgets::ElidedLabel(labelOf(m_field));
    label->setObjectName({});
    label->setBuddy(m_control->input());
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(label, 1);
    head->addWidget(widgets::makeHelpButton(helpPlace(), tr("Help on %1 (F1)").arg(labelOf(m_field))));
    auto* words = new QWidget;
    words->setFixedWidth(kLabelWidth);
    auto* layout = new QVBoxLayout(words);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_key);
    return words;
}

void FieldRow::buildChange() {
    auto* changed = new QLabel(tr("changed"));
    changed->setObjectName(QStringLiteral("changed"));
    m_reset->setObjectName(QStringLiteral("link"));
    m_reset->setAccessibleName(tr("Reset %1 to its default").arg(labelOf(m_field)));
    auto* layout = new QHBoxLayout(m_change);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(changed);
    layout->addWidget(m_reset);
    layout->addStretch(1);
    QSizePolicy kept = m_change->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_change->setSizePolicy(kept);
}

QString FieldRow::problem() const {
    return m_problem->text();
}

void FieldRow::buildRemark() {
    m_remarkText = wrapped("remark");
    m_remarkText->setTextFormat(Qt::PlainText);
    m_useBetter = new QPushButton;
    connect(m_useBetter, &QPushButton::clicked, this, [this] { m_document.set(m_field, m_better); });
    m_remark = new QWidget;
    auto* layout = new QHBoxLayout(m_remark);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_remarkText, 1);
    layout->addWidget(m_useBetter, 0, Qt::AlignTop);
    m_remark->hide();
    m_grid->addWidget(m_remark, 2, 1, 1, 2);
}

void FieldRow::setRemark(const QString& text, const QString& betterText, const session::FieldValue& better) {
    m_remarkText->setText(text);
    m_useBetter->setText(betterText);
    m_better = better;
    m_remark->setVisible(!text.isEmpty());
}

void FieldRow::setEffect(const QString& effect) {
    m_effectText = effect;
    showEffect();
}

void FieldRow::setIdle(const QString& why) {
    m_idle = why;
    for (QWidget* part : {static_cast<QWidget*>(m_control), static_cast<QWidget*>(m_key), m_change})
        part->setEnabled(why.isEmpty());
    showEffect();
}

void FieldRow::showEffect() {
    // "prompt=question,completion=answer", but no number: "0,0005".
    static const QRegularExpression kTight(QStringLiteral("(?<!\\d),(?=\\S)|,(?=[^\\s\\d])"));
    const QString& said = !m_idle.isEmpty() ? m_idle : m_effectText.isEmpty() ? helpOf(m_field) : m_effectText;
    QString text = translations::withWholeFigures(said);
    m_effect->setText(text.replace(kTight, QStringLiteral(",\u200B")));
    if (isVisible()) makeRoom();
}

// Else what holds the row would follow a round of events later, and what holds that one another round later: until then
// rows are painted squeezed.
void FieldRow::makeRoom() {
    for (QWidget* at = this; at != nullptr && at->layout() != nullptr; at = at->parentWidget())
        at->layout()->activate();
}

void FieldRow::focusInput() {
    m_control->focusInput();
}

void FieldRow::beginUnless(bool continues) {
    if (continues) return;
    m_before = m_document.value(m_field);
    m_isTaken = false;
}

void FieldRow::take(const session::FieldValue& value, bool continues) {
    beginUnless(continues);
    if (const QString problem = problemOf(m_field, value); !problem.isEmpty()) return refuse(problem);
    try {
        m_document.set(m_field, value, m_isTaken);
        m_isTaken = true;
        showProblem({});
    } catch (const Error& error) {
        refuse(QString::fromStdString(error.advice().empty() ? error.message() : error.advice()));
    }
}

// 9999 on the way to 99999 is nobody's wish: the project goes back to what it had, the input keeps what was typed.
void FieldRow::refuse(const QString& problem) {
    if (m_isTaken) {
        m_isRefusing = true;
        m_document.set(m_field, m_before, true);
        m_isRefusing = false;
    }
    showProblem(problem);
}

// A file may hold a value that is not allowed: it is shown with what is wrong, like one that is typed.
void FieldRow::showValue() {
    if (m_isRefusing) return;
    const session::FieldValue value = m_document.value(m_field);
    const session::FieldValue usual = m_field.get(session::RunSpec{});
    m_control->show(value);
    showKey();
    m_change->setVisible(value != usual && !isOwnToARun(m_field));
    m_reset->setText(isLeftOpen(m_field, usual) ? tr("Have it chosen")
                                                : tr("Reset to %1").arg(shownValue(m_field, usual)));
    showProblem(problemOf(m_field, value));
}

// Of several datasets, which one's it is: the one that is chosen on the page Data.
void FieldRow::showKey() {
    const QString key = QString::fromStdString(m_field.key);
    const bool isOne = !m_field.isOfDataset || m_document.spec().data.datasets.size() == 1;
    const QString number = QString::number(m_document.dataset() + 1);
    m_key->setText(isOne ? key : tr("%1 · dataset %2").arg(key, number));
    m_key->setToolTip(isOne ? QString()
                            : tr("Each dataset has its own; this is that of dataset %1, which is chosen "
                                 "on the page Data.")
                                  .arg(number));
}

void FieldRow::showProblem(const QString& problem) {
    const bool isOther = problem != m_problem->text();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_control->setWrong(!problem.isEmpty());
    if (isOther) emit problemChanged();
}

} // namespace roundpipe::ui::editors
