#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every combination of the rungs of gemm-bf16's plain kernel computes the product: without a GPU, by on_host/, which has
threads, barriers and the few instructions that they use. The whole ladder as a textbook has it, and random parts of it in
random orders. What comes with Hopper's tensor cores cannot be run so.

  tests/gpu/test_moves_on_host.py [--compiler g++] [--random N] [--seed N]
"""
import argparse, pathlib, random, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACK = ROOT / "kernels/gemm-bf16"
LADDER = ["register-tiles", "shared-tiles", "pad-tiles", "fetch-by-eights", "two-tiles", "fetch-asynchronously",
          "tensor-cores-by-warps", "fragments-by-ldmatrix", "split-depth", "tile-by-shape"]
# PTX, what its operands are, and the function of on_host/gpu_on_host.h that does the same.
INSTRUCTIONS = [(r'asm\("cvt\.rn\.bf16x2.*?;" : "=r"\((\w+)\) : "f"\((\w+)\), "f"\((\w+)\)\)', r"\1 = host_packed(\3, \2)"),
                (r'asm volatile\("mma\.sync.*?;"(.*?) : "memory"\)|asm volatile\("mma\.sync.*?;"(.*?)\);', "host_mma"),
                (r'asm volatile\("cp\.async\.cg[^"]*"(.*?) : "memory"\)', "host_copy"),
                (r'asm volatile\("cp\.async\.wait_all;" ::: "memory"\)', "host_wait_all()"),
                (r'asm volatile\("ldmatrix[^"]*x4[^"]*"(.*?) : "memory"\)', "host_ldmatrix_x4"),
                (r'asm volatile\("ldmatrix[^"]*x2\.trans[^"]*"(.*?) : "memory"\)', "host_ldmatrix_x2_trans")]


def hunks(patch):
    found = []
    for line in patch.splitlines():
        if line.startswith("@@"):
            found.append(([], []))
        elif found and line[:1] in (" ", "-", "+"):
            for side, marks in ((0, " -"), (1, " +")):
                if line[0] in marks:
                    found[-1][side].append(line[1:])
    return found


def applied(text, patch):
    """As README says: where removed and context lines stand exactly once, all hunks or none; None where not."""
    lines, edits = text.split("\n"), []
    for old, new in hunks(patch):
        places = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
        if len(places) != 1:
            return None
        edits.append((places[0], old, new))
    for place, old, new in sorted(edits, reverse=True):
        lines[place:place + len(old)] = new
    return "\n".join(lines)


def operands(constraints):
    """The expressions of "r"(…), "+f"(…), …: parentheses in them are balanced."""
    found = []
    for start in re.finditer(r'"[=+]?[rfl]"\(', constraints):
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(constraints[end], 0)
            end += 1
        found.append(constraints[start.end():end - 1])
    return found


def on_host(text):
    for pattern, function in INSTRUCTIONS:
        if "\\" in function or function.endswith(")"):
            text = re.sub(pattern, function, text, flags=re.S)
            continue

        def call(match):
            whole = match.group(0)
            asked = operands(next(group for group in match.groups() if group is not None))
            return f"{function}({', '.join(asked)})" + (";" if whole.endswith(";") else "")
        text = re.sub(pattern, call, text, flags=re.S)
    text = re.sub(r"host_copy\(\(unsigned\)__cvta_generic_to_shared\((\w+)\)", r"host_copy(\1", text)
    text = text.replace("(unsigned)__cvta_generic_to_shared(", "host_address(")
    if "asm" in text:
        sys.exit("an instruction is not known on the host: " + text[text.index("asm"):][:200])
    return text


def computes(text, compiler, folder, sms):
    source = folder / "program.cpp"
    source.write_text(f'#define SMS {sms}\n#define HAS_SMALL {int("using Small" in text)}\n'
                      f'#define HAS_SPLIT {int("add_split" in text)}\n#include "tests/gpu/on_host/gpu_on_host.h"\n'
                      + on_host(text) + '\n#include "tests/gpu/on_host/run_on_host.h"\n')
    built = subprocess.run([compiler, "-std=c++20", "-O1", "-w", f"-I{ROOT}", source, "-o", folder / "program"],
                           capture_output=True, text=True)
    if built.returncode:
        return built.stderr[:2000]
    ran = subprocess.run([folder / "program"], capture_output=True, text=True, timeout=300)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr + f" (exit code {ran.returncode})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--random", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seed = (PACK / "seed.cu").read_text()
    moves = {name: (PACK / "moves" / (name + ".patch")).read_text() for name in LADDER}
    chance, failed = random.Random(options.seed), 0
    parts = [[], LADDER[:2], LADDER]
    for _ in range(options.random):
        parts.append(chance.sample(LADDER, chance.randint(5, len(LADDER))))
    with tempfile.TemporaryDirectory() as folder:
        for number, wanted in enumerate(parts):
            text, taken = seed, []
            while next_one := next((name for name in wanted if name not in taken and applied(text, moves[name])), None):
                text = applied(text, moves[next_one])
                taken.append(next_one)
            if wanted == LADDER and taken != LADDER:
                sys.exit(f"the ladder ends at {taken}")
            why = computes(text, options.compiler, pathlib.Path(folder), (4, 132)[number % 2])
            failed += bool(why)
            print("FAIL" if why else "ok  ", " ".join(taken) or "the seed", why, flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
