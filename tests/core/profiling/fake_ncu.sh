#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for Nsight Compute: says what it says, runs what it is given, and has recorded pages instead of a report.
# FAKE_NCU: "" works, "forbidden", "silent" (nothing was collected), "endless". FAKE_NCU_PAGES: the folder of the recorded pages.
echo "$@" >>"${FAKE_NCU_LOG:-/dev/null}"
export_to= import= page=
while [ $# -gt 0 ]; do
  case $1 in
    --export) export_to=$2; shift 2 ;;
    --import) import=$2; shift 2 ;;
    --page) page=$2; shift 2 ;;
    --metrics | --section | --profile-from-start | --clock-control) shift 2 ;;
    --*) shift ;;
    *) break ;;
  esac
done
if [ -n "$import" ]; then
  [ -e "$import" ] || exit 1
  exec gzip -dc "$FAKE_NCU_PAGES/ncu_${page}_opt1_128.csv.gz"
fi
echo "==PROF== Connected to process $$ ($1)"
case ${FAKE_NCU:-} in
  forbidden)
    echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0."
    exit 1 ;;
  silent) "$@"; echo "==WARNING== No kernels were profiled."; exit 0 ;;
  endless) echo "==PROF== Profiling \"first\": 0%....50%....100% - 9 passes"; exec cat "$FAKE_NCU_PIPE" ;;
esac
"$@" || { echo "==ERROR== The application returned an error code."; exit 1; }
for kernel in first second third; do
  echo "==PROF== Profiling \"$kernel\": 0%....50%....100% - 9 passes"
done
[ -z "$export_to" ] || : >"$export_to"
