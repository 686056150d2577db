import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";

/** A picture that needs the token to be fetched. */
export function Picture({ project, version, alt }: { project: string; version: string; alt: string }): ReactNode {
  const { data } = useQuery(queries.picture(project, version));
  return data ? <img src={data} alt={alt} decoding="async" /> : null;
}
