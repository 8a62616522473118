// SPDX-License-Identifier: GPL-3.0-or-later
// The plugin as the Studio opens it: engine and probe come out of it, or the reason why not.
#include "base/error.h"
#include "engine_library.h"
#include "session/planning/planner.h"

#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <future>
#include <stop_token>

using namespace roundpipe;
using studio::EngineLibrary;

class TestEngineLibrary : public QObject {
    Q_OBJECT

private slots:
    void measuresTheMachineOnceItIsLoaded() {
        EngineLibrary library;
        QSignalSpy loaded(&library, &EngineLibrary::loaded);
        // Asked for before: it waits.
        auto rig = std::async(std::launch::async, [probe = library.rigProbe()] { return probe({"cpu:2"}, {}); });
        library.load(studio::findEngineLibrary());
        QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, 60'000);
        QVERIFY(library.takeEngine() != nullptr);
        QVERIFY(library.takeExporter() != nullptr);
        const plan::Rig measured = rig.get();
        plan::validate(measured);
        QCOMPARE(measured.numDevices(), 2);
        QVERIFY(measured.devices[0].matrixFlops > 1e8);
        QVERIFY_THROWS_EXCEPTION(Error, library.rigProbe()({"gpu7"}, {}));
    }

    void saysWhyItCannotMeasure() {
        EngineLibrary library;
        QSignalSpy failed(&library, &EngineLibrary::failed);
        library.load("/no/such/library.so");
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        try {
            library.rigProbe()({"cpu"}, {});
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::kDevice);
            QVERIFY(QString::fromStdString(error.message()).contains(QLatin1String("library.so")));
        }
    }

    void waitsNoLongerThanItIsAskedTo() {
        const EngineLibrary library; // is never loaded
        std::stop_source giveUp;
        auto rig = std::async(std::launch::async,
                              [&, probe = library.rigProbe()] { return probe({"cpu"}, giveUp.get_token()); });
        QCOMPARE(rig.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
        giveUp.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, rig.get());
    }
};

QTEST_GUILESS_MAIN(TestEngineLibrary)
#include "tst_engine_library.moc"
