import hashlib

import numpy as np
import pytest

from brittle import assets
from brittle.conditions import condition
from brittle.errors import AssetError, SpecError

IMAGE = np.random.default_rng(0).integers(0, 256, (40, 30, 3), dtype=np.uint8)


def test_names_are_canonical_and_complete():
    assert str(condition("fog", severity=3)) == "fog(severity=3)"
    assert str(condition(" fog( severity = 3 ) + contrast(factor=0.50)")) == (
        "fog(severity=3)+contrast(factor=0.5)"
    )
    assert str(condition("clean")) == "clean"
    assert str(condition("fog(severity=0)")) == "clean"
    assert str(condition("fog(severity=0)+contrast(severity=2)")) == "contrast(severity=2)"


def test_severity_zero_is_a_copy_of_the_clean_image():
    out = condition("fog", severity=0).apply(IMAGE, seed=0, key="a")
    assert np.array_equal(out, IMAGE)
    assert not np.shares_memory(out, IMAGE)


def test_a_chain_applies_from_left_to_right():
    one = condition("contrast(factor=0.5)").apply(IMAGE, seed=0, key="a")
    both = condition("contrast(factor=0.5)+brightness(lift=0.2)").apply(IMAGE, seed=0, key="a")
    assert np.array_equal(condition("brightness(lift=0.2)").apply(one, seed=0, key="a"), both)


def test_twice_the_same_part_draws_twice():
    flat = np.full((60, 60, 1), 128, np.uint8)
    once = condition("impulse_noise(amount=0.5)").apply(flat, seed=0, key="a")
    twice = condition("impulse_noise(amount=0.5)+impulse_noise(amount=0.5)")
    kept = (twice.apply(flat, seed=0, key="a") == 128).mean()
    assert (once == 128).mean() == pytest.approx(0.5, abs=0.04)
    assert kept == pytest.approx(0.25, abs=0.04)


def test_the_edition_chooses_the_table():
    large = condition("contrast", severity=1, edition="imagenet-224").links[0].row
    small = condition("contrast", severity=1, edition="cifar-32").links[0].row
    assert (large.factor, small.factor) == (0.4, 0.75)
    with pytest.raises(SpecError, match=r"no edition 'cifar'. Did you mean cifar-32"):
        condition("contrast", severity=1, edition="cifar")


def test_a_part_without_severity_or_parameters_is_refused():
    with pytest.raises(SpecError, match=r"fog: give severity=1..5, or all of its parameters"):
        condition("fog")


def test_parameters_may_change_a_severity():
    assert condition("fog(severity=3, decay=4)").links[0].row == (2.5, 4.0)


def test_frost_without_photographs_says_what_it_used(monkeypatch, tmp_path):
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path))
    assets.use(None)
    with pytest.warns(UserWarning, match="procedural ice is used"):
        made = condition("frost(severity=3)")
    assert str(made) == "frost(severity=3, texture=procedural)"
    assert made.links[0].row.texture == "procedural"
    (tmp_path / "frost1.png").touch()
    with pytest.raises(AssetError, match=r"lacks frost2.png, .*; frost needs all five"):
        condition("frost(severity=3)")
    made = [asset._replace(sha256=hashlib.sha256(b"").hexdigest()) for asset in assets.FROST]
    monkeypatch.setattr(assets, "FROST", tuple(made))
    for asset in assets.FROST:
        (tmp_path / asset.name).touch()
    assert str(condition("frost(severity=3)")) == "frost(severity=3)"
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path / "nowhere"))
    with pytest.raises(AssetError, match="which is no folder"):
        condition("frost(severity=3)")


def test_versions_name_every_part():
    assert condition("fog(severity=3)+contrast(severity=1)").versions == {"fog": 1, "contrast": 1}


def test_a_severity_is_for_links_that_need_one():
    made = condition("gaussian_noise(std=0.2)+fog+contrast(severity=1)", severity=3)
    assert str(made) == "gaussian_noise(std=0.2)+fog(severity=3)+contrast(severity=1)"
    assert str(condition("fog(decay=4)", severity=3)) == "fog(severity=3, decay=4)"
    assert str(condition("gaussian_noise(std=0.2)", severity=0)) == "gaussian_noise(std=0.2)"
    with pytest.raises(SpecError, match="no parameter 'typo'"):
        condition("fog(severity=0, typo=1)")


def test_a_whole_severity_is_one_however_it_is_written():
    made = condition("contrast(severity=3.0)").links[0].spec.params
    assert made == {"severity": 3}
    assert type(made["severity"]) is int
