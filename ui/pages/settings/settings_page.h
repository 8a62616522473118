// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of a run, simple or all of them, each with what it does to memory, time and quality.
#pragma once

#include "ui/pages/contract/page.h"

#include <QPointer>

#include <map>

class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace roundpipe::ui::editors {
class FieldRow;
class PromptsEditor;
} // namespace roundpipe::ui::editors

namespace roundpipe::ui::widgets {
class Segmented;
}

namespace roundpipe::ui::pages {

class PresetsCard;
class SettingEffects;
struct SettingSection;

class SettingsPage : public Page {
    Q_OBJECT
public:
    explicit SettingsPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    std::vector<Missing> missing() const override;
    bool prepare() override; // some rows
    void showField(const QString& key) override;

    bool isExpert() const;
    void setExpert(bool expert);
    void find(const QString& words); // shows the rows whose label, key or help has all of them
    void copyCommand();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // what is in view stays there while rows grow

private:
    void buildHeader();
    QWidget* buildRows(); // the place for them
    void beginSection(const SettingSection& section);
    void addRowsUntil(const std::string& key);
    void addRowsInPieces(); // all that are not there yet
    QWidget* buildSide();
    void showRows();
    void showEffect(const QString& key);
    void showRemarks();
    void showMethod();
    void addPrompts();
    void bringIntoView(QWidget* widget);
    void ensureInView();
    bool matches(const QString& text) const; // what is searched for
    QString problemOf(const session::Field& field) const;

    struct Section {
        QWidget* box;
        std::vector<const session::Field*> fields;
        std::vector<editors::FieldRow*> rows; // of the first fields: the others follow
        QVBoxLayout* column = nullptr;        // of rows
    };
    void addRow(Section& section);
    void addNext(); // of all rows, sections and prompts that are not there yet
    SettingEffects* m_effects;
    PresetsCard* m_presets = nullptr;
    std::vector<Section> m_sections; // the first of settingSections(): the others follow
    std::map<std::string, editors::FieldRow*> m_rows;
    QVBoxLayout* m_column = nullptr; // of sections
    QWidget* m_promptsBox = nullptr; // below the last of them
    editors::PromptsEditor* m_prompts = nullptr;
    QScrollArea* m_scroll = nullptr;
    QPointer<QWidget> m_inView; // what somebody was led to, until they scroll or go on
    QLineEdit* m_find = nullptr;
    widgets::Segmented* m_extent = nullptr; // simple, expert
};

} // namespace roundpipe::ui::pages
