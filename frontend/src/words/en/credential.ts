export const credential = {
  guide: "How to get it",
  optional: (label: string) => `${label} (if needed)`,
  connect: (title: string) => `Connect ${title}`,
  stays: "It is tried at once, kept on the machine where Task Agent runs, and never shown again.",
  connected: (title: string) => `${title} is connected`,
  goesOn: "What waited for it goes on now.",
  missing: "This is needed",
};
