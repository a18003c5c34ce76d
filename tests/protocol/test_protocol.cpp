// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frames.h"
#include "core/protocol/messages.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

class TestProtocol : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void framesComeOutWholeHoweverTheyArrive();
    void blobsTravelByteForByte();
    void brokenStreamsAreErrors_data();
    void brokenStreamsAreErrors();
    void requestsSurviveTheRoundTrip();
    void repliesSurviveTheRoundTrip();
    void unknownOperationsAreNamed();
};

void TestProtocol::framesComeOutWholeHoweverTheyArrive()
{
    const std::string stream = encodeFrame({{"op", "a"}}) + encodeFrame({{"op", "b"}, {"n", 2}});
    FrameReader reader;
    std::vector<std::string> seen;
    for (const char byte : stream) {
        reader.append({&byte, 1});
        for (auto frame = reader.next(); frame && *frame; frame = reader.next())
            seen.push_back((*frame)->json.at("op"));
    }
    QVERIFY((seen == std::vector<std::string>{"a", "b"}));
}

void TestProtocol::blobsTravelByteForByte()
{
    std::string bytes;
    for (int i = 0; i < 70000; ++i)
        bytes += static_cast<char>(i * 7);
    FrameReader reader;
    reader.append(encodeBlob(sha256(bytes), bytes));
    reader.append(encodeFrame({{"op", "x"}}));
    const auto blob = reader.next();
    QVERIFY(blob && *blob);
    QVERIFY((*blob)->blob == bytes);
    QCOMPARE((*reader.next())->json.at("op").get<std::string>(), std::string("x"));
}

void TestProtocol::brokenStreamsAreErrors_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("code");
    QTest::newRow("absurd length") << QByteArray("\xff\xff\xff\xff", 4) << QStringLiteral("protocol/too-long");
    QTest::newRow("no JSON") << QByteArray("\x03\0\0\0abc", 7) << QStringLiteral("protocol/json");
    QTest::newRow("a list") << QByteArray("\x02\0\0\0[]", 6) << QStringLiteral("protocol/json");
    const std::string wrong = encodeBlob(sha256("other"), "bytes");
    QTest::newRow("wrong hash") << QByteArray::fromStdString(wrong) << QStringLiteral("protocol/blob-hash");
    const std::string endless = encodeFrame({{"op", "blob"}, {"hash", "x"}, {"bytes", -1}});
    QTest::newRow("negative size") << QByteArray::fromStdString(endless) << QStringLiteral("protocol/too-long");
}

void TestProtocol::brokenStreamsAreErrors()
{
    QFETCH(QByteArray, stream);
    QFETCH(QString, code);
    FrameReader reader;
    reader.append({stream.constData(), static_cast<std::size_t>(stream.size())});
    const auto frame = reader.next();
    QVERIFY(!frame.has_value());
    QCOMPARE(QString::fromStdString(frame.error().code), code);
}

void TestProtocol::requestsSurviveTheRoundTrip()
{
    TimeRequest time;
    time.id = 7;
    time.device = "cpu0";
    time.purpose = Purpose::Confirm;
    time.task = sha256("t");
    time.candidate = sha256("c");
    time.incumbent = sha256("i");
    time.baseline = sha256("b");
    time.vendor = true;
    time.evaluation = "e";
    time.incumbentScore = Interval{2, 1.9, 2.1};
    time.stopBelow = 0.25;
    const auto back = requestFromJson(toJson(time));
    QVERIFY(back.has_value());
    QVERIFY(toJson(std::get<TimeRequest>(*back)) == toJson(time));
    const CheckRequest check{3, "cpu0", sha256("t"), sha256("a"), "e", true};
    QVERIFY(toJson(std::get<CheckRequest>(*requestFromJson(toJson(check)))) == toJson(check));
    ListingRequest listing;
    listing.id = 6;
    listing.task = sha256("t");
    listing.program = sha256("p");
    listing.form = ListingForm::Sass;
    listing.artifact = sha256("a");
    listing.builtBy = "NVRTC 13.0 on a GPU";
    listing.architecture = "sm_90a";
    listing.kernels = {"gemm<1, 2>"};
    listing.ptx = sha256("ptx");
    listing.cubin = sha256("cubin");
    QVERIFY(std::get<ListingRequest>(*requestFromJson(toJson(listing))) == listing);
    QCOMPARE(
        requestFromJson({{"op", "listing"}, {"id", 1}, {"form", "poem"}}).error().code, std::string("protocol/field"));
    const BuildRequest build{4, sha256("t"), sha256("p")};
    QVERIFY(toJson(std::get<BuildRequest>(*requestFromJson(toJson(build)))) == toJson(build));
}

void TestProtocol::repliesSurviveTheRoundTrip()
{
    TimeReply time;
    time.id = 9;
    time.result.purpose = Purpose::Confirm;
    time.result.outcome = Outcome::Ranked;
    time.result.verdict = Verdict::Better;
    time.result.score = Interval{3, 2.9, 3.1};
    time.result.environment = {{"device", "x"}};
    ShapeResult shape;
    shape.shape = {1, 2, 3};
    shape.split = ShapeSplit::Heldout;
    shape.candidateNs = 12.5;
    shape.vendorNs = 11;
    shape.versusVendor = Interval{0.9, 0.8, 1};
    shape.samples = 12;
    time.result.shapes = {shape};
    const auto back = replyFromJson(toJson(time));
    QVERIFY(back.has_value());
    QVERIFY(std::get<TimeReply>(*back).result == time.result);
    CheckReply check;
    check.id = 7;
    check.ok = true;
    check.passed = {"norm"};
    check.measured.add({"norm", 1e-6, 2e-5, {31, 17, 20}, "mixed"});
    QVERIFY(std::get<CheckReply>(*replyFromJson(toJson(check))).measured == check.measured);
    nlohmann::json older = toJson(check); // of a node that records nothing
    older.erase("measured_checks");
    QVERIFY(std::get<CheckReply>(*replyFromJson(older)).measured.all().empty());
    Listing listing;
    listing.form = ListingForm::Sass;
    listing.code = ListedCode::Other;
    listing.text = "// NOT\n";
    listing.instructions = {{"FFMA", 512}, {"LDS", 96}};
    listing.lines = 1;
    listing.leftOut = 3;
    listing.tool = "nvdisasm";
    listing.compiler = "NVRTC 13.0";
    const auto listed = replyFromJson(toJson(ListingReply{8, listing, 77}));
    QVERIFY(listed.has_value());
    QVERIFY(std::get<ListingReply>(*listed).listing == listing);
    nlohmann::json strange = toJson(ListingReply{8, listing, 77});
    strange["listing"]["is_as_built"] = "surely";
    QVERIFY(std::get<ListingReply>(*replyFromJson(strange)).listing.code == ListedCode::Unknown);
    strange["listing"].erase("text");
    QCOMPARE(replyFromJson(strange).error().code, std::string("protocol/field"));
    const Failure failure{5, "time/unstable", "busy", {{"x", 1}}, true};
    QVERIFY(toJson(std::get<Failure>(*replyFromJson(toJson(failure)))) == toJson(failure));
    HelloReply hello;
    hello.host = "h";
    hello.builders = 3;
    hello.devices.push_back({"cpu0", "n", "a", "sandbox", {{"cores", 2}}});
    QVERIFY(toJson(std::get<HelloReply>(*replyFromJson(toJson(hello)))) == toJson(hello));
}

void TestProtocol::unknownOperationsAreNamed()
{
    QCOMPARE(requestFromJson({{"op", "dance"}}).error().code, std::string("protocol/unknown"));
    QCOMPARE(requestFromJson({{"op", "build"}}).error().code, std::string("protocol/field"));
    QCOMPARE(replyFromJson({{"op", "time"}, {"id", 1}}).error().code, std::string("protocol/field"));
    QCOMPARE(replyFromJson(nlohmann::json::object()).error().code, std::string("protocol/field"));
}

TILEWRIGHT_TEST(TestProtocol)
#include "test_protocol.moc"
