import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, File } from "lucide-react";
import { useMemo, useRef, useState, type ReactNode } from "react";
import type { FileEntry } from "@/api/model";
import { useIsWide } from "@/lib/media";
import { visible } from "@/lib/text";
import { files as w } from "@words/files";
import css from "./Files.module.css";
import { found, treeRows } from "./tree";

interface FileTreeProps {
  entries: FileEntry[];
  filter: string;
  chosen: string | undefined;
  onOpen: (path: string) => void;
}

/** Some thousand files are no trouble: only the rows in view are made. */
export function FileTree({ entries, filter, chosen, onOpen }: FileTreeProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const height = useIsWide() ? 30 : 40;
  const isOpen = (folder: string): boolean => toggled.has(folder) !== (chosen?.startsWith(`${folder}/`) ?? false);
  const rows = useMemo(
    () => (filter.trim() ? found(entries, filter) : treeRows(entries, isOpen)),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is open follows from these
    [entries, filter, toggled, chosen],
  );
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer changes by itself as one scrolls
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    overscan: 15,
  });
  const toggle = (folder: string): void => {
    const next = new Set(toggled);
    if (!next.delete(folder)) next.add(folder);
    setToggled(next);
  };
  return (
    <div ref={place} className={css.list} role="group" aria-label={w.label}>
      {rows.length === 0 && filter.trim() && <p>{w.noMatch}</p>}
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const Icon = row.folder ? (row.open ? ChevronDown : ChevronRight) : File;
          return (
            <button
              key={row.path}
              type="button"
              className={css.entry}
              style={{ transform: `translateY(${start}px)`, paddingLeft: 8 + row.depth * 14 }}
              aria-current={row.path === chosen || undefined}
              {...(row.folder ? { "aria-expanded": row.open } : {})}
              onClick={() => (row.folder ? toggle(row.path) : onOpen(row.path))}
            >
              <Icon aria-hidden />
              <span>
                <bdi>{visible(row.name)}</bdi>
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
