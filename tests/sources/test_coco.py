import json
from pathlib import Path
from typing import Any

import pytest

import brittle
from brittle import labels
from brittle.errors import BuildError, LabelError, SourceError
from brittle.labels import many
from brittle.sources import Item, open_source, scan
from tests.sources.examples import coco, encoded, write


def rewritten(root: Path, **changes: Any) -> Path:
    coco(root)
    file = root / "annotations" / "instances_val2017.json"
    write(file, json.dumps({**json.loads(file.read_bytes()), **changes}))
    return root


def test_labels_name_the_categories_of_the_objects(tmp_path: Path) -> None:
    source = open_source(coco(tmp_path))
    assert source.items == (
        Item("0004", "person", "0004.jpg"),
        Item("0009", "hot dog|person", "0009.jpg"),
        Item("0025", "", "0025.jpg"),
    )
    assert source.classes == ("person", "hot dog")
    assert source.root == tmp_path / "val2017"


def test_the_file_and_its_folders_are_the_same(tmp_path: Path) -> None:
    coco(tmp_path)
    whole = open_source(tmp_path)
    for place in ("annotations", "annotations/instances_val2017.json"):
        assert scan(open_source(tmp_path / place)) == scan(whole)


def test_images_are_found_in_their_usual_places(tmp_path: Path) -> None:
    coco(tmp_path)
    images = tmp_path / "val2017"
    for place in ("images", "images/val2017", "annotations/images", "annotations", "elsewhere"):
        target = tmp_path / place
        target.mkdir(parents=True, exist_ok=True)
        moved = [file.rename(target / file.name) for file in sorted(images.glob("*.jpg"))]
        assert len(moved) == 3
        images = target
        if place != "elsewhere":
            assert open_source(tmp_path).root == target
    with pytest.raises(SourceError, match=r"no 0009.jpg, the first image .* 'coco\(images=DIR\)'"):
        open_source(tmp_path)
    assert len(open_source(tmp_path, kind=f"coco(images={images})").items) == 3


def test_several_files_must_be_told_apart(tmp_path: Path) -> None:
    coco(tmp_path)
    write(tmp_path / "annotations" / "instances_train2017.json", "{}")
    with pytest.raises(
        SourceError, match=r"instances_train2017.json, instances_val2017.json; give"
    ):
        open_source(tmp_path)


def test_crowds_count_and_other_images_are_ignored(tmp_path: Path) -> None:
    crowd = [{"image_id": 25, "category_id": 1, "iscrowd": 1}]
    rewritten(tmp_path, annotations=crowd)
    write(tmp_path / "val2017" / "stray.jpg", encoded(9, "JPEG"))
    source = open_source(tmp_path)
    assert [item.label for item in source.items] == ["", "", "person"]
    assert source.ignored == 1


IMAGE = {"id": 9, "file_name": "0009.jpg"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"images": []}, "There are no images in"),
        ({"images": {}}, "has not the lists images, annotations, categories"),
        ({"images": [IMAGE, IMAGE]}, "file_name '0009.jpg' under the id 9; each needs"),
        ({"images": [{"id": 9}]}, "has the file_name None under the id 9"),
        ({"images": [{"id": "9", "file_name": "a.jpg"}]}, "has the id '9'; it must be a whole"),
        ({"images": ["0009.jpg"]}, "has the id None"),
        ({"images": [IMAGE, {"id": 4, "file_name": "no.jpg"}], "annotations": []}, "no.jpg is in"),
        (
            {"images": [IMAGE, {"id": 4, "file_name": "../up.jpg"}], "annotations": []},
            "up.jpg is i",
        ),
        ({"images": [{"id": 9, "file_name": "../up.jpg"}], "annotations": []}, r"no \.\./up.jpg"),
        (
            {"images": [{"id": 9, "file_name": "/etc/hosts"}], "annotations": []},
            "no /etc/hosts, the first",
        ),
        ({"annotations": [{"image_id": 1, "category_id": 1}]}, "object of image 1 and category 1"),
        ({"annotations": [{"image_id": 9, "category_id": 2}]}, "object of image 9 and category 2"),
        ({"annotations": [{"image_id": 9}]}, "category_id None"),
        ({"categories": [{"id": 1, "name": "a"}, {"id": 18, "name": "a"}]}, "two categories named"),
    ],
)
def test_a_file_of_another_form_is_refused(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    place = rewritten(tmp_path / "in", **changes)
    write(tmp_path / "up.jpg", encoded(1, "JPEG"))
    with pytest.raises(SourceError, match=said):
        open_source(place)


def test_a_category_with_the_separator_is_refused(tmp_path: Path) -> None:
    rewritten(tmp_path, categories=[{"id": 1, "name": "a|b"}, {"id": 18, "name": "c"}])
    with pytest.raises(LabelError, match=r"'a\|b' cannot be one of several class names"):
        open_source(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[1]", '"x"'])
def test_what_is_no_json_object_is_refused(tmp_path: Path, text: str) -> None:
    coco(tmp_path)
    write(tmp_path / "annotations" / "instances_val2017.json", text)
    with pytest.raises(SourceError, match=r"is not JSON|has not the lists"):
        open_source(tmp_path)


@pytest.mark.parametrize("layout", ["folder", "npy", "shards"])
def test_a_set_of_one_class_an_image_is_not_built_of_it(tmp_path: Path, layout: str) -> None:
    place = coco(tmp_path / "in")
    with pytest.raises(BuildError, match=r"0009 has the label 'hot dog\|person' of 2 classes, and"):
        brittle.build(place, tmp_path / "out", suite=None, clean=True, layout=layout)
    assert not (tmp_path / "out").exists()
    bare = place / "val2017"
    assert brittle.build(bare, tmp_path / "out", suite=None, clean=True).images == 3


@pytest.mark.data
def test_the_real_sample(shared: Path) -> None:
    place = shared / "images" / "coco128"
    source = open_source(place)
    assert source.kind == "coco"
    assert len(source.items) == 128
    assert source.classes == labels.known("coco")
    truth = many.matrix([item.label for item in source.items], source.classes)
    assert truth.any(axis=0).sum() == 71
    # Counted from the file itself, as pairs of image and category.
    data = json.loads((place / "instances_val2017.json").read_bytes())
    pairs = {(one["image_id"], one["category_id"]) for one in data["annotations"]}
    assert truth.sum() == len(pairs) == 362
    names = {one["id"]: one["name"] for one in data["categories"]}
    files = {one["id"]: one["file_name"] for one in data["images"]}
    row = {item.name: number for number, item in enumerate(source.items)}
    for image, category in pairs:
        assert truth[row[files[image]], source.classes.index(names[category])]
    assert scan(source, workers=2).broken == ()
