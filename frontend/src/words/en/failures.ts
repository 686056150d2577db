export const failures = {
  offline: {
    what: "The service cannot be reached",
    hint: "Check that it is running on its machine and that this device is on the same network. Nothing is lost; I try again by myself.",
  },
  odd: (status: number) => `The service gave an answer that I do not understand (${status})`,
  oddHint: "Reload the page. If it stays like this, the service and this panel may be of different versions.",
  own: "Something broke in this page",
  ownKept: "Your projects are safe: they are kept by the service, not by this page.",
  retry: "Try again",
  reload: "Reload the page",
  home: "Go to the start",
  kept: "What was there before is still there.",
  notFound: "There is nothing at this address",
  notFoundHint: "It may have been renamed, or the link is mistyped.",
};
