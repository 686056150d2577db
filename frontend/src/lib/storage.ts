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
    inMemory.set(key, value);
    try {
      window.localStorage.setItem(key, value);
    } catch {
      // Kept in memory.
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
