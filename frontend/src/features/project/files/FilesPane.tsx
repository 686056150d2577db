import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, FilePlus2, FolderOpen, Upload } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { ApiError } from "@/api/error";
import { queries } from "@/api/queries";
import { Button } from "@/components/ui/Button";
import { Input } from "@/components/ui/Field";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { cx } from "@/lib/cx";
import { useIsWide } from "@/lib/media";
import { files as w } from "@words/files";
import { FileView } from "./FileView";
import css from "./Files.module.css";
import { FileTree } from "./FileTree";
import { NewFile } from "./NewFile";
import { useUpload } from "./useUpload";

interface FilesPaneProps {
  project: string;
  file: string | undefined;
  onOpen: (path: string | undefined) => void;
  /** Something waits for a yes: go where its card is. */
  onAsked: () => void;
}

/** The project's files: to browse, to change, to bring and to take away. */
export default function FilesPane({ project, file, onOpen, onAsked }: FilesPaneProps): ReactNode {
  const wide = useIsWide();
  const showList = wide || !file;
  return (
    <div className={css.pane}>
      {showList && <Side project={project} file={file} onOpen={onOpen} onAsked={onAsked} />}
      {file ? (
        <FileView
          key={file}
          project={project}
          path={file}
          onGone={() => onOpen(undefined)}
          onMoved={onOpen}
          onAsked={onAsked}
          back={
            !wide && (
              <Button kind="ghost" size="small" icon={<ArrowLeft aria-hidden />} onClick={() => onOpen(undefined)}>
                {w.back}
              </Button>
            )
          }
        />
      ) : (
        wide && <Empty icon={<FolderOpen aria-hidden />} title={w.choose} />
      )}
    </div>
  );
}

function Side({ project, file, onOpen, onAsked }: FilesPaneProps): ReactNode {
  const { data, error, refetch } = useQuery(queries.files(project));
  const [filter, setFilter] = useState("");
  const [naming, setNaming] = useState(false);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { upload, uploading } = useUpload(project, onAsked);
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is a second way; the button is the first
    <div
      className={cx(css.side, over && css.drop)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        upload([...event.dataTransfer.files]);
      }}
    >
      <div className={css.tools}>
        <div className={css.buttons}>
          <Button size="small" icon={<Upload aria-hidden />} busy={uploading !== null} onClick={() => input.current?.click()}>
            {uploading ? w.uploading(uploading.at, uploading.of) : w.upload}
          </Button>
          <Button size="small" icon={<FilePlus2 aria-hidden />} onClick={() => setNaming(true)}>
            {w.newFile}
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={w.upload}
            onChange={(event) => {
              upload([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </div>
        <Input label={w.filter} hideLabel placeholder={w.filter} type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
      </div>
      {error && !data && ApiError.from(error).status !== 404 && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {(data?.length === 0 || (error && ApiError.from(error).status === 404)) && <Empty title={w.none}>{w.noneWords}</Empty>}
      {data && data.length > 0 && <FileTree entries={data} filter={filter} chosen={file} onOpen={onOpen} />}
      {naming && <NewFile onClose={() => setNaming(false)} project={project} onMade={onOpen} onAsked={onAsked} />}
    </div>
  );
}
