import { useQuery } from "@tanstack/react-query";
import type { Task } from "./model";
import { queries } from "./queries";

const NONE: Task[] = [];

/** Everything that waits for a person, kept true by events. */
export function useWaiting(): Task[] {
  return useQuery(queries.waiting()).data ?? NONE;
}
