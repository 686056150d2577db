"""All checks of a spec. They come from the spec and `docs/apps.md` alone."""

from collections.abc import Iterable

from contracts.app_spec import API_KINDS, AppSpec, Kind
from proving.api_checks import api_checks
from proving.check import Check
from proving.hello_checks import hello_checks
from proving.page_checks import page_checks
from proving.pipeline_checks import pipeline_checks
from proving.site_checks import site_checks
from proving.tool_checks import tool_checks


def checks_for(spec: AppSpec) -> tuple[Check, ...]:
    """Each promise that the spec makes, once."""
    return tuple(_checks(spec))


def _checks(spec: AppSpec) -> Iterable[Check]:
    if spec.kind in API_KINDS:
        return api_checks(spec)
    if spec.kind is Kind.WEB_APP:
        return page_checks(spec)
    if spec.kind is Kind.HELLO_API:
        return hello_checks()
    if spec.kind is Kind.SITE:
        return site_checks(spec)
    return tool_checks(spec) if spec.kind is Kind.CLI_TOOL else pipeline_checks(spec)
