// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/answer_settings.h"

#include "base/error.h"
#include "ui/editors/number_box.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/widgets/help_place.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kNumberWidth = 112;
constexpr int kLinesOfStops = 2;

// The most turned first; the table has the order in which they are applied.
constexpr std::array kOrder = {"temperature", "max_new_tokens",     "top_p", "top_k",
                               "min_p",       "repetition_penalty", "seed"};

QString translated(const char* text) {
    return QCoreApplication::translate("Sampling", text);
}

const session::SamplingField& fieldOf(const char* key) {
    for (const session::SamplingField& field : session::samplingFields())
        if (std::string_view(field.key) == key) return field;
    throw invalidInput(std::string("There is no '") + key + "'.");
}

} // namespace

AnswerSettings::AnswerSettings(QWidget* parent) : Card(tr("Answers"), parent) {
    widgets::setHelpPlace(*this, QStringLiteral("chat.md#how-tokens-are-chosen"));
    for (const char* key : kOrder)
        addRow(fieldOf(key));
    addStops();
    show({});
}

void AnswerSettings::addRow(const session::SamplingField& field) {
    auto* box = new editors::NumberBox(field.isWhole(), field.minimum, field.maximum);
    box->setFixedWidth(kNumberWidth);
    const QString label = translated(field.label), help = translated(field.help);
    auto* name = new QLabel(label);
    name->setBuddy(box);
    for (QWidget* widget : {static_cast<QWidget*>(name), static_cast<QWidget*>(box)})
        widget->setToolTip(help);
    box->setAccessibleName(label);
    box->setAccessibleDescription(help);
    auto* row = new QHBoxLayout;
    row->addWidget(name, 1);
    row->addWidget(box);
    body()->addLayout(row);
    auto* problem = new QLabel;
    problem->setObjectName(QStringLiteral("problem"));
    problem->setWordWrap(true);
    problem->hide();
    body()->addWidget(problem);
    m_rows.push_back({&field, box, problem});
    const std::size_t index = m_rows.size() - 1;
    connect(box, &editors::NumberBox::edited, this, [this, index](double value) { take(m_rows[index], value); });
    connect(box, &editors::NumberBox::notANumber, this,
            [this, index](const QString& text) { say(*m_rows[index].problem, tr("“%1” is no number.").arg(text)); });
}

void AnswerSettings::addStops() {
    auto* name = new QLabel(tr("Stop texts, one a line"));
    m_stops = new QPlainTextEdit;
    m_stops->setAccessibleName(tr("Stop texts"));
    const QString help = tr("An answer ends before the first of them, and nothing of it is shown. \\n is a line feed.");
    m_stops->setToolTip(help);
    m_stops->setAccessibleDescription(help);
    body()->addWidget(name);
    m_stops->setFixedHeight(kLinesOfStops * m_stops->fontMetrics().lineSpacing() + FieldFrame::kAround);
    body()->addWidget(new FieldFrame(*m_stops));
    m_stopsProblem = new QLabel;
    m_stopsProblem->setObjectName(QStringLiteral("problem"));
    m_stopsProblem->setWordWrap(true);
    m_stopsProblem->hide();
    body()->addWidget(m_stopsProblem);
    connect(m_stops, &QPlainTextEdit::textChanged, this, &AnswerSettings::takeStops);
}

void AnswerSettings::say(QLabel& problem, const QString& words) {
    problem.setText(words);
    problem.setVisible(!words.isEmpty());
}

void AnswerSettings::take(const Row& row, double value) {
    try {
        setSampling(m_options, *row.field, value, row.field->key);
        say(*row.problem, {});
        emit edited(m_options);
    } catch (const Error& error) {
        say(*row.problem, QString::fromStdString(error.advice()));
    }
}

void AnswerSettings::takeStops() {
    std::vector<std::string> stops;
    for (QString line : m_stops->toPlainText().split(QLatin1Char('\n')))
        if (!line.isEmpty()) stops.push_back(line.replace(QStringLiteral("\\n"), QStringLiteral("\n")).toStdString());
    try {
        session::checkStops(stops);
        say(*m_stopsProblem, {});
        m_options.stops = std::move(stops);
        emit edited(m_options);
    } catch (const Error& error) {
        say(*m_stopsProblem, QString::fromStdString(error.message() + " " + error.advice()));
    }
}

void AnswerSettings::show(const session::SamplingOptions& options) {
    m_options = options;
    for (const Row& row : m_rows) {
        row.box->setValue(samplingValue(options, *row.field));
        say(*row.problem, {});
    }
    QStringList lines;
    for (const std::string& stop : options.stops)
        lines.append(QString::fromStdString(stop).replace(QLatin1Char('\n'), QStringLiteral("\\n")));
    const QSignalBlocker quiet(m_stops);
    m_stops->setPlainText(lines.join(QLatin1Char('\n')));
    say(*m_stopsProblem, {});
}

} // namespace roundpipe::ui::pages
