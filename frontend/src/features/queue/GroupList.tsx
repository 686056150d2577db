import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type Modifier,
  type UniqueIdentifier,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { ArrowDown, ArrowUp, CornerRightUp, Ellipsis, GripVertical, Pencil, SkipForward } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { useProjectNames } from "@/api/projectNames";
import { IconButton } from "@/components/ui/Button";
import { Menu, MenuItem, MenuLine } from "@/components/ui/Menu";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { queue as w } from "@words/queue";
import { useMove, useSkip } from "./data";
import { partsOf, type QueuedStep } from "./order";
import css from "./Queue.module.css";
import type { Wanted } from "./StepDialog";

/** A list has one direction. */
const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 });

interface GroupListProps {
  steps: QueuedStep[];
  /** Steps of a plan for one project do not each say where. */
  withProject: boolean;
  onWant: (wanted: Wanted) => void;
}

/** Steps that can change places: by hand, by keys, or from their menu. */
export function GroupList({ steps, withProject, onWant }: GroupListProps): ReactNode {
  const move = useMove();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      accessibility={{ announcements: said(steps), screenReaderInstructions: { draggable: w.handleHint } }}
      onDragEnd={({ active, over }) => {
        if (over) move(String(active.id), String(over.id));
      }}
    >
      <SortableContext items={steps.map((step) => step.id)} strategy={verticalListSortingStrategy}>
        <ol className={css.steps}>
          {steps.map((step, at) => (
            <StepRow key={step.id} step={step} at={at} above={steps[at - 1]} below={steps[at + 1]} withProject={withProject} onMove={move} onWant={onWant} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

function said(steps: QueuedStep[]): Announcements {
  const place = (id: UniqueIdentifier | undefined): number => steps.findIndex((step) => step.id === id) + 1;
  return {
    onDragStart: ({ active }) => w.moved.lifted(steps[place(active.id) - 1]?.title ?? ""),
    onDragOver: ({ over }) => (over ? w.moved.over(place(over.id), steps.length) : undefined),
    onDragEnd: ({ over }) => (over ? w.moved.dropped(place(over.id)) : undefined),
    onDragCancel: () => w.moved.cancelled,
  };
}

interface StepRowProps {
  step: QueuedStep;
  at: number;
  above: QueuedStep | undefined;
  below: QueuedStep | undefined;
  withProject: boolean;
  onMove: (id: string, to: string) => void;
  onWant: (wanted: Wanted) => void;
}

function StepRow({ step, at, above, below, withProject, onMove, onWant }: StepRowProps): ReactNode {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: step.id });
  const skip = useSkip();
  const { project } = partsOf(step.step);
  const nameOf = useProjectNames();
  const style: CSSProperties = { transform: transform ? `translateY(${transform.y}px)` : undefined, transition };
  return (
    <li ref={setNodeRef} style={style} className={cx(css.step, isDragging && css.dragged)} data-queued={step.id}>
      <button
        type="button"
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        className={css.handle}
        aria-label={w.handle(step.title.replaceAll("`", ""))}
      >
        <GripVertical aria-hidden />
      </button>
      <span className={css.number} aria-hidden>
        {at + 1}
      </span>
      <span className={css.what}>
        <span>
          <Words text={step.title} />
        </span>
        {withProject && project && (
          <span className={css.project}>
            <bdi>{nameOf(project)}</bdi>
          </span>
        )}
      </span>
      <span className={css.quick}>
        <IconButton size="small" label={w.edit} onClick={() => onWant({ target: { edit: step.id }, step })}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton size="small" label={w.skip} onClick={() => void skip(step)}>
          <SkipForward aria-hidden />
        </IconButton>
      </span>
      <Menu
        trigger={
          <IconButton size="small" label={w.actions(step.title.replaceAll("`", ""))}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => onWant({ target: { edit: step.id }, step })}>
          <Pencil aria-hidden />
          {w.edit}
        </MenuItem>
        <MenuItem onSelect={() => onWant({ target: { before: step.id } })}>
          <CornerRightUp aria-hidden />
          {w.insert}
        </MenuItem>
        <MenuLine />
        <MenuItem disabled={!above} onSelect={() => above && onMove(step.id, above.id)}>
          <ArrowUp aria-hidden />
          {w.up}
        </MenuItem>
        <MenuItem disabled={!below} onSelect={() => below && onMove(step.id, below.id)}>
          <ArrowDown aria-hidden />
          {w.down}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => void skip(step)}>
          <SkipForward aria-hidden />
          {w.skip}
        </MenuItem>
      </Menu>
    </li>
  );
}
