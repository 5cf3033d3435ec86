import { sql } from 'kysely';
import { systemActor } from '../../src/modules/access/gate/index.ts';
import { readPresentStates } from '../../src/modules/history/index.ts';
import { catchUp } from '../../src/modules/history/jobs.ts';
import { presentStates } from '../../src/modules/history/present.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { TestApp } from './app.ts';

/** Applies all events to the history. */
export const applyToHistory = ({ transact }: Pick<TestApp, 'transact'>) =>
  catchUp({ transact, system: systemActor, log: createLogger('silent') });

interface Difference {
  readonly side: 'only in the present' | 'only in the history';
  readonly kind: string;
  readonly key: string;
  readonly part: string;
  readonly state: unknown;
}

/** Accounts that `person` inserts without events, and the roles that they get there. */
const isInserted = sql<boolean>`(
  kind = 'account' and key in (select id::text from users where username like 'person-%')
  or kind in ('project-user', 'group-user')
    and part in (select id::text from users where username like 'person-%'))`;

/** What differs between the states to which the events lead and everything as it is. */
export async function differencesFromPresent({
  db,
}: Pick<TestApp, 'db'>): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with present as materialized (${presentStates}), current as materialized (
      select kind, key, part, state from history_states where to_id is null
    )
    select 'only in the present' as side, *
    from (select * from present except select * from current) missing where not ${isInserted}
    union all
    select 'only in the history' as side, *
    from (select * from current except select * from present) wrong where not ${isInserted}
    order by kind, key, part, side`.execute(db);
  return rows;
}

/** Features with everything, as the history sees them. */
export const featureStates = ({ db }: Pick<TestApp, 'db'>, ...names: readonly string[]) =>
  readPresentStates(
    db,
    names.flatMap((key) => [
      { kind: 'feature', key } as const,
      { kind: 'feature-environment', key } as const,
    ]),
  );
