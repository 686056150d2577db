/** The nonce that the page was served with, for libraries that bring styles of their own; empty if there is none. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}
