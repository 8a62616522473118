// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/prompts_editor.h"

#include "base/secrets.h"
#include "session/spec/no_secret.h"
#include "ui/models/coded_text.h"
#include "ui/widgets/help_place.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::editors {
namespace {

constexpr int kMostRowsShown = 6;
constexpr int kLinesOfText = 3;

bool isBlank(const std::string& text) {
    return QString::fromStdString(text).trimmed().isEmpty();
}

// As other inputs of several lines have it. It is there as long as what it holds is.
QFrame* framed(QWidget* inside) {
    auto* frame = new QFrame;
    frame->setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(inside);
    return frame;
}

} // namespace

PromptsEditor::PromptsEditor(document::Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_list(new QListWidget)
    , m_text(new QPlainTextEdit)
    , m_problem(new QLabel)
    , m_add(new QPushButton(tr("Add a prompt")))
    , m_remove(new QPushButton(tr("Remove")))
    , m_up(new QPushButton(tr("Up")))
    , m_down(new QPushButton(tr("Down"))) {
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#prompts"));
    auto* words =
        new QLabel(tr("Answered before the first step and after the last, and by “Sample now”: so that you see "
                      "what training changes. A prompt is what a user would say."));
    words->setObjectName(QStringLiteral("dim"));
    words->setWordWrap(true);
    m_text->setAccessibleName(tr("Text of the prompt"));
    m_text->setPlaceholderText(tr("What would you ask the model?"));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(kLinesOfText * fontMetrics().lineSpacing() + 16);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        const int row = m_list->currentRow();
        if (row < 0) return;
        m_prompts[static_cast<std::size_t>(row)] = m_text->toPlainText().toStdString();
        showRow(row);
        showProblem();
        take(m_continues);
        m_continues = true;
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(6);
    layout->addWidget(words);
    layout->addWidget(framed(buildList()));
    layout->addWidget(framed(m_text));
    layout->addWidget(m_problem);
    layout->addWidget(buildButtons());
    connect(&document, &document::Document::opened, this, &PromptsEditor::showAll);
    connect(&document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QStringLiteral("prompts"))) showAll();
    });
    showAll();
}

QWidget* PromptsEditor::buildList() {
    m_list->setAccessibleName(tr("Prompts"));
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    connect(m_list, &QListWidget::currentRowChanged, this, &PromptsEditor::showCurrent);
    connect(m_list, &QListWidget::itemActivated, m_text, [this] { m_text->setFocus(Qt::OtherFocusReason); });
    return m_list;
}

QWidget* PromptsEditor::buildButtons() {
    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    // The keys of all but Delete, which belongs to the text there, hold in list and text.
    const auto place = [&](QPushButton* button, const QKeySequence& keys, QWidget* where, auto&& act) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        action->setShortcutContext(where == m_list ? Qt::WidgetShortcut : Qt::WidgetWithChildrenShortcut);
        where->addAction(action);
        connect(action, &QAction::triggered, this, act);
        connect(button, &QPushButton::clicked, this, act);
        button->setToolTip(keys.toString(QKeySequence::NativeText));
        row->addWidget(button);
    };
    place(m_add, Qt::CTRL | Qt::Key_Return, this, [this] { add(); });
    place(m_remove, Qt::Key_Delete, m_list, [this] { remove(); });
    place(m_up, Qt::ALT | Qt::Key_Up, this, [this] { move(-1); });
    place(m_down, Qt::ALT | Qt::Key_Down, this, [this] { move(1); });
    row->addStretch(1);
    return buttons;
}

void PromptsEditor::focusInput() {
    (m_prompts.empty() ? static_cast<QWidget*>(m_add) : m_list)->setFocus(Qt::OtherFocusReason);
}

std::vector<std::string> PromptsEditor::written() const {
    std::vector<std::string> prompts = m_prompts;
    std::erase_if(prompts, isBlank);
    for (std::string& prompt : prompts) // a line that was begun and not written
        prompt.erase(prompt.find_last_not_of(" \t\n") + 1);
    return prompts;
}

void PromptsEditor::take(bool continues) {
    m_document.setPrompts(written(), continues);
}

void PromptsEditor::showAll() {
    if (m_list->count() > 0 && written() == m_document.prompts()) return; // our own change comes back
    const int before = std::max(m_list->currentRow(), 0);
    m_prompts = m_document.prompts();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (std::size_t i = 0; i < m_prompts.size(); ++i) {
            m_list->addItem(QString());
            showRow(static_cast<int>(i));
        }
        m_list->setCurrentRow(std::min(before, m_list->count() - 1));
    }
    showCurrent();
}

int PromptsEditor::rowHeight() const {
    return fontMetrics().lineSpacing() + 10;
}

void PromptsEditor::showRow(int row) {
    const std::string& prompt = m_prompts[static_cast<std::size_t>(row)];
    QListWidgetItem* item = m_list->item(row);
    item->setText(isBlank(prompt) ? tr("(no text yet: it is left out)") : QString::fromStdString(prompt).simplified());
    item->setToolTip(QString::fromStdString(prompt));
    item->setSizeHint(QSize(0, rowHeight()));
}

void PromptsEditor::showCurrent() {
    const int row = m_list->currentRow();
    const int count = m_list->count();
    m_continues = false;
    for (QWidget* one : {m_list->parentWidget(), m_text->parentWidget(), static_cast<QWidget*>(m_remove),
                         static_cast<QWidget*>(m_up), static_cast<QWidget*>(m_down)})
        one->setVisible(count > 0);
    m_list->setFixedHeight(std::clamp(count, 1, kMostRowsShown) * rowHeight() + 2 * m_list->frameWidth());
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < count);
    const QString text = row < 0 ? QString() : QString::fromStdString(m_prompts[static_cast<std::size_t>(row)]);
    showProblem();
    if (text == m_text->toPlainText()) return; // the cursor stays
    const QSignalBlocker quiet(m_text);
    m_text->setPlainText(text);
}

void PromptsEditor::showProblem() {
    const int row = m_list->currentRow();
    const std::string prompt = row < 0 ? std::string() : m_prompts[static_cast<std::size_t>(row)];
    const std::string shown = withoutSecrets(prompt);
    const auto words = [](const char* english, const std::vector<std::string>& arguments = {}) {
        return models::wordsOf("NoSecret", english, arguments);
    };
    QString problem;
    if (shown != prompt)
        problem = words(session::kHoldsSecret, {words(session::kPrompt).toStdString(), shown}) + QLatin1Char('\n') +
                  words(session::kSecretAdvice);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void PromptsEditor::add() {
    const int row = m_list->currentRow() + 1;
    m_prompts.insert(m_prompts.begin() + row, std::string());
    m_list->insertItem(row, QString());
    showRow(row);
    m_list->setCurrentRow(row);
    m_text->setFocus(Qt::OtherFocusReason);
    emit begun();
}

void PromptsEditor::remove() {
    const int row = m_list->currentRow();
    if (row < 0) return;
    m_prompts.erase(m_prompts.begin() + row);
    {
        const QSignalBlocker quiet(m_list); // it chooses another row while this one is still there
        delete m_list->takeItem(row);
    }
    showCurrent();
    take(false);
    focusInput();
}

void PromptsEditor::move(int by) {
    const int row = m_list->currentRow();
    if (row < 0 || row + by < 0 || row + by >= m_list->count()) return;
    std::swap(m_prompts[static_cast<std::size_t>(row)], m_prompts[static_cast<std::size_t>(row + by)]);
    showRow(row);
    showRow(row + by);
    m_list->setCurrentRow(row + by);
    take(false);
}

} // namespace roundpipe::ui::editors
