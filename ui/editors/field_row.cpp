#include "ui/editors/field_row.h"

#include "base/error.h"
#include "ui/editors/field_text.h"
#include "ui/widgets/help_place.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::editors {
namespace {

constexpr int kLabelWidth = 180;
constexpr int kControlWidth = 200;

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
    , m_changed(new QLabel(tr("changed")))
    , m_control(makeFieldControl(field))
    , m_reset(new QPushButton)
    , m_problem(wrapped("problem"))
    , m_effect(wrapped("dim")) {
    auto* label = new QLabel(labelOf(field));
    label->setBuddy(m_control);
    auto* key = new QLabel(QString::fromStdString(field.key));
    key->setObjectName(QStringLiteral("key"));
    key->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_changed->setObjectName(QStringLiteral("changed"));
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    const QString place = QStringLiteral("settings.md#") + QString::fromStdString(field.key);
    widgets::setHelpPlace(*this, place);
    head->addWidget(label);
    head->addWidget(widgets::makeHelpButton(place, tr("Help on %1 (F1)").arg(labelOf(field))));
    head->addWidget(m_changed);
    head->addStretch(1);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addLayout(head);
    words->addWidget(key);
    m_reset->setObjectName(QStringLiteral("link"));
    m_reset->setAccessibleName(tr("Reset %1 to its default").arg(labelOf(field)));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    auto* control = new QVBoxLayout;
    control->setSpacing(2);
    control->addWidget(m_control);
    control->addWidget(m_reset, 0, Qt::AlignLeft);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 8, 0, 8);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(2);
    grid->setColumnMinimumWidth(0, kLabelWidth);
    grid->setColumnMinimumWidth(1, kControlWidth);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 4);
    grid->addLayout(words, 0, 0, Qt::AlignVCenter);
    grid->addLayout(control, 0, 1, Qt::AlignVCenter);
    grid->addWidget(m_effect, 0, 2, Qt::AlignVCenter);
    grid->addWidget(m_problem, 1, 1, 1, 2);
    setEffect({});

    connect(m_control, &FieldControl::edited, this, &FieldRow::take);
    connect(m_control, &FieldControl::rejected, this, &FieldRow::showProblem);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_document.set(m_field, m_field.get(session::RunSpec{}));
        showValue();
    });
    connect(&m_document, &document::Document::opened, this, &FieldRow::showValue);
    connect(&m_document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QString::fromStdString(m_field.key))) showValue();
    });
    showValue();
}

QString FieldRow::problem() const {
    return m_problem->text();
}

void FieldRow::setEffect(const QString& effect) {
    static const QRegularExpression kTight(QStringLiteral(",(?=\\S)")); // "prompt=question,completion=answer"
    QString text = effect.isEmpty() ? helpOf(m_field) : effect;
    m_effect->setText(text.replace(kTight, QStringLiteral(",\u200B")));
}

void FieldRow::focusInput() {
    m_control->setFocus(Qt::OtherFocusReason);
}

void FieldRow::take(const session::FieldValue& value, bool continues) {
    try {
        session::checkLimits(m_field, value);
        m_document.set(m_field, value, continues);
        showProblem({});
    } catch (const Error& error) {
        showProblem(QString::fromStdString(error.advice().empty() ? error.message() : error.advice()));
    }
}

// A file may hold a value that is not allowed: it is shown with what is wrong, like one that is typed.
void FieldRow::showValue() {
    const session::FieldValue value = m_document.value(m_field);
    const session::FieldValue usual = m_field.get(session::RunSpec{});
    m_control->show(value);
    const bool isChanged = value != usual;
    m_changed->setVisible(isChanged);
    m_reset->setVisible(isChanged);
    m_reset->setText(tr("Reset to %1").arg(shownValue(m_field, usual)));
    try {
        session::checkLimits(m_field, value);
        showProblem({});
    } catch (const Error& error) {
        showProblem(QString::fromStdString(error.advice()));
    }
}

void FieldRow::showProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_control->setWrong(!problem.isEmpty());
}

} // namespace roundpipe::ui::editors
