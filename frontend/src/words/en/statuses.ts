export const statuses = {
  queued: "Next",
  awaiting_approval: "Waits for you",
  running: "Working",
  succeeded: "Done",
  failed: "Failed",
  rejected: "You said no",
  cancelled: "Cancelled",
  interrupted: "Was cut off",
  undone: "Taken back",
};
