"""Compiled modules run in place of their sources only while all sources are older."""

import os

import pytest

import service


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with two sources of compiled modules, and the list of them, written later."""
    compiled = tmp_path / "build" / "compiled"
    monkeypatch.setattr(service, "_CHECKOUT", str(tmp_path))
    monkeypatch.setattr(service, "_COMPILED", str(compiled))
    compiled.mkdir(parents=True)
    for name in ("a.py", "b.py", "b.pxd"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000, 1000))
    (compiled / "sources").write_text("a.py\nb.py\nb.pxd\n")
    os.utime(compiled / "sources", (2000, 2000))
    return tmp_path


def test_the_modules_that_were_compiled_are_those_of_the_list(checkout):
    assert service._compiled_modules() == {"a", "b"}


@pytest.mark.parametrize("changed", ["a.py", "b.pxd"])
def test_none_runs_once_a_source_has_changed(changed, checkout):
    os.utime(checkout / changed, (3000, 3000))
    assert service._compiled_modules() == set()


def test_none_runs_where_a_source_is_gone_or_nothing_was_compiled(checkout):
    (checkout / "a.py").unlink()
    assert service._compiled_modules() == set()
    (checkout / "build" / "compiled" / "sources").unlink()
    assert service._compiled_modules() == set()


def test_tests_run_the_sources():
    """So that a change of a rule is tested at once, and covered."""
    from service.games import position
    from service.solvers import FORMS

    assert position.__file__.endswith(".py")
    assert set(FORMS.values()) == {"plain"}
