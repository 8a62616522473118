// SPDX-License-Identifier: GPL-3.0-or-later
// Where a page of the manual is read: lines of a comfortable length, and what stands at the top stays there when the
// window's size changes.
#pragma once

#include <QTextBrowser>

#include <memory>
#include <optional>

namespace roundpipe::ui::help {

class PageView : public QTextBrowser {
    Q_OBJECT
public:
    explicit PageView(QWidget* parent = nullptr);
    // Shows it from the place on: a position in the document.
    void showPage(std::unique_ptr<QTextDocument> page, int position);
    int topPosition() const; // of the text at the top

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void scrollTo(int position);

    std::optional<int> m_held; // what the top was asked to be, until the user scrolls
};

} // namespace roundpipe::ui::help
