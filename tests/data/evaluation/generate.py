#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.json and mean_and_deviation.pt: what MONAI, scipy, scikit-image and plain numpy make of small cases, for the
tests of measures of quality.

    pip install numpy scipy scikit-image torch monai
    python3 generate.py
"""
import json
import os

import numpy as np
import torch
from monai.metrics.fid import get_fid_score
from monai.metrics.mmd import compute_mmd
from scipy.linalg import sqrtm
from scipy.stats import wasserstein_distance
from skimage.filters import threshold_otsu

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20260131)


def frechet(a, b):
    ca, cb = np.cov(a, rowvar=False), np.cov(b, rowvar=False)
    return float(((a.mean(0) - b.mean(0)) ** 2).sum() + np.trace(ca + cb - 2 * np.real(sqrtm(ca @ cb))))


def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))


def mmd(kaa, kbb, kab):
    n, m = len(kaa), len(kbb)
    unbiased = (kaa.sum() - np.trace(kaa)) / (n * (n - 1)) + (kbb.sum() - np.trace(kbb)) / (m * (m - 1)) - 2 * kab.mean()
    return float(kaa.mean() + kbb.mean() - 2 * kab.mean()), float(unbiased)


def feature_case(n, m, d, shift):
    mix = rng.normal(size=(d, d))
    a = rng.normal(size=(n, d)) @ mix
    b = rng.normal(size=(m, d)) @ (mix + 0.3 * rng.normal(size=(d, d))) + shift
    sigma = float(np.median(distances(b, b)[np.triu_indices(m, 1)]))
    gaussian = [np.exp(-distances(x, y) ** 2 / (2 * sigma**2)) for x, y in ((a, a), (b, b), (a, b))]
    polynomial = [(x @ y.T / d + 1) ** 3 for x, y in ((a, a), (b, b), (a, b))]
    case = {'first': a.tolist(), 'second': b.tolist(), 'frechet': frechet(a, b), 'bandwidth': sigma}
    case['frechet_monai'] = float(get_fid_score(torch.tensor(a), torch.tensor(b)))
    case['mmd_gaussian'], case['mmd_gaussian_unbiased'] = mmd(*gaussian)
    case['mmd_polynomial'], case['mmd_polynomial_unbiased'] = mmd(*polynomial)
    if n == m:  # MONAI's kernel is the scalar product: give it the polynomial kernel's features
        def lift(x):
            z = np.concatenate([x / np.sqrt(d), np.ones((len(x), 1))], 1)
            return torch.tensor(np.einsum('ni,nj,nk->nijk', z, z, z).reshape(len(x), -1))
        case['mmd_monai'] = float(compute_mmd(lift(b), lift(a), None))
    return case


def histogram_case(bins, width):
    a, b = rng.integers(0, 50, bins), rng.integers(0, 50, bins)
    centres = np.arange(bins) * width
    return {'first': a.tolist(), 'second': b.tolist(), 'width': width, 'distance': float(wasserstein_distance(centres, centres, a, b))}


def otsu_case():
    values = np.concatenate([rng.normal(-0.8, 0.1, 400), rng.normal(0.4, 0.2, 250)]).astype(np.float32)
    return {'values': values.tolist(), 'threshold': float(threshold_otsu(values, nbins=256)), 'bin': float((values.max() - values.min()) / 256)}


# Philox4x32-10 and Box–Muller, written anew from the formulas of core/kernels/philox.h.
def philox_normals(seed, purpose, sample, step, count):
    blocks = np.arange((count + 3) // 4, dtype=np.uint64)
    mask = np.uint64(0xFFFFFFFF)
    c = [blocks & mask, np.full_like(blocks, step), np.full_like(blocks, sample), np.full_like(blocks, purpose << 24)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), p1 & mask, (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), p0 & mask]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    out = []
    for a, b in ((c[0], c[1]), (c[2], c[3])):
        r = np.sqrt(-2 * np.log((a.astype(np.float64) + 0.5) / 2.0**32))
        w = 2 * np.pi * b.astype(np.float64) / 2.0**32
        out += [r * np.cos(w), r * np.sin(w)]
    return np.stack(out, 1).reshape(-1)[:count]


def random_network_case():
    side = 64
    z, y, x = np.meshgrid(*[np.arange(side)] * 3, indexing='ij')
    volume = np.sin(0.31 * x) * np.cos(0.23 * y) + 0.5 * np.sin(0.17 * z + 0.05 * x)  # axes D, H, W = z, y, x
    at = torch.tensor(volume, dtype=torch.float32)[None, None]
    channels = [1, 16, 32, 32, 32]
    for layer in range(4):
        shape = (channels[layer + 1], channels[layer], 3, 3, 3)
        weight = philox_normals(20260131, 9, layer, 0, int(np.prod(shape))).reshape(shape) * np.sqrt(2 / (27 * channels[layer]))
        at = torch.nn.functional.leaky_relu(torch.nn.functional.conv3d(at, torch.tensor(weight, dtype=torch.float32), stride=2, padding=1), 0.2)
    at = at.double().flatten(2)[0]
    return torch.cat([at.mean(1), at.var(1, unbiased=False).sqrt()]).tolist()


class MeanAndDeviation(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        flat = x.flatten(1)
        return torch.stack([flat.mean(1), flat.std(1, unbiased=False)], 1)


class Threshold(torch.nn.Module):
    """Three classes by intensity, as a segmentation network returns them."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([-x, 1 - (x - 1).abs() * 2, 4 * (x - 1.5)], 1)


facts = {
    'features': [feature_case(14, 11, 5, 0.4), feature_case(12, 12, 3, 1.0), feature_case(9, 9, 16, 0.0)],
    'histograms': [histogram_case(16, 0.25), histogram_case(64, 1.0)],
    'otsu': otsu_case(),
    'random_network': random_network_case(),
}
with open(os.path.join(HERE, 'reference.json'), 'w') as out:
    json.dump(facts, out)
torch.jit.script(MeanAndDeviation()).save(os.path.join(HERE, 'mean_and_deviation.pt'))
torch.jit.script(Threshold()).save(os.path.join(HERE, 'threshold.pt'))
