import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { queries } from "@/api/queries";
import { StatusIcon } from "@/components/ui/Status";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { approvals as w } from "@words/approvals";
import css from "./Approvals.module.css";
import { decidedLately } from "./choice";

const MOST = 6;

/** The last decisions, and what became of them. */
export function Decided(): ReactNode {
  const { data } = useInfiniteQuery(queries.tasks());
  const decided = useMemo(() => decidedLately(data?.pages.flat() ?? [], MOST), [data]);
  if (decided.length === 0) return null;
  return (
    <section className={css.decided}>
      <h2>{w.decided}</h2>
      <ul>
        {decided.map((task) => (
          <li key={task.id}>
            <Link to="/app/timeline" search={{ at: task.children.at(-1) ?? task.id }} className={css.past}>
              <StatusIcon status={task.status} />
              <span className={css.title}>
                <Words text={task.title} />
              </span>
              {task.approval && <Time at={task.approval.at} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
