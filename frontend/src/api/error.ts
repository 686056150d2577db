import { failures } from "@words/failures";
import * as z from "zod/mini";
import type { Details, Problem } from "./model";

const ErrorBody = z.object({
  message: z.string(),
  error: z.object({ code: z.string(), hint: z._default(z.string(), ""), details: z._default(z.record(z.string(), z.unknown()), {}) }),
});

/** Why something could not be done: the only error that the API layer throws. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number;
  readonly details: Details;

  constructor(message: string, about: { code: string; hint?: string; status?: number; details?: Details }) {
    super(message);
    this.name = "ApiError";
    this.code = about.code;
    this.hint = about.hint ?? "";
    this.status = about.status ?? 0;
    this.details = about.details ?? {};
  }

  /** Whether the service could not be reached at all. */
  get offline(): boolean {
    return this.code === "offline";
  }

  get unauthorized(): boolean {
    return this.status === 401;
  }

  /** Seconds that the service asks to be left alone for. */
  get retryAfter(): number | null {
    const seconds = this.details.retry_after;
    return typeof seconds === "number" ? seconds : null;
  }

  static offline(): ApiError {
    return new ApiError(failures.offline.what, { code: "offline", hint: failures.offline.hint });
  }

  static fromBody(status: number, body: unknown): ApiError {
    const read = ErrorBody.safeParse(body);
    if (!read.success) {
      return new ApiError(failures.odd(status), { code: "odd_answer", status, hint: failures.oddHint });
    }
    const { message, error } = read.data;
    return new ApiError(message, { code: error.code, hint: error.hint, status, details: error.details });
  }

  /** What is kept with a task that failed, as an error to show. */
  static fromTask(message: string, problem: Problem): ApiError {
    return new ApiError(message, { ...problem });
  }

  static from(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new ApiError(failures.own, { code: "panel", hint: message });
  }
}
