// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "trace/kind_look.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::ui::theme {
namespace {

// On a dark ground; on a light one trace says. tests/ui/tst_theme computes that people with any of the common colour
// deficiencies tell the kinds of one lane apart, and that labels on them can be read.
constexpr std::array<QRgb, trace::kNumKinds> kDarkKinds = {0xff4b97e0, 0xffb5daf6, 0xfff0ac3a, 0xffdb6138, 0xff5c4c8c,
                                                           0xffc0c0b0, 0xff2cb98f, 0xffbdf2e2, 0xffd9c23a, 0xffe093c3,
                                                           0xffc06bab, 0xff98a3b3, 0xff76808f, 0xff4a5360, 0xff76808f};

constexpr std::array<const char*, trace::kNumIdleReasons> kReasons = {
    QT_TRANSLATE_NOOP("timeline", "idle"),
    QT_TRANSLATE_NOOP("timeline", "waits for weights"),
    QT_TRANSLATE_NOOP("timeline", "waits for a microbatch"),
    QT_TRANSLATE_NOOP("timeline", "waits for the update"),
    QT_TRANSLATE_NOOP("timeline", "waits for room"),
    QT_TRANSLATE_NOOP("timeline", "waits for the host"),
    QT_TRANSLATE_NOOP("timeline", "paused")};

constexpr std::array<QRgb, 8> kDevices = {0xff2f7fc1, 0xffe08e0b, 0xff1c9a78, 0xffb8689a,
                                          0xffc9ac1c, 0xff7b61b3, 0xffc8501a, 0xff5fb3d9};

// The first is the accent. tests/ui/tst_theme computes that names can be written in them, and that people with any of
// the common colour deficiencies tell them apart.
constexpr std::array<QRgb, kNumCurves> kLightCurves = {0xff3d4fc4, 0xffd9006c, 0xff134038, 0xff737300, 0xff662200};
constexpr std::array<QRgb, kNumCurves> kDarkCurves = {0xff97a3ff, 0xfff24981, 0xff18f2f2, 0xff669900, 0xffffbf80};

// How much light each of the 256 values of a channel is: worked out once, as the timeline asks for every label.
const std::array<double, 256>& lightOfChannel() {
    static const auto kLight = [] {
        std::array<double, 256> light{};
        for (std::size_t i = 0; i < light.size(); ++i) {
            const double value = static_cast<double>(i) / 255;
            light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        }
        return light;
    }();
    return kLight;
}

// Relative luminance of WCAG 2.
double luminance(const QColor& colour) {
    const auto linear = [](int value) { return lightOfChannel()[static_cast<std::size_t>(value)]; };
    return 0.2126 * linear(colour.red()) + 0.7152 * linear(colour.green()) + 0.0722 * linear(colour.blue());
}

} // namespace

QColor Theme::kind(trace::Kind kind) const {
    return QColor::fromRgb(dark ? kDarkKinds[static_cast<std::size_t>(kind)] : trace::lookOf(kind).light);
}

QColor Theme::device(int index) const {
    const QColor colour = QColor::fromRgb(kDevices[static_cast<std::size_t>(index) % kDevices.size()]);
    return dark ? colour.lighter(115) : colour;
}

QColor Theme::curve(int index) const {
    if (index >= kNumCurves) return dim;
    return QColor::fromRgb((dark ? kDarkCurves : kLightCurves)[static_cast<std::size_t>(index)]);
}

QColor Theme::idle(trace::IdleReason reason) const {
    switch (reason) {
    case trace::IdleReason::kWeights:
        return bad;
    case trace::IdleReason::kUpdate:
        return kind(trace::Kind::kOptimizer);
    case trace::IdleReason::kGradient:
        return kind(trace::Kind::kDownloadGradient);
    case trace::IdleReason::kHost:
        return warning;
    case trace::IdleReason::kPacket:
    case trace::IdleReason::kPause:
    case trace::IdleReason::kNone:
        break;
    }
    return edge;
}

QBrush Theme::hatch(trace::IdleReason reason) const {
    const bool leansLeft = reason == trace::IdleReason::kUpdate || reason == trace::IdleReason::kGradient;
    return {idle(reason), reason == trace::IdleReason::kHost    ? Qt::Dense6Pattern
                          : reason == trace::IdleReason::kPause ? Qt::Dense7Pattern
                          : leansLeft                           ? Qt::FDiagPattern
                                                                : Qt::BDiagPattern};
}

QColor Theme::onColour(const QColor& fill) const {
    const QColor ink(0x12, 0x16, 0x1c);
    return contrast(ink, fill) >= contrast(Qt::white, fill) ? ink : QColor(Qt::white);
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QString idleName(trace::IdleReason reason) {
    return QCoreApplication::translate("timeline", kReasons[static_cast<std::size_t>(reason)]);
}

QString kindName(trace::Kind kind) {
    return QCoreApplication::translate("timeline", trace::lookOf(kind).name);
}

const Theme& lightTheme() {
    static const Theme theme{false,      0xfff3f4f6, 0xffeceef1, 0xffffffff, 0xfff6f7f9, 0xffdcdfe5,
                             0xff878f9c, 0xff1a212b, 0xff566070, 0xff3d4fc4, 0xffffffff, 0xffe9ebfa,
                             0xff17714f, 0xffe3f3ec, 0xff8a5300, 0xfffbf0dc, 0xffb3261e, 0xfffbe9e7};
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme{true,       0xff14171c, 0xff101317, 0xff1b1f26, 0xff242932, 0xff2e343e,
                             0xff76808f, 0xffe7ebf0, 0xffa2acba, 0xff97a3ff, 0xff10131f, 0xff2a2f4e,
                             0xff5ccb9b, 0xff17332a, 0xffe9b455, 0xff382c14, 0xffff8a7e, 0xff40211f};
    return theme;
}

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.raised);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim);
    palette.setColor(QPalette::Button, theme.raised);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.border.darker(130));
    palette.setColor(QPalette::Light, theme.card);
    palette.setColor(QPalette::Disabled, QPalette::Text, theme.dim);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, theme.dim);
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, theme.dim);
    return palette;
}

std::vector<NamedColour> namedColours(const Theme& t) {
    return {{"window", t.window},
            {"side", t.side},
            {"card", t.card},
            {"raised", t.raised},
            {"border", t.border},
            {"edge", t.edge},
            {"text", t.text},
            {"dim", t.dim},
            {"accent", t.accent},
            {"onAccent", t.onAccent},
            {"accentTint", t.accentTint},
            {"good", t.good},
            {"goodTint", t.goodTint},
            {"warning", t.warning},
            {"warningTint", t.warningTint},
            {"bad", t.bad},
            {"badTint", t.badTint}};
}

QString styleSheetOf(const Theme& theme) {
    static const QString kSheet = QStringLiteral(R"(
QFrame#card { background: @card; border: 1px solid @border; border-radius: 8px; }
QFrame#card[tone="bad"] { border-color: @bad; }
QFrame#card[tone="accent"] { border-color: @accent; }
QLabel { background: transparent; }
QLabel#title { font-weight: 600; }
QLabel#dim { color: @dim; }
QLabel#problem { color: @bad; }
QLabel#remark { color: @warning; }
QLabel#before { color: @dim; padding-left: 11px; }
QLabel#after { border-left: 3px solid @accent; padding-left: 8px; }
QLabel#verdict[tone="good"] { color: @good; }
QLabel#verdict[tone="warning"] { color: @warning; }
QLabel#changed { color: @accent; font-weight: 600; }
QLabel#headline { font-size: 15pt; font-weight: 600; }
QLabel#value { font-size: 14pt; font-weight: 600; }
QLabel#pill { border-radius: 8px; padding: 2px 10px; font-weight: 600; background: @accentTint; color: @accent; }
QLabel#pill[tone="good"] { background: @goodTint; color: @good; }
QLabel#pill[tone="warning"] { background: @warningTint; color: @warning; }
QLabel#pill[tone="bad"] { background: @badTint; color: @bad; }
QFrame#rail { background: @side; border: 0; border-right: 1px solid @border; }
QFrame#line { background: @border; border: 0; max-height: 1px; }
QFrame#column { background: @border; border: 0; max-width: 1px; }
QFrame#banner { background: @badTint; border: 1px solid @bad; border-radius: 8px; margin: 12px 24px 0 24px; }
QFrame#banner QPlainTextEdit { background: @card; border: 1px solid @border; border-radius: 6px; padding: 2px; }
QFrame#banner[isNotice="true"] { background: @warningTint; border-color: @warning; }
QFrame#toast { background: @text; border: 0; border-radius: 8px; }
QFrame#toast QLabel { color: @card; }
QFrame#toast QPushButton { background: transparent; border: 1px solid @dim; color: @card; }
QFrame#toast QPushButton#close { border-color: transparent; }
QFrame#toast QPushButton:hover, QFrame#toast QPushButton:focus { border-color: @card; }
QPushButton { background: @card; border: 1px solid @edge; border-radius: 6px; padding: 5px 13px; color: @text; }
QPushButton:hover { background: @raised; }
QPushButton:pressed { background: @accentTint; }
QPushButton:focus { border: 2px solid @accent; padding: 4px 12px; }
QPushButton:disabled { color: @dim; border-color: @border; }
QPushButton:flat { background: transparent; border: 1px solid transparent; }
QPushButton:flat:hover { background: @raised; }
QPushButton:flat:focus { border: 2px solid @accent; }
QPushButton:checked { background: @accentTint; color: @accent; border-color: @accent; }
QPushButton[segment] { padding: 5px 10px; border-radius: 0; }
QPushButton[segment]:focus { border: 2px solid @accent; padding: 4px 9px; }
QPushButton[segment="first"] { border-top-left-radius: 6px; border-bottom-left-radius: 6px; }
QPushButton[segment="middle"], QPushButton[segment="last"] { border-left-width: 0; padding-left: 11px; }
QPushButton[segment="middle"]:focus, QPushButton[segment="last"]:focus { border-left-width: 2px; padding-left: 9px; }
QPushButton[segment="last"] { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
QPushButton#primary { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; padding: 6px 18px; }
QPushButton#primary:focus { border: 2px solid @text; padding: 5px 17px; }
QPushButton#primary:disabled { background: @raised; color: @dim; border-color: @border; }
QPushButton#link { background: transparent; border: 1px solid transparent; color: @accent; padding: 1px; text-align: left; }
QPushButton#link:hover { text-decoration: underline; }
QPushButton#link:focus { border: 1px solid @accent; }
QPushButton#close { background: transparent; border: 1px solid transparent; padding: 4px 8px; }
QPushButton#close:focus { border: 1px solid @accent; }
QFrame#said { background: @raised; border: 0; border-radius: 8px; }
QFrame#field { background: @card; border: 1px solid @edge; border-radius: 6px; }
QFrame#field[focused="true"] { border: 2px solid @accent; }
QFrame#strip { background: @badTint; border: 1px solid @bad; border-radius: 8px; }
QSlider::groove:horizontal { background: @border; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal { background: @card; border: 2px solid @accent; width: 12px; height: 12px; margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:focus { background: @accent; border: 2px solid @text; }
QFrame#drop { background: transparent; border: 1px dashed @edge; border-radius: 8px; }
QFrame#drop[over="true"] { background: @accentTint; border: 2px dashed @accent; }
QPushButton#recent, QPushButton#way { background: transparent; border: 1px solid transparent; border-bottom: 1px solid @border; border-radius: 0; text-align: left; padding: 8px 4px; }
QPushButton#recent[isLast="true"], QPushButton#way[isLast="true"] { border-bottom-color: transparent; }
QPushButton#recent:hover, QPushButton#way:hover { background: @raised; }
QPushButton#recent:focus, QPushButton#way:focus { border: 2px solid @accent; padding: 7px 3px; }
QLabel#key { color: @dim; font-family: monospace; font-size: 8pt; }
QLabel#section { font-weight: 600; font-size: 11pt; }
QToolButton { background: transparent; border: 1px solid @edge; border-radius: 6px; padding: 4px 8px; color: @text; }
QToolButton:hover { background: @raised; }
QToolButton:focus { border: 2px solid @accent; padding: 3px 7px; }
QToolButton:disabled { color: @dim; border-color: @border; }
QToolButton[popupMode="2"] { padding-right: 22px; }
QToolButton[popupMode="2"]:focus { padding-right: 21px; }
QToolButton::menu-indicator { image: url(:/theme/arrows/down-@arrows.svg); subcontrol-origin: border; subcontrol-position: center right; right: 7px; width: 12px; height: 12px; }
QToolButton[segment] { border-radius: 0; }
QToolButton[segment="first"] { border-top-left-radius: 6px; border-bottom-left-radius: 6px; }
QToolButton[segment="middle"], QToolButton[segment="last"] { border-left-width: 0; padding-left: 9px; }
QToolButton[segment="middle"]:focus, QToolButton[segment="last"]:focus { border-left-width: 2px; padding-left: 7px; }
QToolButton[segment="last"] { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
QToolButton:checked { background: @accentTint; color: @accent; border-color: @accent; }
QToolButton#help { border: 1px solid transparent; border-radius: 9px; padding: 0 5px; color: @dim; font-weight: 600; }
QToolButton#help:hover { background: @accentTint; color: @accent; }
QDialog { border: 1px solid @edge; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTabBar QToolButton, QDialog QToolButton, QLineEdit QToolButton { padding: 1px; border: 1px solid transparent; }
QTabWidget::pane { border: 0; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 4px 2px 6px 2px; margin-right: 16px; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:hover, QTabBar::tab:focus { color: @text; }
QLineEdit, QComboBox, QAbstractSpinBox { background: @card; border: 1px solid @edge; border-radius: 6px; padding: 4px 8px; min-height: 17px; selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border: 2px solid @accent; padding: 3px 7px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: @dim; border-color: @border; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] { border: 2px solid @bad; padding: 3px 7px; }
QComboBox { combobox-popup: 0; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url(:/theme/arrows/down-@arrows.svg); width: 12px; height: 12px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 20px; border: 0; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 3px 3px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 3px 3px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @raised; border-radius: 3px; }
QAbstractSpinBox::up-arrow { image: url(:/theme/arrows/up-@arrows.svg); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(:/theme/arrows/down-@arrows.svg); width: 10px; height: 10px; }
QListView { background: @card; border: 1px solid @edge; color: @text; }
QWidget QListView { background: transparent; border: 0; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @edge; selection-background-color: @accentTint; selection-color: @text; outline: 0; }
QTableView, QTreeView { background: transparent; border: 0; gridline-color: transparent; }
QTableView, QTreeView, QListView { alternate-background-color: @raised; selection-background-color: @accentTint; selection-color: @text; outline: 0; }
QTreeView::item { padding: 4px 2px; min-height: 20px; }
QListView::item { padding: 4px 2px; border: 0; }
QListView#hits::item { padding: 0; }
QListView::item:selected { background: @accentTint; color: @text; }
QFrame#paper { background: @card; border: 0; }
QTableView::indicator, QCheckBox::indicator { width: 13px; height: 13px; border: 1px solid @edge; border-radius: 3px; background: @card; }
QTableView::indicator:checked, QCheckBox::indicator:checked { border-color: @accent; background: @accent; image: url(:/theme/arrows/check-@arrows.svg); }
QCheckBox::indicator:focus { border: 2px solid @accent; width: 11px; height: 11px; }
QCheckBox::indicator:disabled { border-color: @border; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: @dim; border: 0; border-bottom: 1px solid @border; padding: 4px 3px; }
QTableView#apart::item { border: 0; padding: 0 6px; }
QTableView#apart QHeaderView::section { padding: 4px 9px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: transparent; border: 0; selection-background-color: @accent; selection-color: @onAccent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: @edge; border-radius: 3px; min-height: 24px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: @edge; border-radius: 3px; min-width: 24px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QStatusBar { background: @side; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QProgressBar { background: @raised; border: 0; border-radius: 2px; max-height: 5px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QToolTip { background: @card; color: @text; border: 1px solid @edge; padding: 6px; }
QMessageBox { messagebox-warning-icon: url(:/theme/signs/warning-@arrows.svg); messagebox-question-icon: url(:/theme/signs/question-@arrows.svg); messagebox-information-icon: url(:/theme/signs/information-@arrows.svg); }
QMessageBox QLabel#qt_msgbox_informativelabel { min-width: 360px; }
QMenu { background: @card; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 20px; border-radius: 4px; }
QMenu::item:selected { background: @accentTint; color: @accent; }
QMenu::item:disabled { color: @dim; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QMenuBar { background: @side; border-bottom: 1px solid @border; }
QMenuBar::item { padding: 6px 12px; background: transparent; }
QMenuBar::item:selected { background: @accentTint; border-radius: 4px; }
)");
    QString sheet = kSheet;
    sheet.replace(QStringLiteral("@arrows"), theme.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    for (const auto& [name, colour] : namedColours(theme))
        sheet.replace(QRegularExpression(QLatin1Char('@') + QString::fromLatin1(name) + QStringLiteral("\\b")),
                      colour.name());
    return sheet;
}

} // namespace roundpipe::ui::theme
