import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { expect, test } from 'vitest';
import { findReportRows } from '../../src/modules/insights/health/queries/report.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { testApp } from '../support/app.ts';

/** The statement of a report, without a database to ask. */
async function statementOf(expected: number): Promise<CompiledQuery> {
  const asked: CompiledQuery[] = [];
  const nowhere = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      asked.push(query);
    },
  });
  await findReportRows(nowhere, { project: 'default', userId: 1, now: new Date(), expected });
  return asked[0] as CompiledQuery;
}

interface Plan {
  readonly 'Subplan Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

const findPlan = (plan: Plan, name: string): Plan | undefined =>
  plan['Subplan Name'] === name
    ? plan
    : plan.Plans?.map((each) => findPlan(each, name)).find((found) => found);

test.each([100, 1_000, 10_000])(
  'without statistics a report is planned for the %i features that are expected',
  async (expected) => {
    const { db } = await testApp();
    await sql`alter table features set (autovacuum_enabled = off)`.execute(db);
    await sql`delete from pg_statistic where starelid = 'features'::regclass`.execute(db);
    const { sql: text, parameters } = await statementOf(expected);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>({
      ...(await statementOf(expected)),
      sql: `explain (format json) ${text}`,
      parameters,
    });
    const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
    expect(findPlan(explained?.Plan as Plan, 'CTE living')?.['Plan Rows']).toBe(expected);
  },
);
