import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Actor, Tx } from '../../../platform/db/database.ts';
import { createSlices } from '../../../platform/slices.ts';
import { contentHash, newSeal } from '../proof/hash.ts';
import type { EventDraft } from './define.ts';
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

const collected = new WeakMap<Tx, EventDraft[]>();

/**
 * Records that something happened, in the transaction in which it happens. The event is written by
 * the last statements before the commit; nothing may catch their failure. A draft whose data and
 * preData are equal tells of no change and is dropped.
 */
export function record(tx: Tx, draft: EventDraft): void {
  if (draft.data && draft.preData && isDeepStrictEqual(draft.data, draft.preData)) return;
  const drafts = collected.get(tx) ?? [];
  drafts.push(draft);
  collected.set(tx, drafts);
}

/** The same for each of many: to draft 20,000 events of strategies took 0.4 s, and others get their turn in between. */
export async function recordEach<Item>(
  tx: Tx,
  items: Iterable<Item>,
  draftOf: (item: Item) => EventDraft,
): Promise<void> {
  const slices = createSlices();
  for (const item of items) {
    record(tx, draftOf(item));
    if (slices.isOver()) await slices.pause();
  }
}

/** What a transaction has recorded up to now. */
export const recordedTypes = (tx: Tx): readonly string[] =>
  (collected.get(tx) ?? []).map(({ definition }) => definition.type);

/** Characters in one statement, about: longer ones take long to send, and the database holds each as a whole. */
const maxCharacters = 2 * 1024 * 1024;

/** The entries as JSON lists, made piece by piece: hashes and search texts of 20,000 events take 2 s. */
async function listsOf(tx: Tx, drafts: readonly EventDraft[]): Promise<string[]> {
  const slices = createSlices();
  const lists: string[] = [];
  let entries: string[] = [];
  let characters = 0;
  for (const draft of drafts) {
    const entry = JSON.stringify(entryOf(draft, tx.actor, tx.now));
    if (entries.length > 0 && characters + entry.length > maxCharacters) {
      lists.push(`[${entries.join()}]`);
      entries = [];
      characters = 0;
    }
    entries.push(entry);
    characters += entry.length;
    if (slices.isOver()) await slices.pause();
  }
  return [...lists, `[${entries.join()}]`];
}

/**
 * The statements that write what a transaction recorded, under the lock that makes commit order id
 * order. The last ones of every transaction: at least one, although nothing was recorded. All are ready before the
 * first of them takes the lock.
 */
export async function appendingRecorded(tx: Tx): Promise<RawBuilder<unknown>[]> {
  const drafts = collected.get(tx) ?? [];
  collected.delete(tx);
  const lists = await listsOf(tx, drafts);
  return lists.map((list) => sql`select append_events(${list}::json)`);
}
