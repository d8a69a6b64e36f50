"""Read a page as a browser would, with an independent parser that refuses what is malformed."""

import html5lib

SPACE = "{http://www.w3.org/1999/xhtml}"


def parse(text):
    """The tree of a document; any error of the HTML standard is an exception."""
    parser = html5lib.HTMLParser(strict=True)
    return parser.parse(text)


def fragment(text):
    parser = html5lib.HTMLParser(strict=True)
    return parser.parseFragment(text)


def nodes(tree, name):
    return [node for node in tree.iter() if node.tag in (name, SPACE + name)]


def words(node):
    return "".join(node.itertext())


def table(node):
    """The texts of a table's rows, head included."""
    return [
        [words(cell) for cell in row if cell.tag in (SPACE + "td", SPACE + "th")]
        for row in nodes(node, "tr")
    ]
