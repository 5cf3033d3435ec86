import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Actor, Tx } from '../../platform/db/database.ts';
import type { EventDraft } from './define.ts';
import { contentHash, newSeal } from './proof/hash.ts';
import { searchText } from './search-text.ts';
import { summarise } from './summary.ts';

/** An event as `append_events` takes it: everything but its id and its link in the chain. */
export interface Entry {
  readonly createdAt: string;
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly data: object | null;
  readonly preData: object | null;
  readonly tags: readonly object[];
  readonly label: string;
  readonly summary: string;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly actorSeal: string;
  readonly subjectKeys: readonly string[] | null;
  readonly subjectSeal: string | null;
  readonly content: string;
  readonly search: string | null;
  readonly searchPreData: string | null;
  readonly searchTags: string | null;
}

export function entryOf(draft: EventDraft, actor: Actor, now: Date): Entry {
  const { definition } = draft;
  const data = draft.data ?? null;
  const preData = draft.preData ?? null;
  const tags = (draft.tags ?? []).map(({ type, value }) => ({ type, value }));
  const subjectKeys = definition.personal ?? null;
  const sealed = {
    type: definition.type,
    createdAt: now.toISOString(),
    createdBy: actor.name,
    createdByUserId: actor.id,
    ip: actor.ip,
    requestId: actor.requestId,
    project: draft.project ?? null,
    environment: draft.environment ?? null,
    featureName: draft.featureName ?? null,
    data,
    preData,
    tags,
    actorSeal: newSeal(),
    subjectKeys,
    subjectSeal: subjectKeys && newSeal(),
  };
  return {
    ...sealed,
    actorSeal: sealed.actorSeal.toString('hex'),
    subjectSeal: sealed.subjectSeal?.toString('hex') ?? null,
    content: contentHash(sealed).toString('hex'),
    label: definition.label,
    summary: summarise(definition, actor.name, draft),
    search: data && searchText(data),
    searchPreData: preData && searchText(preData),
    searchTags: tags.length > 0 ? searchText(tags) : null,
  };
}

const collected = new WeakMap<Tx, Entry[]>();

/**
 * Records that something happened, in the transaction in which it happens. The event is written by
 * the last statement before the commit; nothing may catch its failure. A draft whose data and
 * preData are equal tells of no change and is dropped.
 */
export function record(tx: Tx, draft: EventDraft): void {
  if (draft.data && draft.preData && isDeepStrictEqual(draft.data, draft.preData)) return;
  const entries = collected.get(tx) ?? [];
  entries.push(entryOf(draft, tx.actor, tx.now));
  collected.set(tx, entries);
}

/** What a transaction has recorded up to now. */
export const recordedTypes = (tx: Tx): readonly string[] =>
  (collected.get(tx) ?? []).map(({ type }) => type);

/**
 * The statement that writes what a transaction recorded, under the lock that makes commit order id
 * order. The last one of every transaction, empty or not.
 */
export function appendingRecorded(tx: Tx): RawBuilder<unknown> {
  const entries = collected.get(tx) ?? [];
  collected.delete(tx);
  return sql`select append_events(${JSON.stringify(entries)}::json)`;
}
