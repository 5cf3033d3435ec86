import { upsertLastSeen } from '../modules/access/gate/index.ts';
import { dayMs } from '../platform/clock.ts';
import type { Chapter } from './chapter.ts';

/** The days since an SDK token was used; one is left from something that no one runs any more. */
const idleTokens: Readonly<Record<string, number>> = { 'app-emulators': 97 };

/** Everyone was last seen when they last changed something, and the tokens of applications just now. */
export const sightings: Chapter = {
  daysAgo: 0,
  requests: [],
  run: async (tx) => {
    const people = await tx.db
      .selectFrom('users')
      .innerJoin('events', 'events.created_by_user_id', 'users.id')
      .select(({ fn }) => ['users.id', fn.max('events.created_at').as('at')])
      .groupBy('users.id')
      .execute();
    const seenAt = new Map(people.map(({ id, at }) => [id, at]));
    const personal = await tx.db
      .selectFrom('personal_tokens')
      .select(['id', 'user_id as owner'])
      .execute();
    const tokens = await tx.db
      .selectFrom('api_tokens')
      .where('type', '<>', 'admin')
      .select(['id', 'name'])
      .execute();
    await upsertLastSeen(tx, [
      ...people.map(({ id, at }) => ({ kind: 'account' as const, id, at })),
      ...personal.flatMap(({ id, owner }) => {
        const at = seenAt.get(owner);
        return at ? [{ kind: 'personal token' as const, id, at }] : [];
      }),
      ...tokens.map(({ id, name }) => ({
        kind: 'api token' as const,
        id,
        at: new Date(tx.now.getTime() - (idleTokens[name] ?? 0) * dayMs),
      })),
    ]);
  },
};
