"""Writes the API document without a running service: `python -m web.openapi_json > openapi.json`."""

import json
import sys

from web.wiring import api_document

if __name__ == "__main__":
    json.dump(api_document(""), sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")
