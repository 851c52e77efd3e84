"""Finds a bot's class in a file, with the imports that CheckersLeague bots expect."""

import importlib
import importlib.abc
import importlib.util
import os
import sys
import types
from typing import List, Tuple

from . import console, league, sample


class _LeagueModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The modules of CheckersLeague, for bots that come without them. It is asked last, so that
    a bot's own files win."""

    def __init__(self, package: str):
        interface = {"AbstractPlayer": league.AbstractPlayer}
        simple_ai = {"SimpleAI": sample.SimpleAI, "AbstractPlayer": league.AbstractPlayer}
        at_console = {"Console": console.Console, "AbstractPlayer": league.AbstractPlayer}
        self._contents = {
            "board": {"CheckerBoard": league.CheckerBoard},
            "players": {"__path__": []},
            "interface": interface,
        }
        for parent in {"players", package}:
            self._contents[parent + ".interface"] = interface
            self._contents[parent + ".simple_ai"] = simple_ai
            self._contents[parent + ".console"] = at_console

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in self._contents:
            return None
        is_package = "__path__" in self._contents[fullname]
        return importlib.util.spec_from_loader(fullname, self, is_package=is_package)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        vars(module).update(self._contents[module.__name__])


def load(file: str, name: str) -> type:
    """The class ``name`` of a Python file."""
    path = os.path.abspath(file)
    if not os.path.isfile(path):
        raise LoadError("there is no file `%s`" % file)
    package, root, folder = _package_of(path)
    sys.meta_path.append(_LeagueModules(package))
    sys.path[:0] = [folder, root]
    stem = os.path.splitext(os.path.basename(path))[0]
    _make_package(package, folder)
    module = _import_file(package + "." + stem, path)
    if not isinstance(getattr(module, name, None), type):
        raise LoadError("`%s` has no class `%s`; %s" % (file, name, _what_there_is(module)))
    return getattr(module, name)


class LoadError(Exception):
    """Why a bot can't be loaded, in one sentence."""


def _what_there_is(module: types.ModuleType) -> str:
    own = [n for n, v in vars(module).items() if isinstance(v, type) and v.__module__ == module.__name__]
    return "it has " + ", ".join("`%s`" % n for n in own) if own else "it has no classes"


def _package_of(path: str) -> Tuple[str, str, str]:
    """The package that a file belongs to by its folders, the folder above all of them, and its
    own. The file's own folder counts as a package even without an ``__init__.py``."""
    folder = os.path.dirname(path)
    names: List[str] = [os.path.basename(folder)]
    root = os.path.dirname(folder)
    while os.path.isfile(os.path.join(root, "__init__.py")):
        names.insert(0, os.path.basename(root))
        root = os.path.dirname(root)
    package = ".".join(names)
    usable = all(name.isidentifier() for name in names) and names[0] not in sys.modules
    if usable and importlib.util.find_spec(names[0]) is None:
        return package, root, folder
    return "bot_folder", root, folder


def _make_package(package: str, folder: str) -> None:
    names = package.split(".")
    for depth in range(1, len(names) + 1):
        place = folder
        for _ in range(len(names) - depth):
            place = os.path.dirname(place)
        _import_package(".".join(names[:depth]), place)


def _import_package(name: str, folder: str) -> None:
    start = os.path.join(folder, "__init__.py")
    if os.path.isfile(start):
        spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[folder])
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    else:
        module = types.ModuleType(name)
        module.__path__ = [folder]
        sys.modules[name] = module


def _import_file(name: str, path: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise LoadError("`%s` is not a Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
