"""Signing in to the fake of Google: service accounts with real signatures, and refresh tokens of people."""

import base64
import json
import secrets
import time
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from cloud_fakes.drive_files import Who

SCOPES = {"https://www.googleapis.com/auth/drive", "https://www.googleapis.com/auth/drive.file"}
JWT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SECONDS = 3600


class TokenRefused(Exception):
    """What OAuth calls an error: a code, and words."""

    def __init__(self, code: str, words: str) -> None:
        self.code = code
        self.words = words

    def body(self) -> bytes:
        return json.dumps({"error": self.code, "error_description": self.words}).encode()


class Tokens:
    """Who may sign in, and which access tokens are good."""

    def __init__(self) -> None:
        self._keys: dict[str, rsa.RSAPublicKey] = {}
        self._delegated: set[tuple[str, str]] = set()
        self._people: dict[str, tuple[str, dict[str, str]]] = {}
        self._good: dict[str, Who] = {}

    def add_service_account(self, email: str, token_uri: str) -> dict[str, str]:
        """What its key file holds."""
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._keys[email] = key.public_key()
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return {
            "type": "service_account",
            "project_id": "fake",
            "private_key_id": secrets.token_hex(20),
            "private_key": pem.decode(),
            "client_email": email,
            "client_id": str(secrets.randbelow(10**20)),
            "token_uri": token_uri,
        }

    def allow_acting_for(self, email: str, person: str) -> None:
        self._delegated.add((email, person))

    def add_person(self, email: str, token_uri: str) -> dict[str, str]:
        """What a key file with the person's refresh token holds."""
        info = {
            "type": "authorized_user",
            "client_id": f"{secrets.token_hex(8)}.apps.googleusercontent.com",
            "client_secret": f"GOCSPX-{secrets.token_urlsafe(20)}",
            "refresh_token": f"1//{secrets.token_urlsafe(40)}",
            "token_uri": token_uri,
        }
        self._people[info["refresh_token"]] = (email, info)
        return info

    def withdraw(self, name: str) -> None:
        """The person takes back access, or the account is removed: neither old tokens nor new ones are good."""
        self._keys.pop(name, None)
        self._people = {token: known for token, known in self._people.items() if known[0] != name}
        self.forget(name)

    def forget(self, name: str) -> None:
        """The access tokens run out."""
        self._good = {token: who for token, who in self._good.items() if who.name != name}

    def who(self, authorization: str) -> Who | None:
        return self._good.get(authorization.removeprefix("Bearer ")) if authorization.startswith("Bearer ") else None

    def grant(self, form: dict[str, str]) -> dict[str, Any]:
        """Raises TokenRefused."""
        kind = form.get("grant_type")
        if kind == JWT:
            who = self._by_assertion(form.get("assertion", ""))
        elif kind == "refresh_token":
            who = self._by_refresh_token(form)
        else:
            raise TokenRefused("unsupported_grant_type", "Invalid grant_type")
        token = f"ya29.{secrets.token_urlsafe(60)}"
        self._good[token] = who
        return {"access_token": token, "expires_in": SECONDS, "token_type": "Bearer"}

    def _by_refresh_token(self, form: dict[str, str]) -> Who:
        email, info = self._people.get(form.get("refresh_token", ""), ("", {}))
        if not info:
            raise TokenRefused("invalid_grant", "Token has been expired or revoked.")
        if any(form.get(name) != info[name] for name in ("client_id", "client_secret")):
            raise TokenRefused("invalid_client", "Unauthorized")
        return Who(email)

    def _by_assertion(self, assertion: str) -> Who:
        try:
            head, body, signature = assertion.split(".")
            claims = json.loads(_decoded(body))
            issuer = claims["iss"]
            self._keys[issuer].verify(
                _decoded(signature), f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256()
            )
        except (ValueError, KeyError, InvalidSignature):
            raise TokenRefused("invalid_grant", "Invalid JWT Signature.") from None
        if not claims["iat"] - 300 <= time.time() <= claims["exp"] <= claims["iat"] + SECONDS:
            raise TokenRefused("invalid_grant", "Invalid JWT: token must be short-lived.")
        if not set(claims.get("scope", "").split()) & SCOPES:
            raise TokenRefused("invalid_scope", "Invalid OAuth scope.")
        subject = claims.get("sub", issuer)
        if subject == issuer:
            return Who(issuer, has_storage=False)
        if (issuer, subject) not in self._delegated:
            raise TokenRefused("unauthorized_client", "Client is unauthorized to retrieve access tokens.")
        return Who(subject)


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
