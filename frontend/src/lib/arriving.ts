/** Parts of the panel that are loaded when they are needed. */

const PAUSE_MS = 1000;

/** Whether the host that the panel came from answers anything at all. */
async function answers(): Promise<boolean> {
  try {
    await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

/** Asks again for as long as the host is away. A part that a host which is there does not have comes only with a new page. */
export async function arriving<T>(load: () => Promise<T>, isThere: () => Promise<boolean> = answers): Promise<T> {
  for (let isLast = false; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isLast) throw error;
      isLast = await isThere();
      if (!isLast) await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
