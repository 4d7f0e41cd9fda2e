# SPDX-License-Identifier: GPL-3.0-or-later
# Figures of tests/widgets/pages/viewer_compare_figures_test.cpp: two volumes against a third. Needs numpy and scikit-image.
import numpy as np
from skimage.metrics import structural_similarity

size = np.array([14, 13, 12])
x, y, z = np.meshgrid(*[np.arange(n) - (n - 1) / 2 for n in size], indexing="ij")
base = 100 * np.sin(0.3 * x) * np.cos(0.2 * y) + 5 * z
volumes = [v.astype(np.float32) for v in (base, base + 3 * np.sin(x * y), 1.1 * base - 2)]
reference = volumes[0].astype(np.float64)
R = float(reference.max() - reference.min())
for other in volumes[1:]:
    difference = other.astype(np.float64) - reference
    rmse = np.sqrt(np.mean(difference**2))
    ssim = structural_similarity(reference, other.astype(np.float64), data_range=R, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
    print(f"{{{np.mean(np.abs(difference)):.9g}, {rmse:.9g}, {20 * np.log10(R / rmse):.9g}, {ssim:.9g}}}")
