// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub_dialog.h"

#include "ui/hub/fetch_progress.h"
#include "ui/hub/hub_label.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace roundpipe::ui::hub {
namespace {

using session::HubKind;

constexpr int kWidth = 820;
constexpr int kHeight = 560;
constexpr int kDownloads = 1, kParameters = 6; // columns of numbers

QString asText(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString countOrNothing(int64_t count) {
    return count > 0 ? translations::countText(static_cast<double>(count)) : QString();
}

Qt::Alignment alignmentOf(int column) {
    return (column == kDownloads || column == kParameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

} // namespace

HubDialog::HubDialog(std::unique_ptr<session::Hub> hub, HubKind kind, QWidget* parent)
    : QDialog(parent), m_hub(std::move(hub)), m_kind(kind), m_about(wrappedLabel("dim")), m_way(new FetchProgress) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(kind == HubKind::kModel ? tr("Models from Hugging Face's Hub")
                                           : tr("Datasets from Hugging Face's Hub"));
    resize(kWidth, kHeight);
    auto* lines = new QVBoxLayout(this);
    lines->setSpacing(theme::kSpacing);
    lines->addWidget(m_about);
    lines->addWidget(buildSearch());
    lines->addWidget(buildHits(), 1);
    lines->addWidget(buildFetch());
    lines->addWidget(m_way);
    lines->addWidget(buildFoot());
    connect(m_way, &FetchProgress::stopWanted, this, [this] {
        m_hub.cancel();
        setBusy(false);
    });
    connect(&m_hub, &bridge::HubController::progressed, m_way, &FetchProgress::showFetch);
    connect(&m_hub, &bridge::HubController::found, this, &HubDialog::showHits);
    connect(&m_hub, &bridge::HubController::failed, this, &HubDialog::showFailure);
    connect(&m_hub, &bridge::HubController::fetched, this, [this](const session::HubFetched& what) {
        setBusy(false);
        emit fetched(what);
        accept();
    });
    showAbout();
    setBusy(false);
}

QWidget* HubDialog::buildSearch() {
    auto* row = new QWidget;
    auto* cells = new QHBoxLayout(row);
    cells->setContentsMargins({});
    m_words = new QLineEdit;
    m_words->setPlaceholderText(m_kind == HubKind::kModel ? tr("Part of a name: qwen3, or an owner")
                                                          : tr("Part of a name: alpaca, or an owner"));
    m_words->setAccessibleName(tr("What to look for"));
    m_search = new QPushButton(tr("Search"));
    m_search->setAutoDefault(false); // Enter belongs to the field that it is pressed in
    connect(m_words, &QLineEdit::returnPressed, this, &HubDialog::search);
    connect(m_search, &QPushButton::clicked, this, &HubDialog::search);
    cells->addWidget(m_words, 1);
    cells->addWidget(m_search);
    return row;
}

QWidget* HubDialog::buildHits() {
    m_hits = new QTableWidget;
    m_hits->setObjectName(QStringLiteral("apart"));
    m_hits->setAccessibleName(tr("What was found"));
    m_hits->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_hits->setSelectionMode(QAbstractItemView::SingleSelection);
    m_hits->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_hits->setTabKeyNavigation(false); // Tab leads on
    m_hits->setShowGrid(false);
    m_hits->verticalHeader()->hide();
    QStringList titles = {tr("Name"), tr("Downloads"), tr("Changed"), tr("Licence"), tr("Access")};
    if (m_kind == HubKind::kModel) titles << tr("Type") << tr("Parameters");
    m_hits->setColumnCount(static_cast<int>(titles.size()));
    m_hits->setHorizontalHeaderLabels(titles);
    for (int column = 0; column < titles.size(); ++column)
        m_hits->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
    m_hits->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_hits->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_hits->horizontalHeader()->setHighlightSections(false);
    connect(m_hits, &QTableWidget::itemSelectionChanged, this, [this] {
        if (m_hits->currentRow() >= 0 && !m_hits->selectedItems().isEmpty())
            m_name->setText(m_hits->item(m_hits->currentRow(), 0)->text());
    });
    connect(m_hits, &QTableWidget::itemActivated, this, &HubDialog::fetch);
    return m_hits;
}

QWidget* HubDialog::buildFetch() {
    auto* row = new QWidget;
    auto* cells = new QHBoxLayout(row);
    cells->setContentsMargins({});
    m_name = new QLineEdit;
    m_name->setPlaceholderText(m_kind == HubKind::kModel
                                   ? tr("owner/name, owner/name@revision, or the address of its page")
                                   : tr("owner/name, owner/name/subset:split, or the address of its page"));
    m_fetch = new QPushButton(tr("Fetch"));
    m_fetch->setObjectName(QStringLiteral("primary"));
    m_fetch->setAutoDefault(false);
    auto* label = new QLabel(tr("&Name:"));
    label->setBuddy(m_name);
    connect(m_name, &QLineEdit::textChanged, this, [this] { setBusy(m_hub.isBusy()); });
    connect(m_name, &QLineEdit::returnPressed, this, &HubDialog::fetch);
    connect(m_fetch, &QPushButton::clicked, this, &HubDialog::fetch);
    cells->addWidget(label);
    cells->addWidget(m_name, 1);
    cells->addWidget(m_fetch);
    return row;
}

QWidget* HubDialog::buildFoot() {
    auto* foot = new QWidget;
    auto* lines = new QVBoxLayout(foot);
    lines->setContentsMargins({});
    m_problem = wrappedLabel("problem");
    m_problem->hide();
    m_offline = new QCheckBox(tr("Stay o&ffline: use only what is in the cache"));
    connect(m_offline, &QCheckBox::clicked, this, [this](bool offline) {
        m_hub.setOffline(offline);
        showAbout();
    });
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* cells = new QHBoxLayout;
    cells->addWidget(m_offline, 1);
    cells->addWidget(close);
    lines->addWidget(m_problem);
    lines->addLayout(cells);
    return foot;
}

void HubDialog::showAbout() {
    const session::HubAbout about = m_hub.about();
    const QString token =
        about.tokenFrom.empty()
            ? tr("There is no access token in its usual places; the desktop's keyring is asked once you fetch. Gated "
                 "and private ones need it.")
            : tr("The access token is the one from %1.").arg(asText(about.tokenFrom));
    if (about.isOffline)
        m_about->setText(tr("The network is not used, by %1. What lies in the cache %2 can be used by its name.")
                             .arg(asText(about.offlineFrom), asText(about.cache)));
    else
        m_about->setText(
            tr("%1 is asked once you press a button, not before. What it gives lies in the cache of Hugging "
               "Face's tools, %2. %3")
                .arg(asText(about.host), asText(about.cache), token));
    m_offline->setChecked(about.isOffline);
    setBusy(m_hub.isBusy());
}

void HubDialog::showHits(const session::HubHits& hits) {
    setBusy(false);
    m_hits->setRowCount(0);
    m_hits->setRowCount(static_cast<int>(hits.hits.size()));
    for (int row = 0; row < m_hits->rowCount(); ++row) {
        const session::HubHit& hit = hits.hits[static_cast<std::size_t>(row)];
        QStringList cells = {asText(hit.repository), countOrNothing(hit.numDownloads), asText(hit.changed),
                             asText(hit.licence), hit.isGated ? tr("gated") : tr("open")};
        if (m_kind == HubKind::kModel) cells << asText(hit.modelType) << countOrNothing(hit.numParameters);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(alignmentOf(column));
            m_hits->setItem(row, column, item);
        }
    }
    if (hits.hits.empty()) {
        showFailure(tr("Nothing was found for “%1”.").arg(asText(hits.words)), tr("Try a shorter part of the name."));
    } else {
        m_hits->setFocus();
        m_hits->selectRow(0);
    }
}

void HubDialog::showFailure(const QString& problem, const QString& advice) {
    setBusy(false);
    m_problem->setText(advice.isEmpty() ? problem : problem + QLatin1Char('\n') + advice);
    m_problem->show();
}

void HubDialog::search() {
    if (!m_search->isEnabled() || m_words->text().trimmed().isEmpty()) return;
    m_hub.search(m_kind, m_words->text().trimmed().toStdString());
    setBusy(true);
    m_way->showLooking();
}

void HubDialog::fetch() {
    if (!m_fetch->isEnabled()) return;
    m_hub.fetch(m_kind, m_name->text().trimmed().toStdString());
    setBusy(true);
    m_way->showFetch({});
}

void HubDialog::setBusy(bool busy) {
    if (busy) m_problem->hide();
    m_way->setVisible(busy);
    m_search->setEnabled(!busy && !m_offline->isChecked());
    m_fetch->setEnabled(!busy && !m_name->text().trimmed().isEmpty());
    m_offline->setEnabled(!busy);
}

void HubDialog::done(int result) {
    m_hub.cancel();
    QDialog::done(result);
}

QAction* makeHubAction(HubKind kind, const MakeHub& makeHub, QWidget* parent,
                       const std::function<void(const session::HubFetched&)>& onFetched) {
    auto* action = new QAction(HubDialog::tr("From the Hub…"), parent);
    action->setToolTip(kind == HubKind::kModel ? HubDialog::tr("Look for a model on Hugging Face's Hub and fetch it")
                                               : HubDialog::tr("Look for rows on Hugging Face's Hub and fetch them"));
    QObject::connect(action, &QAction::triggered, parent,
                     [kind, makeHub, parent, onFetched, open = QPointer<HubDialog>()]() mutable {
                         if (open.isNull()) {
                             open = new HubDialog(makeHub(), kind, parent->window());
                             QObject::connect(open, &HubDialog::fetched, parent, onFetched);
                         }
                         open->show();
                         open->raise();
                         open->activateWindow();
                     });
    return action;
}

} // namespace roundpipe::ui::hub
