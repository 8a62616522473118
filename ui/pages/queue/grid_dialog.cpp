// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/grid_dialog.h"

#include "base/error.h"
#include "ui/editors/field_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/queue/line_rows.h"
#include "ui/theme/table_row.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/roomy_items.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLookSoonMs = 150;
constexpr std::size_t kMostFields = 5; // more would be a line of weeks
// What people turn most: each next setting begins with one of them.
constexpr std::array<const char*, 5> kUsual = {"optimizer.learning_rate", "lora.rank", "duration.epochs",
                                               "lora.dropout", "seed"};

} // namespace

GridDialog::GridDialog(const Services& services, queue::QueuedRun base, QWidget* parent)
    : QDialog(parent)
    , m_services(services)
    , m_base(std::move(base))
    , m_times(new GridTimes(services, this))
    , m_rows(new QVBoxLayout)
    , m_more(new QPushButton(tr("Another setting")))
    , m_name(new QLineEdit)
    , m_problem(new QLabel)
    , m_summary(new QLabel)
    , m_preview(new QTableWidget) {
    setWindowTitle(tr("Add a grid"));
    setAttribute(Qt::WA_DeleteOnClose);
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#grids"));
    auto* words = new QLabel(tr("%1 is trained once for each value, and where there are several settings for each "
                                "combination of their values. Everything else stays as the project has it.")
                                 .arg(QString::fromStdString(m_base.spec.name)));
    words->setWordWrap(true);
    words->setTextFormat(Qt::PlainText);
    m_rows->setSpacing(8);
    auto* nameLabel = new QLabel(tr("Name of the grid"));
    nameLabel->setBuddy(m_name);
    m_name->setAccessibleName(nameLabel->text());
    m_name->setText(freeName());
    m_name->setCursorPosition(0); // of a long one its beginning says more
    auto* below = new QHBoxLayout;
    below->addWidget(m_more);
    below->addSpacing(16);
    below->addWidget(nameLabel);
    below->addWidget(m_name, 1);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_summary->setObjectName(QStringLiteral("title"));
    m_preview->setAccessibleName(tr("Runs of the grid"));
    m_preview->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_preview->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_preview->horizontalHeader()->setHighlightSections(false);
    m_preview->verticalHeader()->hide();
    m_preview->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    m_preview->setItemDelegate(new widgets::RoomyItems(m_preview));
    m_preview->setShowGrid(false);
    m_preview->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_preview->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_preview->setTabKeyNavigation(false);
    m_preview->setMinimumHeight(5 * theme::kTableRow);
    auto* buttons = new QDialogButtonBox;
    m_add = buttons->addButton(tr("Add to the queue"), QDialogButtonBox::AcceptRole);
    m_add->setObjectName(QStringLiteral("primary"));
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kMargin, theme::kMargin, theme::kMargin, theme::kSpacing);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(words);
    layout->addLayout(m_rows);
    layout->addLayout(below);
    layout->addWidget(m_problem);
    layout->addWidget(m_summary);
    layout->addWidget(m_preview, 1);
    layout->addWidget(buttons);
    resize(720, 560);
    m_lookSoon.setSingleShot(true);
    m_lookSoon.setInterval(kLookSoonMs);
    connect(&m_lookSoon, &QTimer::timeout, this, &GridDialog::look);
    connect(m_more, &QPushButton::clicked, this, &GridDialog::addField);
    connect(m_name, &QLineEdit::textChanged, this, &GridDialog::look);
    connect(m_times, &GridTimes::changed, this, &GridDialog::showTimes);
    connect(buttons, &QDialogButtonBox::accepted, this, &GridDialog::addRuns);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    addField();
    look();
}

// Results are told apart by it.
QString GridDialog::freeName() const {
    const bridge::QueueView& view = m_services.queue.view();
    const auto isTaken = [&](const std::string& name) {
        return std::ranges::any_of(view.waiting, [&](const auto& run) { return run.sweep == name; }) ||
               std::ranges::any_of(view.begun, [&](const auto& run) { return run.entry.sweep == name; });
    };
    const QString own = QString::fromStdString(m_base.spec.name);
    QString name = own;
    for (int number = 2; isTaken(name.toStdString()); ++number)
        name = own + QLatin1Char(' ') + QString::number(number);
    return name;
}

void GridDialog::addField() {
    const auto isFree = [this](const char* key) {
        return std::ranges::none_of(m_fields, [&](const GridField* field) { return field->field().key == key; });
    };
    const auto free = std::ranges::find_if(kUsual, isFree);
    auto* field = new GridField(m_base.spec, free == kUsual.end() ? kUsual.front() : *free);
    m_rows->addWidget(field);
    field->show(); // at once, so that it takes the focus
    m_fields.push_back(field);
    connect(field, &GridField::changed, &m_lookSoon, qOverload<>(&QTimer::start));
    connect(field, &GridField::removeWanted, this, [this, field] { removeField(field); });
    for (GridField* one : m_fields)
        one->setRemovable(m_fields.size() > 1);
    m_more->setEnabled(m_fields.size() < kMostFields);
    connect(field, &GridField::changed, this, &GridDialog::orderTabs); // another setting has other inputs
    orderTabs();
    field->focusValues();
    look();
}

// What came later stands further up than what was there from the beginning.
void GridDialog::orderTabs() {
    std::vector<QWidget*> stops;
    for (const GridField* field : m_fields) {
        const std::vector<QWidget*> theirs = field->tabStops();
        stops.insert(stops.end(), theirs.begin(), theirs.end());
    }
    stops.insert(stops.end(), {m_more, m_name, m_preview, m_add});
    for (std::size_t i = 1; i < stops.size(); ++i)
        setTabOrder(stops[i - 1], stops[i]);
}

void GridDialog::removeField(GridField* field) {
    std::erase(m_fields, field);
    field->hide();
    field->deleteLater();
    for (GridField* one : m_fields)
        one->setRemovable(m_fields.size() > 1);
    m_more->setEnabled(true);
    m_fields.back()->focusValues();
    look();
}

// Which runs come of what is given by now.
void GridDialog::look() {
    m_lookSoon.stop();
    m_runs.clear();
    QString problem;
    std::vector<queue::SweptField> swept;
    try {
        for (const GridField* field : m_fields) {
            swept.push_back(field->swept());
            if (swept.back().values.empty()) problem = tr("Give each setting its values.");
        }
        m_base.sweep = m_name->text().trimmed().toStdString();
        if (m_base.sweep.empty()) problem = tr("Give the grid a name: its results are found by it.");
        if (problem.isEmpty()) m_runs = queue::sweepOf(m_base, swept);
    } catch (const Error& error) {
        problem = QString::fromStdString(error.message() + (error.advice().empty() ? "" : " " + error.advice()));
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_add->setEnabled(!m_runs.empty());
    nameRuns(swept);
    showRuns(swept);
    std::vector<session::RunSpec> specs;
    for (const queue::QueuedRun& run : m_runs)
        specs.push_back(run.spec);
    m_times->setRuns(std::move(specs));
    showTimes();
}

// In the window's language, as whoever adds them will look for them.
void GridDialog::nameRuns(const std::vector<queue::SweptField>& swept) {
    for (queue::QueuedRun& run : m_runs) {
        QStringList parts{QString::fromStdString(m_base.spec.name)};
        for (const queue::SweptField& field : swept)
            parts += editors::labelOf(*field.field) + QLatin1Char(' ') +
                     editors::shownValue(*field.field, field.field->get(run.spec));
        run.spec.name = parts.join(QStringLiteral(", ")).toStdString();
    }
}

// A column for each setting, and their times.
void GridDialog::showRuns(const std::vector<queue::SweptField>& swept) {
    m_preview->setRowCount(static_cast<int>(m_runs.size()));
    m_preview->setColumnCount(m_runs.empty() ? 0 : static_cast<int>(swept.size()) + 1);
    QStringList titles;
    for (int column = 0; column < m_preview->columnCount() - 1; ++column)
        titles += editors::labelOf(*swept[static_cast<std::size_t>(column)].field);
    m_preview->setHorizontalHeaderLabels(titles << tr("Time"));
    for (int row = 0; row < m_preview->rowCount(); ++row)
        for (int column = 0; column < m_preview->columnCount(); ++column) {
            auto* item = new QTableWidgetItem;
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_preview->setItem(row, column, item);
            if (column == m_preview->columnCount() - 1) continue;
            const session::Field& field = *swept[static_cast<std::size_t>(column)].field;
            item->setText(editors::shownValue(field, field.get(m_runs[static_cast<std::size_t>(row)].spec)));
            item->setToolTip(item->text());
        }
}

void GridDialog::showTimes() {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        m_runs[i].expectedSeconds = m_times->secondsOf(m_runs[i].spec);
        seconds.push_back(m_runs[i].expectedSeconds);
        const bool isAsked = seconds.back() == 0 && m_times->isWorking();
        m_preview->item(static_cast<int>(i), m_preview->columnCount() - 1)
            ->setText(isAsked ? QString(QChar(0x2026)) : models::durationText(seconds.back()));
    }
    QStringList words{m_runs.empty() ? tr("No run yet") : tr("%n run(s)", nullptr, static_cast<int>(m_runs.size()))};
    if (const QString time = expectedText(seconds); !time.isEmpty()) words += tr("%1 in all").arg(time);
    m_summary->setText(words.join(QStringLiteral(" · ")));
}

void GridDialog::addRuns() {
    look(); // what was typed last
    if (m_runs.empty()) return;
    m_services.queue.add(m_runs);
    accept();
}

} // namespace roundpipe::ui::pages
