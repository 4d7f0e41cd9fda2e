#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes recorded runs small enough to be kept: slim.py RECORDED_RUN… FOLDER

Copies each run without its log and lock, without host names, and with traces that hold only what core/analysis reads."""
import csv
import gzip
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = {"correlation", "stream", "device", "bytes", "grid", "block", "registers per thread", "shared memory", "est. achieved occupancy %",
        "Input Dims", "Input type", "Concrete Inputs", "Sequence number", "labels", "name"}

VIEWS = {"aten::" + name for name in ("empty empty_like empty_strided as_strided view _unsafe_view reshape t transpose permute unsqueeze squeeze select narrow slice "
                                      "detach resize_ expand chunk split unbind zeros zeros_like ones_like alias").split()}
SHAPES = {"Input Dims", "Input type", "Concrete Inputs"}  # of operators that cost something


def packed(data):
    """A tenth smaller where Debian's zopfli is installed."""
    if not shutil.which("zopfli"):
        return gzip.compress(data, 9, mtime=0)
    with tempfile.NamedTemporaryFile() as plain:
        plain.write(data)
        plain.flush()
        return subprocess.run(["zopfli", "-c", "--i3", plain.name], check=True, capture_output=True).stdout


def slim_trace(source, target):
    trace = json.loads(gzip.decompress(source.read_bytes()))
    trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("cat") not in ("ac2g", "gpu_user_annotation")]
    for event in trace["traceEvents"]:
        if isinstance(event.get("args"), dict):
            event["args"] = {k: v for k, v in event["args"].items() if k in KEPT and not (k in SHAPES and event.get("name") in VIEWS)}
    trace.pop("traceName", None)
    target.write_bytes(packed(json.dumps(trace, separators=(",", ":")).encode()))


READERS = pathlib.Path(__file__).resolve().parents[2] / "core" / "analysis"
METRIC = re.compile(r'"([a-z0-9]+__[a-z0-9_.]+)"')
FAMILIES = ("launch__", "smsp__average_warps_issue_stalled_", "smsp__average_warp_latency_issue_stalled_", "device__attribute_display_name")
LAUNCH = ("ID", "Kernel Name", "Block Size", "Grid Size", "Device", "CC")
RULE = ("Section Name", "Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup")


def written(rows):
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return packed(text.getvalue().encode())


def slim_page(page):
    """A raw page with the metrics that core/analysis names; a details page with its rules, since its metrics stand in the raw one."""
    rows = list(csv.reader(io.StringIO(gzip.decompress(page.read_bytes()).decode())))
    head = next(i for i, row in enumerate(rows) if row[:1] == ["ID"])
    columns, rows = rows[head], [row for row in rows[head + 1 :] if row]
    if "Rule Name" in columns:
        wanted = set(LAUNCH + RULE + ("Metric Name", "Metric Unit", "Metric Value"))
        rows = [row for row in rows if row[columns.index("Rule Name")]]
    else:
        named = set(LAUNCH).union(*(METRIC.findall(file.read_text()) for file in READERS.glob("*.cpp")))
        wanted = {c for c in columns if c in named or c.startswith(FAMILIES)}
    at = [i for i, name in enumerate(columns) if name in wanted]
    page.write_bytes(written([[row[i] for i in at] for row in [columns] + rows]))


def without_host(line):
    fields = json.loads(line)
    fields.pop("host", None)
    return json.dumps(fields)


def thinned(lines, apart_s=10.0):
    """Of what tells of itself every second or more often, one event in ten seconds: counting takes minutes."""
    last = {}
    for line in lines:
        event = json.loads(line)
        kind, time_s = event["type"], event["time_s"]
        if kind in ("gpu", "progress", "heartbeat"):
            if time_s - last.get(kind, -apart_s) < apart_s:
                continue
            last[kind] = time_s
        yield line


def record_left_out(target):
    """left_out.json (core/protocol/left_out.h): the volumes that the events tell of and that are not there."""
    events = [json.loads(line) for line in (target / "events.jsonl").read_text().splitlines()]
    missing = sorted({e["path"] for e in events if e["type"] == "sample" and not (target / e["path"]).exists()})
    if missing:
        (target / "left_out.json").write_text(json.dumps({"files": missing, "schema": "1.0"}, indent=1) + "\n")


def slim_run(run, folder):
    target = folder / run.name
    for file in run.rglob("*"):
        place = target / file.relative_to(run)
        if file.is_dir() or file.name in ("worker.log", "worker.lock") or file.suffix == ".ncu-rep" or file.parent.name == "counters":
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.name.endswith(".json.gz"):
            slim_trace(file, place)
        elif file.name == "environment.jsonl":
            place.write_text("".join(without_host(line) + "\n" for line in file.read_text().splitlines()))
        elif file.name == "events.jsonl":
            place.write_text("".join(line + "\n" for line in thinned(file.read_text().splitlines())))
        else:
            shutil.copyfile(file, place)
    for page in (target / "profiles").glob("*.csv.gz"):
        slim_page(page)
    record_left_out(target)


for name in sys.argv[1:-1]:
    slim_run(pathlib.Path(name), pathlib.Path(sys.argv[-1]))
