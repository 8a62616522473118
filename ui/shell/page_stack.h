// SPDX-License-Identifier: GPL-3.0-or-later
// The pages, of which one is on show. One that nobody has seen yet is neither laid out nor looked up in the style
// sheet, which is most of what a start would take: Qt's own stack asks all of them how large they are.
#pragma once

#include <QStackedLayout>
#include <QWidget>

namespace roundpipe::ui::shell {

class PageStack : public QWidget {
public:
    explicit PageStack(QWidget* parent = nullptr) : QWidget(parent) {}

    void add(QWidget* page) { m_layout->addWidget(page); } // the first is on show
    int count() const { return m_layout->count(); }
    QWidget* at(int index) const { return m_layout->widget(index); }
    QWidget* current() const { return m_layout->currentWidget(); }
    void setCurrent(QWidget* page) { m_layout->setCurrentWidget(page); }

private:
    // As large as the page on show.
    class Layout : public QStackedLayout {
    public:
        using QStackedLayout::QStackedLayout;
        QSize sizeHint() const override { return currentWidget() == nullptr ? QSize() : currentWidget()->sizeHint(); }
        QSize minimumSize() const override {
            return currentWidget() == nullptr ? QSize() : currentWidget()->minimumSizeHint();
        }
        bool hasHeightForWidth() const override { return false; }
    };
    Layout* m_layout = new Layout(this);
};

} // namespace roundpipe::ui::shell
