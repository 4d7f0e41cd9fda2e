# SPDX-License-Identifier: Apache-2.0
"""Freezes what nibabel says lies under points of the world, for the viewer's tests: world_values.py FOLDER > world_values.json

FOLDER holds the templates of Debian's mricron-data. Only figures are kept, no voxels."""
import json
import pathlib
import sys

import nibabel
import numpy

files = ["ch2.nii.gz", "ch2bet.nii.gz", "ch2better.nii.gz", "aal.nii.gz", "brodmann.nii.gz", "inia19-t1-brain.nii.gz",
         "inia19-NeuroMaps.nii.gz", "HarvardOxford-cort-maxprob-thr0-1mm.nii.gz", "JHU-WhiteMatter-labels-2mm.nii.gz"]
random = numpy.random.default_rng(20260131)
result = []
for name in files:
    image = nibabel.load(pathlib.Path(sys.argv[1]) / name)
    data = numpy.asarray(image.dataobj, dtype=numpy.float64)
    while data.ndim > 3:
        data = data[..., 0]
    occupied = numpy.argwhere(data != 0)
    points = []
    for index in occupied[random.integers(0, len(occupied), 5)]:
        world = nibabel.affines.apply_affine(image.affine, index)
        points.append({"world": [round(float(c), 4) for c in world], "voxel": [int(i) for i in index],
                       "value": float(data[tuple(index)])})
    result.append({"file": name, "shape": [int(n) for n in data.shape], "axes": "".join(nibabel.aff2axcodes(image.affine)), "points": points})
print(json.dumps(result, indent=1))
