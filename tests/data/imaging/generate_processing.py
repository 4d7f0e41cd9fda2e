#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes processing.safetensors and processing.json: what nibabel, numpy, scipy, Pillow, scikit-image and MONAI make of
small random volumes, for the tests of geometry, resampling, preprocessing and quality.

    pip install numpy nibabel scipy pillow scikit-image torch monai
    python3 generate_processing.py

Arrays are stored with the last axis of the volume fastest first, as this program keeps them: reversed, then row-major.
"""
import json
import os
import struct

import nibabel as nib
import numpy as np
import torch
from monai.metrics import MultiScaleSSIMMetric, SSIMMetric
from nibabel.orientations import aff2axcodes
from PIL import Image
from scipy.ndimage import map_coordinates
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

HERE = os.path.dirname(os.path.abspath(__file__))
TENSORS, FACTS = {}, {}
rng = np.random.default_rng(20260131)


def put(name, array, dtype='<f4'):
    TENSORS[name] = np.ascontiguousarray(np.asarray(array).T.astype(dtype))


def write():
    kinds = {'<f4': 'F32', '<f8': 'F64', '|u1': 'U8'}
    header, at = {}, 0
    for name, a in TENSORS.items():
        header[name] = {'dtype': kinds[a.dtype.str], 'shape': list(a.shape), 'data_offsets': [at, at + a.nbytes]}
        at += a.nbytes
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(os.path.join(HERE, 'processing.safetensors'), 'wb') as out:
        out.write(struct.pack('<Q', len(text)) + text + b''.join(a.tobytes() for a in TENSORS.values()))
    with open(os.path.join(HERE, 'processing.json'), 'w') as out:
        json.dump(FACTS, out, separators=(",", ":"))
        out.write('\n')


def random_affine(shear):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    a = np.eye(4)
    a[:3, :3] = q @ np.diag(rng.uniform(0.5, 3, size=3)) + shear * rng.normal(size=(3, 3))
    a[:3, 3] = rng.normal(scale=50, size=3)
    return a


def geometry():
    FACTS['geometry'] = []
    shape = (6, 5, 4)
    for n in range(40):
        a = random_affine(0.1 if n % 4 == 0 else 0)
        data = rng.integers(0, 1000, size=shape)
        canonical = nib.as_closest_canonical(nib.Nifti1Image(data.astype('i2'), a))
        FACTS['geometry'].append({
            'affine': a.tolist(), 'size': list(shape), 'axes': ''.join(aff2axcodes(a)), 'spacing': nib.affines.voxel_sizes(a).tolist(),
            'inverse': np.linalg.inv(a).tolist(), 'determinant': float(np.linalg.det(a[:3, :3])),
            'canonical_affine': canonical.affine.tolist(), 'canonical_size': list(canonical.shape)})
        if n < 8:
            put(f'geometry.{n}.voxels', data)
            put(f'geometry.{n}.canonical', np.asanyarray(canonical.dataobj))


def resample():
    source, target = (9, 8, 7), (10, 6, 11)
    a = random_affine(0.05)
    b = a @ (1e-3 * rng.uniform(size=(4, 4)) * (np.arange(4) < 3)[:, None] + np.array([[0.713, 0.209, 0.011, 0.517], [-0.157, 1.103, 0.109, 0.431], [0.053, 0.017, 0.613, 0.307], [0, 0, 0, 1.0]]))
    data = rng.normal(size=source)
    index = np.stack([*np.meshgrid(*[np.arange(n) for n in target], indexing='ij'), np.ones(target)])
    at = np.einsum('ij,jxyz->ixyz', np.linalg.inv(a) @ b, index)[:3]
    inside = np.all([(at[n] >= -0.5) & (at[n] <= source[n] - 0.5) for n in range(3)], axis=0)
    margin = min(np.abs(at[n] + 0.5).min() for n in range(3)), min(np.abs(at[n] - source[n] + 0.5).min() for n in range(3))
    assert min(margin) > 1e-5, margin  # no target voxel sits on the border
    FACTS['resample'] = {'source_affine': a.tolist(), 'target_affine': b.tolist(), 'source_size': list(source), 'target_size': list(target), 'outside': -7}
    put('resample.source', data)
    put('resample.linear', np.where(inside, map_coordinates(data, at, order=1, mode='nearest'), -7))
    nearest = [np.clip(np.rint(at[n]).astype(int), 0, source[n] - 1) for n in range(3)]
    put('resample.nearest', np.where(inside, data[tuple(nearest)], -7))


def along(axis, function, data):
    return np.apply_along_axis(function, axis, data)


def linear_size(data, size):
    """numpy.interp per axis at (i + 1/2) n_in/n_out - 1/2; it continues the edges."""
    for axis, to in enumerate(size):
        n = data.shape[axis]
        centres = (np.arange(to) + 0.5) * n / to - 0.5
        data = along(axis, lambda line: np.interp(centres, np.arange(n), line), data)
    return data


def pillow_line(line, to):
    image = Image.fromarray(np.ascontiguousarray(line[None, :].astype('f4')), mode='F')
    return np.asarray(image.resize((to, 1), Image.Resampling.BILINEAR))[0]


def triangle_size(data, size):
    """Pillow's antialiased bilinear resizing, axis by axis."""
    for axis, to in enumerate(size):
        data = along(axis, lambda line: pillow_line(line, to), data)
    return data


def nearest_size(data, size):
    for axis, to in enumerate(size):
        n = data.shape[axis]
        data = np.take(data, np.floor((np.arange(to) + 0.5) * n / to).astype(int), axis=axis)
    return data


def resize():
    data = rng.normal(size=(11, 9, 14))
    FACTS['resize'] = {'from': [11, 9, 14], 'sizes': []}
    put('resize.source', data, '<f8')
    for n, size in enumerate([(5, 9, 20), (22, 4, 7), (3, 13, 14), (1, 1, 2)]):
        FACTS['resize']['sizes'].append(list(size))
        put(f'resize.{n}.linear', linear_size(data, size), '<f8')
        put(f'resize.{n}.triangle', triangle_size(data, size), '<f8')
        put(f'resize.{n}.nearest', nearest_size(data, size), '<f8')


def intensity():
    data = rng.gamma(2, size=5000)
    levels = [0, 0.5, 2, 25, 50, 75, 99.5, 99.9, 100]
    put('intensity.values', data)
    FACTS['intensity'] = {'levels': levels, 'percentiles': np.percentile(data.astype('f4'), levels).tolist()}


def volume_recipe():
    """The default recipe by its published rule: canonical axes, percentiles to [-1, 1], triangle filter, nearest labels."""
    shape, size = (13, 10, 12), (6, 8, 5)
    affine = nib.affines.from_matvec(np.array([[0, 0, -2.0], [1.5, 0, 0], [0, -1.2, 0]]), [9, -8, 7])
    image = rng.gamma(2, size=shape).astype('f4')
    mask = rng.integers(0, 4, size=shape).astype('u1')
    put('recipe.image', image)
    put('recipe.mask', mask)
    canonical = nib.as_closest_canonical(nib.Nifti1Image(image, affine))
    low, high = np.percentile(image, [0.5, 99.5])
    scaled = np.clip((canonical.get_fdata() - low) * 2 / (high - low) - 1, -1, 1)
    put('recipe.expected_image', triangle_size(scaled, size))
    labels = nearest_size(np.asanyarray(nib.as_closest_canonical(nib.Nifti1Image(mask, affine)).dataobj), size)
    for label in (3, 1):
        put(f'recipe.expected_label_{label}', np.where(labels == label, 1.0, -1.0))
    scale = np.diag([shape[2] / size[0], shape[0] / size[1], shape[1] / size[2], 1])
    scale[:3, 3] = 0.5 * np.diag(scale)[:3] - 0.5
    FACTS['recipe'] = {'affine': affine.tolist(), 'size': list(size), 'labels': [3, 1], 'low': float(low), 'high': float(high),
                       'grid_affine': (canonical.affine @ scale).tolist()}


def smooth(shape):
    from scipy.ndimage import gaussian_filter
    return gaussian_filter(rng.normal(size=shape), 2) * 4


def tensor(a):
    return torch.from_numpy(np.ascontiguousarray(a.astype('f4')))[None, None]


def quality():
    FACTS['quality'] = []
    cases = [((16, 14, 13), 0.1, 2.0), ((24, 12, 18), 0.5, 2.0), ((13, 13, 13), 0.0, 1.0), ((22, 25, 23), 0.2, 255.0)]
    for n, (shape, noise, data_range) in enumerate(cases):
        first = (smooth(shape) * data_range / 4).astype('f4')
        second = (first + noise * data_range / 4 * rng.normal(size=shape)).astype('f4')
        put(f'quality.{n}.first', first)
        put(f'quality.{n}.second', second)
        a, b = first.astype(float), second.astype(float)
        difference = b - a
        entry = {'size': list(shape), 'data_range': data_range, 'mae': float(np.abs(difference).mean()), 'rmse': float(np.sqrt((difference ** 2).mean())),
                 'bias': float(difference.mean()), 'psnr': float(peak_signal_noise_ratio(a, b, data_range=data_range)) if noise else None,
                 'ssim_uniform': float(structural_similarity(a, b, data_range=data_range)),
                 'ssim_gaussian': float(structural_similarity(a, b, data_range=data_range, gaussian_weights=True, sigma=1.5, use_sample_covariance=False))}
        monai = SSIMMetric(spatial_dims=3, data_range=data_range, kernel_type='gaussian', win_size=11, kernel_sigma=1.5)(tensor(first), tensor(second))
        entry['ssim_monai'] = float(monai.mean())
        FACTS['quality'].append(entry)


def uniform(key, count):
    """The closed-form numbers of parity/README.md."""
    h = 0x811C9DC5
    for c in key.encode():
        h = (h ^ c) * 0x01000193 & 0xFFFFFFFF
    with np.errstate(over='ignore'):
        z = (np.uint64(h) << np.uint64(32)) | np.arange(count, dtype=np.uint64)
        z += np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(40)).astype(float) * 2.0 ** -23 - 1


def multi_scale():
    """Three scales fit into 48 voxels; MONAI takes the weights that it is given."""
    weights = np.array([0.0448, 0.2856, 0.3001])
    shape = (48, 44, 46)
    i, j, k = np.meshgrid(*[np.arange(n) for n in shape], indexing='ij')
    # Large: made by formula in the test as well (tests/support/parity_fill.h).
    first = (np.sin(0.31 * i) * np.cos(0.23 * j) + 0.5 * np.sin(0.17 * k + 0.05 * i)).astype('f4')
    second = (first + 0.4 * uniform('multi_scale', first.size).reshape(shape[::-1]).T).astype('f4')
    metric = MultiScaleSSIMMetric(spatial_dims=3, data_range=4.0, kernel_type='gaussian', kernel_size=11, kernel_sigma=1.5, weights=(weights / weights.sum()).tolist())
    FACTS['multi_scale'] = {'size': list(shape), 'data_range': 4.0, 'scales': 3, 'value': float(metric(tensor(first), tensor(second)).mean())}


for step in (geometry, resample, resize, intensity, volume_recipe, quality, multi_scale):
    step()
write()
print(sum(a.nbytes for a in TENSORS.values()), 'bytes')
print(json.dumps([FACTS['quality'], FACTS['multi_scale']], indent=1)[:1500])
