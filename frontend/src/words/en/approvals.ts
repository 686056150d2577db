export const approvals = {
  title: "Approvals",
  list: "What waits for you",
  place: (at: number, of: number) => `${at} of ${of}`,
  previous: "The one before",
  next: "The next one",
  none: {
    title: "Nothing waits for you",
    words: "When something needs your decision, it shows up here.",
    action: "Build something",
  },
  gone: "That one has been decided already.",
  decided: "Decided lately",
  yes: "You said yes",
  no: "You said no",
  keys: { yes: "yes", no: "not now", move: "move" },
  notify: {
    label: "Tell me when something waits",
    hint: "This browser shows a notification while you look at something else. Leave this page open for that.",
    blocked: "This browser does not let this page show notifications. Allow them in its settings for this address, then turn this on.",
    unavailable: "Notifications need this page to be opened over https, or on the machine itself.",
    test: "You will hear from me when something waits",
  },
};
