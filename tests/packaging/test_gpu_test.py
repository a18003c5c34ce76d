#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What packaging/gpu-test decides by itself, without a GPU: when an attack ends as it must, what its table of costs adds up
to, and what it kills when."""
import contextlib, importlib.machinery, importlib.util, io, json, pathlib, subprocess, sys, tempfile, types, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("gpu_test", str(ROOT / "packaging/gpu-test"))
gpu_test = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_test", loader))
loader.exec_module(gpu_test)


def ranked(lo, value, hi):
    return {"outcome": "ranked", "vs_incumbent": {"lo": lo, "value": value, "hi": hi}}


class Attacks(unittest.TestCase):
    def ends_well(self, wanted, rule, result=None):
        return gpu_test.judge_attack(wanted, rule, result or {})[0]

    def test_a_rule_that_is_listed_must_catch_it(self):
        self.assertTrue(self.ends_well(["verify/norm"], "verify/norm"))
        self.assertFalse(self.ends_well(["verify/norm"], "verify/exact"))
        self.assertFalse(self.ends_well(["verify/norm"], "", ranked(0.99, 1, 1.01)))

    def test_who_may_rank_must_not_be_faster_than_its_twin(self):
        self.assertTrue(self.ends_well([""], "", ranked(0.99, 1, 1.01)))
        self.assertTrue(self.ends_well([""], "", ranked(0.4, 0.5, 0.6)))
        self.assertFalse(self.ends_well([""], "", ranked(0.95, 1.01, 1.10)))  # which shows nothing
        self.assertFalse(self.ends_well([""], "", ranked(1.9, 2.0, 2.1)))
        self.assertFalse(self.ends_well([""], "", ranked(1.03, 1.04, 1.05)))

    def test_who_was_not_timed_beside_its_twin_has_not_shown_it(self):
        self.assertFalse(self.ends_well([""], "", {"outcome": "ranked"}))
        self.assertFalse(self.ends_well([""], "", {"outcome": "quarantined", "vs_incumbent": {"lo": 1, "value": 1, "hi": 1}}))

    def test_each_attack_is_of_a_task_and_has_a_twin(self):
        for attack in json.loads((gpu_test.ATTACKS / "attacks.json").read_text())["attacks"]:
            self.assertTrue((gpu_test.pack_attacked(attack) / "task.json").is_file(), attack)
            self.assertTrue((gpu_test.ATTACKS / "twins" / attack["file"]).is_file(), attack)


class Costs(unittest.TestCase):
    spent = {"time.launches_gpu": 5.0, "time.check_gpu": 1.0, "time.around_gpu": 0.25, "check.check_gpu": 0.5,
             "check.around_gpu": 0.125, "time.held_gpu": 0.5, "time.waited": 3.0}

    def test_the_gpus_rows_and_the_rest_are_the_whole(self):
        rows = gpu_test.cost_table(self.spent, 100, 9.2)
        self.assertAlmostEqual(sum(row["ms"] for row in rows if row["of"] == "gpu"), 92, 2)
        self.assertEqual(rows[-1]["ms"], 92)

    def test_nothing_counts_twice(self):
        rows = {row["what"]: row["ms"] for row in gpu_test.cost_table(self.spent, 100, 9.2)}
        self.assertAlmostEqual(rows["Freivalds' test, inputs hashed in it, exact rows"], 7.5)
        self.assertAlmostEqual(rows["red zones behind timed launches"], 2.5)

    def test_busy_is_launches_and_what_verifies_them(self):
        busy = sum(row["ms"] for row in gpu_test.cost_table(self.spent, 100, 9.2) if row["busy"])
        self.assertAlmostEqual(busy, 65)

    def test_each_row_is_a_line(self):
        rows = gpu_test.cost_table(self.spent, 100, 9.2)
        self.assertEqual(len(gpu_test.cost_text(rows).splitlines()), 2 + len(rows))


class Speed(unittest.TestCase):
    reached = {"per_minute": 633.7, "gpu_busy": 0.856, "fewest_samples_of_a_shape": 8}

    def test_what_reaches_the_goals_has_nothing_below_them(self):
        self.assertEqual(gpu_test.judge_speed(self.reached), [])

    def test_each_goal_that_is_missed_is_named(self):
        for what, less in (("per_minute", 599.9), ("gpu_busy", 0.849), ("fewest_samples_of_a_shape", 6)):
            below = gpu_test.judge_speed({**self.reached, what: less})
            self.assertEqual(len(below), 1)
            self.assertTrue(below[0].startswith(f"{what} {less} below "), below)


class Options(unittest.TestCase):
    def test_what_is_not_there_is_one_line_and_no_traceback(self):
        for words in (["--bin", "/nonexistent"], ["--bin", "/tmp", "--task", "nonsense"], ["--bin", "/tmp", "--same", "/none.cu"],
                      ["--bin", "/tmp", "--log", "/nonexistent/log.jsonl"]):
            said = subprocess.run([sys.executable, str(ROOT / "packaging/gpu-test"), *words], capture_output=True, text=True)
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn(f"{words[-2]}: ", said.stderr.splitlines()[-1])
            self.assertNotIn("Traceback", said.stderr)


class MeasuringNode:
    """A node with a clock of its own, whose measurements take so long, tell once that they go on, and begin anew so many seconds
    after their worker was killed. Hasty ones end when they have told."""

    told_after = {"screen": 0.1, "check": 0.1, "confirm": 0.1}
    takes = {"screen": 0.4, "check": 0.25, "confirm": 8.0}
    stages = {"screen": "screening", "check": "checking", "confirm": "confirming"}

    def __init__(self, worker_after, hasty=False):
        self.clock, self.worker_after, self.hasty = 100.0, worker_after, hasty
        self.pid, self.sent, self.ends, self.tells, self.told, self.killed = 1, [], {}, [], {}, []
        self.usable_from = 0

    @staticmethod
    def kind(message):
        return message.get("purpose", message["op"])

    def start(self, message):
        self.sent.append(message)
        self.begin(len(self.sent), max(self.clock, self.usable_from))
        self.told[len(self.sent)] = 1
        return len(self.sent)

    def begin(self, number, at):
        message = self.sent[number - 1]
        kind = self.kind(message)
        is_short = self.hasty and "kill " in message["evaluation"] and "after" not in message["evaluation"]
        self.tells.append((at + self.told_after[kind], number, self.stages[kind]))
        self.ends[number] = at + (self.told_after[kind] + 0.0001 if is_short else self.takes[kind])

    def kill(self, pid):
        self.killed.append(pid)
        self.usable_from = self.clock + self.worker_after
        self.tells = [tell for tell in self.tells if tell[0] <= self.clock]
        for number, end in self.ends.items():
            if end > self.clock:
                self.begin(number, self.usable_from)
                self.pid = pid + 1

    @property
    def progress(self):
        return [tell for tell in self.tells if tell[0] <= self.clock]

    @property
    def answers(self):
        return {number: {} for number, end in self.ends.items() if end <= self.clock}

    def wait(self, number, limit):
        self.clock = max(self.clock, self.ends[number])
        return {"ok": True} if self.kind(self.sent[number - 1]) == "check" else {"result": {"outcome": "ranked"}}


class Faults(unittest.TestCase):
    def faults(self, node, kills, before=None):
        """The stage with such a node: its items and the verdict on them."""
        bench = types.SimpleNamespace(node=node, options=types.SimpleNamespace(kills=kills), device={"id": "GPU-1"},
                                      folder=ROOT / "kernels/gemm-fp32", task_text=None, seed="seed", done=dict(before or {}))
        bench.build = lambda source: {"artifact": "built", "task": bench.task_text}
        bench.pack = lambda: bench.task_text
        for method in "time_message", "check_message", "shapes":
            setattr(bench, method, types.MethodType(getattr(gpu_test.Bench, method), bench))
        bench.named = lambda key: key

        def item(key, work):
            if key not in bench.done:
                passed, facts = work()
                bench.done[key] = {**facts, "passed": passed}
        bench.item = item
        bench.verdict = lambda key, passed, facts: bench.done.update({key: {**facts, "passed": passed}})
        usual = gpu_test.gpu_workers, gpu_test.os, gpu_test.time
        gpu_test.gpu_workers = lambda of: [node.pid]
        gpu_test.os = types.SimpleNamespace(kill=lambda pid, what: node.kill(pid))

        def sleep(seconds):
            node.clock += seconds
        gpu_test.time = types.SimpleNamespace(sleep=sleep, monotonic=lambda: node.clock)
        try:
            gpu_test.random.seed(1)
            gpu_test.stage_faults(bench)
        finally:
            gpu_test.gpu_workers, gpu_test.os, gpu_test.time = usual
        return {key: item for key, item in bench.done.items() if key.startswith("kill/")}, bench.done["kills as a whole"]

    def test_kills_fall_into_what_is_measured(self):
        node = MeasuringNode(0.4)
        items, whole = self.faults(node, 50)
        self.assertTrue(all(item["passed"] for item in items.values()), items)
        self.assertEqual(whole, {"passed": True, "hits": 50, "misses": 0, "of": {"checking": 10, "confirming": 5, "screening": 35},
                                 "longest_usable_after_s": whole["longest_usable_after_s"]})
        self.assertEqual(len(node.killed), 50)
        self.assertGreater(len({item["after_s"] for item in items.values()}), 45)  # at any time of it
        confirmations = [message for message in node.sent if node.kind(message) == "confirm"]
        self.assertEqual(len(confirmations), 5)
        for message in confirmations:
            self.assertEqual(len(json.loads(message["task"])["shapes"]["train"]), 2)
            self.assertEqual(message["slots"]["baseline"], message["slots"]["incumbent"])

    def test_a_gpu_that_comes_back_late_is_seen_in_all_of_them(self):
        items, whole = self.faults(MeasuringNode(1.5), 20)
        self.assertEqual({item["during"] for item in items.values() if not item["passed"]}, {"checking", "confirming", "screening"})
        self.assertFalse(any(item["passed"] for item in items.values()))
        self.assertGreaterEqual(whole["longest_usable_after_s"], 1.5)

    def test_kills_that_come_too_late_do_not_count(self):
        node = MeasuringNode(0.4, hasty=True)
        items, whole = self.faults(node, 5)
        self.assertEqual(len(items), 15)
        self.assertFalse(whole["passed"])
        self.assertGreaterEqual(whole["misses"], 12)
        for item in items.values():
            self.assertEqual(item["hit"], not item["was_there"])

    def test_what_is_late_after_a_miss_is_seen_by_the_next_one(self):
        items, whole = self.faults(MeasuringNode(1.5, hasty=True), 2)
        self.assertTrue(all(item["usable_after_s"] >= 1.5 and not item["passed"] for item in items.values() if not item["hit"]))

    def test_hits_of_the_log_count(self):
        node = MeasuringNode(0.4)
        before = {f"kill/{number}": {"hit": number > 0, "during": "screening", "usable_after_s": 0.5} for number in range(4)}
        items, whole = self.faults(node, 5, before)
        self.assertEqual((len(items), whole["hits"], whole["misses"], len(node.killed)), (6, 5, 1, 2))

    def test_one_answer_and_a_good_one_is_wanted(self):
        ranked, right = {"result": {"outcome": "ranked"}}, {"ok": True}
        self.assertTrue(gpu_test.judge_kill("screening", ranked, 1, 1, 1.0))
        self.assertTrue(gpu_test.judge_kill("checking", right, 1, 1, 0.2))
        self.assertFalse(gpu_test.judge_kill("checking", {"ok": False}, 1, 1, 0.2))
        self.assertFalse(gpu_test.judge_kill("screening", {"rule": "run/exit"}, 1, 1, 0.2))
        self.assertFalse(gpu_test.judge_kill("screening", ranked, 2, 1, 0.2))
        self.assertFalse(gpu_test.judge_kill("screening", ranked, 1, 0, 0.2))
        self.assertFalse(gpu_test.judge_kill("screening", ranked, 1, 1, 1.1))


class Controls(unittest.TestCase):
    well = {"open": {"rule": "", "outcome": "ranked"}, "open, not looked at": {"rule": "verify/determinism", "outcome": ""},
            "hidden": {"rule": "run/illegal-address", "outcome": ""}}

    def test_the_attack_is_told_where_to_look(self):
        source = (gpu_test.ATTACKS / gpu_test.WHAT_IS_HIDDEN).read_text()
        told = gpu_test.looking_at(source, 0x7f0000000000, 1 << 30)
        self.assertIn("HIDDEN = 0x7f0000000000, BYTES = 0x40000000;", told)
        self.assertRaises(ValueError, gpu_test.looking_at, told, 0, 0)

    def test_hiding_must_be_what_makes_the_difference(self):
        wanted = ["run/illegal-address"]
        self.assertTrue(gpu_test.judge_hiding(self.well, wanted))
        for place, other in {"open": {"rule": "run/illegal-address", "outcome": ""}, "open, not looked at": {"rule": "", "outcome": "ranked"},
                             "hidden": {"rule": "", "outcome": "ranked"}}.items():
            self.assertFalse(gpu_test.judge_hiding({**self.well, place: other}, wanted), place)


class Log(unittest.TestCase):
    def test_what_other_programs_measured_is_not_done(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log.jsonl"
            log.write_text("".join(json.dumps(line) + "\n" for line in [
                {"key": "twin/a", "passed": True, "state": "now on H200"}, {"key": "twin/b", "passed": True, "state": "old on H200"},
                {"key": "twin/c", "passed": True}]))
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(list(gpu_test.done_before(log, "now on H200")), ["twin/a"])
            self.assertIn("2 lines of the log", said.getvalue())
            self.assertEqual(gpu_test.done_before(log.parent / "none.jsonl", "now on H200"), {})

    def test_another_program_or_gpu_is_another_state(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for program in "tilewright-node", "tilewright-cuda-worker":
                (folder / program).write_text(program)
            before = gpu_test.state_of(folder, {"name": "NVIDIA H200"})
            self.assertEqual(before, gpu_test.state_of(folder, {"name": "NVIDIA H200"}))
            self.assertNotEqual(before, gpu_test.state_of(folder, {"name": "NVIDIA H100"}))
            (folder / "tilewright-cuda-worker").write_text("another")
            self.assertNotEqual(before, gpu_test.state_of(folder, {"name": "NVIDIA H200"}))


class Evolved(unittest.TestCase):
    def judged(self, ratios, heldout=0.95, evaluations=600, confirmed=True):
        """A run whose winner has these figures over the vendor on gemm-fp32's train shapes."""
        task = json.loads((ROOT / "kernels/gemm-fp32/task.json").read_text())
        shapes = [{"shape": shape, "candidate_ns": 1000.0, "vendor_ns": 1000.0 * ratio}
                  for shape, ratio in zip(task["shapes"]["train"], ratios)]
        whole = gpu_test.over_vendor(shapes)
        return gpu_test.judge_evolved(task, "gemm-fp32", {
            "evaluations": evaluations, "best_after": [],
            "best": {"id": "c-0002", "confirmed": confirmed, "interval": [1, 1], "vs_vendor": whole, "heldout_vs_vendor": heldout * whole},
            "candidates": [{"id": "c-0001"}, {"id": "c-0002", "score": 9.0, "latest": {"shapes": list(reversed(shapes))}}]})

    def test_the_first_five_of_the_task_are_a_figure_of_their_own(self):
        passed, facts = self.judged([0.9] * 5 + [0.8] * 4)
        self.assertTrue(passed)
        self.assertEqual(facts["first_five_over_vendor"], 0.9)
        self.assertAlmostEqual(facts["all_over_vendor"], 0.8539, 3)

    def test_each_goal_can_be_missed(self):
        self.assertFalse(self.judged([0.86] * 5 + [1.0] * 4)[0])
        self.assertFalse(self.judged([0.9] * 5 + [0.6] * 4)[0])
        self.assertFalse(self.judged([0.9] * 9, heldout=0.89)[0])
        self.assertFalse(self.judged([0.9] * 9, evaluations=599)[0])
        self.assertFalse(self.judged([0.9] * 9, confirmed=False)[0])
        self.assertTrue(self.judged([0.9] * 9)[0])


class Audit(unittest.TestCase):
    well = {"outcome": "ranked", "rule": "", "environment": {"vendor_missing": "cublasLt cannot be loaded", "audited": True,
            "rules_passed": ["roofline", "audit"], "judged_outside": {"by_ipc": 9, "by_bytes": 0}}}

    def test_who_was_audited_and_cleared_passes(self):
        self.assertTrue(gpu_test.judge_audit(self.well)[0])

    def test_each_part_of_it_is_wanted(self):
        for field, value in {"vendor_missing": "", "audited": False, "rules_passed": ["roofline"], "judged_outside": {"by_ipc": 0}}.items():
            self.assertFalse(gpu_test.judge_audit({**self.well, "environment": {**self.well["environment"], field: value}})[0], field)
        self.assertFalse(gpu_test.judge_audit({**self.well, "outcome": "quarantined"})[0])
        self.assertFalse(gpu_test.judge_audit({})[0])


class Modes(unittest.TestCase):
    def test_the_widest_spread_of_all_blocks_is_told(self):
        blocks = [{"launches_over_median": {"shortest": 0.9, "mean": 1.1}}, {"ns": {}},
                  {"launches_over_median": {"shortest": 0.95, "mean": 1.2}}]
        self.assertEqual(gpu_test.launch_spread(blocks), {"shortest": 0.9, "mean": 1.2})
        self.assertIsNone(gpu_test.launch_spread([{"ns": {}}]))

    def bench(self):
        bench = object.__new__(gpu_test.Bench)
        bench.mode, bench.task_text, bench.folder = "cold", None, ROOT / "kernels/gemm-fp32"
        bench.node = types.SimpleNamespace(blob=lambda data: json.loads(data)["task"])
        return bench

    def test_a_task_is_sent_with_its_mode_and_items_name_it(self):
        bench = self.bench()
        self.assertEqual(bench.pack(), (bench.folder / "task.json").read_text())
        self.assertEqual(bench.named("noise"), "noise")
        with bench.timing("graph"):
            self.assertEqual(json.loads(bench.pack())["timing"]["mode"], "graph")
            self.assertEqual(bench.named("noise"), "graph/noise")
        self.assertEqual(bench.pack(), (bench.folder / "task.json").read_text())

    def test_a_series_has_the_items_of_its_mode(self):
        bench = self.bench()
        bench.done = {"noise/0": 1, "graph/noise/0": 2, "graph/noise as a whole": 3}
        self.assertEqual(bench.items("noise"), [1])
        with bench.timing("graph"):
            self.assertEqual(bench.items("noise"), [2])


if __name__ == "__main__":
    unittest.main()
