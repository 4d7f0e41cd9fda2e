#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes recorded runs small enough to be kept: slim.py RECORDED_RUN… FOLDER

Copies each run without its log and lock, without host names, and with traces that hold only what core/analysis reads."""
import csv
import gzip
import io
import json
import pathlib
import shutil
import sys

KEPT = {"correlation", "stream", "device", "bytes", "grid", "block", "registers per thread", "shared memory", "est. achieved occupancy %",
        "Input Dims", "Input type", "Concrete Inputs", "Sequence number", "labels", "name"}

VIEWS = {"aten::" + name for name in ("empty empty_like empty_strided as_strided view _unsafe_view reshape t transpose permute unsqueeze squeeze select narrow slice "
                                      "detach resize_ expand chunk split unbind zeros zeros_like ones_like alias").split()}
SHAPES = {"Input Dims", "Input type", "Concrete Inputs"}  # of operators that cost something


def slim_trace(source, target):
    trace = json.loads(gzip.decompress(source.read_bytes()))
    trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("cat") not in ("ac2g", "gpu_user_annotation")]
    for event in trace["traceEvents"]:
        if isinstance(event.get("args"), dict):
            event["args"] = {k: v for k, v in event["args"].items() if k in KEPT and not (k in SHAPES and event.get("name") in VIEWS)}
    trace.pop("traceName", None)
    target.write_bytes(gzip.compress(json.dumps(trace, separators=(",", ":")).encode(), 9, mtime=0))


def slim_pages(folder):
    """One launch of each kernel, grid and block in both counter pages."""
    kept, seen = set(), set()
    for page in (folder / "01_train.raw.csv.gz", folder / "01_train.details.csv.gz"):
        if not page.exists():
            return
        rows = list(csv.reader(io.StringIO(gzip.decompress(page.read_bytes()).decode())))
        head = next(i for i, row in enumerate(rows) if row[:1] == ["ID"])
        at = {name: k for k, name in enumerate(rows[head])}
        for row in rows[head + 1 :]:
            launch = (row[at["Kernel Name"]], row[at["Grid Size"]], row[at["Block Size"]]) if row and row[0] else None
            if launch and page.name.endswith(".raw.csv.gz") and launch not in seen:
                seen.add(launch)
                kept.add(row[0])
        text = io.StringIO()
        csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
            [rows[head]] + [row for row in rows[head + 1 :] if row and (not row[0] or row[0] in kept)])
        page.write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))


def without_host(line):
    fields = json.loads(line)
    fields.pop("host", None)
    return json.dumps(fields)


def slim_run(run, folder):
    target = folder / run.name
    for file in run.rglob("*"):
        place = target / file.relative_to(run)
        if file.is_dir() or file.name in ("worker.log", "worker.lock") or file.suffix == ".ncu-rep":
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.name.endswith(".json.gz"):
            slim_trace(file, place)
        elif file.name == "environment.jsonl":
            place.write_text("".join(without_host(line) + "\n" for line in file.read_text().splitlines()))
        else:
            shutil.copyfile(file, place)
    slim_pages(target / "profiles")


for name in sys.argv[1:-1]:
    slim_run(pathlib.Path(name), pathlib.Path(sys.argv[-1]))
