import { Download, FileArchive } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Command } from "@/api/actions";
import { downloadFrom } from "@/api/download";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Time } from "@/components/ui/Time";
import { visible } from "@/lib/text";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";
import { zipName, type Standing } from "./standing";

interface ZipsProps {
  zips: Standing[];
  busy: boolean;
  onPublish: (command: Command) => void;
}

/** Projects as zips that run anywhere. */
export function Zips({ zips, busy, onPublish }: ZipsProps): ReactNode {
  if (zips.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="zips">
      <h2 id="zips">{w.zips}</h2>
      <Card as="section" padded={false}>
        <ul className={css.list}>
          {zips.map((zip) => (
            <li key={zip.key} className={css.item} data-item tabIndex={-1}>
              <FileArchive aria-hidden />
              <span className={css.what}>
                <bdi>{visible(zip.title)}</bdi>
              </span>
              <span className={css.when}>{zip.place.at && <Time at={zip.place.at} />}</span>
              <span className={css.rowButtons}>
                <Button
                  size="small"
                  kind="ghost"
                  disabled={busy}
                  onClick={() => onPublish({ intent: "deploy_app", project: zip.place.project, params: { provider: "export" } })}
                >
                  {w.zipAgain}
                </Button>
                <Fetch url={zip.place.url} title={zip.title} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Fetch({ url, title }: { url: string; title: string }): ReactNode {
  const [busy, setBusy] = useState(false);
  const name = zipName(url);
  const fetchIt = (): void => {
    setBusy(true);
    void downloadFrom(`/exports/${encodeURIComponent(name)}`, name).finally(() => setBusy(false));
  };
  return (
    <Button size="small" busy={busy} icon={<Download aria-hidden />} aria-label={w.downloadWords(title)} onClick={fetchIt}>
      {w.download}
    </Button>
  );
}
