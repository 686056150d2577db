import { describe, expect, it } from "vitest";
import type { Deployment, DeploymentPlace, Project, Release } from "@/api/model";
import { aTask } from "@/api/testing";
import { overview, underWay, zipName } from "./standing";

const release = (id: string): Release => ({ id, url: "http://x", commit: "c", key: id, place: "p", verified: true });
const place = (project: string, provider: string, live = true): DeploymentPlace => ({
  project,
  provider,
  name: project,
  url: live ? "http://x" : "",
  state: live ? "live" : "offline",
  health: "",
  words: "",
  live: live ? release("r") : null,
  current: live ? release("r") : null,
  releases: [release("r")],
  note: null,
  at: null,
});
const project = (name: string): Project => ({ name, title: name.toUpperCase() }) as Project;
const did = (where: string, provider: string, outcome: Deployment["outcome"]): Deployment => ({ project: where, provider, ...(outcome ? { outcome } : {}) });

describe("overview", () => {
  it("puts what is live first and leaves projects that are on no host", () => {
    const listed = { places: [place("b", "demo", false), place("c", "vercel"), place("a", "export")], deployments: [] };
    const found = overview(listed, [project("a"), project("b"), project("c")]);
    expect(found.online.map((one) => one.title)).toEqual(["C", "B"]);
    expect(found.zips.map((one) => one.title)).toEqual(["A"]);
    expect(found.rest.map((one) => one.name)).toEqual(["a"]);
  });

  it("tells what is well from what needs a look", () => {
    const places = [place("a", "demo"), place("b", "demo"), place("c", "demo", false)];
    const deployments = [did("a", "demo", "failed"), did("a", "demo", "live"), did("b", "demo", "live"), did("c", "demo", "taken down")];
    expect(overview({ places, deployments }, []).online.map((one) => [one.title, one.tone, one.events.length])).toEqual([
      ["a", "waiting", 2],
      ["b", "good", 1],
      ["c", "plain", 1],
    ]);
  });
});

describe("underWay", () => {
  it("shows what waits or runs, and what has just failed until it is tried again", () => {
    const tasks = [
      aTask("1", { intent: "deploy_app", status: "awaiting_approval" }),
      aTask("2", { intent: "deploy_app", status: "failed", finished: "2026-11-17T07:00:02Z" }),
      aTask("3", { intent: "take_down_app", status: "failed", project: "shop", finished: "2026-11-17T07:00:01Z" }),
      aTask("7", { intent: "take_down_app", status: "failed", project: "old", finished: "2026-11-16T07:00:01Z" }),
      aTask("4", { intent: "deploy_app", status: "queued", parent_id: "9" }),
      aTask("5", { intent: "create_file", status: "running" }),
      aTask("6", { intent: "deploy_app", status: "succeeded" }),
    ];
    expect(underWay(tasks, "2026-11-17T07:00:00Z").map((task) => task.id)).toEqual(["1", "3"]);
  });

  it("shows what was refused once, however often it was tried", () => {
    const result = { success: false, message: "It is not proven" };
    const tries = ["2", "1"].map((id) => aTask(id, { intent: "deploy_app", status: "queued", project: "shop", result }));
    expect(underWay(tries, "").map((task) => task.id)).toEqual(["2"]);
  });
});

it("takes a zip's name from its address", () => expect(zipName("/exports/notes--000001--k.zip")).toBe("notes--000001--k.zip"));
