"""A file is written completely or stays unchanged, and links, permissions and special files are respected."""

import os
import stat
import subprocess
import sys
import threading

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.base import files
from crashlab.cli import lab
from crashlab.cli import main as cli
from crashlab.play.match import Match

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights and links")


@pytest.fixture
def umask():
    """Yield os.umask, and restore the permissions that new files do not get."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_of_the_user_beside_it_stays(tmp_path):
    (tmp_path / "match.json.part").write_text("mine")
    files.write(tmp_path / "match.json", b"new")
    assert (tmp_path / "match.json.part").read_text() == "mine" and (tmp_path / "match.json").read_text() == "new"
    assert names(tmp_path) == ["match.json", "match.json.part"]


@posix
def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path, umask):
    files.write(tmp_path / "new", b"1")
    umask(0o077)
    files.write(tmp_path / "private", b"1")
    (tmp_path / "old").write_text("0")
    (tmp_path / "old").chmod(0o640)
    files.write(tmp_path / "old", b"1")
    assert [rights(tmp_path / name) for name in ("new", "private", "old")] == [0o644, 0o600, 0o640]
    assert (tmp_path / "old").read_text() == "1"


@posix
@pytest.mark.parametrize("pointed_at", ["there", "missing"])
def test_a_link_stays_and_what_it_points_at_is_written(tmp_path, pointed_at):
    (tmp_path / "there").write_text("a longer text")
    (tmp_path / "far").mkdir()
    link = tmp_path / "far" / "link"
    link.symlink_to(f"../{pointed_at}")
    files.write(link, b"new")
    assert link.is_symlink() and (tmp_path / pointed_at).read_text() == "new"
    assert names(tmp_path / "far") == ["link"]


@posix
def test_a_link_that_leads_nowhere_is_refused_and_stays(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(CrashlabError, match="a: cannot be written: Too many levels"):
        files.write(tmp_path / "a", b"new")
    assert names(tmp_path) == ["a", "b"] and (tmp_path / "a").is_symlink()


@posix
def test_a_read_only_file_is_refused_to_root_too(tmp_path):
    (tmp_path / "fixed").write_text("old")
    (tmp_path / "fixed").chmod(0o444)
    with pytest.raises(CrashlabError, match="fixed: cannot be written: it is read-only"):
        files.write(tmp_path / "fixed", b"new")
    assert (tmp_path / "fixed").read_text() == "old" and names(tmp_path) == ["fixed"]


def test_what_is_written_later_is_refused_at_once_where_that_cannot_be(tmp_path):
    """The refusal comes before hours of work whose result could not be written, and the file is not created."""
    assert files.path_to_write(tmp_path / "new.json") == tmp_path / "new.json"
    for path, words in ((tmp_path / "no" / "new.json", "there is no folder"), (tmp_path, "it is a folder")):
        with pytest.raises(CrashlabError, match=f"cannot be written: {words}"):
            files.path_to_write(path)
    assert not names(tmp_path)


@posix
def test_a_read_only_file_is_refused_at_once(tmp_path):
    (tmp_path / "fixed").write_text("old")
    (tmp_path / "fixed").chmod(0o444)
    with pytest.raises(CrashlabError, match="fixed: cannot be written: it is read-only"):
        files.path_to_write(tmp_path / "fixed")
    assert files.path_to_write("/dev/stdout")


@posix
def test_a_device_and_a_pipe_are_written_to_and_stay(tmp_path):
    files.write("/dev/null", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    files.write(tmp_path / "pipe", b"new")
    reader.join()
    assert read == [b"new"] and names(tmp_path) == ["pipe"] and stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_what_is_printed_stays_where_the_output_is_a_file(tmp_path, name):
    """The name of the output is a link to the file; a new file in its place would not be the output."""
    code = f"from crashlab.base import files; print('before', flush=True); files.write({name!r}, b'written\\n')"
    for mode in ("wb", "ab"):
        with (tmp_path / "out").open(mode) as out:
            subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "before\nwritten\n" * 2
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout == b"before\nwritten\n"


@posix
def test_a_file_of_somebody_else_keeps_its_owner(tmp_path, monkeypatch):
    """A new file in its place would be ours."""
    shared = tmp_path / "shared"
    shared.write_text("a longer text")
    before = shared.stat().st_ino
    monkeypatch.setattr(files.os, "geteuid", lambda: 4242)
    files.write(shared, b"new")
    assert shared.stat().st_ino == before and shared.read_text() == "new"


@posix
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path):
    import resource

    (tmp_path / "file").write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(CrashlabError, match="file: cannot be written: File too large"):
            files.write(tmp_path / "file", b"new" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (tmp_path / "file").read_text() == "old" and names(tmp_path) == ["file"]


@pytest.mark.parametrize("error", [OSError(5, "no luck"), KeyboardInterrupt()], ids=type)
def test_whatever_goes_wrong_nothing_is_left(tmp_path, monkeypatch, error):
    (tmp_path / "file").write_text("old")

    def fails(*_):
        raise error

    monkeypatch.setattr(files.os, "replace", fails)
    with pytest.raises((CrashlabError, KeyboardInterrupt)):
        files.write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_text() == "old" and names(tmp_path) == ["file"]


def test_many_threads_save_at_once_and_the_file_is_whole(tmp_path):
    match = Match(crashlab.game("autoscooter"), crashlab.agents.random(1), 3)
    match.run(2)
    path, failed = tmp_path / "match.json", []

    def save():
        try:
            for _ in range(10):
                match.save(path)
                assert Match.load(path).state == match.state
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=save) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [] and names(tmp_path) == ["match.json"]


@pytest.mark.parametrize("path", [None, 7, b"match.json", "", "a\0b", "\ud800", [], 10**5000], ids=range(8))
def test_what_is_no_path_is_refused(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for use in (Match(crashlab.game("autoscooter")).save, Match.load, lambda path: files.write(path, b"")):
        with pytest.raises(CrashlabError, match="give a path"):
            use(path)
    assert names(tmp_path) == []


def test_a_path_of_a_million_letters_is_refused_in_few_words(tmp_path):
    for use in (Match(crashlab.game("autoscooter")).save, Match.load):
        with pytest.raises(CrashlabError, match="xxx") as error:
            use("x" * 1_000_000)
        assert len(str(error.value)) < 500


# Other files that are written: notebooks


def test_an_empty_path_is_refused_before_anything_is_done(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--copy-only", "--dir", ""]) == 2
    assert capsys.readouterr().err == "crashlab: '': give a path, such as 'match.json'\n" and names(tmp_path) == []


@posix
def test_a_copy_that_is_linked_or_read_only_is_respected(tmp_path, capsys):
    source, target = tmp_path / "delivered", tmp_path / "copies"
    source.mkdir()
    for name in ("a.ipynb", "b.ipynb"):
        (source / name).write_text("first")
    lab.copy_notebooks(source, target)
    (target / "a.ipynb").rename(tmp_path / "elsewhere.ipynb")
    (target / "a.ipynb").symlink_to("../elsewhere.ipynb")
    (target / "b.ipynb").chmod(0o444)
    for name in ("a.ipynb", "b.ipynb"):
        (source / name).write_text("second")
    with pytest.raises(CrashlabError, match=r"b\.ipynb: cannot be written: it is read-only"):
        lab.copy_notebooks(source, target)
    assert (target / "a.ipynb").is_symlink() and (tmp_path / "elsewhere.ipynb").read_text() == "second"
    assert (target / "b.ipynb").read_text() == "first"
    (target / "b.ipynb").chmod(0o644)
    assert lab.copy_notebooks(source, target) == [] and (target / "b.ipynb").read_text() == "second"


def test_a_copy_that_is_interrupted_is_no_half_notebook(tmp_path, monkeypatch):
    source, target = tmp_path / "delivered", tmp_path / "copies"
    source.mkdir()
    (source / "a.ipynb").write_text("first")
    lab.copy_notebooks(source, target)
    (source / "a.ipynb").write_text("second")
    with monkeypatch.context() as broken:
        broken.setattr(files.os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            lab.copy_notebooks(source, target)
    assert lab.copy_notebooks(source, target) == [] and (target / "a.ipynb").read_text() == "second"
    assert names(target) == [lab.MANIFEST, "a.ipynb"]


def test_a_manifest_that_is_nested_too_deep_is_none(tmp_path):
    source, target = tmp_path / "delivered", tmp_path / "copies"
    source.mkdir()
    (source / "a.ipynb").write_text("first")
    lab.copy_notebooks(source, target)
    (target / lab.MANIFEST).write_text("[" * 100_000)
    (source / "a.ipynb").write_text("second")
    assert lab.copy_notebooks(source, target) == ["a.ipynb"]
