// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, computed: how far apart they are for eyes of all kinds, and how well what stands on them reads.
#include "ui/theme/theme.h"
#include "ui/theme/theme_manager.h"

#include <QApplication>
#include <QDialog>
#include <QTest>

#include <array>
#include <cmath>
#include <numbers>

using namespace roundpipe;
using trace::Kind;
using ui::theme::Theme;

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

struct Eye {
    const char* name;
    Matrix seen; // linear RGB as this eye takes it: Machado, Oliveira and Fernandes 2009, severity 1
};
constexpr std::array<Eye, 4> kEyes = {{
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protan", {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deutan", {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritan", {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

Vector times(const Matrix& matrix, const Vector& vector) {
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * vector[j];
    return result;
}

// CIE L*a*b* under D65.
Vector labOf(const QColor& colour, const Eye& eye) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    Vector rgb = times(eye.seen, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (double& part : rgb)
        part = std::clamp(part, 0.0, 1.0);
    constexpr Matrix kXyz = {
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
    const Vector xyz = times(kXyz, rgb);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double degrees(double radians) {
    return radians * 180 / std::numbers::pi;
}
double cosine(double angle) {
    return std::cos(angle * std::numbers::pi / 180);
}

// CIEDE2000.
double distance(const Vector& one, const Vector& other) {
    const double meanChroma = (std::hypot(one[1], one[2]) + std::hypot(other[1], other[2])) / 2;
    const double seventh = std::pow(meanChroma, 7), limit = std::pow(25.0, 7);
    const double stretch = 1.5 - 0.5 * std::sqrt(seventh / (seventh + limit));
    const double a1 = one[1] * stretch, a2 = other[1] * stretch;
    const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, other[2]);
    const auto hue = [](double a, double b) { return std::fmod(degrees(std::atan2(b, a)) + 360, 360); };
    const double h1 = hue(a1, one[2]), h2 = hue(a2, other[2]);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    dh += dh > 180 ? -360 : dh < -180 ? 360 : 0;
    const double dHue = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * std::numbers::pi / 180);
    const double lightness = (one[0] + other[0]) / 2, chroma = (c1 + c2) / 2;
    const double turned = std::abs(h1 - h2) <= 180 ? 0 : h1 + h2 < 360 ? 360 : -360;
    const double h = c1 * c2 == 0 ? h1 + h2 : (h1 + h2 + turned) / 2;
    const double t =
        1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63);
    const double bow = (lightness - 50) * (lightness - 50);
    const double l = (other[0] - one[0]) / (1 + 0.015 * bow / std::sqrt(20 + bow));
    const double c = (c2 - c1) / (1 + 0.045 * chroma);
    const double q = dHue / (1 + 0.015 * chroma * t);
    const double c7 = std::pow(chroma, 7);
    const double turn = 60 * std::exp(-std::pow((h - 275) / 25, 2)) * std::numbers::pi / 180;
    return std::sqrt(l * l + c * c + q * q - 2 * std::sqrt(c7 / (c7 + limit)) * std::sin(turn) * c * q);
}

const std::array<Kind, 6> kComputeKinds = {Kind::kForward, Kind::kRecompute, Kind::kBackward,
                                           Kind::kFused,   Kind::kEvaluate,  Kind::kAnswer};

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private:
    static void bothThemes() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    static const Theme& theme() {
        const bool dark = *static_cast<bool*>(QTest::qData("dark", QMetaType::Bool));
        return dark ? ui::theme::darkTheme() : ui::theme::lightTheme();
    }

private slots:
    // A published pair of the formula's own test data.
    void theFormulaIsRight() {
        QVERIFY(std::abs(distance({50, 2.6772, -79.7751}, {50, 0, -82.7485}) - 2.0425) < 1e-4);
        QVERIFY(std::abs(distance({22.7233, 20.0904, -46.694}, {23.0331, 14.973, -42.5619}) - 2.0373) < 1e-4);
        QVERIFY(std::abs(ui::theme::contrast(Qt::black, Qt::white) - 21) < 1e-9);
    }

    void kindsOfTheComputeLaneAreApartForEveryEye_data() { bothThemes(); }
    void kindsOfTheComputeLaneAreApartForEveryEye() {
        for (const Eye& eye : kEyes)
            for (const Kind a : kComputeKinds)
                for (const Kind b : kComputeKinds) {
                    if (a >= b) continue;
                    const double apart = distance(labOf(theme().kind(a), eye), labOf(theme().kind(b), eye));
                    QVERIFY2(apart > 14, qPrintable(QStringLiteral("%1: %2 and %3 differ by %4")
                                                        .arg(QLatin1String(eye.name), ui::theme::kindName(a),
                                                             ui::theme::kindName(b))
                                                        .arg(apart)));
                }
    }

    void kindsThatShareALaneAreApart_data() { bothThemes(); }
    void kindsThatShareALaneAreApart() {
        for (const Eye& eye : kEyes)
            QVERIFY(distance(labOf(theme().kind(Kind::kUploadWeights), eye),
                             labOf(theme().kind(Kind::kUploadAdapter), eye)) > 14);
    }

    // Their names are written in them.
    void curvesAreApartAndTheirNamesCanBeRead_data() { bothThemes(); }
    void curvesAreApartAndTheirNamesCanBeRead() {
        QCOMPARE(theme().curve(0), theme().accent);
        QCOMPARE(theme().curve(ui::theme::kNumCurves), theme().dim);
        for (int i = 0; i < ui::theme::kNumCurves; ++i) {
            QVERIFY(ui::theme::contrast(theme().curve(i), theme().card) >= 4.5);
            for (const Eye& eye : kEyes)
                for (int j = 0; j < i; ++j) {
                    const double apart = distance(labOf(theme().curve(i), eye), labOf(theme().curve(j), eye));
                    QVERIFY2(apart > 14, qPrintable(QStringLiteral("%1: %2 and %3 differ by %4")
                                                        .arg(QLatin1String(eye.name))
                                                        .arg(i)
                                                        .arg(j)
                                                        .arg(apart)));
                }
        }
    }

    void labelsOnKindsCanBeRead_data() { bothThemes(); }
    void labelsOnKindsCanBeRead() {
        for (int k = 0; k < trace::kNumKinds; ++k) {
            const QColor fill = theme().kind(static_cast<Kind>(k));
            const double ratio = ui::theme::contrast(theme().onColour(fill), fill);
            QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1: %2").arg(k).arg(ratio)));
        }
    }

    void textAndControlsStandOut_data() { bothThemes(); }
    void textAndControlsStandOut() {
        const Theme& t = theme();
        const auto atLeast = [](double wanted, const QColor& a, const QColor& b) {
            const double ratio = ui::theme::contrast(a, b);
            if (ratio < wanted) qWarning("%s on %s: %.2f", qPrintable(a.name()), qPrintable(b.name()), ratio);
            return ratio >= wanted;
        };
        for (const QColor& ground : {t.card, t.window, t.side, t.raised}) {
            QVERIFY(atLeast(7, t.text, ground));
            QVERIFY(atLeast(4.5, t.dim, ground));
        }
        QVERIFY(atLeast(4.5, t.accent, t.card));
        QVERIFY(atLeast(4.5, t.onAccent, t.accent));
        QVERIFY(atLeast(4.5, t.accent, t.accentTint));
        QVERIFY(atLeast(4.5, t.good, t.goodTint));
        QVERIFY(atLeast(4.5, t.warning, t.warningTint));
        QVERIFY(atLeast(4.5, t.bad, t.badTint));
        QVERIFY(atLeast(3, t.edge, t.card));
        for (int r = 0; r < trace::kNumIdleReasons; ++r)
            QVERIFY(atLeast(3, t.idle(static_cast<trace::IdleReason>(r)), t.card));
    }

    // Where the desktop draws no frame, a dark one could not be told from the page behind it.
    void dialogsHaveAnEdge_data() { bothThemes(); }
    void dialogsHaveAnEdge() {
        ui::theme::ThemeManager themes(*qApp);
        themes.choose(theme().dark ? ui::theme::Choice::kDark : ui::theme::Choice::kLight);
        QDialog dialog;
        dialog.resize(200, 100);
        const QImage seen = dialog.grab().toImage();
        for (const QPoint& onEdge : {QPoint(0, 50), QPoint(199, 50), QPoint(100, 0), QPoint(100, 99)})
            QCOMPARE(seen.pixelColor(onEdge), theme().edge);
        QCOMPARE(seen.pixelColor(100, 50), theme().window);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
