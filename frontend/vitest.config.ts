import { defineConfig, mergeConfig } from "vitest/config";
import panel from "./vite.config";

export default mergeConfig(
  panel,
  defineConfig({
    test: { environment: "jsdom", isolate: false, include: ["src/**/*.test.{ts,tsx}"], restoreMocks: true },
  }),
);
