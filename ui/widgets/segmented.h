// SPDX-License-Identifier: GPL-3.0-or-later
// A few choices side by side, of which one is on: "by step | by tokens | by time".
#pragma once

#include <QButtonGroup>
#include <QStringList>
#include <QWidget>

namespace roundpipe::ui::widgets {

class Segmented : public QWidget {
    Q_OBJECT
public:
    // `name`: what is chosen, for screen readers.
    Segmented(const QString& name, const QStringList& choices, QWidget* parent = nullptr);
    int current() const { return m_group.checkedId(); } // counted from 0; the first one at the beginning
    void setCurrent(int index);

signals:
    void chosen(int index); // by the user

private:
    QButtonGroup m_group;
};

} // namespace roundpipe::ui::widgets
