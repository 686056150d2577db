"""Deployments as plain functions, for scripts: no memory, no card, no way back but the host's own."""

import hashlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from contracts.deployments import Parcel, Release, ReleaseState
from contracts.errors import InvalidParams
from deploying.parcels import pack, plain_files
from providers.base import Provider


def deploy_app(provider: str, project_name: str, directory: str | Path, credential: str) -> dict[str, Any]:
    """Put a folder on the host of that name. `credential` is its token or key."""
    if provider == "vercel":
        return deploy_to_vercel(credential, project_name, directory)
    if provider == "netlify":
        from providers.netlify import Netlify  # noqa: PLC0415  only for who calls this

        return shipped(Netlify(credential), parcel_of(project_name, directory), project_name, lambda line: None)
    if provider == "render":
        return deploy_to_render(credential, project_name)
    raise InvalidParams(f"There is no host `{provider}`", hint="It is one of `vercel`, `netlify`, `render`")


def deploy_to_vercel(
    api_token: str,
    project_name: str,
    directory: str | Path,
    *,
    base_url: str = "",
    say: Callable[[str], None] = lambda line: None,
    pause: Callable[[float], None] = time.sleep,
) -> dict[str, Any]:
    """Put a folder on Vercel and wait until it is live. Raises AppErrors in plain words."""
    from providers.vercel import VERCEL_URL, Vercel  # noqa: PLC0415  only for who calls this

    vercel = Vercel(api_token, base_url=base_url or VERCEL_URL, pause=pause)
    return shipped(vercel, parcel_of(project_name, directory), project_name, say)


def deploy_to_render(
    api_key: str,
    project_name: str,
    repository: str = "",
    *,
    image: str = "",
    base_url: str = "",
    say: Callable[[str], None] = lambda line: None,
    pause: Callable[[float], None] = time.sleep,
) -> dict[str, Any]:
    """Have Render build the newest commit of a repository, or run an image, and wait until it is live.

    Without either, it is the repository that the service of this name was made from before.
    """
    from providers.render import RENDER_URL, Render  # noqa: PLC0415  only for who calls this

    render = Render(api_key, base_url=base_url or RENDER_URL, pause=pause)
    repository = repository or ("" if image else render.repository_of(project_name))
    if not repository and not image:
        raise InvalidParams(
            "Render takes no files: it builds a repository that it can reach, or runs an image",
            hint="Give the address of the project's repository on the internet, or the name of the image",
        )
    parcel = Parcel(project_name, "", {}, repository=repository, image=image)
    return shipped(render, parcel, project_name, say, key=secrets.token_hex(16))


def parcel_of(project_name: str, directory: str | Path) -> Parcel:
    """All of a folder that may leave this machine."""
    files = pack(plain_files(Path(directory))).files
    flask = any(name in files for name in ("app.py", "main.py", "wsgi.py"))
    return Parcel(
        project_name, "", files, framework="flask" if flask else "node" if "package.json" in files else "static"
    )


def shipped(
    provider: Provider, parcel: Parcel, name: str, say: Callable[[str], None], *, key: str = ""
) -> dict[str, Any]:
    """The key is what is sent, so that the same files go there once, unless another one is given."""
    told = hashlib.sha256("\0".join([name, parcel.repository]).encode())
    for path, data in sorted(parcel.files.items()):
        told.update(path.encode() + b"\0" + hashlib.sha256(data).digest())
    key = key or told.hexdigest()[:32]
    release: Release = provider.ship(parcel, name, key, say=say, tick=lambda: None)
    if release.state is ReleaseState.REPLACED:
        # The same files were there before, and others came after them.
        release = provider.bring_back(name, release, key, say=say, tick=lambda: None)
    return {
        "success": release.state is ReleaseState.LIVE,
        "provider": release.provider,
        "url": release.url,
        "release": release.id,
        "state": release.state.value,
    }
