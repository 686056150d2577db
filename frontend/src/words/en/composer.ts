export const composer = {
  thinking: "Working out a plan",
  notSent: "Your words are still in the box. Send them again when the service is back.",
  questions: {
    submit: "Go on",
    needed: "This one I need to know",
  },
};
