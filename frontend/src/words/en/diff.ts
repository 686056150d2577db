export const diff = {
  label: (path: string) => `Changes in ${path}`,
  text: (path: string) => `Text of ${path}`,
  change: { added: "new", removed: "deleted", changed: "changed", moved: "moved", mode: "permissions" },
  cardChange: { new: "new", changed: "changed", deleted: "deleted", "moved here": "moved" },
  tooLarge: "This file is too large to be shown here. Download it to look at it.",
  files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  large: "This is long, so it is shown as plain text.",
  binary: "This is not text, so there is nothing to compare in words.",
  none: "No file was changed",
  loading: "Loading the comparison",
  whole: "Whole file",
};
