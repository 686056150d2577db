"""The files of a project at one moment, so that everything in a proof is about the same ones."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from contracts.app_spec import AppSpec
from contracts.files import Kind
from sandboxes.base import File, FilesIn, Tree

NOT_OURS = ("node_modules/", ".venv/", "__pycache__/")


def snapshot(files: FilesIn) -> dict[str, File]:
    """Regular files by path; links and what package managers put there are left out."""
    if isinstance(files, Tree):
        return _of_tree(files)
    if isinstance(files, Mapping):
        return {path: file if isinstance(file, File) else File(file) for path, file in sorted(files.items())}
    return {
        path: File(files.read(path), node.mode)
        for path, node in files.children(recursive=True)
        if node.kind is Kind.FILE and not _left_out(path)
    }


def _left_out(path: str) -> bool:
    return any(f"/{path}".find(f"/{name}") >= 0 for name in NOT_OURS)


def _of_tree(tree: Tree) -> dict[str, File]:
    found = {}
    for folder, folders, names in os.walk(tree.root):
        folders[:] = sorted(name for name in folders if name not in tree.exclude and not _left_out(f"{name}/"))
        for name in sorted(names):
            path = Path(folder) / name
            if name not in tree.exclude and path.is_file() and not path.is_symlink():
                found[str(path.relative_to(tree.root))] = File(path.read_bytes(), path.stat().st_mode & 0o777)
    return found


def digest_of(spec: AppSpec, files: Mapping[str, File]) -> str:
    """One name for a spec and files; it changes with any byte of either."""
    whole = hashlib.sha256(spec.model_dump_json().encode())
    for path, file in sorted(files.items()):
        for piece in (path.encode("utf-8", "surrogateescape"), file.data):
            whole.update(len(piece).to_bytes(8) + piece)
    return whole.hexdigest()
