/** Text that came from elsewhere, made harmless to look at: it is always shown as text, never as markup. */

/* eslint-disable no-control-regex -- finding control characters is the point */
const ANSI = /(?:\u001b|\\x1b|\\u001b)(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** What turns text around. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** What is not seen at all: control characters, and letters without a shape. Joiners stay, which emoji and some scripts need. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const named = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** A name in one line, with everything in it that would not be seen or would turn the line around made visible. */
export function visible(name: string): string {
  return plain(name).replace(/[\t\n\r]/g, named);
}

/** What a program printed, without its colour codes and with its other control characters visible. */
export function printed(output: string): string {
  return plain(output.replace(ANSI, "").replace(/\r\n?/g, "\n"));
}

/** Text in sentences and lines, with what would turn it around or hide in it made visible. */
export function plain(text: string): string {
  return text.replace(BIDI, named).replace(UNSEEN, named);
}

/** Words that the service says within a sentence, as one of their own. */
export function sentence(words: string): string {
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export interface Piece {
  text: string;
  code: boolean;
}

/** A message in which `names` stand between backticks, in pieces. */
export function pieces(message: string): Piece[] {
  return message
    .split(/`([^`\n]+)`/)
    .map((text, index) => ({ text, code: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
