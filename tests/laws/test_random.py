"""The counter-based generator: uniform, normal, counted."""

import numpy as np
from scipy import stats

from brittle._random import normals, uniforms

KEY = np.uint64(0x5EED)


def test_uniforms_are_uniform():
    out = np.empty(200_000)
    uniforms(KEY, 0, -2.0, 3.0, out)
    assert out.min() >= -2
    assert out.max() < 3
    assert stats.kstest((out + 2) / 5, "uniform").pvalue > 1e-3


def test_uniforms_count_from_where_they_are_told():
    whole, tail = np.empty(100), np.empty(40)
    uniforms(KEY, 0, 0.0, 1.0, whole)
    uniforms(KEY, 60, 0.0, 1.0, tail)
    assert np.array_equal(whole[60:], tail)


def test_normals_are_normal_to_the_far_tail():
    out = np.empty(2_000_000)
    normals(KEY, 0.0, 1.0, out)
    assert stats.kstest(out, "norm").pvalue > 1e-3
    for edge in (3.0, 3.6541528853610088, 4.0, 4.5):
        expected = 2 * stats.norm.sf(edge) * out.size
        seen = np.count_nonzero(np.abs(out) > edge)
        assert abs(seen - expected) < 4.5 * np.sqrt(expected), edge
    assert abs(np.mean(out**3)) < 0.02
    assert abs(np.mean(out**4) - 3) < 0.03


def test_normals_scale_and_do_not_depend_on_the_length():
    short, long = np.empty(1000), np.empty(5000)
    normals(KEY, 2.0, 0.5, short)
    normals(KEY, 0.0, 1.0, long)
    assert np.allclose(short, 2 + 0.5 * long[:1000], rtol=0, atol=1e-12)


def test_streams_of_other_keys_are_unrelated():
    one, other = np.empty(100_000), np.empty(100_000)
    normals(np.uint64(1), 0.0, 1.0, one)
    normals(np.uint64(2), 0.0, 1.0, other)
    assert abs(np.corrcoef(one, other)[0, 1]) < 4.5 / np.sqrt(one.size)
