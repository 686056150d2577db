/** A flat list of paths as a tree of folders, and that tree as the rows that are in view. */
import type { FileEntry } from "@/api/model";

export interface TreeRow {
  path: string;
  name: string;
  depth: number;
  folder: boolean;
  open: boolean;
  size: number;
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileEntry[];
}

const empty = (): Folder => ({ folders: new Map(), files: [] });

function treeOf(entries: readonly FileEntry[]): Folder {
  const root = empty();
  for (const entry of entries) {
    const parts = entry.path.split("/");
    const isFolder = entry.kind === "directory";
    let at = root;
    for (const part of isFolder ? parts : parts.slice(0, -1)) {
      const next = at.folders.get(part) ?? empty();
      at.folders.set(part, next);
      at = next;
    }
    if (!isFolder) at.files.push(entry);
  }
  return root;
}

/** Folders first, each sorted by name; what is in a closed folder is left out. */
export function treeRows(entries: readonly FileEntry[], isOpen: (folder: string) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (folder: Folder, above: string, depth: number): void => {
    for (const [name, inside] of [...folder.folders].sort(([a], [b]) => a.localeCompare(b))) {
      const path = above ? `${above}/${name}` : name;
      const open = isOpen(path);
      rows.push({ path, name, depth, folder: true, open, size: 0 });
      if (open) walk(inside, path, depth + 1);
    }
    for (const file of folder.files.toSorted((a, b) => a.path.localeCompare(b.path))) {
      rows.push({ path: file.path, name: nameOf(file.path), depth, folder: false, open: false, size: file.size });
    }
  };
  walk(treeOf(entries), "", 0);
  return rows;
}

/** The files that have these words in their path, without the tree around them. */
export function found(entries: readonly FileEntry[], words: string): TreeRow[] {
  const wanted = words.trim().toLowerCase();
  return entries
    .filter((entry) => entry.kind !== "directory" && entry.path.toLowerCase().includes(wanted))
    .map((entry) => ({ path: entry.path, name: entry.path, depth: 0, folder: false, open: false, size: entry.size }));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
