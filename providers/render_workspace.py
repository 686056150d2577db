"""The workspace on Render that apps go to: its services, and which of them are ours."""

from contracts.errors import Conflict, Unauthorized
from providers.parcels import place_name
from providers.render_api import Json, RenderApi, inner
from providers.render_marks import PROJECT, Marks


class Workspace:
    def __init__(self, api: RenderApi, wanted: str) -> None:
        """`wanted` is its id or name; without it, the only one that the key opens."""
        self._api = api
        self._wanted = wanted
        self._known: Json = {}

    def about(self) -> Json:
        """Raises Unauthorized if it is not known which one is meant."""
        if not self._known:
            self._known = self._only(self._api.owners())
        return self._known

    def _only(self, found: list[Json]) -> Json:
        clean = self._api.line.clean
        known = ", ".join(f"`{clean(one.get('id'))}` ({clean(one.get('name'))})" for one in found)
        if self._wanted:
            found = [one for one in found if self._wanted in (one.get("id"), one.get("name"))]
        if len(found) == 1:
            return found[0]
        which = (
            f"is not for the Render workspace `{clean(self._wanted)}`" if self._wanted else "opens several workspaces"
        )
        hint = f"Give one of these as the workspace: {known}" if known else "Make a new key"
        raise Unauthorized(f"The API key {which}", hint=hint)

    @property
    def id(self) -> str:
        return str(self.about()["id"])

    def services(self) -> list[Json]:
        return self._api.services(self.id)

    def service(self, name: str) -> Json | None:
        wanted = place_name(name)
        found = self._api.services(self.id, wanted)
        return next((one for one in found if one.get("name") == wanted), None)

    def marks(self, service: Json) -> Marks:
        return Marks.read(self._api.variables(str(service["id"])))

    def is_ours(self, service: Json) -> bool:
        return bool(self._api.variable(str(service["id"]), PROJECT))

    def must_be_ours(self, service: Json, project: str = "") -> None:
        """Raises Conflict for a service that somebody else made, or that belongs to another project."""
        mark = self._api.variable(str(service["id"]), PROJECT)
        if not mark or (project and mark != project):
            raise Conflict(
                f"There is a service `{self._api.line.clean(service.get('name'))}` on Render already, which was not "
                "made for this project",
                hint="Choose another name; what is there is left as it is",
            )

    def address(self, service: Json) -> str:
        """Where visitors find it."""
        return self._api.line.address(str(inner(service, "serviceDetails").get("url") or ""))


def is_suspended(service: Json) -> bool:
    return service.get("suspended") == "suspended"
