// SPDX-License-Identifier: GPL-3.0-or-later
// One setting of a grid: which one, and its values.
#pragma once

#include "queue/sweep.h"

#include <QWidget>

#include <vector>

class QAbstractButton;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QStackedWidget;

namespace roundpipe::ui::pages {

class GridField : public QWidget {
    Q_OBJECT
public:
    // `own`: the project's settings, whose value it begins with.
    GridField(const session::RunSpec& own, const char* key, QWidget* parent = nullptr);
    void choose(const std::string& key);
    const session::Field& field() const;
    // Without a value: none is given yet. Throws kInvalidInput.
    queue::SweptField swept() const;
    void setRemovable(bool isRemovable);
    void focusValues();
    std::vector<QWidget*> tabStops() const;

    QComboBox& fields() { return *m_fields; }
    QLineEdit& typed() { return *m_typed; }

signals:
    void changed();
    void removeWanted();

private:
    void showField();

    const session::RunSpec& m_own;
    QComboBox* m_fields;
    QStackedWidget* m_values;
    QLineEdit* m_typed;
    QWidget* m_choices = nullptr;
    std::vector<QCheckBox*> m_boxes;
    QAbstractButton* m_remove;
};

} // namespace roundpipe::ui::pages
