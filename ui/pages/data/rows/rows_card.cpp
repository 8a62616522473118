// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/rows/rows_card.h"

#include "ui/pages/data/rows/row_finder.h"
#include "ui/pages/data/rows/rows_table.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/whole_rows_place.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>

namespace roundpipe::ui::pages {
namespace {

constexpr int kFindAfterMs = 250; // the last letter
constexpr int kGoToWidth = 96;

} // namespace

RowsCard::RowsCard(bridge::WorkbenchController& workbench, const theme::ThemeManager& themes, QWidget* parent)
    : Card(tr("Rows"), parent)
    , m_model(new RowsModel(workbench, this))
    , m_finder(new RowFinder(workbench, this))
    , m_table(new RowsTable(*m_model, themes))
    , m_count(new QLabel)
    , m_find(new QLineEdit)
    , m_goTo(new QLineEdit)
    , m_all(new QPushButton(tr("All")))
    , m_listed(new QPushButton)
    , m_toFind(new QAction(this)) {
    buildTitle();
    buildFind();
    auto* fields = new QHBoxLayout;
    fields->setSpacing(8);
    fields->addWidget(m_find, 1);
    fields->addWidget(m_goTo);
    body()->addLayout(fields);
    body()->addWidget(new widgets::WholeRowsPlace(*m_table), 1);
    connect(m_table, &RowsTable::placeChosen, this, &RowsCard::placeChosen);
    connect(m_table, &RowsTable::deletePressed, this, &RowsCard::deletePressed);
    connect(m_model, &RowsModel::countChanged, this, &RowsCard::showCount);
}

void RowsCard::buildTitle() {
    m_count->setObjectName(QStringLiteral("dim"));
    m_listed->setCheckable(true);
    for (QPushButton* button : {m_listed, m_all}) // there is nothing to lead back from
        button->hide();
    titleRow()->insertWidget(1, m_count);
    titleRow()->addWidget(m_listed);
    titleRow()->addWidget(m_all);
    connect(m_all, &QPushButton::clicked, this, [this] { showRows({}, {}); });
    connect(m_listed, &QPushButton::clicked, m_listed, [this] { m_listed->setChecked(true); });
}

void RowsCard::buildFind() {
    m_goTo->setPlaceholderText(tr("Go to row"));
    m_goTo->setAccessibleName(tr("Number of the row to go to"));
    m_goTo->setFixedWidth(kGoToWidth);
    m_goTo->setObjectName(QStringLiteral("goTo"));
    connect(m_goTo, &QLineEdit::returnPressed, this, &RowsCard::goToRow);
    m_find->setObjectName(QStringLiteral("find"));
    m_find->setPlaceholderText(tr("Find a text in the rows ( / )"));
    m_find->setAccessibleName(tr("Text to find in the rows"));
    m_find->setClearButtonEnabled(true);
    m_find->installEventFilter(this);
    m_toFind->setShortcuts({QKeySequence(Qt::Key_Slash), QKeySequence(QKeySequence::Find)});
    connect(m_toFind, &QAction::triggered, m_find, [this] { m_find->setFocus(Qt::ShortcutFocusReason); });
    m_findSoon.setSingleShot(true);
    m_findSoon.setInterval(kFindAfterMs);
    connect(m_find, &QLineEdit::textChanged, &m_findSoon, qOverload<>(&QTimer::start));
    connect(&m_findSoon, &QTimer::timeout, this, &RowsCard::find);
    connect(m_finder, &RowFinder::found, this, &RowsCard::showFound);
    connect(m_finder, &RowFinder::failed, this, [this](const QString& why) { m_listed->setText(why); });
}

void RowsCard::reopen() {
    m_isOpen = true;
    m_model->refresh();
    if (!m_find->text().isEmpty()) find();
}

void RowsCard::close() {
    m_isOpen = false;
}

void RowsCard::showFiles(const QStringList& files) {
    m_table->showFiles(files.size() > 1);
    showRows({}, {});
    m_model->open(files);
}

void RowsCard::setNotes(const std::vector<ListedRow>& notes) {
    m_model->setNotes(notes);
}

session::RowPlace RowsCard::currentPlace() const {
    return m_table->currentPlace();
}

// Which rows are listed -----------------------------------------------------------------------------------------------

void RowsCard::showRows(const QString& title, std::vector<ListedRow> rows) {
    const QSignalBlocker quiet(m_find);
    m_find->clear();
    m_findSoon.stop();
    m_finder->stop();
    list(title, std::move(rows));
    if (m_table->currentIndex().isValid()) m_table->setFocus();
}

void RowsCard::list(const QString& title, std::vector<ListedRow> rows) {
    const bool all = title.isEmpty();
    m_listed->setText(title);
    m_listed->setVisible(!all);
    m_listed->setChecked(!all);
    m_all->setVisible(!all);
    const session::RowPlace current = m_table->currentPlace();
    const session::RowPlace first = rows.empty() ? session::RowPlace{} : rows.front().place;
    if (all)
        m_model->showAll();
    else
        m_model->showOnly(std::move(rows));
    m_table->select(all ? current : first);
}

void RowsCard::showCount() {
    m_count->setText(m_model->isCounted() ? translations::wholeText(m_model->numCounted())
                                          : tr("%1 …").arg(translations::wholeText(m_model->numCounted())));
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0 && m_model->showsAll()) m_table->select({0, 1});
}

// Finding one ---------------------------------------------------------------------------------------------------------

void RowsCard::find() {
    m_findSoon.stop();
    const QString text = m_find->text();
    m_finder->stop();
    if (text.isEmpty() || !m_isOpen) return list({}, {});
    list(tr("“%1”: looking…").arg(text), {});
    m_finder->find(text);
}

void RowsCard::showFound(const std::vector<session::RowPlace>& rows) {
    std::vector<ListedRow> listed;
    for (const session::RowPlace& place : rows)
        listed.push_back({place, {}});
    m_model->addListed(listed);
    if (!m_table->currentIndex().isValid() && !rows.empty()) m_table->select(rows.front());
    const auto numFound = static_cast<int>(m_finder->numFound());
    const QString text = m_finder->text();
    if (m_finder->isBusy())
        m_listed->setText(tr("“%1”: %n row(s) so far, %2 %", nullptr, numFound)
                              .arg(text)
                              .arg(static_cast<int>(100 * m_finder->fraction())));
    else if (m_finder->numFound() == RowFinder::kMost)
        m_listed->setText(tr("“%1”: the first %n row(s)", nullptr, numFound).arg(text));
    else
        m_listed->setText(tr("“%1”: %n row(s)", nullptr, numFound).arg(text));
}

bool RowsCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_find || event->type() != QEvent::KeyPress) return Card::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) showRows({}, {});
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down) {
        if (m_findSoon.isActive()) find();
        m_table->setFocus();
    }
    return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down;
}

void RowsCard::goToRow() {
    bool isNumber = false;
    const int64_t number = QLocale().toLongLong(m_goTo->text(), &isNumber);
    const session::RowPlace current = m_table->currentPlace();
    showRows({}, {});
    if (isNumber && m_table->select({current.file, number})) m_table->setFocus();
}

} // namespace roundpipe::ui::pages
