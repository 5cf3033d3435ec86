import type { Actor } from '../../../../platform/actor.ts';
import { requireAccount } from '../../../access/users/index.ts';
import { defaultLimit } from './contract.ts';
import type { ChangeJson } from './queries.ts';

interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

export function pageOf(actor: Actor, { limit, cursor }: PageQuery) {
  const size = Number(limit ?? defaultLimit);
  return {
    size,
    userId: requireAccount(actor),
    sees: actor.sees,
    before: cursor === undefined ? undefined : Number(cursor),
    // One more tells whether there is another page.
    limit: size + 1,
  };
}

/** The properties of a page. The database has written the JSON of each event. */
export function pageJson(rows: readonly ChangeJson[], size: number): string {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  const next = last === undefined ? '' : `,"nextCursor":"${last.id}"`;
  return `"events":[${page.map(({ json }) => json).join()}]${next}`;
}
