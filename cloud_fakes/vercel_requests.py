"""What requests to the fake of Vercel have to look like."""

import re
from pathlib import PurePosixPath
from typing import Any

from cloud_fakes.loopback import Asked
from cloud_fakes.vercel_state import Refused

DEPLOYMENT_FIELDS = {
    *("name", "project", "files", "target", "projectSettings", "meta", "deploymentId", "gitMetadata", "gitSource"),
    *("customEnvironmentSlugOrId", "monorepoManager", "withLatestCommit"),
}
PROJECT_FIELDS = {
    *("name", "framework", "environmentVariables", "ssoProtection", "buildCommand", "installCommand", "devCommand"),
    *("outputDirectory", "rootDirectory", "serverlessFunctionRegion", "commandForIgnoringBuildStep"),
}
SETTINGS = {
    *("framework", "buildCommand", "installCommand", "devCommand", "outputDirectory", "rootDirectory", "nodeVersion"),
    *("serverlessFunctionRegion", "commandForIgnoringBuildStep", "sourceFilesOutsideRootDirectory"),
}
FRAMEWORKS = {None, "flask", "fastapi", "django", "python", "nextjs", "vite", "services", "container"}
VARIABLE_TYPES = {"plain", "encrypted", "sensitive", "system"}
VARIABLE_TARGETS = {"production", "preview", "development"}


def checked_body(asked: Asked, fields: set[str]) -> dict[str, Any]:
    body = asked.json
    if asked.headers.get("content-type") != "application/json" or not isinstance(body, dict):
        raise Refused(400, "bad_request", "Invalid JSON")
    if unknown := set(body) - fields:
        raise Refused(400, "bad_request", f"Invalid request: should NOT have additional property {sorted(unknown)}")
    return body


def listed_files(files: Any) -> dict[str, tuple[str, int]]:
    if not isinstance(files, list) or not files:
        raise Refused(400, "bad_request", "`files` is required")
    listed: dict[str, tuple[str, int]] = {}
    for file in files:
        if not isinstance(file, dict) or not {"file", "sha", "size"} <= set(file) <= {"file", "sha", "size", "mode"}:
            raise Refused(400, "bad_request", "Each file has `file`, `sha` and `size`")
        path, sha, size = file["file"], file["sha"], file["size"]
        steps = path.split("/")
        if "" in steps or "." in steps or ".." in steps or "\\" in path:
            raise Refused(400, "bad_request", f"Not a path: {path}")
        if not re.fullmatch(r"[0-9a-f]{40}", sha) or not isinstance(size, int):
            raise Refused(400, "bad_request", f"Not a digest or size: {path}")
        if path in listed:
            raise Refused(400, "conflicting_file_path", f"Twice: {path}")
        listed[path] = (sha, size)
    folders = {str(folder) for path in listed for folder in PurePosixPath(path).parents}
    if folders & listed.keys():
        raise Refused(400, "conflicting_file_path", "A path is a file and a folder")
    return listed


def checked_settings(settings: Any) -> dict[str, Any] | None:
    if settings is None:
        return None
    if not isinstance(settings, dict) or set(settings) - SETTINGS:
        raise Refused(400, "bad_request", "Unknown project settings")
    if settings.get("framework") not in FRAMEWORKS:
        raise Refused(400, "bad_request", f"No such framework: {settings['framework']}")
    return settings


def check_variable(variable: Any) -> None:
    if not isinstance(variable, dict) or not {"key", "value", "type", "target"} <= set(variable):
        raise Refused(400, "bad_request", "A variable has `key`, `value`, `type` and `target`")
    if variable["type"] not in VARIABLE_TYPES or not set(variable["target"]) <= VARIABLE_TARGETS:
        raise Refused(400, "env_value_invalid_type", "No such type or target")
    if not re.fullmatch(r"[A-Za-z_]\w*", variable["key"]) or not isinstance(variable["value"], str):
        raise Refused(400, "env_value_invalid_type", "Not a name or not a text")


def page_size(query: dict[str, str]) -> int:
    limit = query.get("limit", "20")
    if not limit.isdigit() or not 1 <= int(limit) <= 100:
        raise Refused(400, "bad_request", "`limit` is from 1 to 100")
    return int(limit)
