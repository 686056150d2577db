import type { ReactNode } from "react";
import { Words } from "@/components/ui/Words";

/** An address as the guides write it: a host, and perhaps a page on it. */
const ADDRESS = /((?:[a-z0-9-]+\.)+(?:com|org|io|dev|net)(?:\/[\w/-]+)?)/;

/** A step of a guide, whose addresses can be pressed. */
export function Linked({ text }: { text: string }): ReactNode {
  return text.split(ADDRESS).map((piece, at) =>
    at % 2 === 1 ? (
      <a key={at} href={`https://${piece}`} target="_blank" rel="noopener noreferrer">
        {piece}
      </a>
    ) : (
      <Words key={at} text={piece} />
    ),
  );
}
