export const form = {
  more: "More choices",
  choose: "Choose…",
  optional: (label: string) => `${label} (if you like)`,
  lines: "One on each line.",
  data: "As JSON.",
  trouble: {
    missing: "This is needed",
    notANumber: "This is not a number",
    notWhole: "This has to be a whole number",
    tooSmall: "This is too small",
    tooLarge: "This is too large",
    tooLong: "This is too long",
    notData: "This is not JSON",
  },
};
