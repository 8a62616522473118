// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of the slice under the mouse, in a window that stays made: Qt's own tool tips are laid out twice, and
// polished or made anew for each text, which takes longer than all else that a move of the mouse does.
#pragma once

#include "ui/theme/theme.h"

#include <QTextDocument>
#include <QTimer>
#include <QWidget>

namespace roundpipe::ui::timeline {

class SliceTip : public QWidget {
    Q_OBJECT
public:
    SliceTip(const theme::ThemeManager& themes, QWidget* parent);
    void setText(const QString& html); // then size() is what the words take
    void showAt(const QPoint& global); // the upper left corner; goes by itself after a while, as tool tips do

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeManager& m_themes;
    QTextDocument m_words;
    QString m_html;
    QTimer m_goes;
};

} // namespace roundpipe::ui::timeline
