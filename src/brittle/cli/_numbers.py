"""Arguments that the commands about scores share."""

import argparse


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """Declare what scores are divided by and how intervals are made."""
    parser.add_argument(
        "--baseline", metavar="NAME|RUN", help="alexnet, unit (100 %%), or another run's folder"
    )
    parser.add_argument(
        "--replicates", type=int, default=1000, metavar="N", help="default: 1000; 0: no intervals"
    )
    parser.add_argument("--level", type=float, default=0.95, metavar="P", help="default: 0.95")


def add_difficulty(parser: argparse.ArgumentParser) -> None:
    """Declare the difficulty of sequences."""
    parser.add_argument(
        "--difficulty",
        type=int,
        default=1,
        metavar="K",
        help="of sequences: compare frames K apart, and noises of strength K (default: 1)",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare the format."""
    parser.add_argument("--format", default="text", choices=("text", "md", "latex", "csv", "json"))
