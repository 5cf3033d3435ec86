import type { Kysely } from 'kysely';
import { transactOn } from '../../src/app/transact.ts';
import {
  defineEvent,
  type EventTag,
  type EventType,
  record,
} from '../../src/modules/events/index.ts';
import type { Actor } from '../../src/platform/actor.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { testActor } from './app.ts';

export interface Happening {
  readonly type?: EventType;
  readonly project?: string | null;
  readonly environment?: string | null;
  readonly featureName?: string | null;
  readonly data?: object | null;
  readonly preData?: object | null;
  readonly tags?: readonly EventTag[];
  readonly at?: string;
  readonly by?: Partial<Actor>;
}

const defined = (type: EventType) =>
  defineEvent<object>({
    type,
    label: 'Something happened',
    summary: ({ user, feature, project }) => `${user} touched ${feature} in ${project}`,
  });

/** Records events, each in a transaction of its own and at its own time. */
export async function happen(db: Kysely<Database>, ...happenings: Happening[]): Promise<void> {
  for (const { type = 'feature-created', at, by, ...fields } of happenings) {
    const now = at === undefined ? new Date() : new Date(at);
    await transactOn(db, () => now)({ ...testActor, ...by }, async (tx) =>
      record(tx, defined(type)(fields)),
    );
  }
}

/** Records events in one transaction: none of them is seen before the last one. */
export async function happenTogether(
  db: Kysely<Database>,
  ...happenings: Omit<Happening, 'at' | 'by'>[]
): Promise<void> {
  await transactOn(db)(testActor, async (tx) => {
    for (const { type = 'feature-created', ...fields } of happenings) {
      record(tx, defined(type)(fields));
    }
  });
}
