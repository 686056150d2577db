/** localStorage that may be missing or full: then it is forgotten with the tab, and nothing breaks. */
const inMemory = new Map<string, string>();

export const store = {
  get(key: string): string | null {
    try {
      return window.localStorage.getItem(key) ?? inMemory.get(key) ?? null;
    } catch {
      return inMemory.get(key) ?? null;
    }
  },
  set(key: string, value: string): void {
    try {
      window.localStorage.setItem(key, value);
      // What other tabs take away must not come back from here.
      inMemory.delete(key);
    } catch {
      inMemory.set(key, value);
    }
  },
  remove(key: string): void {
    inMemory.delete(key);
    try {
      window.localStorage.removeItem(key);
    } catch {
      // It was only in memory.
    }
  },
};
