/** The one way to an address that the browser loads as a script: the page's policy takes no bare text for it. */
interface Policy {
  createScriptURL: (url: string) => string;
}

interface Policies {
  createPolicy: (name: string, rules: Policy) => Policy;
}

let policy: Policy | undefined;

function ownScript(url: string): string {
  const found = new URL(url, window.location.origin);
  if (found.origin !== window.location.origin) throw new TypeError("Scripts come from the panel's own address only");
  return found.href;
}

export function scriptUrl(url: string): string {
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  policy ??= policies ? policies.createPolicy("task-agent", { createScriptURL: ownScript }) : { createScriptURL: ownScript };
  return policy.createScriptURL(url);
}
