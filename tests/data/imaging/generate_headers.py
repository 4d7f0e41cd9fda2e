#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes nifti/told.nii.gz and headers.json: the fields that nibabel reads from some of the files beside it, and that a copy keeps.

    pip install numpy nibabel
    python3 generate_headers.py
"""
import json
import os

import nibabel as nib
import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'nifti')
KEPT = ['told.nii.gz', 'scaled.nii', 'type_u1.nii', 'type_i2.nii', 'type_u4.nii', 'big_endian.nii', 'oblique.nii.gz', 'conflict.nii', 'qform_only.nii',
        'qform_left_handed.nii', 'no_codes.nii', 'four_dimensions.nii.gz', 'five_dimensions.nii.gz', 'version2.nii.gz']


def write_told():
    data = np.random.default_rng(4).integers(-300, 300, size=(4, 3, 2, 3)).astype(np.int16)
    image = nib.Nifti1Image(data, None)
    image.set_sform(np.diag([-2.0, 2, 3, 1]), code=4)
    image.set_qform(np.array([[0, -2.0, 0, 5], [2, 0, 0, -7], [0, 0, 3, 1.5], [0, 0, 0, 1]]), code=1)
    h = image.header
    h.set_xyzt_units('mm', 'msec')
    h['pixdim'][4] = 2500
    h['toffset'] = 40
    h.set_dim_info(0, 1, 2)
    h['slice_end'] = 1
    h['slice_code'] = 3
    h['slice_duration'] = 80
    h.set_intent('t test', (17,), name='thumb')
    h['cal_min'], h['cal_max'] = -5, 5
    h['descrip'] = b'told by a test'
    h['aux_file'] = b'other.txt'
    h.set_slope_inter(0.25, -12)
    h.set_data_dtype(np.int16)
    raw = bytearray(h.binaryblock) + bytes(4) + data.tobytes(order='F')
    import gzip
    with open(os.path.join(HERE, 'told.nii.gz'), 'wb') as file:
        file.write(gzip.compress(bytes(raw), 9, mtime=0))


def plain(value):
    value = np.asarray(value)
    return [plain(v) for v in value] if value.ndim else (value.item().decode() if value.dtype.kind == 'S' else value.item())


def fields(name):
    image = nib.load(os.path.join(HERE, name))
    h = image.header
    slope, inter = (image.dataobj.slope, image.dataobj.inter)
    out = {key: plain(h[key]) for key in ('dim', 'datatype', 'xyzt_units', 'qform_code', 'sform_code', 'toffset', 'dim_info', 'slice_start', 'slice_end',
                                          'slice_code', 'slice_duration', 'intent_code', 'intent_p1', 'intent_name', 'cal_min', 'cal_max', 'descrip', 'aux_file')}
    if int(h['qform_code']) > 0:
        out['qform'] = {key: plain(h[key]) for key in ('quatern_b', 'quatern_c', 'quatern_d', 'qoffset_x', 'qoffset_y', 'qoffset_z')} | {'pixdim': plain(h['pixdim'][:4])}
    out['pixdim4'] = plain(h['pixdim'][4])
    out['scaling'] = [float(slope), float(inter)]
    return out


if __name__ == '__main__':
    write_told()
    headers = {name: fields(name) for name in KEPT}
    with open(os.path.join(HERE, '..', 'headers.json'), 'w') as file:
        said = {name: {key: value for key, value in found.items() if value} for name, found in headers.items()}  # what is left out is 0 or empty
        lines = ['"%s": %s' % (name, json.dumps(found)) for name, found in said.items()]
        file.write('{\n' + ',\n'.join(lines) + '\n}\n')
