#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each search makes of the same number of replies: Tilewright, the real OpenEvolve, a plain loop. A simulation.

One server writes all replies (simulated_model.py), one landscape judges all programs (bench-engine --judge): nothing is
built or timed. OpenEvolve comes from PyPI at the version below, into a folder of its own, with its own settings for
diffs. Useful = a distinct program that ranks. Another name or an unused constant does not make it another one, the
versions of one program that the tuner made count once, and repair turns count as replies. Tokens are the server's:
characters of prompt and reply, by four, for everybody.

"as shipped" has all levers of the search; each of these switches one of them off and leaves the others:
    one edit          a reply holds one edit instead of three (bench-engine --edits 1)
    without tuning    programs are not measured with other values of their tunables first (--tune 0)
    without reuse     successful edits are not tried on other programs (--recombine 0)
    without repairs   what fails does not go back to the model (--repairs 0)
    without resets    an island that stagnates does not begin again from the best program (--stagnation 0)
"iterate" and "best-of-n" are other strategies.

    tests/bench/engine/run.py --build build/release [--replies 120] [--seeds 3] [--only NAME] [--log FILE]
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import simulated_model  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACK = ROOT / "kernels/gemm-fp32-cpu"
OPENEVOLVE = "openevolve==0.4.1"
MARKS = (30, 60, 120)

EVALUATOR = '''
import json, subprocess
def evaluate(path):
    judged = json.loads(subprocess.run([{bench!r}, "--judge", path], capture_output=True, text=True).stdout)
    with open({log!r}, "a") as log:
        log.write(json.dumps(judged) + "\\n")
    if not judged["builds"] or not judged["right"]:
        return {{"combined_score": 0.0, "error": "does not build" if not judged["builds"] else "wrong result"}}
    return {{"combined_score": judged["speed"]}}
'''

CONFIG = """
max_iterations: {replies}
random_seed: {seed}
log_level: ERROR
llm:
  api_base: http://127.0.0.1:{port}/v1
  api_key: none
  models:
    - name: simulated
      weight: 1.0
prompt:
  system_message: You improve one compute kernel. Change only what stands between the EVOLVE-BLOCK markers.
diff_based_evolution: true
evaluator:
  cascade_evaluation: false
  parallel_evaluations: 1
"""


def counted(judged, replies, tokens):
    """From what was judged, in the order of the replies."""
    seed, useful, best = None, set(), {}
    speeds = []
    for one in judged:
        seed = seed or one["identity"]
        ranks = one["builds"] and one["right"]
        if ranks and one["identity"] != seed:
            useful.add(one["identity"])
        speeds.append(one["speed"] if ranks else 0.0)
    for mark in MARKS:
        # The seed is judged first; where a reply made nothing to judge, the order is all that is known.
        best[str(mark)] = max([1.0] + speeds[: 1 + round(mark * (len(speeds) - 1) / max(replies, 1))])
    return {"replies": replies, "useful": len(useful), "tokens": tokens, "best_at": best}


def openevolve(bench, server, seed, replies, folder, python):
    log, evaluator, config = folder / "judged.jsonl", folder / "evaluator.py", folder / "config.yaml"
    evaluator.write_text(EVALUATOR.format(bench=str(bench), log=str(log)))
    config.write_text(CONFIG.format(replies=replies, seed=seed, port=server.server_address[1]))
    program = folder / "seed.cpp"
    program.write_text((PACK / "seed.cpp").read_text())
    done = subprocess.run([python.parent / "openevolve-run", program, evaluator, "--config", config, "--iterations",
                           str(replies), "--output", folder / "out"], capture_output=True, text=True)
    if not log.exists():
        raise SystemExit("OpenEvolve judged nothing:\n" + done.stdout[-2000:] + done.stderr[-2000:])
    judged = [json.loads(line) for line in log.read_text().splitlines()]
    return counted(judged, server.model.replies, server.model.tokens)


def plain_loop(bench, server, seed, replies, folder, python):
    """Asks about the best program so far, keeps what is better, tells nothing."""
    best, speed, judged = (PACK / "seed.cpp").read_text(), 1.0, []
    cli = bench.parent / "tilewright-cli"
    source, reply = folder / "source.cpp", folder / "reply.md"

    def judge(text):
        (folder / "candidate.cpp").write_text(text)
        judged.append(json.loads(subprocess.run([bench, "--judge", folder / "candidate.cpp"], capture_output=True,
                                                text=True, check=True).stdout))
        return judged[-1]

    judge(best)
    for _ in range(replies):
        request = urllib.request.Request(
            f"http://127.0.0.1:{server.server_address[1]}/v1/chat/completions", method="POST",
            data=json.dumps({"model": "simulated", "messages": [
                {"role": "user", "content": "Make this program faster by one patch:\n```cpp\n" + best + "```\n"}]}).encode())
        text = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
        source.write_text(best)
        reply.write_text(text)
        patched = subprocess.run([cli, "patch", "--source", source, "--reply", reply], capture_output=True, text=True)
        if patched.returncode == 0:
            one = judge(patched.stdout)
            if one["builds"] and one["right"] and one["speed"] > speed:
                best, speed = patched.stdout, one["speed"]
    return counted(judged, server.model.replies, server.model.tokens)


def tilewright(*options):
    def run(bench, server, seed, replies, folder, python):
        models = folder / "models.json"
        models.write_text(json.dumps({
            "format": 1, "limits": {"in_flight": 1},  # as OpenEvolve asks here: one after the other
            "endpoints": [{"name": "here", "template": "other", "protocol": "openai-chat",
                           "url": f"http://127.0.0.1:{server.server_address[1]}/v1"}],
            "models": [{"name": "simulated", "endpoint": "here", "model": "simulated", "max_output_tokens": 16000}]}))
        done = subprocess.run([bench, "--models", models, "--seed", str(seed), "--replies", str(replies), *options],
                              capture_output=True, text=True, env={**os.environ, "XDG_DATA_HOME": str(folder)})
        if done.returncode != 0:
            raise SystemExit("bench-engine failed:\n" + done.stdout + done.stderr)
        result = json.loads(done.stdout)
        result["tokens"] = server.model.tokens
        return result
    return run


SEARCHES = {
    "openevolve": openevolve,
    "plain loop": plain_loop,
    "as shipped": tilewright(),
    "one edit": tilewright("--edits", "1"),
    "without tuning": tilewright("--tune", "0"),
    "without reuse": tilewright("--recombine", "0"),
    "one edit without reuse": tilewright("--edits", "1", "--recombine", "0"),
    "without repairs": tilewright("--repairs", "0"),
    "without resets": tilewright("--stagnation", "0"),
    "iterate": tilewright("--strategy", "iterate"),
    "best-of-n": tilewright("--strategy", "best-of-n"),
}


def python_with(package, folder):
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", type=pathlib.Path)
    parser.add_argument("--replies", default=120, type=int)
    parser.add_argument("--seeds", default=3, type=int)
    parser.add_argument("--only", action="append")
    parser.add_argument("--log", type=pathlib.Path)
    options = parser.parse_args()
    bench = (options.build / "bin/bench-engine").resolve()
    if not bench.exists():
        raise SystemExit(f"{bench} is missing: build the target bench-engine")
    chosen = options.only or list(SEARCHES)
    unknown = [name for name in chosen if name not in SEARCHES]
    if unknown:
        raise SystemExit(f"there is no search {', '.join(unknown)}; there are {', '.join(SEARCHES)}")
    python = python_with(OPENEVOLVE, options.build.resolve() / "openevolve") if "openevolve" in chosen else None
    print(f"A simulation: {options.replies} replies, {options.seeds} seeds; means")
    print(f"{'search':<23}{'replies':>8}{'useful':>8}{'a reply':>9}{'a ktoken':>10}" + "".join(
        f"{'best @' + str(mark):>11}" for mark in MARKS))
    for name in chosen:
        results = []
        for seed in range(1, options.seeds + 1):
            server = simulated_model.serve(PACK / "moves", seed)
            with tempfile.TemporaryDirectory() as folder:
                result = SEARCHES[name](bench, server, seed, options.replies, pathlib.Path(folder), python)
            server.shutdown()
            results.append(result)
            if options.log:
                with options.log.open("a") as log:
                    log.write(json.dumps({"search": name, "seed": seed, **result}) + "\n")

        def mean(figure):
            return statistics.mean(figure(result) for result in results)

        print(f"{name:<23}{mean(lambda r: r['replies']):>8.0f}{mean(lambda r: r['useful']):>8.1f}"
              f"{mean(lambda r: r['useful'] / max(r['replies'], 1)):>9.2f}"
              f"{mean(lambda r: 1000 * r['useful'] / max(r['tokens'], 1)):>10.3f}" + "".join(
                  f"{mean(lambda r, mark=mark: r['best_at'][str(mark)]):>11.2f}" for mark in MARKS), flush=True)


if __name__ == "__main__":
    main()
