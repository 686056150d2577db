/* Made by `npm run api` from the service's API document. Not to be changed by hand. */

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the panel to a browser, and to everyone else the word that the service runs. */
        get: operations["home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what the agent can do, with the parameters of each action. */
        get: operations["actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a sign-in link that works once, for ten minutes. */
        post: operations["admin_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/selftest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attack the sandbox in every known way and say which attacks it stopped; one that fails is not used any more. */
        post: operations["admin_selftest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the service; what is under way is finished or parked first. */
        post: operations["admin_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer the questions of a plan that waits, without an id the newest one; it is planned anew, and asks again. */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the panel's page for the addresses that the panel itself makes sense of. */
        get: operations["panel_home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the panel's page, which shows what the address names. */
        get: operations["panel_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give a file of the panel; its name changes with its content, so a browser may keep it for good. */
        get: operations["panel_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the copies of logs and memory stand. */
        get: operations["backups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try again now to copy what waits, after a reason to stop was mended. */
        post: operations["retry_backups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancel_plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a task or plan, or everything that is queued. */
        post: operations["cancel_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve or reject what waits; without an id, the one task that waits. */
        post: operations["confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the accounts that can be used: how each stands, what it needs and how to get that. */
        get: operations["credentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Test what opens an account and keep it in place of what was there; if the test fails, nothing changes. */
        put: operations["set_credential"];
        post?: never;
        /** Remove what is stored for an account; it stays valid at the host until it is removed there too. */
        delete: operations["forget_credential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{account}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the host whether what is set up still opens the account. */
        post: operations["test_credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was put online, the newest first, and where each project is now. */
        get: operations["deployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what was done for one deployment and what its host printed. */
        get: operations["deployment_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read about every address of the service. */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the look of the pages. */
        get: operations["docs_style"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/downloads/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give what the link was made for. */
        get: operations["download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow what happens: one event for everything that is done, with a sign of life at least every two seconds. */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a zip that `deploy_app` with `export` made. */
        get: operations["export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/favicon.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the panel's icon. */
        get: operations["favicon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say whether the service is well; with the token also how much it has to do. */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the logs, newest first: all, or those that fit. */
        get: operations["logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logs_from_drive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newest copies of logs, where they are kept besides here: id, name, time, link. */
        get: operations["logs_from_drive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logs/{date}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one log: what was asked, decided, approved and done. */
        get: operations["log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show everything that is remembered: what `context.json` holds. */
        get: operations["memory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the counters, the goal, the last plan, recent actions and what waits. */
        get: operations["memory_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show counters and timings, as JSON or, for `Accept: text/plain`, as Prometheus reads them. */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications-worker.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the script by which a browser shows the panel's notifications on a phone; it loads and keeps nothing. */
        get: operations["notifications_worker"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the API document, OpenAPI 3.1. */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the projects. */
        get: operations["projects"];
        put?: never;
        /** Make an empty project: gated like any action. */
        post: operations["new_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one project: its size, its newest change and what waits there for approval. */
        get: operations["project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the project as a zip file, without its history, installed dependencies and `.env` files. */
        get: operations["archive"];
        put?: never;
        /** Make a new project from a zip file: all of it or nothing, gated like any action. */
        post: operations["import_archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link that downloads a file, or the project as a zip file, once: for a browser, which sends no token. */
        post: operations["new_download"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is in a folder of the project. */
        get: operations["files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file: as JSON with its text (or `base64` if it is not text), or with `download` its bare bytes. */
        get: operations["file"];
        /** Upload a file: gated like any action, and undoable. */
        put: operations["write_file"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the project's changes, newest first. */
        get: operations["history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give a picture of the project's app, taken when it was started last. */
        get: operations["picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show whether the project's app runs, where, and what it prints; `start_app` and `stop_app` change that. */
        get: operations["preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how the project's app was proven: every check, with the real requests and answers. */
        get: operations["project_proof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the queued steps in the order in which they will be taken. */
        get: operations["queue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo the last action, go back to before a task or to a commit, or take one change back. */
        post: operations["rollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Do something: it runs at once where the record has earned that, else it waits for `/confirm`. */
        post: operations["run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/run_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take queued steps until none is left, one asks or one fails. */
        post: operations["run_all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/run_next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the next queued step. */
        post: operations["run_next"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/run_tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run the commands of a test file and compare what they answer. */
        post: operations["run_tests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange the one-time code of a sign-in link for the token. */
        post: operations["session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the settings, without secrets. */
        get: operations["settings"];
        /** Set whether the agent asks before everything, acts where it has earned it, or for a time asks nothing. */
        put: operations["change_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site.webmanifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Give the panel's manifest, by which a phone keeps it like an app. */
        get: operations["manifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks, newest first. */
        get: operations["tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one task with all that is known about it, and its steps. */
        get: operations["task"];
        put?: never;
        post?: never;
        /** Take a queued step off the queue. */
        delete: operations["skip_task"];
        options?: never;
        head?: never;
        /** Change a queued step. */
        patch: operations["edit_task"];
        trace?: never;
    };
    "/tasks/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that a task or plan changed or, while it waits, would change. */
        get: operations["task_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/diff/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one file of a task's changes, as it was before and after. */
        get: operations["task_diff_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/insert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a new step before a queued one. */
        post: operations["insert_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a queued step before another one, or to the end. */
        post: operations["move_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what undoing a task would take back; `/rollback` does it. */
        get: operations["undo_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the actions that ended, newest first, in one project or in all. */
        get: operations["timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how the days went: how many actions succeeded, failed, were undone, and ran without asking. */
        get: operations["days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show every record with its score, what it is enough for, and what the owner has set. */
        get: operations["trust"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trust/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set for one kind of action that it runs alone, always asks, or is refused. */
        put: operations["override"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Actions */
        Actions: {
            /** Actions */
            actions: components["schemas"]["ActionShape"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * ActionShape
         * @description Something that the agent can do.
         */
        ActionShape: {
            /** Effects */
            effects: string[];
            /** Name */
            name: string;
            /** Needs Project */
            needs_project: boolean;
            /**
             * Params
             * @description JSON schema of its parameters.
             */
            params: {
                [key: string]: unknown;
            };
            /** Reversible */
            reversible: boolean;
            /** Summary */
            summary: string;
            /** Undo */
            undo: string;
        };
        /**
         * AnswerQuestions
         * @example {
         *       "answers": {
         *         "about": "books"
         *       }
         *     }
         */
        AnswerQuestions: {
            /**
             * Answers
             * @description What to build instead of the defaults, by the key of each question.
             */
            answers: {
                [key: string]: string;
            };
            /**
             * Id
             * @default null
             */
            id?: string | null;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /**
         * ApiDocument
         * @description An OpenAPI document.
         */
        ApiDocument: {
            /** Info */
            info: {
                [key: string]: unknown;
            };
            /** Openapi */
            openapi: string;
            /** Paths */
            paths: {
                [key: string]: unknown;
            };
        };
        /**
         * Approval
         * @description Who said yes or no, when and why.
         */
        Approval: {
            /** Approved */
            approved: boolean;
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /**
             * By
             * @description `owner`, `plan`, or `trust` where it ran alone.
             */
            by?: string;
            /** Reason */
            reason?: string;
        };
        /** Autonomy */
        Autonomy: {
            /** By Project */
            by_project: {
                [key: string]: components["schemas"]["ProjectAutonomy"];
            };
            /**
             * Mode
             * @enum {string}
             */
            mode: "ask_all" | "earned" | "allow_all";
            /** Until */
            until: string | null;
        };
        /** Backups */
        Backups: {
            backups: components["schemas"]["BackupShape"];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * BackupShape
         * @description How the copies stand.
         */
        BackupShape: {
            /** Configured */
            configured: boolean;
            /** Hint */
            hint?: string;
            /** Last Error */
            last_error?: string;
            /** Last Success */
            last_success?: string;
            /** Pending */
            pending: number;
            /** State */
            state: string;
            /** Target */
            target?: string;
            /** Uploaded */
            uploaded: number;
            /** Words */
            words: string;
        };
        /** Brief */
        Brief: {
            /** Commit */
            commit: string | null;
            /**
             * Created
             * @description UTC, ISO 8601, ending in Z.
             */
            created: string;
            /** Finished */
            finished: string | null;
            /** Id */
            id: string;
            /** Intent */
            intent: string;
            /** Message */
            message: string;
            /** Project */
            project: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Title */
            title: string;
        };
        /** Cancel */
        Cancel: {
            /**
             * Id
             * @default null
             */
            id?: string | null;
        };
        /** Cancelled */
        Cancelled: {
            /** Cancelled */
            cancelled: string[];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * Card
         * @description What a person needs to know to say yes or no.
         */
        Card: {
            /** Assumptions */
            assumptions?: string[];
            /**
             * Blocked
             * @description What has to be there first; a yes alone does not help.
             */
            blocked?: string;
            /**
             * Call
             * @description What `/run` takes: `intent`, its parameters, and `project`.
             */
            call: {
                [key: string]: unknown;
            };
            /**
             * Can Undo
             * @description Whether all of it can be taken back.
             */
            can_undo?: boolean;
            /** Cannot */
            cannot?: string[];
            /** Checks */
            checks?: string[];
            /** Cost */
            cost: string;
            /** Digest */
            digest: string;
            /**
             * Identity
             * @description Changes if what is approved is no longer the same.
             */
            identity?: string;
            /** Needs */
            needs?: components["schemas"]["Need"][];
            /**
             * Outward
             * @description Whether any of it leaves this machine.
             */
            outward?: boolean;
            /** Questions */
            questions?: components["schemas"]["Question"][];
            /** Size */
            size: number;
            /** Title */
            title: string;
            /** Understood */
            understood?: string;
            /** Undo */
            undo: string;
            what: components["schemas"]["CardWhat"];
            /** Where */
            where: string;
            /**
             * Why
             * @description Why it asks.
             */
            why: string[];
            /** Worst */
            worst: string;
        };
        /** CardFile */
        CardFile: {
            /** After Bytes */
            after_bytes: number | null;
            /** Before Bytes */
            before_bytes: number | null;
            /**
             * Change
             * @enum {string}
             */
            change: "new" | "changed" | "deleted" | "moved here";
            /**
             * Kind
             * @enum {string}
             */
            kind: "file" | "directory" | "symlink" | "fifo" | "other";
            /** Moved From */
            moved_from?: string;
            /** Path */
            path: string;
            /** Project */
            project?: string;
        };
        /** CardStep */
        CardStep: {
            /**
             * Call
             * @description What `/run` takes: `intent`, its parameters, and `project`.
             */
            call: {
                [key: string]: unknown;
            };
            /** Project */
            project: string | null;
            /** Title */
            title: string;
        };
        /**
         * CardWhat
         * @description What would change.
         */
        CardWhat: {
            /**
             * Credential
             * @description The credential that is missing; see `/credentials`.
             */
            credential?: string;
            /**
             * Diff
             * @description A unified diff, cut where it gets too long.
             */
            diff: string;
            /**
             * Effects
             * @description In words: what it touches.
             */
            effects: string[];
            /** Files */
            files: components["schemas"]["CardFile"][];
            /**
             * First
             * @description Whether it was never there before.
             */
            first?: boolean;
            /**
             * Free Tier
             * @description How much of it is used, in words.
             */
            free_tier?: string;
            /** Guide */
            guide?: string[];
            /**
             * Left Out
             * @description What is not sent, and why.
             */
            left_out?: string[];
            /**
             * More
             * @description How many files are not listed.
             */
            more: number;
            /**
             * Notes
             * @description What a look at it found.
             */
            notes: string[];
            /** Price */
            price?: string;
            /** Provider */
            provider?: string;
            /**
             * Public
             * @description What becomes public, and where.
             */
            public?: string;
            /** Remedy */
            remedy?: string;
            /** Steps */
            steps?: components["schemas"]["CardStep"][];
            /** Summary */
            summary: string;
            /**
             * Target
             * @description Of a deployment: the host, as it is shown.
             */
            target?: string;
        };
        /**
         * Code
         * @example {
         *       "code": "CODE"
         *     }
         */
        Code: {
            /**
             * Code
             * @description The code of a sign-in link.
             */
            code: string;
        };
        /**
         * Command
         * @description One action with its parameters beside it, or a goal in plain words, or a list of steps.
         * @example {
         *       "content": "hi",
         *       "intent": "create_file",
         *       "path": "a.txt",
         *       "project": "notes"
         *     }
         */
        Command: {
            /**
             * Answers
             * @description Answers to questions, by their keys.
             * @default null
             */
            answers?: {
                [key: string]: string;
            } | null;
            /**
             * Goal
             * @description What to reach, in plain words.
             * @default null
             */
            goal?: string | null;
            /**
             * Intent
             * @description Name of an action; see `/actions`.
             * @default null
             */
            intent?: string | null;
            /**
             * Online
             * @description With `goal`: the host that the app goes to, such as `vercel` or `demo`.
             * @default null
             */
            online?: string | null;
            /**
             * Params
             * @description Parameters, if they do not stand beside `intent`.
             * @default null
             */
            params?: {
                [key: string]: unknown;
            } | null;
            /**
             * Project
             * @default null
             */
            project?: string | null;
            /**
             * Steps
             * @description Steps of a plan, in order.
             * @default null
             */
            steps?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        } & {
            [key: string]: unknown;
        };
        /** Commit */
        Commit: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /** Author */
            author: string;
            /** Id */
            id: string;
            /** Message */
            message: string;
            /** Task Id */
            task_id: string | null;
            /** Title */
            title: string;
        };
        /** Commits */
        Commits: {
            /** Commits */
            commits: components["schemas"]["Commit"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * Confirm
         * @example {
         *       "approve": true
         *     }
         */
        Confirm: {
            /** Approve */
            approve: boolean;
            /**
             * Id
             * @default null
             */
            id?: string | null;
            /**
             * Reason
             * @default
             */
            reason?: string;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /** Credential */
        Credential: {
            credential: components["schemas"]["CredentialShape"];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * CredentialField
         * @description One value that an account needs.
         */
        CredentialField: {
            /**
             * Environment
             * @description The variable that is used where nothing is stored.
             */
            environment: string;
            /**
             * File
             * @description Whether it is the whole text of a JSON file.
             */
            file: boolean;
            /** Hint */
            hint: string;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Required */
            required: boolean;
            /** Secret */
            secret: boolean;
            /** Set */
            set: boolean;
            /**
             * Value
             * @description Only of what is no secret.
             */
            value?: string;
        };
        /** CredentialList */
        CredentialList: {
            /** Credentials */
            credentials: components["schemas"]["CredentialShape"][];
            /** Message */
            message: string;
            /** Notices */
            notices: string[];
            /** Success */
            success: boolean;
        };
        /**
         * CredentialShape
         * @description One account: how it stands, and how to get what opens it.
         */
        CredentialShape: {
            /** Fields */
            fields: components["schemas"]["CredentialField"][];
            /**
             * Guide
             * @description How to get it, step by step.
             */
            guide: string[];
            /** Name */
            name: string;
            /** Purpose */
            purpose: string;
            /** Set */
            set: boolean;
            /**
             * Source
             * @description Where it comes from.
             * @enum {string}
             */
            source: "stored" | "environment" | "";
            /**
             * State
             * @enum {string}
             */
            state: "missing" | "untested" | "works" | "refused";
            /** Team */
            team: string;
            /**
             * Tested
             * @description When it was last tried; empty if never.
             */
            tested: string;
            /** Title */
            title: string;
            /**
             * Who
             * @description Whose it is, as the host says.
             */
            who: string;
            /** Words */
            words: string;
        };
        /**
         * DayShape
         * @description How a day went.
         */
        DayShape: {
            /**
             * Alone
             * @description How many ran without asking.
             */
            alone: number;
            /** Cancelled */
            cancelled: number;
            /** Cost */
            cost: number;
            /** Date */
            date: string;
            /** Failed */
            failed: number;
            /** Rejected */
            rejected: number;
            /** Seconds */
            seconds: number;
            /** Succeeded */
            succeeded: number;
            /** Undone */
            undone: number;
        };
        /** DaysQuery */
        DaysQuery: {
            /**
             * Days
             * @default 30
             */
            days?: number;
        };
        /** DaysReply */
        DaysReply: {
            /** Days */
            days: components["schemas"]["DayShape"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * Decision
         * @description Whether it may run, and why.
         */
        Decision: {
            /**
             * Code
             * @description For programs; the reasons are for people.
             */
            code: string;
            /** Effects */
            effects?: string[];
            /**
             * Level
             * @enum {string}
             */
            level: "low" | "medium" | "high";
            /** Reasons */
            reasons: string[];
            /** Score */
            score: number;
            /** Size */
            size?: number;
            /** Threshold */
            threshold: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "auto" | "ask" | "refuse";
        };
        /**
         * Deployment
         * @description Something that was put online, brought back or taken down. Entries of older versions say less.
         */
        Deployment: {
            /** Commit */
            commit?: string;
            /** Files */
            files?: number;
            /** Freetier */
            freeTier?: boolean;
            /** Id */
            id?: string;
            /** Key */
            key?: string;
            live?: components["schemas"]["Release"] | null;
            /** Name */
            name?: string;
            /** Note */
            note?: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome?: "live" | "wrong" | "unchecked" | "guarded" | "failed" | "refused" | "unknown" | "brought back" | "taken down";
            /**
             * Previous
             * @description What visitors saw until then.
             */
            previous?: string | null;
            /** Project */
            project?: string;
            /** Provider */
            provider?: string;
            /** Release */
            release?: string;
            /** Seconds */
            seconds?: number;
            /** Size */
            size?: number;
            /**
             * Source
             * @description The task that did it.
             */
            source?: string;
            /** Success */
            success?: boolean;
            /**
             * Timestamp
             * @description UTC, ISO 8601, ending in Z.
             */
            timestamp?: string;
            /** Url */
            url?: string;
        };
        /** DeploymentList */
        DeploymentList: {
            /** Deployments */
            deployments: components["schemas"]["Deployment"][];
            /** Message */
            message: string;
            /** Places */
            places: components["schemas"]["Place"][];
            /** Success */
            success: boolean;
        };
        /** DeploymentLog */
        DeploymentLog: {
            deployment: components["schemas"]["Deployment"];
            /** Lines */
            lines: string[];
            /**
             * Matters
             * @description Of one that failed, the lines that say why.
             */
            matters: string[];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** DeploymentQuery */
        DeploymentQuery: {
            /**
             * Project
             * @default null
             */
            project?: string | null;
        };
        /**
         * DiffFile
         * @description What came of one file, or would come of it.
         */
        DiffFile: {
            /**
             * Added
             * @description Lines; null where they were not counted.
             */
            added: number | null;
            /** After Bytes */
            after_bytes: number | null;
            /** Before Bytes */
            before_bytes: number | null;
            /** Binary */
            binary: boolean;
            /**
             * Change
             * @enum {string}
             */
            change: "added" | "removed" | "changed" | "moved" | "mode";
            /**
             * Kind
             * @enum {string}
             */
            kind: "file" | "directory" | "symlink" | "fifo" | "other";
            /** Moved From */
            moved_from: string | null;
            /** Path */
            path: string;
            /** Project */
            project: string;
            /** Removed */
            removed: number | null;
            /**
             * Too Large
             * @description Too large to be shown as text.
             */
            too_large: boolean;
        };
        /** DiffReply */
        DiffReply: {
            /** Added */
            added: number;
            /**
             * Ahead
             * @description Whether this is what would change: the task still waits.
             */
            ahead: boolean;
            /** Files */
            files: components["schemas"]["DiffFile"][];
            /** Message */
            message: string;
            /** Removed */
            removed: number;
            /** Success */
            success: boolean;
        };
        /** DiffText */
        DiffText: {
            /**
             * Added
             * @description Lines; null where they were not counted.
             */
            added: number | null;
            /** After */
            after: string | null;
            /** After Bytes */
            after_bytes: number | null;
            /**
             * Before
             * @description Null if it was not there, or is no text.
             */
            before: string | null;
            /** Before Bytes */
            before_bytes: number | null;
            /** Binary */
            binary: boolean;
            /**
             * Change
             * @enum {string}
             */
            change: "added" | "removed" | "changed" | "moved" | "mode";
            /**
             * Kind
             * @enum {string}
             */
            kind: "file" | "directory" | "symlink" | "fifo" | "other";
            /** Moved From */
            moved_from: string | null;
            /** Path */
            path: string;
            /** Project */
            project: string;
            /** Removed */
            removed: number | null;
            /**
             * Too Large
             * @description Too large to be shown as text.
             */
            too_large: boolean;
        };
        /** Download */
        Download: {
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            /**
             * Url
             * @description Works once, for a minute, without the token.
             */
            url: string;
        };
        /**
         * DriveCopy
         * @description A copy of a log.
         */
        DriveCopy: {
            /** Id */
            id: string;
            /** Link */
            link: string;
            /** Name */
            name: string;
            /** Time */
            time: string;
        };
        /** DriveList */
        DriveList: {
            /** Logs */
            logs: components["schemas"]["DriveCopy"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** DriveQuery */
        DriveQuery: {
            /**
             * Limit
             * @default 20
             */
            limit?: number;
        };
        /**
         * ErrorReply
         * @description Why it could not be done.
         */
        ErrorReply: {
            error: components["schemas"]["Problem"];
            /** Message */
            message: string;
            /**
             * Success
             * @constant
             */
            success: false;
        };
        /** EventHeaders */
        EventHeaders: {
            /**
             * Last-Event-Id
             * @description Number of the last event that was seen; wins over `after`.
             * @default null
             */
            "Last-Event-ID"?: number | null;
        };
        /** EventQuery */
        EventQuery: {
            /**
             * After
             * @description Number of the last event that was seen.
             * @default null
             */
            after?: number | null;
            /**
             * Task Id
             * @description Only events of this task.
             * @default null
             */
            task_id?: string | null;
        };
        /**
         * EventShape
         * @description Something that happened; the `data` of each event of the stream is one of these.
         */
        EventShape: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Seq */
            seq: number;
            /** Task Id */
            task_id: string | null;
            /**
             * Type
             * @description A type that is not known is to be passed over.
             */
            type: string;
        };
        /**
         * Exchange
         * @description One request and its answer, or one command and what came of it.
         */
        Exchange: {
            /** Answered */
            answered: string;
            /** Asked */
            asked: string;
            /** Sent */
            sent: string;
            /** Status */
            status: number | null;
        };
        /** File */
        File: {
            /** Base64 */
            base64?: string;
            /** Message */
            message: string;
            /** Mode */
            mode: string;
            /** Path */
            path: string;
            /** Size */
            size: number;
            /** Success */
            success: boolean;
            /** Text */
            text?: string;
        };
        /** FileDiffReply */
        FileDiffReply: {
            file: components["schemas"]["DiffText"];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** FileEntry */
        FileEntry: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "file" | "directory" | "symlink" | "fifo" | "other";
            /** Mode */
            mode: string;
            /** Path */
            path: string;
            /** Size */
            size: number;
        };
        /** Files */
        Files: {
            /** Entries */
            entries: components["schemas"]["FileEntry"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** FilesQuery */
        FilesQuery: {
            /**
             * Path
             * @description Folder inside the project; empty for the project itself.
             * @default
             */
            path?: string;
            /**
             * Recursive
             * @default false
             */
            recursive?: boolean;
        };
        /** ForProject */
        ForProject: {
            /**
             * Project
             * @default null
             */
            project?: string | null;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /**
         * Gone
         * @description A change that an undo takes back or brings back.
         */
        Gone: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /** Id */
            id: string;
            /** Project */
            project: string;
            /** Title */
            title: string;
        };
        /**
         * Health
         * @description All but the message only for who carries the token.
         */
        Health: {
            /**
             * Autonomy
             * @enum {string}
             */
            autonomy?: "ask_all" | "earned" | "allow_all";
            /** Autonomy Until */
            autonomy_until?: string | null;
            /** Backups */
            backups?: string;
            /**
             * Last Seq
             * @description Number of the newest event.
             */
            last_seq?: number;
            /** Message */
            message: string;
            /** Notices */
            notices?: string[];
            /** Queue */
            queue?: number;
            sandbox?: components["schemas"]["Sandbox"];
            /** Success */
            success: boolean;
            /** Uptime */
            uptime?: number;
            /** Version */
            version?: string;
            /**
             * Waiting
             * @description How many tasks wait for the owner.
             */
            waiting?: number;
            workers?: components["schemas"]["Workers"];
        };
        /** HistoryQuery */
        HistoryQuery: {
            /**
             * Limit
             * @default 50
             */
            limit?: number;
        };
        /** Inserted */
        Inserted: {
            /** Id */
            id: string;
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** Link */
        Link: {
            /** Code */
            code: string;
            /** Expires */
            expires: string;
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            /** Url */
            url: string;
        };
        /**
         * LogEntry
         * @description One log in a list.
         */
        LogEntry: {
            /** Confirmationneeded */
            confirmationNeeded: boolean | null;
            /** Created */
            created: string | null;
            /** Date */
            date: string;
            /** Id */
            id: string | null;
            /** Name */
            name: string;
            /** Project */
            project: string | null;
            /** Size */
            size: number;
            /** Status */
            status: ("queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone") | null;
            /** Title */
            title: string | null;
        };
        /** LogFile */
        LogFile: {
            /** Log */
            log: {
                [key: string]: unknown;
            };
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /** LogLine */
        LogLine: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /**
             * Source
             * @enum {string}
             */
            source: "stdout" | "stderr" | "agent";
            /** Text */
            text: string;
        };
        /** LogList */
        LogList: {
            /** Logs */
            logs: components["schemas"]["LogEntry"][];
            /** Message */
            message: string;
            /**
             * Next
             * @description Give it as `before` to go on; null at the end.
             */
            next: string | null;
            /** Success */
            success: boolean;
        };
        /** LogQuery */
        LogQuery: {
            /**
             * Before
             * @description Where the page before ended, as `next` gave it.
             * @default null
             */
            before?: string | null;
            /**
             * Date
             * @default null
             */
            date?: string | null;
            /**
             * Limit
             * @default 50
             */
            limit?: number;
            /**
             * Project
             * @default null
             */
            project?: string | null;
            /**
             * Q
             * @description Words that stand somewhere in the log, in any case of letters.
             * @default
             */
            q?: string;
            /**
             * Status
             * @default null
             */
            status?: ("queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone") | null;
        };
        /** Metrics */
        Metrics: {
            /** Message */
            message: string;
            /** Metrics */
            metrics: {
                [key: string]: number;
            };
            /** Success */
            success: boolean;
        };
        /**
         * Move
         * @example {
         *       "before": null
         *     }
         */
        Move: {
            /**
             * Before
             * @description The step that it shall stand before; null for the end.
             */
            before: string | null;
        };
        /** Need */
        Need: {
            /** Remedy */
            remedy: string;
            /** What */
            what: string;
        };
        /**
         * NewCredential
         * @example {
         *       "values": {
         *         "token": "TOKEN"
         *       }
         *     }
         */
        NewCredential: {
            /**
             * Values
             * @description What opens the account, by the names of its fields.
             */
            values: {
                [key: string]: string;
            };
        };
        /** NewestTask */
        NewestTask: {
            /**
             * Created
             * @description UTC, ISO 8601, ending in Z.
             */
            created: string;
            /** Finished */
            finished: string | null;
            /** Id */
            id: string;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Title */
            title: string;
        };
        /**
         * NewProject
         * @example {
         *       "name": "notes"
         *     }
         */
        NewProject: {
            /**
             * Name
             * @description Name of the project, such as `notes`.
             */
            name: string;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /**
         * NewSettings
         * @example {
         *       "autonomy": "earned"
         *     }
         */
        NewSettings: {
            /**
             * Always Confirm
             * @description True is the same as `ask_all`, false as `earned`.
             * @default null
             */
            always_confirm?: boolean | null;
            /**
             * Autonomy
             * @default null
             */
            autonomy?: ("ask_all" | "earned" | "allow_all") | null;
            /**
             * Minutes
             * @description For so long; for good without it.
             * @default null
             */
            minutes?: number | null;
            /**
             * Project
             * @description Only there; everywhere without it.
             * @default null
             */
            project?: string | null;
        };
        /**
         * Override
         * @example {
         *       "intent": "delete_file",
         *       "verdict": "ask"
         *     }
         */
        Override: {
            /** Intent */
            intent: string;
            /**
             * Lift Floor
             * @description With `auto`: also where it would otherwise ask whatever the record.
             * @default false
             */
            lift_floor?: boolean;
            /**
             * Project
             * @description Only there; everywhere without it.
             * @default null
             */
            project?: string | null;
            /**
             * Verdict
             * @description What to do whatever the record says; null takes the override away.
             */
            verdict: ("auto" | "ask" | "refuse") | null;
        };
        /** OverrideSet */
        OverrideSet: {
            /** Lifted */
            lifted: boolean;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "auto" | "ask" | "refuse";
        };
        /** PictureQuery */
        PictureQuery: {
            /**
             * Size
             * @default small
             * @enum {string}
             */
            size?: "small" | "large";
        };
        /**
         * Place
         * @description One project on one host.
         */
        Place: {
            /** At */
            at: string | null;
            current: components["schemas"]["Release"] | null;
            /**
             * Health
             * @description How it stands, in words.
             */
            health: string;
            live: components["schemas"]["Release"] | null;
            /** Name */
            name: string;
            /** Note */
            note: string | null;
            /** Project */
            project: string;
            /** Provider */
            provider: string;
            /**
             * Releases
             * @description The newest first.
             */
            releases: components["schemas"]["Release"][];
            /**
             * State
             * @enum {string}
             */
            state: "live" | "offline";
            /**
             * Url
             * @description Empty if it is offline.
             */
            url: string;
            /** Words */
            words: string;
        };
        /**
         * PlannedStep
         * @description A step of a plan, in brief.
         */
        PlannedStep: {
            /** Commit */
            commit: string | null;
            /** Id */
            id: string;
            /** Message */
            message: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Title */
            title: string;
        };
        /**
         * Preview
         * @description How the app of a project is doing.
         */
        Preview: {
            /**
             * Link
             * @description What to open or frame; it carries a key where one is needed.
             */
            link: string | null;
            /** Note */
            note?: string;
            /** Port */
            port: number | null;
            /** Restarts */
            restarts?: number;
            /**
             * Since
             * @description UTC, ISO 8601, ending in Z.
             */
            since?: string;
            /**
             * State
             * @enum {string}
             */
            state: "none" | "starting" | "running" | "crashed" | "stopped";
            /** Tries Again */
            tries_again?: boolean;
            /** Url */
            url: string | null;
            /** Words */
            words: string;
        };
        /** PreviewQuery */
        PreviewQuery: {
            /**
             * Lines
             * @description How many of the last lines that it printed to give.
             * @default 100
             */
            lines?: number;
        };
        /** PreviewReply */
        PreviewReply: {
            /**
             * Log
             * @description What it printed, and what was said about it, oldest first.
             */
            log: components["schemas"]["LogLine"][];
            /** Message */
            message: string;
            preview: components["schemas"]["Preview"];
            /** Success */
            success: boolean;
        };
        /**
         * Probe
         * @description One attack on a sandbox.
         */
        Probe: {
            /** Detail */
            detail: string;
            /** Name */
            name: string;
            /** Required */
            required: boolean;
            /** Stopped */
            stopped: boolean;
            /** What */
            what: string;
        };
        /**
         * Problem
         * @description What a program and a person can make of it.
         */
        Problem: {
            /**
             * Code
             * @description For programs.
             */
            code: string;
            /** Details */
            details: {
                [key: string]: unknown;
            };
            /**
             * Hint
             * @description The remedy, in words.
             */
            hint: string;
        };
        /** Project */
        Project: {
            /** Bytes */
            bytes: number;
            /** Files */
            files: number;
            /**
             * Kind
             * @description What sort of app it is, if it was built here.
             */
            kind: string | null;
            last_commit: components["schemas"]["Commit"] | null;
            /** Name */
            name: string;
            newest: components["schemas"]["NewestTask"] | null;
            /**
             * Picture
             * @description Changes with the picture; null if there is none.
             */
            picture: string | null;
            preview: components["schemas"]["Preview"];
            /**
             * Problem
             * @description Why its history cannot be used.
             */
            problem?: string;
            /** Title */
            title: string;
            /** Updated */
            updated: string | null;
            /** Waiting Count */
            waiting_count: number;
        };
        /** ProjectAutonomy */
        ProjectAutonomy: {
            /**
             * Mode
             * @enum {string}
             */
            mode: "ask_all" | "earned" | "allow_all";
            /** Until */
            until: string | null;
        };
        /** ProjectDetail */
        ProjectDetail: {
            /** Message */
            message: string;
            project: components["schemas"]["ProjectInFull"];
            /** Success */
            success: boolean;
        };
        /** ProjectInFull */
        ProjectInFull: {
            /** Bytes */
            bytes: number;
            /** Files */
            files: number;
            /**
             * Kind
             * @description What sort of app it is, if it was built here.
             */
            kind: string | null;
            last_commit: components["schemas"]["Commit"] | null;
            /** Name */
            name: string;
            newest: components["schemas"]["NewestTask"] | null;
            /**
             * Picture
             * @description Changes with the picture; null if there is none.
             */
            picture: string | null;
            preview: components["schemas"]["Preview"];
            /**
             * Problem
             * @description Why its history cannot be used.
             */
            problem?: string;
            /** Title */
            title: string;
            /** Updated */
            updated: string | null;
            /** Waiting */
            waiting: components["schemas"]["Task"][];
            /** Waiting Count */
            waiting_count: number;
        };
        /** ProjectList */
        ProjectList: {
            /** Message */
            message: string;
            /** Projects */
            projects: components["schemas"]["Project"][];
            /** Success */
            success: boolean;
        };
        /** ProofCheck */
        ProofCheck: {
            /** Asked */
            asked: number;
            /** Exchanges */
            exchanges: components["schemas"]["Exchange"][];
            /** Id */
            id: string;
            /** Ok */
            ok: boolean;
            /** Seconds */
            seconds: number;
            /** Seen Failing */
            seen_failing: boolean | null;
            /** Why */
            why: string;
            /** Words */
            words: string;
        };
        /** ProofReply */
        ProofReply: {
            /** Message */
            message: string;
            /** @description Null if nothing was proven yet. */
            proof: components["schemas"]["ProofShape"] | null;
            /** Success */
            success: boolean;
        };
        /** ProofShape */
        ProofShape: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /** Checks */
            checks: components["schemas"]["ProofCheck"][];
            /**
             * Current
             * @description Whether the files are still the ones that were proven.
             */
            current: boolean;
            /** Ok */
            ok: boolean;
            /** Seconds */
            seconds: {
                [key: string]: number;
            } | null;
            /** Task */
            task: string | null;
            tests: components["schemas"]["ProofTests"] | null;
            /** Variants */
            variants: components["schemas"]["ProofVariant"][] | null;
            /** Words */
            words: string;
        };
        /**
         * ProofTests
         * @description The app's own tests.
         */
        ProofTests: {
            /** Cases */
            cases: components["schemas"]["TestCase"][];
            /** Ok */
            ok: boolean;
            /** Passed */
            passed: number;
            /** Words */
            words: string;
        };
        /**
         * ProofVariant
         * @description The app broken on purpose: did its tests notice?
         */
        ProofVariant: {
            /** By */
            by: string;
            /** Caught */
            caught: boolean;
            /** Line */
            line: number;
            /** Path */
            path: string;
            /** Words */
            words: string;
        };
        /** Question */
        Question: {
            /** Default */
            default: string;
            /** Key */
            key: string;
            /** Options */
            options: string[];
            /** Text */
            text: string;
        };
        /** Queue */
        Queue: {
            /** Message */
            message: string;
            /** Steps */
            steps: components["schemas"]["QueuedStep"][];
            /** Success */
            success: boolean;
        };
        /** QueuedPlan */
        QueuedPlan: {
            /** Id */
            id: string;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Title */
            title: string;
        };
        /** QueuedStep */
        QueuedStep: {
            /** Id */
            id: string;
            /** @description The plan that it is a step of; it can move only within it. */
            plan: components["schemas"]["QueuedPlan"] | null;
            /**
             * Step
             * @description What `/run` takes: `intent`, its parameters, and `project`.
             */
            step: {
                [key: string]: unknown;
            };
            /**
             * Timestamp
             * @description UTC, ISO 8601, ending in Z.
             */
            timestamp: string;
            /** Title */
            title: string;
        };
        /**
         * Release
         * @description One version of an app as visitors saw it.
         */
        Release: {
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at?: string;
            /** Commit */
            commit: string;
            /**
             * Env
             * @description Variables as asked for; empty ones are secrets.
             */
            env?: {
                [key: string]: string;
            };
            /**
             * Id
             * @description The host's own.
             */
            id: string;
            /** Key */
            key: string;
            /** Place */
            place: string;
            /** Task */
            task?: string | null;
            /** Url */
            url: string;
            /**
             * Verified
             * @description Whether its checks held at its address.
             */
            verified: boolean;
        };
        /**
         * Reply
         * @description Base of what an answer says; it may say more. Only described: the handlers' dicts go out as they are.
         */
        Reply: {
            /** Message */
            message: string;
            /** Success */
            success: boolean;
        };
        /**
         * Result
         * @description What came of it; while it runs, what is known before.
         */
        Result: {
            /** Data */
            data?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["Problem"];
            /** Message */
            message?: string;
            /** Success */
            success?: boolean;
        };
        /** Rollback */
        Rollback: {
            /**
             * Commit
             * @description Go back to this commit.
             * @default null
             */
            commit?: string | null;
            /**
             * Exact
             * @description Make the project exactly what it was, later changes by others included.
             * @default false
             */
            exact?: boolean;
            /**
             * Id
             * @description Go back to before this task.
             * @default null
             */
            id?: string | null;
            /**
             * Only
             * @description Take back that one change and leave the later ones.
             * @default false
             */
            only?: boolean;
            /**
             * Project
             * @default null
             */
            project?: string | null;
            /**
             * To
             * @description Go back to the last proven or deployed commit.
             * @default null
             */
            to?: "last_good" | null;
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /** RunHeaders */
        RunHeaders: {
            /**
             * Idempotency-Key
             * @description A request that is sent again with the same key does not act again.
             * @default null
             */
            "Idempotency-Key"?: string | null;
        };
        /**
         * Sandbox
         * @description Whether code can be run here, and behind which wall.
         */
        Sandbox: {
            /** Checked */
            checked: boolean;
            /** Level */
            level: string | null;
            /** Message */
            message: string;
            /** Ok */
            ok: boolean;
            /** Sandbox */
            sandbox: string | null;
            /** Tests */
            tests: components["schemas"]["SandboxTest"][];
        };
        /** SandboxTest */
        SandboxTest: {
            /** Level */
            level: string;
            /** Message */
            message: string;
            /** Ok */
            ok: boolean;
            /** Probes */
            probes: components["schemas"]["Probe"][];
            /** Sandbox */
            sandbox: string;
            /** Seconds */
            seconds: number;
        };
        /** SelfTest */
        SelfTest: {
            /** Message */
            message: string;
            sandbox: components["schemas"]["Sandbox"];
            /** Success */
            success: boolean;
        };
        /** Settings */
        Settings: {
            /**
             * About
             * @description The same in words.
             */
            about: components["schemas"]["SettingShape"][];
            autonomy: components["schemas"]["Autonomy"];
            /** Message */
            message: string;
            /**
             * Settings
             * @description Every value by its name.
             */
            settings: {
                [key: string]: unknown;
            };
            /** Success */
            success: boolean;
        };
        /**
         * SettingShape
         * @description One setting in words.
         */
        SettingShape: {
            /** Allowed */
            allowed: string;
            /** Default */
            default: unknown;
            /** Name */
            name: string;
            /** Value */
            value: unknown;
            /**
             * Variable
             * @description Its name in the environment and in `.env`.
             */
            variable: string;
            /** Words */
            words: string;
        };
        /**
         * StepBody
         * @example {
         *       "step": {
         *         "intent": "create_file",
         *         "path": "b.txt",
         *         "project": "notes"
         *       }
         *     }
         */
        StepBody: {
            /**
             * Step
             * @description What to do: `intent`, its parameters, and `project`.
             */
            step: {
                [key: string]: unknown;
            };
        };
        /** Summary */
        Summary: {
            /** Auto Confirmed Count */
            auto_confirmed_count: number;
            /**
             * Autonomy
             * @enum {string}
             */
            autonomy: "ask_all" | "earned" | "allow_all";
            /**
             * Autonomy Level
             * @enum {string}
             */
            autonomy_level: "low" | "medium" | "high";
            /** Confirmed Count */
            confirmed_count: number;
            /** Current Goal */
            current_goal: string | null;
            /** Last Deployment Url */
            last_deployment_url: string | null;
            /** Message */
            message: string;
            /** Queued */
            queued: number;
            /** Recent Actions */
            recent_actions: components["schemas"]["Brief"][];
            /** Rejected Count */
            rejected_count: number;
            /** Success */
            success: boolean;
            /** Trust Score */
            trust_score: number;
            /** Waiting */
            waiting: components["schemas"]["Brief"][];
        };
        /**
         * Task
         * @description One thing to do, or a plan with steps below it.
         */
        Task: {
            approval: components["schemas"]["Approval"] | null;
            card: components["schemas"]["Card"] | null;
            /** Children */
            children: string[];
            /** Commit */
            commit: string | null;
            /** Cost */
            cost: number;
            /**
             * Created
             * @description UTC, ISO 8601, ending in Z.
             */
            created: string;
            decision: components["schemas"]["Decision"] | null;
            /** Finished */
            finished: string | null;
            /** Id */
            id: string;
            /** Intent */
            intent: string;
            /** Params */
            params: {
                [key: string]: unknown;
            };
            /** Parent Id */
            parent_id: string | null;
            /** Project */
            project: string | null;
            /** Redoes */
            redoes: string[];
            result: components["schemas"]["Result"] | null;
            /** Retried */
            retried: string | null;
            /** Seconds */
            seconds: number | null;
            /** Started */
            started: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Tainted */
            tainted: boolean;
            /** Title */
            title: string;
            /** Undoes */
            undoes: string[];
            /** Undone By */
            undone_by: string | null;
        };
        /** TaskDetail */
        TaskDetail: {
            /** Children */
            children: components["schemas"]["Task"][];
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            task: components["schemas"]["Task"];
        };
        /** TaskList */
        TaskList: {
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            /** Tasks */
            tasks: components["schemas"]["Task"][];
        };
        /** TaskQuery */
        TaskQuery: {
            /**
             * After
             * @description The last id of the page before.
             * @default null
             */
            after?: string | null;
            /**
             * Brief
             * @description Leave out of results what is long; one task by its id has all of it.
             * @default false
             */
            brief?: boolean;
            /**
             * Limit
             * @default 50
             */
            limit?: number;
            /**
             * Project
             * @default null
             */
            project?: string | null;
            /**
             * Root
             * @description Only whole tasks, without the steps of plans.
             * @default false
             */
            root?: boolean;
            /**
             * Status
             * @default null
             */
            status?: ("queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone") | null;
        };
        /**
         * TaskReply
         * @description How a command went, or what it waits for.
         */
        TaskReply: {
            /** Assumptions */
            assumptions?: string[];
            /**
             * Cannot
             * @description What was asked for and is left out.
             */
            cannot?: string[];
            /** @description What would change, and whether it can be undone. */
            card?: components["schemas"]["Card"] | null;
            /**
             * Checks
             * @description What has to hold before it counts as done.
             */
            checks?: string[];
            /** Confirmationneeded */
            confirmationNeeded?: boolean;
            decision?: components["schemas"]["Decision"] | null;
            /**
             * Executionplanned
             * @description Titles of the steps ahead.
             */
            executionPlanned?: string[];
            /**
             * Follow
             * @description Where to look how it goes on.
             */
            follow?: string;
            /** Id */
            id?: string | null;
            /** Intent */
            intent?: string | null;
            /** Message */
            message: string;
            /**
             * Needs
             * @description What is missing for it, and the remedy.
             */
            needs?: components["schemas"]["Need"][];
            /**
             * Plan
             * @description The plan that the step which asks belongs to.
             */
            plan?: string;
            /**
             * Plangenerated
             * @description Whether a plan was made from the words.
             */
            planGenerated?: boolean;
            /**
             * Plannedsteps
             * @description The steps, each as `/run` takes it.
             */
            plannedSteps?: {
                [key: string]: unknown;
            }[];
            /**
             * Price
             * @description What the plan will cost; nothing, without a model and a paid host.
             */
            price?: number;
            /** Project */
            project?: string | null;
            /**
             * Questions
             * @description See `/answer`.
             */
            questions?: components["schemas"]["Question"][];
            result?: components["schemas"]["Result"] | null;
            /** Status */
            status?: ("queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone") | null;
            /**
             * Steps
             * @description How the steps of a plan stand.
             */
            steps?: components["schemas"]["PlannedStep"][];
            /** Success */
            success: boolean;
            /** Title */
            title?: string;
            /**
             * Understood
             * @description What was made of the words.
             */
            understood?: string;
            /** Undone By */
            undone_by?: string;
        };
        /** TestCase */
        TestCase: {
            /** Message */
            message: string;
            /** Name */
            name: string;
            /** Outcome */
            outcome: string;
        };
        /** TestFile */
        TestFile: {
            /**
             * File
             * @description A file with commands and expectations.
             * @default null
             */
            file?: string | null;
        };
        /** TestResults */
        TestResults: {
            /** Failed */
            failed: number;
            /** Message */
            message: string;
            /** Passed */
            passed: number;
            /** Results */
            results: {
                [key: string]: unknown;
            }[];
            /** Success */
            success: boolean;
        };
        /**
         * TimelineEntry
         * @description One action that ended.
         */
        TimelineEntry: {
            /** Added */
            added: number | null;
            /**
             * At
             * @description UTC, ISO 8601, ending in Z.
             */
            at: string;
            /**
             * By
             * @description Who let it run: `owner`, `plan`, or `trust` where it ran alone.
             */
            by: string | null;
            /** Can Undo */
            can_undo: boolean;
            /** Commit */
            commit: string | null;
            /** Cost */
            cost: number;
            /**
             * Created
             * @description UTC, ISO 8601, ending in Z.
             */
            created: string;
            /** Files */
            files: number;
            /** Id */
            id: string;
            /** Intent */
            intent: string;
            /** Message */
            message: string;
            /**
             * Plan
             * @description Title of the plan that it is a step of.
             */
            plan: string | null;
            /** Project */
            project: string | null;
            /** Redoes */
            redoes: string[];
            /** Removed */
            removed: number | null;
            /**
             * Root
             * @description The task that it is a step of, or itself.
             */
            root: string;
            /** Seconds */
            seconds: number | null;
            /**
             * Seq
             * @description Its place: give the last one as `before` for the next page.
             */
            seq: number;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            /** Title */
            title: string;
            /** Undoes */
            undoes: string[];
            /** Undone */
            undone: boolean;
            /** Undone By */
            undone_by: string | null;
        };
        /** TimelineQuery */
        TimelineQuery: {
            /**
             * Before
             * @description Where the page before ended, as `next` gave it.
             * @default null
             */
            before?: number | null;
            /**
             * Changes
             * @description Only actions that changed files.
             * @default false
             */
            changes?: boolean;
            /**
             * Limit
             * @default 50
             */
            limit?: number;
            /**
             * Project
             * @default null
             */
            project?: string | null;
        };
        /** TimelineReply */
        TimelineReply: {
            /** Entries */
            entries: components["schemas"]["TimelineEntry"][];
            /** Message */
            message: string;
            /**
             * Next
             * @description Give it as `before` to go on; null at the end.
             */
            next: number | null;
            /** Success */
            success: boolean;
        };
        /** Token */
        Token: {
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            /** Token */
            token: string;
        };
        /** Trust */
        Trust: {
            autonomy: components["schemas"]["Autonomy"];
            /** Message */
            message: string;
            /**
             * Overrides
             * @description By `<intent>@<project>`; `*` stands for every project.
             */
            overrides: {
                [key: string]: components["schemas"]["OverrideSet"];
            };
            /** Records */
            records: components["schemas"]["TrustRecord"][];
            /** Success */
            success: boolean;
        };
        /** TrustQuery */
        TrustQuery: {
            /**
             * Project
             * @default null
             */
            project?: string | null;
        };
        /**
         * TrustRecord
         * @description How one kind of action has gone in one project.
         */
        TrustRecord: {
            /** Alone Up To Bytes */
            alone_up_to_bytes: number | null;
            /** Bad */
            bad: number;
            /** Code */
            code: string;
            /**
             * Demoted
             * @description Approved good runs that are needed after something went wrong.
             */
            demoted: number;
            /** Effects */
            effects: string[];
            /** Good */
            good: number;
            /** Intent */
            intent: string;
            /**
             * Level
             * @enum {string}
             */
            level: "low" | "medium" | "high";
            /** Project */
            project: string;
            /** Reasons */
            reasons: string[];
            /**
             * Recent
             * @description Outcomes, the newest last.
             */
            recent: ("good" | "failed" | "rejected" | "undone")[];
            /**
             * Runs Needed
             * @description Good runs until it stops asking; null if none would do.
             */
            runs_needed: number | null;
            /** Scope */
            scope: string;
            /** Score */
            score: number;
            /**
             * State
             * @enum {string}
             */
            state: "asks" | "sometimes" | "alone";
            /** Threshold */
            threshold: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "auto" | "ask" | "refuse";
            /**
             * Words
             * @description The rule in one sentence.
             */
            words: string;
        };
        /**
         * UndoPreview
         * @description What an undo would do; nothing has been done.
         */
        UndoPreview: {
            /** Asks */
            asks: boolean;
            /** Brings Back */
            brings_back: components["schemas"]["Gone"][];
            /** Changes */
            changes: components["schemas"]["Gone"][];
            /** Files */
            files: components["schemas"]["DiffFile"][];
            /**
             * Kept
             * @description Left as they are, because someone else changed them meanwhile.
             */
            kept: string[];
            /** More Files */
            more_files: number;
            /**
             * Online
             * @description What happens to it where others can see it, in words.
             */
            online: string[];
            /** Reasons */
            reasons: string[];
        };
        /** UndoQuery */
        UndoQuery: {
            /**
             * Only
             * @description Take back that one change and leave the later ones.
             * @default false
             */
            only?: boolean;
        };
        /** UndoReply */
        UndoReply: {
            /** Message */
            message: string;
            /** Success */
            success: boolean;
            undo: components["schemas"]["UndoPreview"];
        };
        /** UploadQuery */
        UploadQuery: {
            /**
             * Wait
             * @description Seconds to wait for the result; without it, the setting.
             * @default null
             */
            wait?: number | null;
        };
        /**
         * Wanted
         * @example {
         *       "path": null
         *     }
         */
        Wanted: {
            /**
             * Path
             * @description One file; without it the whole project as a zip file.
             * @default null
             */
            path?: string | null;
        };
        /** FileQuery */
        web__projects__FileQuery: {
            /**
             * Download
             * @description Give the bare bytes instead of JSON.
             * @default false
             */
            download?: boolean;
        };
        /** FileQuery */
        web__timeline__FileQuery: {
            /**
             * Path
             * @description A path, as the list of files gives it.
             */
            path: string;
            /**
             * Project
             * @description Where, if the task changed several projects.
             * @default null
             */
            project?: string | null;
        };
        /** Workers */
        Workers: {
            /** Running */
            running: number;
            /** Waiting */
            waiting: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                    "text/html": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    actions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Actions"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    admin_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    admin_selftest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelfTest"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    admin_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AnswerQuestions"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    panel_home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    panel_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Where in the panel, such as `approvals`. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    panel_asset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a file of the panel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    backups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backups"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    retry_backups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backups"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    cancel_plan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Cancel"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cancelled"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Confirm"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    credentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    set_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an account, as `/credentials` lists it. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewCredential"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    forget_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an account, as `/credentials` lists it. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    test_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an account, as `/credentials` lists it. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    deployments: {
        parameters: {
            query?: {
                /** @description Name of the project, such as `notes`. */
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    deployment_log: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A deployment's id, as `/deployments` gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentLog"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    docs_style: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the link has it. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/zip": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description Number of the last event that was seen. */
                after?: number;
                /** @description Only events of this task. */
                task_id?: string;
            };
            header?: {
                /** @description Number of the last event that was seen; wins over `after`. */
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    export: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A zip's name, as its deployment gives it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    favicon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    logs: {
        parameters: {
            query?: {
                /** @description Where the page before ended, as `next` gave it. */
                before?: string;
                /** @description A day, such as `2026-11-16`. */
                date?: string;
                limit?: number;
                /** @description Name of the project, such as `notes`. */
                project?: string;
                /** @description Words that stand somewhere in the log, in any case of letters. */
                q?: string;
                status?: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    logs_from_drive: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriveList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    log: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A day, such as `2026-11-16`. */
                date: string;
                /** @description A log's name, as `/logs` gives it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFile"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    memory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    memory_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metrics"];
                    "text/plain": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    notifications_worker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiDocument"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    new_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    archive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    import_archive: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the result; without it, the setting. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    new_download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Wanted"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Download"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    files: {
        parameters: {
            query?: {
                /** @description Folder inside the project; empty for the project itself. */
                path?: string;
                recursive?: boolean;
            };
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Files"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    file: {
        parameters: {
            query?: {
                /** @description Give the bare bytes instead of JSON. */
                download?: boolean;
            };
            header?: never;
            path: {
                /** @description Path inside the project, such as `src/app.py`. */
                path: string;
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                    "application/octet-stream": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    write_file: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the result; without it, the setting. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Path inside the project, such as `src/app.py`. */
                path: string;
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    history: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commits"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    picture: {
        parameters: {
            query?: {
                size?: "small" | "large";
            };
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    preview: {
        parameters: {
            query?: {
                /** @description How many of the last lines that it printed to give. */
                lines?: number;
            };
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    project_proof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the project, such as `notes`. */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    queue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    rollback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Rollback"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    run: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key does not act again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Command"] | string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    run_all: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForProject"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    run_next: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForProject"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    run_tests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestFile"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResults"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Code"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    change_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSettings"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    manifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/manifest+json": Record<string, never>;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    tasks: {
        parameters: {
            query?: {
                /** @description The last id of the page before. */
                after?: string;
                /** @description Leave out of results what is long; one task by its id has all of it. */
                brief?: boolean;
                limit?: number;
                /** @description Name of the project, such as `notes`. */
                project?: string;
                /** @description Only whole tasks, without the steps of plans. */
                root?: boolean;
                status?: "queued" | "awaiting_approval" | "running" | "succeeded" | "failed" | "rejected" | "cancelled" | "interrupted" | "undone";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetail"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    skip_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    edit_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StepBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    task_diff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    task_diff_file: {
        parameters: {
            query: {
                /** @description A path, as the list of files gives it. */
                path: string;
                /** @description Where, if the task changed several projects. */
                project?: string;
            };
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDiffReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    insert_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StepBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inserted"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    move_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Move"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    undo_preview: {
        parameters: {
            query?: {
                /** @description Take back that one change and leave the later ones. */
                only?: boolean;
            };
            header?: never;
            path: {
                /** @description A task's id, as `/run` gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    timeline: {
        parameters: {
            query?: {
                /** @description Where the page before ended, as `next` gave it. */
                before?: number;
                /** @description Only actions that changed files. */
                changes?: boolean;
                limit?: number;
                /** @description Name of the project, such as `notes`. */
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    days: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DaysReply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    trust: {
        parameters: {
            query?: {
                /** @description Name of the project, such as `notes`. */
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trust"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    override: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Override"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
}
