#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small volumes of this folder and expected.json: what nibabel, SimpleITK, pynrrd and pydicom read from them.

    pip install numpy nibabel pynrrd pydicom SimpleITK
    python3 generate.py

Per file: size, axes' affine (RAS, millimetres), axis codes, and the values at five voxels with their world position.
"""
import gzip
import json
import os
import struct

import nibabel as nib
import nrrd
import numpy as np
import pydicom
import SimpleITK as sitk
from nibabel.orientations import aff2axcodes
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, MRImageStorage, RLELossless

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = {}
SHAPE = (5, 4, 3)


def path(name):
    full = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    return full


def pattern(shape=SHAPE, low=0, high=120):
    """No symmetry: every flip and permutation shows."""
    rng = np.random.default_rng(sum(shape))
    return rng.integers(low, high, size=shape)


def rotation(degrees, axis):
    a = np.deg2rad(degrees)
    c, s = np.cos(a), np.sin(a)
    m = np.eye(3)
    i, j = [(1, 2), (0, 2), (0, 1)][axis]
    m[i, i], m[i, j], m[j, i], m[j, j] = c, -s, s, c
    return m


def affine(matrix, origin):
    a = np.eye(4)
    a[:3, :3] = matrix
    a[:3, 3] = origin
    return a


OBLIQUE = affine(rotation(35, 0) @ rotation(-20, 2) @ rotation(7, 1) @ np.diag([0.9, 1.2, 2.5]), [-31.5, 12.25, 8])
AFFINES = {
    'ras': affine(np.diag([1, 1, 1]), [-2, -3, -4]),
    'las': affine(np.diag([-1.5, 1.5, 2]), [4, -3, -4]),
    'flipped': affine(np.diag([-1, -2, -3]), [10, 20, 30]),
    'permuted': affine([[0, 0, 2], [-1, 0, 0], [0, 1.25, 0]], [0, 5, -3]),
    'oblique': OBLIQUE,
    'anisotropic': affine(np.diag([0.5, 0.5, 6]), [1, 2, 3]),
    'sheared': affine([[1, 0.3, 0], [0, 1, -0.2], [0.1, 0, 2]], [3, 2, 1]),
    'not_quite_orthonormal': affine(OBLIQUE[:3, :3] + 2e-4 * np.array([[1, -1, 1], [0, 1, -1], [1, 1, 0]]), [5, 6, 7]),
}


def record(name, data, aff, **more):
    data = np.asarray(data, dtype=np.float64)
    volume = data if data.ndim == 3 else data.reshape(data.shape[:3] + (-1,))
    shape = volume.shape[:3]
    rng = np.random.default_rng(len(name))
    points = []
    for _ in range(5):
        index = [int(rng.integers(n)) for n in volume.shape]
        world = (aff @ np.array(index[:3] + [1]))[:3]
        points.append({'index': index, 'world': world.tolist(), 'value': None if np.isnan(volume[tuple(index)]) else float(volume[tuple(index)])})
    EXPECTED[name] = {'size': list(shape), 'time_points': 1 if volume.ndim == 3 else volume.shape[3],
                      'affine': np.asarray(aff).tolist(), 'axes': ''.join(aff2axcodes(aff)), 'points': points,
                      'sum': float(np.nansum(volume)), **more}


def record_nibabel(name, **more):
    image = nib.load(path(name))
    record(name, np.asanyarray(image.dataobj), image.affine, **more)


def nifti(name, data, aff, kind=nib.Nifti1Image, endian='<', sform=2, qform=0, qform_affine=None, edit=None, **more):
    header = kind.header_class(endianness=endian)
    header.set_data_dtype(data.dtype)
    image = kind(data, aff, header)
    image.set_sform(aff, sform)
    image.set_qform(aff if qform_affine is None else qform_affine, qform)
    if edit:
        edit(image.header)
    nib.save(image, path(name))
    record_nibabel(name, **more)


def write_nifti():
    for key, aff in AFFINES.items():
        nifti(f'nifti/{key}.nii.gz', pattern().astype(np.int16), aff)
    for dtype in ('u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f4', 'f8'):
        nifti(f'nifti/type_{dtype}.nii', pattern(low=0 if dtype[0] == 'u' else -60).astype(dtype), AFFINES['las'])
    nifti('nifti/big_endian.nii', pattern().astype('>i2'), OBLIQUE, endian='>')
    nifti('nifti/version2.nii.gz', pattern().astype('f4') / 7, OBLIQUE, kind=nib.Nifti2Image)
    nifti('nifti/version2_big_endian.nii', pattern().astype('>f8') / 7, OBLIQUE, kind=nib.Nifti2Image, endian='>')
    nifti('nifti/four_dimensions.nii.gz', pattern((4, 3, 5, 6)).astype('u1'), AFFINES['permuted'])
    nifti('nifti/five_dimensions.nii.gz', pattern((4, 3, 2, 1, 3)).astype('f4'), AFFINES['ras'])
    nifti('nifti/two_dimensions.nii', pattern((6, 5))[..., None].astype('u1'), AFFINES['ras'])
    nifti('nifti/qform_only.nii', pattern().astype('u1'), OBLIQUE, sform=0, qform=1)
    nifti('nifti/qform_left_handed.nii', pattern().astype('u1'), OBLIQUE @ np.diag([1, -1, 1, 1]), sform=0, qform=1)
    half_turn = affine(rotation(180, 2) @ np.diag([1, 2, 3]), [1, 2, 3])
    nifti('nifti/qform_half_turn.nii', pattern().astype('u1'), half_turn, sform=0, qform=1)
    nifti('nifti/no_codes.nii', pattern().astype('u1'), AFFINES['anisotropic'], sform=0, qform=0)
    nifti('nifti/conflict.nii', pattern().astype('u1'), AFFINES['las'], qform=1, qform_affine=AFFINES['ras'], note='disagree')
    nifti('nifti/nan.nii.gz', np.where(pattern() > 100, np.nan, pattern()).astype('f4'), AFFINES['ras'], note='NaN')

    def scaled(header):
        header['scl_slope'], header['scl_inter'] = 0.37, -11.5

    # nibabel would choose its own scaling on saving: the fields are put in afterwards.
    for name, slope, inter in (('scaled', 0.37, -11.5), ('slope_zero', 0, 5), ('slope_nan', np.nan, 5)):
        full = f'nifti/{name}.nii'
        nifti(full, pattern().astype('i2'), AFFINES['ras'])
        raw = bytearray(open(path(full), 'rb').read())
        raw[112:120] = struct.pack('<ff', slope, inter)
        open(path(full), 'wb').write(raw)
        record_nibabel(full)

    # Extensions push the voxels back.
    image = nib.Nifti1Image(pattern().astype('u1'), AFFINES['las'])
    image.header.extensions.append(nib.nifti1.Nifti1Extension('comment', b'x' * 100))
    nib.save(image, path('nifti/extension.nii.gz'))
    record_nibabel('nifti/extension.nii.gz')

    # A pair, once plain and once compressed.
    nib.save(nib.Nifti1Pair(pattern().astype('i2'), OBLIQUE), path('nifti/pair.hdr'))
    record_nibabel('nifti/pair.hdr')
    record_nibabel('nifti/pair.img')
    nib.save(nib.Nifti1Pair(pattern().astype('i2'), OBLIQUE), path('nifti/zipped_pair.hdr.gz'))
    record_nibabel('nifti/zipped_pair.img.gz')

    # Micrometres: nibabel does not convert, this program does.
    name = 'nifti/micrometres.nii'
    image = nib.Nifti1Image(pattern().astype('u1'), AFFINES['las'] @ np.diag([1000, 1000, 1000, 1]))
    image.header.set_xyzt_units('micron', 'sec')
    nib.save(image, path(name))
    image = nib.load(path(name))
    millimetres = image.affine.copy()
    millimetres[:3] /= 1000
    record(name, np.asanyarray(image.dataobj), millimetres, note='micrometres')

    # Colour and complex numbers.
    colour = np.zeros(SHAPE, dtype=[('R', 'u1'), ('G', 'u1'), ('B', 'u1')])
    for n, channel in enumerate('RGB'):
        colour[channel] = np.roll(pattern(), n)
    nib.save(nib.Nifti1Image(colour, AFFINES['las']), path('nifti/rgb.nii.gz'))
    luminance = 0.2126 * colour['R'] + 0.7152 * colour['G'] + 0.0722 * colour['B']
    record('nifti/rgb.nii.gz', luminance, AFFINES['las'], note='brightness')
    data = (pattern() + 1j * np.roll(pattern(), 1)).astype('c8')
    nib.save(nib.Nifti1Image(data, AFFINES['las']), path('nifti/complex.nii.gz'))
    record('nifti/complex.nii.gz', np.abs(data), AFFINES['las'], note='magnitude')

    # Two gzip members, as parallel compressors write them.
    raw = open(path('nifti/type_i2.nii'), 'rb').read()
    open(path('nifti/members.nii.gz'), 'wb').write(gzip.compress(raw[:400], mtime=0) + gzip.compress(raw[400:], mtime=0))
    record_nibabel('nifti/members.nii.gz')


def write_analyze():
    image = nib.AnalyzeImage(pattern().astype('i2'), AFFINES['las'])
    image.header.set_zooms([1.5, 1.5, 2])
    nib.save(image, path('analyze/plain.img'))
    record_nibabel('analyze/plain.hdr')
    image = nib.Spm99AnalyzeImage(pattern().astype('>i2'), None, nib.Spm99AnalyzeImage.header_class(endianness='>'))
    image.header.set_data_dtype('>i2')
    image.header.set_zooms([1.5, 1.5, 2])
    image.header['origin'][:3] = [2, 3, 1]
    with open(path('analyze/spm.hdr'), 'wb') as out:
        image.header.write_to(out)
    with open(path('analyze/spm.img'), 'wb') as out:
        out.write(pattern().astype('>i2').tobytes(order='F'))
    record_nibabel('analyze/spm.hdr')


def write_mgh():
    for name, dtype, aff in (('mgh/oblique.mgz', 'f4', OBLIQUE), ('mgh/short.mgh', 'i2', AFFINES['permuted']),
                             ('mgh/byte.mgz', 'u1', AFFINES['las']), ('mgh/int.mgh', 'i4', AFFINES['ras'])):
        nib.save(nib.MGHImage(pattern().astype(dtype), aff), path(name))
        record_nibabel(name)
    nib.save(nib.MGHImage(pattern((4, 3, 5, 2)).astype('f4'), OBLIQUE), path('mgh/frames.mgz'))
    record_nibabel('mgh/frames.mgz')
    raw = bytearray(open(path('mgh/int.mgh'), 'rb').read())
    raw[28:30] = b'\0\0'
    open(path('mgh/no_orientation.mgh'), 'wb').write(raw)
    # FreeSurfer's default is coronal (x left, y inferior, z anterior; mriio.c), which nibabel turns by a half.
    centred = affine([[-1, 0, 0], [0, 0, 1], [0, -1, 0]], [0, 0, 0])
    centred[:3, 3] = -centred[:3, :3] @ (np.array(SHAPE) / 2)
    record('mgh/no_orientation.mgh', np.asanyarray(nib.load(path('mgh/no_orientation.mgh')).dataobj), centred, note='does not say how it is oriented')


def record_sitk(name, **more):
    image = sitk.ReadImage(path(name))
    array = sitk.GetArrayFromImage(image).T
    lps = np.eye(4)
    lps[:3, :3] = np.array(image.GetDirection()).reshape(3, 3) @ np.diag(image.GetSpacing())
    lps[:3, 3] = image.GetOrigin()
    record(name, array, np.diag([-1, -1, 1, 1]) @ lps, **more)


def sitk_image(dtype, aff):
    """Orthonormal directions only: SimpleITK refuses others."""
    lps = np.diag([-1, -1, 1, 1]) @ aff
    image = sitk.GetImageFromArray(np.ascontiguousarray(pattern().astype(dtype).T))
    spacing = np.linalg.norm(lps[:3, :3], axis=0)
    image.SetSpacing(spacing.tolist())
    image.SetDirection((lps[:3, :3] / spacing).ravel().tolist())
    image.SetOrigin(lps[:3, 3].tolist())
    return image


def write_itk():
    for name, dtype, aff, compress in (('itk/oblique.nrrd', 'f4', OBLIQUE, True), ('itk/raw.nrrd', 'i2', AFFINES['permuted'], False),
                                       ('itk/detached.nhdr', 'u2', AFFINES['las'], False), ('itk/oblique.mha', 'i2', OBLIQUE, True),
                                       ('itk/raw.mha', 'u1', AFFINES['flipped'], False), ('itk/detached_meta.mhd', 'f8', AFFINES['permuted'], False)):
        sitk.WriteImage(sitk_image(dtype, aff), path(name), compress)
        record_sitk(name)
    image = sitk_image('i2', AFFINES['ras'])
    image.SetDirection(np.eye(3).ravel().tolist())
    sitk.WriteImage(image, path('itk/volume.gipl'), False)
    record_sitk('itk/volume.gipl')
    # In RAS, as text, sheared.
    sheared = AFFINES['sheared']
    nrrd.write(path('itk/sheared_text.nrrd'), pattern().astype('i2'),
               {'space': 'right-anterior-superior', 'space directions': sheared[:3, :3].T, 'space origin': sheared[:3, 3], 'encoding': 'ASCII'})
    data, header = nrrd.read(path('itk/sheared_text.nrrd'))
    record('itk/sheared_text.nrrd', data, affine(header['space directions'].T, header['space origin']))
    # Several numbers a voxel (diffusion gradients): the first axis is a list.
    data = pattern((4, 5, 4, 3)).astype('i2')
    nrrd.write(path('itk/gradients.nrrd'), data,
               {'space': 'left-posterior-superior', 'space directions': np.vstack([np.full(3, np.nan), np.diag([2, 2, 3])]),
                'space origin': [1, 2, 3], 'kinds': ['list', 'domain', 'domain', 'domain'], 'encoding': 'gzip'})
    record('itk/gradients.nrrd', np.moveaxis(data, 0, 3), np.diag([-1, -1, 1, 1]) @ affine(np.diag([2, 2, 3]), [1, 2, 3]), note='time points')


def dicom_slice(name, pixels, aff, k, instance, series, description, number=1, slope=1.0, intercept=0.0, rle=False):
    lps = np.diag([-1, -1, 1, 1]) @ aff
    spacing = np.linalg.norm(lps[:3, :3], axis=0)
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = MRImageStorage
    meta.MediaStorageSOPInstanceUID = f'1.2.826.0.1.3680043.8.498.{series}.{instance}'
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    ds = FileDataset(name, {}, file_meta=meta, preamble=b'\0' * 128)
    ds.SOPClassUID, ds.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    ds.Modality, ds.SeriesDescription, ds.PatientName = 'MR', description, 'Nobody'
    ds.StudyInstanceUID, ds.SeriesInstanceUID = '1.2.826.0.1.3680043.8.498.1', f'1.2.826.0.1.3680043.8.498.{series}'
    ds.SeriesNumber, ds.InstanceNumber = number, instance
    ds.Rows, ds.Columns = pixels.shape[1], pixels.shape[0]
    ds.SamplesPerPixel, ds.PhotometricInterpretation = 1, 'MONOCHROME2'
    ds.BitsAllocated, ds.BitsStored, ds.HighBit, ds.PixelRepresentation = 16, 12, 11, 1
    ds.PixelSpacing = [f'{spacing[1]:.10g}', f'{spacing[0]:.10g}']
    ds.SliceThickness = f'{spacing[2]:.10g}'
    ds.ImageOrientationPatient = [f'{v:.10g}' for v in np.concatenate([lps[:3, 0] / spacing[0], lps[:3, 1] / spacing[1]])]
    ds.ImagePositionPatient = [f'{v:.10g}' for v in (lps @ [0, 0, k, 1])[:3]]
    ds.RescaleSlope, ds.RescaleIntercept = slope, intercept
    ds.PixelData = np.ascontiguousarray((pixels.T & 0xfff).astype('<u2')).tobytes()
    if rle:
        ds.compress(RLELossless)
    ds.save_as(path(name), enforce_file_format=True)


def write_dicom():
    data = pattern((6, 5, 4), low=-200, high=900)
    right_handed = OBLIQUE
    order = [2, 0, 3, 1]  # names and instance numbers do not follow the position
    for n, k in enumerate(order):
        dicom_slice(f'dicom/series/{n}.dcm', data[:, :, k], right_handed, k, instance=10 - n, series=7, description='t1 oblique',
                    slope=0.5, intercept=3.0, rle=k == 3)
    record('dicom/series', data * 0.5 + 3, right_handed)
    single = right_handed.copy()
    single[:3, 3] = (right_handed @ [0, 0, 2, 1])[:3]
    record('dicom/series/0.dcm', data[:, :, 2:3] * 0.5 + 3, single)

    tilted = affine([[1, 0, 0.2], [0, 1, 0.4], [0, 0, 2]], [5, 6, 7])  # a tilted gantry: sheared
    for k in range(3):
        dicom_slice(f'dicom/two_series/a{k}', data[:, :, k], tilted, k, instance=k + 1, series=8, description='tilted', number=2)
    for k in range(2):
        dicom_slice(f'dicom/two_series/b{k}', data[:, :, k], AFFINES['ras'], k, instance=k + 1, series=9, description='short', number=3)
    record('dicom/two_series', data[:, :, :3], tilted, note='2 series')

    times = pattern((6, 5, 2, 3), low=0, high=900)
    for t in range(3):
        for k in range(2):
            dicom_slice(f'dicom/times/{t}{k}.dcm', times[:, :, k, t], AFFINES['ras'], k, instance=1 + t * 2 + k, series=10, description='bold')
    record('dicom/times', times, AFFINES['ras'])


def write_enhanced_dicom():
    """Many frames in one file, positions in the functional groups."""
    data = pattern((6, 5, 4), low=0, high=900)
    name = 'dicom/enhanced.dcm'
    dicom_slice(name, data[:, :, 0], OBLIQUE, 0, instance=1, series=11, description='enhanced')
    ds = pydicom.dcmread(path(name))
    spacing, orientation = ds.PixelSpacing, ds.ImageOrientationPatient
    thickness = ds.SliceThickness
    for keyword in ('PixelSpacing', 'ImageOrientationPatient', 'ImagePositionPatient', 'SliceThickness', 'RescaleSlope', 'RescaleIntercept'):
        delattr(ds, keyword)
    ds.NumberOfFrames = 4
    lps = np.diag([-1, -1, 1, 1]) @ OBLIQUE
    shared, measures, plane = Dataset(), Dataset(), Dataset()
    measures.PixelSpacing, measures.SliceThickness = spacing, thickness
    plane.ImageOrientationPatient = orientation
    shared.PixelMeasuresSequence, shared.PlaneOrientationSequence = [measures], [plane]
    ds.SharedFunctionalGroupsSequence = [shared]
    order = [3, 1, 0, 2]
    frames = []
    for k in order:
        frame, position, scale = Dataset(), Dataset(), Dataset()
        position.ImagePositionPatient = [f'{v:.10g}' for v in (lps @ [0, 0, k, 1])[:3]]
        scale.RescaleIntercept, scale.RescaleSlope = 0, 2
        frame.PlanePositionSequence, frame.PixelValueTransformationSequence = [position], [scale]
        frames.append(frame)
    ds.PerFrameFunctionalGroupsSequence = frames
    ds.PixelData = b''.join(np.ascontiguousarray(data[:, :, k].T.astype('<u2')).tobytes() for k in order)
    ds.save_as(path(name), enforce_file_format=True)
    record(name, data * 2, OBLIQUE)


def write_compressed_dicom():
    """JPEG 2000, lossless; SimpleITK writes it."""
    name = 'dicom/jpeg2000.dcm'
    image = sitk.GetImageFromArray(np.ascontiguousarray(pattern((32, 24, 1), low=0, high=4000).astype('u2').T))
    image.SetSpacing([0.8, 1.1, 2])
    image.SetMetaData('0008|0016', MRImageStorage)
    image.SetMetaData('0008|0060', 'MR')
    image.SetMetaData('0018|0050', '2')
    image.SetMetaData('0020|0032', '-10\\20\\30')
    writer = sitk.ImageFileWriter()
    writer.SetImageIO('GDCMImageIO')
    writer.SetFileName(path(name))
    writer.UseCompressionOn()
    writer.SetCompressor('JPEG2000')
    writer.Execute(image)
    tags = pydicom.dcmread(path(name))
    print(tags.file_meta.TransferSyntaxUID.name, tags.ImagePositionPatient, tags.PixelSpacing)
    written = sitk.ReadImage(path(name))
    lps = affine(np.diag([0.8, 1.1, 2]), written.GetOrigin())
    record(name, sitk.GetArrayFromImage(written).T, np.diag([-1, -1, 1, 1]) @ lps)


for write in (write_nifti, write_analyze, write_mgh, write_itk, write_dicom, write_enhanced_dicom, write_compressed_dicom):
    write()
with open(path('expected.json'), 'w') as out:
    json.dump(EXPECTED, out, separators=(",", ":"))
    out.write('\n')
print(len(EXPECTED), 'volumes')
