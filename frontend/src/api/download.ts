import { toast } from "@/lib/toasts";
import { apiOrigin } from "./address";
import { answered, api, fetchBytes } from "./client";
import { ApiError } from "./error";

/** Downloads a file, or the whole project as a zip: a link that works once, since a browser's download sends no token. */
export async function download(project: string, path: string | null = null): Promise<void> {
  try {
    const params = { path: { project } };
    const { url } = await answered(api().POST("/projects/{project}/download", { params, body: { path } }));
    follow(apiOrigin() + url);
  } catch (error) {
    const { message, hint } = ApiError.from(error);
    toast(message, { tone: "wrong", hint });
  }
}

/** Downloads what an address of the service gives to whoever carries the token. */
export async function downloadFrom(path: string, name: string): Promise<void> {
  try {
    save(name, await fetchBytes(path));
  } catch (error) {
    const { message, hint } = ApiError.from(error);
    toast(message, { tone: "wrong", hint });
  }
}

/** Saves what this page has already. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  follow(url, name);
  // The browser has taken it up by then; an address that is kept would keep the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function follow(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.rel = "noopener";
  link.click();
}
