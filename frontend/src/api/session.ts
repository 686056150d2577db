/** Signing in: what the service says to a code or a token. */
import { apiOrigin } from "./address";
import { ApiError } from "./error";
import { signIn } from "./token";

/** Exchanges a code for the token. */
export async function redeem(code: string): Promise<void> {
  const body = await post("/session", { code });
  const value = (body as { token?: unknown }).token;
  if (typeof value !== "string" || !value) throw ApiError.fromBody(200, null);
  signIn(value);
}

/** Signs in if the service takes the token. */
export async function trySignIn(value: string): Promise<void> {
  await send("/settings", { headers: { Authorization: `Bearer ${value}` } });
  signIn(value);
}

async function post(path: string, body: unknown): Promise<unknown> {
  return send(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(apiOrigin() + path, init);
  } catch {
    throw ApiError.offline();
  }
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw ApiError.fromBody(answer.status, body);
  return body;
}
