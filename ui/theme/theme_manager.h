// SPDX-License-Identifier: GPL-3.0-or-later
// Which theme is on: the system's by default, or the one that the user chose.
#pragma once

#include "base/spelling.h"
#include "ui/theme/theme.h"

#include <QObject>

#include <array>

class QApplication;

namespace roundpipe::ui::theme {

enum class Choice { kSystem, kLight, kDark };
constexpr std::array<const char*, 3> spellings(Choice) {
    return {"system", "light", "dark"};
}

class ThemeManager : public QObject {
    Q_OBJECT
public:
    explicit ThemeManager(QApplication& application); // looks at the system's palette before it sets ours
    const Theme& theme() const { return *m_theme; }
    Choice choice() const { return m_choice; }
    void choose(Choice choice);

signals:
    void changed(); // colours must be read again

private:
    QApplication& m_application;
    bool m_systemIsDark;
    Choice m_choice = Choice::kSystem;
    const Theme* m_theme;
};

} // namespace roundpipe::ui::theme
