"""Drive a headless Chromium over a pipe, with nothing but the standard library."""

import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 60


def find():
    """The path of a Chromium; None if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A tab, and what it has asked for and complained of so far."""

    def __init__(self, read, write):
        self._read, self._write, self._rest = read, write, b""
        self._number, self.session = 0, None
        self.events = []

    def call(self, method, **params):
        self._number += 1
        said = {"id": self._number, "method": method, "params": params}
        if self.session:
            said["sessionId"] = self.session
        os.write(self._write, json.dumps(said).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            got = self._next()
            if got.get("id") == self._number:
                assert "error" not in got, got
                return got["result"]
            self.events.append(got)
        raise TimeoutError(method)

    def _next(self):
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], SECONDS)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self._read, 1 << 20)
            if not more:
                raise EOFError("the browser went away")
            self._rest += more
        said, _, self._rest = self._rest.partition(b"\0")
        return json.loads(said)

    def open(self, url):
        self.call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def run(self, code):
        """The value of an expression on the page."""
        got = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")

    def requests(self):
        """Every address that was asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self):
        """What stands in the console, and what was thrown."""
        wanted = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
        return [event["params"] for event in self.events if event["method"] in wanted]


@contextlib.contextmanager
def page(*, width=1200, height=900):
    """Yield a tab of that size in a browser of its own."""
    pipes = [os.pipe(), os.pipe()]
    # Above the numbers that the browser expects them under, so that none is overwritten.
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (pipes[0][0], pipes[1][1])]
    os.close(pipes[0][0])
    os.close(pipes[1][1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            "bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash",
            find(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage",
            "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank",
        ]  # fmt: skip
        browser = subprocess.Popen(
            command, pass_fds=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for end in theirs:
            os.close(end)
        try:
            tab = Page(pipes[1][0], pipes[0][1])
            targets = tab.call("Target.getTargets")["targetInfos"]
            target = next(one["targetId"] for one in targets if one["type"] == "page")
            attached = tab.call("Target.attachToTarget", targetId=target, flatten=True)
            tab.session = attached["sessionId"]
            for domain in ("Page", "Network", "Log", "Runtime"):
                tab.call(f"{domain}.enable")
            tab.call(
                "Emulation.setDeviceMetricsOverride",
                width=width, height=height, deviceScaleFactor=1, mobile=False,
            )  # fmt: skip
            yield tab
        finally:
            browser.kill()
            browser.wait()
            os.close(pipes[1][0])
            os.close(pipes[0][1])
