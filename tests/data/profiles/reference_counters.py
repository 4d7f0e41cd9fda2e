# SPDX-License-Identifier: Apache-2.0
# Recomputes what the tests expect of ncu_*.csv.gz with Python's own CSV reader, and writes ncu_reference.json.
#   python3 reference_counters.py
import collections
import csv
import gzip
import json
import pathlib

here = pathlib.Path(__file__).parent
csv.field_size_limit(10**9)
UNITS = {"Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "Gbyte/s": 1e9, "Tbyte/s": 1e12, "ms": 1e-3, "us": 1e-6}


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


with gzip.open(here / "ncu_raw_opt1_128.csv.gz", "rt") as f:
    rows = csv.reader(f)
    header, units = next(rows), next(rows)
    launches = [dict(zip(header, row)) for row in rows]
factor = {name: UNITS.get(unit, 1) for name, unit in zip(header, units)}


# HFMA2.MMA, by which compilers set constants, runs in the tensor pipe: without a matrix product nothing there is a tensor instruction.
PRODUCTS = "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed"
TENSOR = {"smsp__inst_executed_pipe_tensor.sum", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"}


def value(launch, metric):
    v = number(launch[metric])
    if v is not None and metric in TENSOR and number(launch[PRODUCTS]) == 0:
        return 0
    return None if v is None else v * factor[metric]


def total(metric):
    return sum(v for v in (value(launch, metric) for launch in launches) if v is not None)


def weighted(metric):
    pairs = [(value(launch, metric), value(launch, "gpu__time_duration.sum")) for launch in launches]
    pairs = [(v, t) for v, t in pairs if v is not None]
    return sum(v * t for v, t in pairs) / sum(t for _, t in pairs)


best = {}  # launch id -> largest global estimate
with gzip.open(here / "ncu_details_opt1_128.csv.gz", "rt") as f:
    for row in csv.DictReader(f):
        speedup = number(row["Estimated Speedup"] or "")
        if row["Estimated Speedup Type"] == "global" and speedup is not None:
            best[row["ID"]] = max(best.get(row["ID"], 0), speedup)

time_ms, saved_ms, count = collections.Counter(), collections.Counter(), collections.Counter()
for launch in launches:
    ms = value(launch, "gpu__time_duration.sum") * 1e3
    name = launch["Kernel Name"]
    time_ms[name] += ms
    saved_ms[name] += ms * best.get(launch["ID"], 0) / 100
    count[name] += 1
whole_ms = sum(time_ms.values())
ranked = sorted(time_ms, key=lambda n: -saved_ms[n])[:10]

sums = ["gpu__time_duration.sum", "sm__cycles_elapsed.max", "smsp__inst_executed.sum", "smsp__inst_executed_pipe_tensor.sum", "dram__bytes_read.sum",
        "dram__bytes_write.sum", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum", "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"]
rates = ["sm__throughput.avg.pct_of_peak_sustained_elapsed", "lts__t_sector_hit_rate.pct", "l1tex__t_sector_hit_rate.pct", "dram__bytes.sum.per_second",
         "sm__warps_active.avg.pct_of_peak_sustained_active", "sm__maximum_warps_per_active_cycle_pct",
         "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"]
json.dump({"launches": len(launches), "sums": {m: total(m) for m in sums}, "rates": {m: weighted(m) for m in rates},
           "priorities": [{"kernel": n, "launches": count[n], "time_ms": time_ms[n], "share": time_ms[n] / whole_ms, "saving": saved_ms[n] / time_ms[n],
                           "score": saved_ms[n] / whole_ms} for n in ranked]},
          open(here / "ncu_reference.json", "w"), indent=1)
