import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState, type ReactNode } from "react";
import { calledOf, catalogue, type ActionShape } from "@/api/catalogue";
import { ApiError } from "@/api/error";
import { queries } from "@/api/queries";
import { fieldsOf, meant, startOf, type FormField, type Schema, type Values } from "@/components/form/schema";
import { SchemaFields } from "@/components/form/SchemaFields";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Input } from "@/components/ui/Field";
import { Select } from "@/components/ui/Select";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { form } from "@words/form";
import { queue } from "@words/queue";
import { useSaveStep, type Target } from "./data";
import { partsOf, type QueuedStep } from "./order";
import css from "./Queue.module.css";

const w = queue.form;
/** A step of the queue that fills the queue, or sets what is allowed, would only confuse. */
const LEFT_OUT = new Set(["queue_task", "trust_override", "always_confirm", "import_archive", "rollback"]);

export interface Wanted {
  target: Target;
  step?: QueuedStep;
}

/** A step to add, to put in or to change: its form is drawn from what the agent says that it can do. */
export function StepDialog({ wanted, onClose }: { wanted: Wanted | null; onClose: () => void }): ReactNode {
  const title = wanted?.step ? w.edit : wanted?.target ? w.insert : w.add;
  return (
    <Dialog
      open={wanted !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
    >
      {wanted && <StepForm wanted={wanted} onDone={onClose} />}
    </Dialog>
  );
}

function StepForm({ wanted, onDone }: { wanted: Wanted; onDone: () => void }): ReactNode {
  const actions = useQuery(catalogue());
  const start = wanted.step ? partsOf(wanted.step.step) : { intent: "", project: "", params: {} };
  const [intent, setIntent] = useState(start.intent);
  const [project, setProject] = useState(start.project);
  if (actions.error) return <ErrorState inline error={actions.error} onRetry={() => void actions.refetch()} />;
  if (!actions.data) return <Skeleton lines={4} />;
  const choices = actions.data.filter((action) => !LEFT_OUT.has(action.name) || action.name === start.intent);
  const action = actions.data.find((one) => one.name === intent);
  return (
    <div className={css.form}>
      <Select
        labelled
        label={w.action}
        value={intent}
        options={[{ key: "", words: w.chooseAction }, ...choices.map((one) => ({ key: one.name, words: calledOf(one) }))]}
        onChange={setIntent}
      />
      {action && (
        <ActionForm
          key={action.name}
          action={action}
          project={project}
          onProject={setProject}
          params={action.name === start.intent ? start.params : {}}
          wanted={wanted}
          onDone={onDone}
        />
      )}
    </div>
  );
}

interface ActionFormProps {
  action: ActionShape;
  project: string;
  onProject: (name: string) => void;
  params: Record<string, unknown>;
  wanted: Wanted;
  onDone: () => void;
}

function ActionForm({ action, project, onProject, params, wanted, onDone }: ActionFormProps): ReactNode {
  const fields = useMemo(() => fieldsOf(action.params as Schema), [action]);
  const [values, setValues] = useState<Values>(() => startOf(fields, params));
  const [tried, setTried] = useState(false);
  const save = useSaveStep();
  const read = meant(fields, values);
  const noProject = action.needs_project && project.trim() === "";

  const submit = async (): Promise<void> => {
    setTried(true);
    if (noProject || Object.keys(read.problems).length > 0) return;
    const step = { intent: action.name, ...(project.trim() ? { project: project.trim() } : {}), ...read.params };
    try {
      await save.mutateAsync({ step, target: wanted.target });
    } catch {
      return; // it is said in the form
    }
    toast(w.saved, { tone: "good" });
    onDone();
  };

  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ProjectField value={project} onChange={onProject} error={tried && noProject ? w.missing : undefined} optional={!action.needs_project} />
      {fields.length === 0 && <p className={css.soft}>{w.nothingMore}</p>}
      <SchemaFields fields={fields} values={values} problems={tried ? problemsOf(fields, read.problems, save.error) : {}} onChange={setValues} />
      {save.error && (
        <p className={css.wrong} role="alert">
          <Words text={save.error.message} />. <Words text={save.error.hint} />
        </p>
      )}
      <div className={css.foot}>
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button type="submit" kind="primary" busy={save.isPending}>
          {wanted.step ? w.saveEdit : w.saveAdd}
        </Button>
      </div>
    </form>
  );
}

/** What is wrong with which field: by the form's own look at it, and by the service's. */
function problemsOf(fields: readonly FormField[], own: Record<string, keyof typeof form.trouble>, error: unknown): Record<string, string> {
  const told = error ? ApiError.from(error).details.fields : undefined;
  const theirs = (Array.isArray(told) ? told : []) as { field?: string; problem?: string }[];
  const known = new Set(fields.map((field) => field.name));
  return {
    ...Object.fromEntries(theirs.flatMap(({ field = "", problem }) => (known.has(field) && problem ? [[field, problem]] : []))),
    ...Object.fromEntries(Object.entries(own).map(([name, trouble]) => [name, form.trouble[trouble]])),
  };
}

interface ProjectFieldProps {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
  optional: boolean;
}

function ProjectField({ value, onChange, error, optional }: ProjectFieldProps): ReactNode {
  const { data } = useQuery(queries.projects());
  const id = useId();
  return (
    <>
      <Input
        label={optional ? form.optional(w.project) : w.project}
        hint={w.projectHint}
        error={error}
        list={id}
        spellCheck={false}
        autoCapitalize="none"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
