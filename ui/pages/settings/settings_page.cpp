// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/settings_page.h"

#include "session/spec/run_command.h"
#include "ui/editors/field_row.h"
#include "ui/editors/field_text.h"
#include "ui/editors/prompts_editor.h"
#include "ui/models/command_line.h"
#include "ui/models/run_text.h"
#include "ui/pages/settings/changes_card.h"
#include "ui/pages/settings/plan_card.h"
#include "ui/pages/settings/presets_card.h"
#include "ui/pages/settings/setting_effects.h"
#include "ui/pages/settings/setting_sections.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/segmented.h"

#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kSideWidth = 380;

QString expertKey() {
    return QStringLiteral("settings/expert");
}

// The column below a section's title.
QVBoxLayout* layOut(QWidget& section, const QString& title) {
    auto* rows = new QVBoxLayout(&section);
    rows->setContentsMargins(0, 6, 0, 12);
    rows->setSpacing(0);
    auto* label = new QLabel(title);
    label->setObjectName(QStringLiteral("section"));
    rows->addWidget(label);
    return rows;
}

QString wordsOf(const session::Field& field) {
    return editors::labelOf(field) + QLatin1Char(' ') + QString::fromStdString(field.key) + QLatin1Char(' ') +
           editors::helpOf(field);
}

} // namespace

SettingsPage::SettingsPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("settings"), tr("Settings"), theme::Icon::kSettings}, parent)
    , m_effects(new SettingEffects(services, this)) {
    setSubtitle(tr("What each does to memory, time and quality on this rig"), {tr("What each does on this rig")});
    buildHeader();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(theme::kSpacing);
    columns->addWidget(buildRows(), 1);
    columns->addWidget(buildSide());
    body()->addLayout(columns, 1);
    reachIntoMargin();
    connect(m_effects, &SettingEffects::changed, this, &SettingsPage::showEffect);
    connect(&services.document, &document::Document::opened, this, &Page::statusChanged);
    connect(&services.document, &document::Document::changed, this, &Page::statusChanged);
    connect(&services.document, &document::Document::opened, this, &SettingsPage::showMethod);
    connect(&services.document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QStringLiteral("method"))) showMethod();
        showRemarks();
    });
    connect(&services.plan, &ProjectPlan::changed, this, &SettingsPage::showRemarks);
    setExpert(services.preferences.value(expertKey()).toBool());
    showMethod();
    leadOnTo(QStringLiteral("plan"), tr("Next: Plan"));
}

void SettingsPage::buildHeader() {
    m_find = new QLineEdit;
    m_find->setPlaceholderText(tr("Find a setting ( / )"));
    m_find->setAccessibleName(tr("Find a setting"));
    m_find->setClearButtonEnabled(true);
    m_find->setFixedWidth(190);
    connect(m_find, &QLineEdit::textChanged, this, &SettingsPage::showRows); // those to come are hidden as they come
    auto* find = new QAction(this);
    find->setShortcuts({QKeySequence(Qt::Key_Slash),
                        QKeySequence(QKeySequence::Find)}); // whatever has the focus, while the page is on show
    connect(find, &QAction::triggered, m_find, [this] { m_find->setFocus(Qt::ShortcutFocusReason); });
    addAction(find);
    addToHeader(m_find);
    m_extent = new widgets::Segmented(look().title, {tr("Simple"), tr("Expert")});
    connect(m_extent, &widgets::Segmented::chosen, this, [this] { setExpert(isExpert()); });
    addToHeader(m_extent);
    auto* copy = new QAction(tr("Copy as command"), this);
    copy->setToolTip(tr("Copy the line that starts this run in a terminal"));
    connect(copy, &QAction::triggered, this, &SettingsPage::copyCommand);
    addCommand(copy);
}

QWidget* SettingsPage::buildRows() {
    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(4, 0, 12, 0);
    m_column->setSpacing(0);
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(content);
    content->installEventFilter(this);
    connect(m_scroll->verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_inView.clear(); });
    auto* card = new widgets::Card;
    card->body()->addWidget(m_scroll);
    return card;
}

void SettingsPage::beginSection(const SettingSection& section) {
    Section added{new QWidget, section.fields, {}};
    added.column = layOut(*added.box, section.title);
    m_column->addWidget(added.box);
    m_sections.push_back(std::move(added));
}

void SettingsPage::addRow(Section& section) {
    const session::Field& field = *section.fields[section.rows.size()];
    auto* row = new editors::FieldRow(services().document, field);
    connect(row, &editors::FieldRow::problemChanged, this, &Page::statusChanged);
    m_rows[field.key] = row;
    section.rows.push_back(row);
    section.column->addWidget(row);
    row->setIdle(whyIdle(field, services().document.spec().method));
    showEffect(QString::fromStdString(field.key));
    for (QWidget* part : row->findChildren<QWidget*>())
        part->ensurePolished(); // else all are at once, when many come on show
}

void SettingsPage::addPrompts() {
    m_promptsBox = new QWidget;
    m_prompts = new editors::PromptsEditor(services().document);
    layOut(*m_promptsBox, tr("Prompts"))->addWidget(m_prompts);
    connect(m_prompts, &editors::PromptsEditor::begun, this, [this] { bringIntoView(m_promptsBox); });
    m_column->addWidget(m_promptsBox);
    m_column->addStretch(1);
}

void SettingsPage::addNext() {
    if (!m_sections.empty() && m_sections.back().rows.size() < m_sections.back().fields.size())
        return addRow(m_sections.back());
    const std::vector<SettingSection> all = settingSections();
    if (m_sections.size() < all.size())
        beginSection(all[m_sections.size()]);
    else
        addPrompts();
}

bool SettingsPage::prepare() {
    if (m_promptsBox != nullptr) return Page::prepare();
    constexpr qint64 kPieceMs = 12; // so that clicks and keys are answered between two
    QElapsedTimer since;
    since.start();
    do
        addNext();
    while (m_promptsBox == nullptr && since.elapsed() < kPieceMs);
    showRows();
    showRemarks();
    return true;
}

// The prompts stand below all of them.
void SettingsPage::addRowsUntil(const std::string& key) {
    while (m_promptsBox == nullptr && !m_rows.contains(key))
        prepare();
}

QWidget* SettingsPage::buildSide() {
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(new PlanCard(services()));
    auto* changes = new ChangesCard(services().document);
    connect(changes, &ChangesCard::chosen, this, &SettingsPage::showField);
    layout->addWidget(changes);
    m_presets = new PresetsCard(services());
    layout->addWidget(m_presets);
    layout->addStretch(1);
    auto* scroll = new widgets::ColumnScroll(side);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFixedWidth(kSideWidth + widgets::ColumnScroll::kGutter);
    return scroll;
}

// What is typed in its row, where there is one already.
QString SettingsPage::problemOf(const session::Field& field) const {
    const auto row = m_rows.find(field.key);
    return row != m_rows.end() ? row->second->problem() : editors::problemOf(field, services().document.value(field));
}

PageStatus SettingsPage::status() const {
    const bool isWrong = std::ranges::any_of(
        session::runSpecFields(), [this](const session::Field& field) { return !problemOf(field).isEmpty(); });
    if (isWrong) return {PageStatus::Mark::kMissing, tr("a value is not allowed")};
    const auto numChanged = static_cast<int>(ChangesCard::changesOf(services().document.spec()).size());
    return {PageStatus::Mark::kDone, numChanged == 0 ? tr("defaults") : tr("%n changed", nullptr, numChanged)};
}

std::vector<Missing> SettingsPage::missing() const {
    std::vector<Missing> all;
    for (const session::Field& field : session::runSpecFields())
        if (const QString problem = problemOf(field); !problem.isEmpty())
            all.push_back(
                {tr("%1: %2").arg(editors::labelOf(field), problem), look().id, QString::fromStdString(field.key)});
    return all;
}

void SettingsPage::showField(const QString& key) {
    addRowsUntil(key.toStdString());
    if (key == QLatin1String("prompts")) {
        m_find->clear();
        m_prompts->focusInput();
        return bringIntoView(m_promptsBox);
    }
    const auto row = m_rows.find(key.toStdString());
    if (row == m_rows.end()) return;
    m_find->clear();
    if (!isSimple(row->second->field())) setExpert(true);
    row->second->focusInput();
    bringIntoView(row->second);
}

void SettingsPage::bringIntoView(QWidget* widget) {
    m_inView = widget;
    ensureInView();
}

// Once rows that were hidden have their place.
void SettingsPage::ensureInView() {
    QTimer::singleShot(0, this, [this] {
        if (m_inView) m_scroll->ensureWidgetVisible(m_inView, 0, 80);
    });
}

// What rows do comes when it has been planned, in lines that push away what is below.
bool SettingsPage::eventFilter(QObject* watched, QEvent* event) {
    const bool hasGrown = watched == m_scroll->widget() && event->type() == QEvent::Resize;
    if (hasGrown && m_inView && m_inView->isAncestorOf(window()->focusWidget())) ensureInView();
    return Page::eventFilter(watched, event);
}

bool SettingsPage::isExpert() const {
    return m_extent->current() == 1;
}

void SettingsPage::setExpert(bool expert) {
    m_extent->setCurrent(expert ? 1 : 0);
    services().preferences.set(expertKey(), expert);
    showRows();
}

void SettingsPage::find(const QString& words) {
    m_find->setText(words);
}

bool SettingsPage::matches(const QString& text) const {
    const QStringList words = m_find->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

// What is searched for is found among all settings; else simple shows few, and those that were changed.
void SettingsPage::showRows() {
    const bool searches = !m_find->text().trimmed().isEmpty();
    for (const Section& section : m_sections) {
        bool any = false;
        for (editors::FieldRow* row : section.rows) {
            const bool shown = searches ? matches(wordsOf(row->field())) : isExpert() || isSimple(row->field());
            row->setVisible(shown);
            any |= shown;
        }
        section.box->setVisible(any);
    }
    if (m_promptsBox != nullptr)
        m_promptsBox->setVisible(!searches || matches(tr("Prompts: samples, answered before and after")));
}

void SettingsPage::showEffect(const QString& key) {
    const auto row = m_rows.find(key.toStdString());
    if (row == m_rows.end()) return;
    const session::Field& field = row->second->field();
    QStringList lines = m_effects->effectOf(row->first).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QString quality = qualityOf(field, services().document.spec().method);
    if (quality.isEmpty() && !lines.isEmpty()) quality = editors::helpOf(field);
    if (!quality.isEmpty()) lines.prepend(quality);
    row->second->setEffect(
        lines.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

void SettingsPage::showRemarks() {
    const std::vector<session::SpecRemark> remarks = services().plan.remarks();
    for (const auto& [key, row] : m_rows) {
        const bool isOfDataset = row->field().isOfDataset; // of the one that is being edited
        const auto remark = std::ranges::find_if(remarks, [&](const session::SpecRemark& about) {
            return about.field == key && (!isOfDataset || about.dataset == services().document.dataset());
        });
        if (remark == remarks.end())
            row->setRemark({}, {}, {});
        else
            row->setRemark(models::runText(remark->text), models::betterText(*remark), remark->better);
    }
}

// What each setting does depends on what is trained.
void SettingsPage::showMethod() {
    for (const auto& [key, row] : m_rows) {
        row->setIdle(whyIdle(row->field(), services().document.spec().method));
        showEffect(QString::fromStdString(key));
    }
    showRemarks();
}

void SettingsPage::copyCommand() {
    const document::Document& document = services().document;
    QGuiApplication::clipboard()->setText(
        models::asTyped(QString::fromStdString(session::trainCommand(document.spec(), document.prompts()))));
    emit noticed(tr("The command is on the clipboard: it starts the same run in a terminal."));
}

// Those in view first: the others come while somebody looks.
void SettingsPage::addRowsInPieces() {
    if (m_promptsBox != nullptr) return;
    prepare();
    QTimer::singleShot(0, this, [this] {
        if (isVisible()) addRowsInPieces();
    });
}

void SettingsPage::showEvent(QShowEvent* event) {
    addRowsInPieces();
    Page::showEvent(event);
    m_effects->setWatched(true);
    m_presets->setWatched(true);
}

void SettingsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_effects->setWatched(false);
    m_presets->setWatched(false);
}

} // namespace roundpipe::ui::pages
