// SPDX-License-Identifier: GPL-3.0-or-later
// Small parts that the page's cards share.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QString>

#include <filesystem>

class QPlainTextEdit;

namespace roundpipe::ui::pages {

inline QString textOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

// A label of this look ("dim", "problem") that wraps.
inline QLabel* wrappedLabel(const char* look) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(look));
    label->setWordWrap(true);
    return label;
}

// A field of several lines in the frame that single lines have, which shows where the focus is.
class FieldFrame : public QFrame {
    Q_OBJECT
public:
    explicit FieldFrame(QPlainTextEdit& field, QWidget* parent = nullptr); // holds the field from then on
    static constexpr int kAround = 10; // pixels that the lines of a field need above and below them together

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace roundpipe::ui::pages
