import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/db/database.ts';
import { type TestApp, testApp } from './app.ts';
import { make } from './make.ts';

const day = 86_400_000;

interface Reason {
  readonly reason: string;
  readonly [more: string]: unknown;
}

/** A server whose time a test sets. Each test creates its own project. */
export async function healthApp() {
  const start = Date.UTC(2026, 2, 1, 12);
  let time = start;
  let made = 0;
  const app = await testApp({ clock: () => new Date(time) });
  const create = make(app.ask);
  return {
    app,
    create,
    now: () => time,
    /** Sets the time to this many days after the start. */
    atDay(days: number) {
      time = start + days * day;
    },
    at(instant: number) {
      time = instant;
    },
    iso: (days: number) => new Date(start + days * day).toISOString(),
    async project(more: object = {}) {
      time = start;
      made += 1;
      const id = `project-${made}`;
      await create.project(id, more);
      return id;
    },
  };
}
export type HealthApp = Awaited<ReturnType<typeof healthApp>>;

/** Writes what SDK metrics lead to. */
export const seen = (
  db: Kysely<Database>,
  feature: string,
  environment: string,
  at: string,
): Promise<unknown> =>
  db
    .insertInto('feature_environments')
    .values({ feature_name: feature, environment, last_seen_at: new Date(at) })
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'environment']).doUpdateSet({ last_seen_at: new Date(at) }),
    )
    .execute();

interface Findings {
  readonly total: number;
  readonly snoozedCount: number;
  readonly countByReason: Readonly<Record<string, number>>;
  readonly features: readonly { readonly feature: string; readonly reasons: readonly Reason[] }[];
}

export async function findingsOf(
  ask: TestApp['ask'],
  project: string,
  query = '',
): Promise<Findings> {
  const response = await ask(`GET /api/admin/projects/${project}/status/findings${query}`);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.body}`);
  return response.json();
}

/** The reasons of each feature. */
export async function reasonsIn(
  ask: TestApp['ask'],
  project: string,
  query = '',
): Promise<Record<string, string[]>> {
  const { features } = await findingsOf(ask, project, query);
  return Object.fromEntries(
    features.map(({ feature, reasons }) => [feature, reasons.map(({ reason }) => reason)]),
  );
}
