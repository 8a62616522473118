// SPDX-License-Identifier: GPL-3.0-or-later
// The line below a page's title: words, and right behind them a link where there is one.
#pragma once

#include "ui/widgets/elided_label.h"

#include <QPushButton>
#include <QWidget>

namespace roundpipe::ui::pages {

// As high while its link is hidden as with it, so that nothing moves when it comes.
class WordsLine : public QWidget {
    Q_OBJECT
public:
    explicit WordsLine(QWidget* parent = nullptr);
    void setWords(const QString& text, const QStringList& shorter = {}); // as ElidedLabel
    QPushButton* addLink(const QString& text);                           // once; hidden
    void showLink(bool isShown);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override; // the words may go, the link not

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    int linkWidth() const; // with the gap before it
    void place();

    widgets::ElidedLabel* m_words;
    QPushButton* m_link = nullptr;
};

} // namespace roundpipe::ui::pages
