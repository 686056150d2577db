/** What a person typed into the box of the home screen. It is kept while other screens are open, and while the panel is still loading. */
import { Signal } from "./signal";

export const draft = new Signal("");

/** What was done before all of the panel had arrived, for the screen that takes over. */
export const early = {
  /** The words were sent already. */
  sent: false,
  /** Where the person is typing. */
  cursor: null as [number, number] | null,
};
