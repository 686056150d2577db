/** Every call to the service: typed from its API document, with the token, and one kind of error. */
import createClient, { type Middleware } from "openapi-fetch";
import { apiOrigin } from "./address";
import { ApiError } from "./error";
import type { paths } from "./schema";
import { signOut, token } from "./token";

const withToken: Middleware = {
  onRequest({ request }) {
    const value = token.get();
    if (value) request.headers.set("Authorization", `Bearer ${value}`);
    return request;
  },
  onResponse({ request, response }) {
    // A wrong token stays wrong: sign in again. Unless another one has been entered meanwhile.
    if (response.status === 401 && request.headers.get("Authorization") === `Bearer ${token.get() ?? ""}`) signOut();
    return response;
  },
  onError({ error }) {
    return isAbort(error) ? undefined : ApiError.offline();
  },
};

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

type Client = ReturnType<typeof createClient<paths>>;
let made: { origin: string; client: Client } | null = null;

export function api(): Client {
  const origin = apiOrigin();
  if (made?.origin !== origin) {
    const client = createClient<paths>({ baseUrl: origin, fetch: (request) => fetch(request) });
    client.use(withToken);
    made = { origin, client };
  }
  return made.client;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer's body, or the error thrown. */
export async function answered<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (error !== undefined || data === undefined || data === null) throw ApiError.fromBody(response.status, error);
  return data;
}

/** Bytes with the token, for pictures and downloads. */
export async function fetchBytes(path: string, signal?: AbortSignal): Promise<Blob> {
  let answer: Response;
  try {
    answer = await fetch(apiOrigin() + path, {
      headers: { Authorization: `Bearer ${token.get() ?? ""}` },
      signal: signal ?? null,
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw ApiError.offline();
  }
  if (!answer.ok) throw ApiError.fromBody(answer.status, await answer.json().catch(() => null));
  return answer.blob();
}
