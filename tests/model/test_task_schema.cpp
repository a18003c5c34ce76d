// SPDX-License-Identifier: GPL-3.0-or-later
// One description of a task pack in three places: what the loader refuses stands in kernels/README.md, and is refused
// by kernels/task.schema.json wherever a schema can say it.
#include "core/base/files.h"
#include "core/model/task/task.h"
#include "tests/model/schema_check.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using tilewright::testing::objectionOf;

namespace {

using Json = nlohmann::json;

const std::filesystem::path kernels = TILEWRIGHT_SOURCE_DIR "/kernels";

Json jsonOf(const std::filesystem::path& file) { return Json::parse(readFile(file).value_or("null")); }

/// The row of README's table that is about a field; empty if there is none.
QString rowOf(const QString& readme, const QString& field)
{
    for (const QString& line : readme.split(u'\n'))
        if (line.startsWith(u'|') && line.section(u'|', 1, 1).contains(u'`' + field + u'`'))
            return line;
    return {};
}

} // namespace

class TestTaskSchema : public QObject
{
    Q_OBJECT

    const Json m_schema = jsonOf(kernels / "task.schema.json");
    const Json m_good = jsonOf(kernels / "gemm-fp32-cpu/task.json");
    const QString m_readme = QString::fromStdString(readFile(kernels / "README.md").value_or(""));

private Q_SLOTS:
    void theShippedPacksFitTheSchema()
    {
        for (const char* name : {"gemm-fp32-cpu", "gemm-fp32", "gemm-bf16"}) {
            const auto file = kernels / name / "task.json";
            QCOMPARE(QString::fromStdString(objectionOf(m_schema, jsonOf(file))), QString());
            const auto task = parseTask(readFile(file).value_or(""));
            QVERIFY2(task.has_value(), task ? "" : task.error().text.c_str());
        }
    }

    /// They were never handed on: a list that does nothing must not look as if it did.
    void aTaskForAGpuGivesItsCompilerNoOptions()
    {
        Json json = jsonOf(kernels / "gemm-fp32/task.json");
        QVERIFY(parseTask(json.dump()).has_value());
        json["build"]["options"] = {"-O3"};
        const auto refused = parseTask(json.dump());
        QVERIFY(!refused);
        QCOMPARE(refused.error().evidence.value("field", ""), std::string("build.options"));
        QVERIFY2(refused.error().text.find("must be an empty list for target cuda") != std::string::npos,
            refused.error().text.c_str());
        QVERIFY(!objectionOf(m_schema, json).empty());
        const auto readme = readFile(kernels / "README.md");
        QVERIFY(readme && readme->find("for target cuda `[]`") != std::string::npos);
    }

    void anEditorsSchemaLineIsNoMistake()
    {
        Json json = m_good;
        json["$schema"] = "../task.schema.json";
        QVERIFY(parseTask(json.dump()).has_value());
        QCOMPARE(QString::fromStdString(objectionOf(m_schema, json)), QString());
        json["$schema"] = 7;
        QCOMPARE(parseTask(json.dump()).error().evidence.value("field", ""), std::string("$schema"));
        QVERIFY(!objectionOf(m_schema, json).empty());
    }

    void whatTheLoaderRefusesIsToldAndTheSchemaRefusesItToo_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("field"); // that the loader names
        QTest::addColumn<bool>("schemaSees"); // else no schema can say it
        QTest::addColumn<QString>("row"); // of README's table
        QTest::addColumn<QString>("words"); // in it
        const auto row = [](const char* name, const char* pointer, const char* value, const char* field, bool sees,
                             const char* readme, const char* words) {
            QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << QString::fromUtf8(field) << sees
                                << QString::fromUtf8(readme) << QString::fromUtf8(words);
        };
        constexpr bool seen = true, beyond = false;
        constexpr const char* oneByOne = R"({"n": 1, "m": 1, "p": 1, "levels": 1, "u": [[1]], "v": [[1]], "w": [[1]]})";
        row("format", "/format", "2", "format", seen, "format", "`1`");
        row("name", "/name", "\"Gemm!\"", "name", seen, "name", "small letters, digits, `-`, `_`, `.`");
        row("title", "/title", "\"\"", "title", seen, "title", "text");
        row("outside", "/target", "\"outside\"", "target", seen, "target", "`cpp` (shared object on a CPU) · `cuda`");
        row("no dims", "/dims", "{}", "dims", seen, "dims", "name →");
        row("a dimension's name", "/dims", R"({"M N": {}})", "dims", seen, "dims", "a letter, then letters");
        row("a dimension's least", "/dims/M/min", "0", "dims.M.min", seen, "dims", "(1, the default, to 1048576)");
        row("a dimension's multiple", "/dims/M/multiple", "2097152", "dims.M.multiple", seen, "dims", "to 1048576");
        row("a tensor's name", "/tensors/0/name", "\"a b\"", "tensors[0].name", seen, "dims",
            "Names, as those of tensors, are a letter");
        row("a tensor's role", "/tensors/0/role", "\"both\"", "tensors[0].role", seen, "tensors",
            "(`input`, `output`)");
        row("a tensor's type", "/tensors/0/dtype", "\"fp12\"", "tensors[0].dtype", seen, "tensors", "`dtype`");
        row("a tensor's shape", "/tensors/0/shape", "[\"Q\"]", "tensors[0].shape", beyond, "tensors",
            "names of dimensions");
        row("no output", "/tensors/2/role", "\"input\"", "tensors", seen, "tensors", "at least one output");
        row("scalars", "/scalars", R"([{"name": "x"}])", "scalars", seen, "scalars", "`[]`: not in this version");
        row("flops of nothing known", "/cost/flops", "\"2*Q\"", "cost.flops", beyond, "cost.flops",
            "expressions over the dimensions");
        row("bytes below 0", "/cost/bytes", "\"M-M\"", "cost.bytes", beyond, "cost.bytes", "positive");
        row("bound", "/numeric/bound", "\"none\"", "numeric.bound", seen, "numeric.bound", "`product` · `sum`");
        row("reduction unknown", "/numeric/reduction", "\"Q\"", "numeric.reduction", beyond, "numeric.reduction",
            "one of `dims`");
        row("reduction missing", "/numeric/reduction", "", "numeric.reduction", seen, "numeric.reduction",
            "needed by `product` and `sum`");
        row("error", "/numeric/error", "\"none\"", "numeric.error", seen, "numeric.error", "`componentwise`");
        row("tau", "/numeric/tau", "2", "numeric.tau", seen, "numeric.tau", "0 to 1");
        row("allow", "/numeric/allow", "[\"luck\"]", "numeric.allow", seen, "numeric.allow", "`tf32`");
        row("a scheme of single elements", "/numeric/scheme", oneByOne, "numeric.scheme", beyond, "numeric.scheme",
            "`normwise`");
        row("a scheme without products", "/numeric/scheme",
            R"({"n": 1, "m": 1, "p": 1, "levels": 1, "u": [], "v": [], "w": []})", "numeric.scheme.u", seen,
            "numeric.scheme", "`u`, `v`, `w`");
        row("a scheme of five levels", "/numeric/scheme",
            R"({"n": 1, "m": 1, "p": 1, "levels": 5, "u": [[1]], "v": [[1]], "w": [[1]]})", "numeric.scheme.levels",
            seen, "numeric.scheme", "1 to 4");
        row("a third", "/numeric/scheme",
            R"({"n": 1, "m": 1, "p": 1, "levels": 1, "u": [[0.3]], "v": [[1]], "w": [[1]]})", "numeric.scheme.u[0]",
            beyond, "numeric.scheme", "2^-16");
        row("a scheme that multiplies nothing", "/numeric/scheme",
            R"({"n": 1, "m": 1, "p": 1, "levels": 1, "u": [[2]], "v": [[1]], "w": [[1]]})", "numeric.scheme", beyond,
            "numeric.scheme", "verified");
        row("inputs of an unknown kind", "/inputs", "[\"normal\", \"odd\"]", "inputs", seen, "inputs", "`normal`");
        row("inputs without the normal", "/inputs", "[\"integer\"]", "inputs", seen, "inputs", "`normal` first");
        row("inputs twice", "/inputs", "[\"normal\", \"normal\"]", "inputs", seen, "inputs", "each once");
        row("no train shape", "/shapes/train", "[]", "shapes.train", seen, "shapes.train", "at least one");
        row("too large", "/shapes/train/0/0", "1048577", "shapes.train[0]", seen, "shapes.train", "at most 1048576");
        row("too few extents", "/shapes/train/0", "[8, 8]", "shapes.train[0]", beyond, "shapes.train",
            "in the order of `dims`");
        row("twice", "/shapes/verify", "[[1, 1, 1], [1, 1, 1]]", "shapes.verify[1]", seen, "shapes.train",
            "none twice");
        row("held out and trained on", "/shapes/heldout", "[[384, 384, 128]]", "shapes.heldout[0]", beyond,
            "shapes.heldout", "no train shape");
        row("two sources", "/source", "[\"seed.cpp\", \"b.cpp\"]", "source", seen, "source", "exactly one");
        row("a source elsewhere", "/source", "[\"a/seed.cpp\"]", "source", seen, "source", "in the pack's folder");
        row("a reference outside", "/reference", "\"../reference.cpp\"", "reference", seen, "reference",
            "inside the pack");
        row("moves outside", "/moves", "\"/moves\"", "moves", seen, "moves", "inside the pack");
        row("a baseline of its own", "/baseline", "\"baseline.cpp\"", "baseline", seen, "baseline",
            "`null`: the seed is the baseline");
        row("an unknown vendor", "/vendor", "\"cublaslt\"", "vendor", seen, "vendor", "target cpp `openblas-sgemm-1t`");
        row("a dangerous option", "/build/options", "[\"-fplugin=x\"]", "build.options", beyond, "build.options",
            "list of options");
        row("no option", "/build/options", "[\"x.cpp\"]", "build.options", seen, "build.options", "list of options");
        row("build time", "/limits/build_s", "0", "limits.build_s", seen, "limits.build_s", "1 to 600");
        row("workspace", "/limits/workspace_bytes", "8589934592", "limits.workspace_bytes", seen,
            "limits.workspace_bytes", "at most 4294967296");
        row("source size", "/limits/source_bytes", "10", "limits.source_bytes", seen, "limits.source_bytes",
            "256 to 16777216");
        row("quarantine", "/limits/quarantine_over_vendor", "0.5", "limits.quarantine_over_vendor", seen,
            "limits.quarantine_over_vendor", "1 to 100");
        row("graph", "/timing/mode", "\"graph\"", "timing.mode", beyond, "timing.mode", "On a GPU alone");
        row("hot", "/timing/mode", "\"hot-rotating\"", "timing.mode", beyond, "timing.mode", "On a GPU alone");
        row("an unknown mode", "/timing/mode", "\"warm\"", "timing.mode", seen, "timing.mode", "`cold`");
        row("threads", "/timing/threads", "2", "timing.threads", seen, "timing.threads", "`1`");
        row("precision", "/timing/precision", "0.5", "timing.precision", seen, "timing.precision",
            "`0.0025` to `0.05`");
        row("five axes", "/niches",
            R"([{"feature":"a","scale":"log2","bins":2},{"feature":"b","scale":"log2","bins":2},
                {"feature":"c","scale":"log2","bins":2},{"feature":"d","scale":"log2","bins":2},
                {"feature":"e","scale":"log2","bins":2}])",
            "niches", seen, "niches", "at most four");
        row("a scale", "/niches/0/scale", "\"cubic\"", "niches[0].scale", seen, "niches", "(`log2`, `linear`)");
        row("bins", "/niches/0/bins", "65", "niches[0].bins", seen, "niches", "(1 to 64)");
        row("an evaluator", "/evaluator", R"({"command": ["x"]})", "evaluator", seen, "evaluator",
            "`null`: not in this version");
        row("an unknown field", "/extra", "1", "extra", seen, "format", "");
    }

    void whatTheLoaderRefusesIsToldAndTheSchemaRefusesItToo()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QString, field);
        QFETCH(bool, schemaSees);
        QFETCH(QString, row);
        QFETCH(QString, words);
        Json json = m_good;
        const Json::json_pointer place(pointer.toStdString());
        if (value.isEmpty())
            json.at(place.parent_pointer()).erase(place.back());
        else
            json[place] = Json::parse(value.toStdString());
        const auto task = parseTask(json.dump());
        QVERIFY2(!task, "the loader takes it");
        QCOMPARE(QString::fromStdString(task.error().evidence.value("field", "")), field);
        QVERIFY(!task.error().evidence.value("reason", "").empty());
        const std::string objection = objectionOf(m_schema, json);
        QVERIFY2(objection.empty() != schemaSees, objection.c_str());
        const QString told = rowOf(m_readme, row);
        QVERIFY2(!told.isEmpty() && told.contains(words), qPrintable(told));
    }

    void aNicheFeatureThatNobodyComputesIsRefusedByTheSchema()
    {
        for (const char* feature : {"code_bytes", "tunables:BM*BN"}) {
            Json json = m_good;
            json["niches"][0]["feature"] = feature;
            QCOMPARE(QString::fromStdString(objectionOf(m_schema, json)), QString());
        }
        for (const char* feature : {"nope", "tunables:", "text_bytes"}) {
            Json json = m_good;
            json["niches"][0]["feature"] = feature;
            QVERIFY2(!objectionOf(m_schema, json).empty(), feature);
        }
    }

    void coldIsExplainedForBothKindsOfMachineAndPromisesNoEmptyThirdLevel()
    {
        const QString told = rowOf(m_readme, QStringLiteral("timing.mode"));
        QVERIFY2(told.contains(u"a third level, which cores share, may still hold some"), qPrintable(told));
        QVERIFY2(told.contains(u"On a GPU nothing of it in any level"), qPrintable(told));
        const Json::json_pointer place("/properties/timing/properties/mode/description");
        const auto schema = m_schema.at(place).get<std::string>();
        QVERIFY2(schema.find("a third, which cores share, may") != std::string::npos, schema.c_str());
    }

    void everyFieldOfTheSchemaIsToldInTheReadme()
    {
        for (const auto& [name, schema] : m_schema.at("properties").items()) {
            const QString field = QString::fromStdString(name);
            const bool nested = name == "cost" || name == "numeric" || name == "shapes" || name == "build"
                || name == "limits" || name == "timing";
            if (!nested)
                QVERIFY2(!rowOf(m_readme, field).isEmpty(), name.c_str());
            else
                for (const auto& [inner, rule] : schema.at("properties").items())
                    QVERIFY2(!rowOf(m_readme, field + u'.' + QString::fromStdString(inner)).isEmpty(), inner.c_str());
        }
    }
};

TILEWRIGHT_TEST(TestTaskSchema)
#include "test_task_schema.moc"
