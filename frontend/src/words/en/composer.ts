export const composer = {
  thinking: "Working out a plan",
  again: "Ask for something else",
  questions: {
    title: "Before I can plan it",
    submit: "Go on",
    needed: "This one I need to know",
  },
};
