#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulated language model: OpenAI Chat Completions over HTTP, for tests/bench/engine/run.py.

Writes its reply from the program that stands in the prompt, in the form that the prompt asks for (a unified diff, or
SEARCH/REPLACE blocks), by one policy for everybody: a move of the task that fits the program, other values of its
tunables, or a move that is taken out again. What the prompt's words (not its programs) name as tried is mostly not sent
again. Which edit, and which slip the reply has, follows from the seed and the reply's number alone, so that all who ask
get the same sequence of slips. A slip is a quoted line whose comment, indentation or code is misremembered, a program
that does not build, a wrong one, or a reply that is cut off. Of 43 proposals that a strong model wrote for prompts of
Tilewright, 3 misquoted comments and 1 misquoted code; weaker models slip more. What is asked to be mended mostly is.

    simulated_model.py --moves FOLDER --seed N [--port-file FILE]
"""
import argparse
import difflib
import http.server
import json
import pathlib
import random
import re
import sys
import threading

SLIPS = (("comment", 0.07), ("indentation", 0.03), ("misquoted", 0.05), ("unbuilt", 0.10), ("wrong", 0.10), ("cut", 0.03))
MENDED = 0.8  # of what is asked to be mended
HEEDED = 0.8  # of what the prompt names as tried
FAULT = re.compile(r"^constexpr int FAKE_\w+ = \d+;\n", re.M)
TUNABLE = re.compile(r"^(\s*constexpr int )(\w+)( = )(-?\d+)(;\s*// tune:)([^\n]*)$", re.M)


def hunks_of(patch):
    """(old text, new text) of each hunk of a unified diff."""
    hunks, old, new = [], None, None
    for line in patch.splitlines(keepends=True):
        if line.startswith("@@"):
            if old is not None:
                hunks.append(("".join(old), "".join(new)))
            old, new = [], []
        elif old is not None and not line.startswith("\\"):
            body = line[1:] if line.strip() else "\n"
            if line[0] in " -\n":
                old.append(body)
            if line[0] in " +\n":
                new.append(body)
    if old is not None:
        hunks.append(("".join(old), "".join(new)))
    return hunks


def moved(program, patch, takes_out=False):
    """The program with the move applied, or taken out again; None where that does not fit."""
    for old, new in hunks_of(patch):
        if takes_out:
            old, new = new, old
        if program.count(old) != 1:
            return None
        program = program.replace(old, new)
    return program


def retuned(program, rng):
    """The program with another value of one tunable, and what changed; None where it has none."""
    found = list(TUNABLE.finditer(program))
    if not found:
        return None
    match = rng.choice(found)
    choices = [part.split("=")[0] for part in match.group(6).split() if re.fullmatch(r"-?\d+(=.*)?", part)]
    other = [choice for choice in choices if choice != match.group(4)]
    if not other:
        return None
    value = rng.choice(other)
    return (program[: match.start(4)] + value + program[match.end(4):],
            f"{match.group(2)} {match.group(4)} to {value}")


def misremembered(text, slip, searches):
    """The patch with one slip in a line that it quotes; as it is where there is no such line."""
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        is_old = line[:1] in (" ", "-") and not line.startswith("---")
        if not (is_old or searches):
            continue
        if slip == "comment" and (found := re.search(r"(//.*?\b)([a-z]{4,})\b", line)) and "tune:" not in line:
            other = line[: found.start(2)] + "whole" + line[found.end(2):]
        elif slip == "indentation" and re.match(r"[ -] {4,}\S|^ {4,}\S", line):
            other = line[:1] + line[2:]
        elif slip == "misquoted" and re.search(r"\b[a-z_]{4,}\(", line):
            other = re.sub(r"\b([a-z_]{4,})\(", r"\1_of_mine(", line, count=1)
        else:
            continue
        return "".join(lines[:index] + [other] + lines[index + 1:])
    return text


class Model:
    def __init__(self, moves, seed):
        self.moves = {path.stem.replace("-", " "): path.read_text()
                      for path in sorted(pathlib.Path(moves).glob("*.patch"))}
        self.seed, self.replies, self.lock = seed, 0, threading.Lock()
        self.tokens = 0

    def edited(self, program, told, sent, rng):
        """The edited program, and what changed; (None, "") where the policy knows nothing more. told: the prompt's own
        words, without programs; sent: of this reply already."""
        def heeds(title):
            return title in sent or (title in told and rng.random() < HEEDED)

        fitting = [(text, name) for name, text in
                   ((name, moved(program, patch)) for name, patch in self.moves.items()) if text and not heeds(name)]
        if fitting and rng.random() < 0.65:
            return rng.choice(fitting)
        if fitting and "A tuner measured" in told and rng.random() < HEEDED:
            return rng.choice(fitting)
        for _ in range(4):
            other = retuned(program, rng)
            if other and not heeds(other[1]) and not ("A tuner measured" in told and rng.random() < HEEDED):
                return other
        without = [(text, "without " + name) for name, text in
                   ((name, moved(program, patch, takes_out=True)) for name, patch in self.moves.items())
                   if text and not heeds("without " + name)]
        return rng.choice(fitting or without) if fitting or without else other or (None, "")

    def answer(self, messages):
        with self.lock:
            self.replies += 1
            number = self.replies
        rng = random.Random(f"{self.seed} {number}")
        prompt = messages[-1]["content"]
        whole = "\n".join(message["content"] for message in messages)
        searches = "<<<<<<< SEARCH" in whole
        fences = [text for text in re.findall(r"```[\w+#]*\n(.*?)```", prompt, re.S)
                  if "EVOLVE-BLOCK-START" in text and "EVOLVE-BLOCK-END" in text]
        if not fences:  # a summary is asked for
            return "- Nothing but what the figures say."
        program = fences[-1 if searches else 0]
        told = re.sub(r"```.*?```", "", prompt, flags=re.S)
        asked = re.search(r"Send (\d+) proposals", prompt)
        mends = "# What is wrong with" in prompt
        parts, sent = [], []
        for _ in range(int(asked.group(1)) if asked else 1):
            draw, slip = rng.random(), None
            for name, share in SLIPS:
                if draw < share:
                    slip = name
                    break
                draw -= share
            base = FAULT.sub("", program)
            if mends:
                slip = None if rng.random() < MENDED else slip or "wrong"
            edited, title = (base, "mended") if mends and base != program else self.edited(base, told, sent, rng)
            sent.append(title)
            if edited is None:
                title = "nothing new"
                edited = base.replace("// EVOLVE-BLOCK-END", f"constexpr int SIMULATED_{number} = {number};\n// EVOLVE-BLOCK-END")
            if slip in ("unbuilt", "wrong"):
                fault = "FAKE_BUILD_ERROR" if slip == "unbuilt" else "FAKE_REFUSED"
                edited = edited.replace("// EVOLVE-BLOCK-END", f"constexpr int {fault} = {number};\n// EVOLVE-BLOCK-END")
            parts.append(self.reply(program, edited, title, slip, searches))
        if asked:
            return "\n".join(f"<proposal>\n{part}</proposal>" for part in parts)
        return parts[0]

    @staticmethod
    def reply(program, edited, title, slip, searches):
        before, after = program.splitlines(keepends=True), edited.splitlines(keepends=True)
        hunks = []
        for group in difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(3):
            hunks.append((before[group[0][1]: group[-1][2]], after[group[0][3]: group[-1][4]], group))
        if searches:
            text = "".join("<<<<<<< SEARCH\n" + "".join(old) + "=======\n" + "".join(new) + ">>>>>>> REPLACE\n\n"
                           for old, new, _ in hunks)
        else:
            text = f"<title>{title}</title>\n<reasoning>\nSimulated: {title}.\n</reasoning>\n<diff>\n" + "".join(
                difflib.unified_diff(before, after, "a/seed.cpp", "b/seed.cpp", n=3)) + "</diff>\n"
        if slip in ("comment", "indentation", "misquoted"):
            text = misremembered(text, slip, searches)
        if slip == "cut":
            text = text[: len(text) // 2]
        return text


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.model.answer(request["messages"])
        read = sum(len(message["content"]) for message in request["messages"]) // 4
        usage = {"prompt_tokens": read, "completion_tokens": len(text) // 4,
                 "total_tokens": read + len(text) // 4}
        self.server.model.tokens += usage["total_tokens"]
        if request.get("stream"):
            chunks = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]},
                      {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                      {"choices": [], "usage": usage}]
            body = "".join("data: " + json.dumps({"id": "1", "object": "chat.completion.chunk", "created": 0,
                                                   "model": request["model"], **chunk}) + "\n\n" for chunk in chunks)
            body, kind = (body + "data: [DONE]\n\n").encode(), "text/event-stream"
        else:
            body = json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": request["model"],
                               "choices": [{"index": 0, "finish_reason": "stop",
                                            "message": {"role": "assistant", "content": text}}],
                               "usage": usage}).encode()
            kind = "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        body = json.dumps({"replies": self.server.model.replies, "tokens": self.server.model.tokens}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def serve(moves, seed):
    """A server on a free port, in a thread of its own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.model = Model(moves, seed)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    server = serve(options.moves, options.seed)
    print(server.server_address[1], flush=True)
    sys.stdin.read()  # until whoever started it goes away


if __name__ == "__main__":
    main()
