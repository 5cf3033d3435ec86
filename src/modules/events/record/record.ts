import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { createSlices } from '../../../platform/slices.ts';
import { contentHash, newSeal } from '../proof/hash.ts';
import type { EventDraft } from './define.ts';
import { searchText } from './search-text.ts';
import { summarize } from './summary.ts';

/** An event as `append_events` takes it, without its id and its hash. */
export interface Entry {
  readonly createdAt: string;
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
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
  readonly recipients: readonly number[] | null;
  readonly byEmail: boolean;
}

export function toEntry(draft: EventDraft, actor: Actor, now: Date): Entry {
  const { definition } = draft;
  const data = draft.data ?? null;
  const preData = draft.preData ?? null;
  const tags = (draft.tags ?? []).map(({ type, value }) => ({ type, value }));
  const subjectKeys = definition.personal ?? null;
  const author = draft.past?.createdBy ?? actor.name;
  const sealed = {
    type: definition.type,
    createdAt: (draft.past?.createdAt ?? now).toISOString(),
    createdBy: author,
    createdByUserId: draft.past ? draft.past.createdByUserId : actor.id,
    ip: draft.past ? null : actor.ip,
    requestId: draft.past ? null : actor.requestId,
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
    summary: summarize(definition, author, draft),
    search: data && searchText(data),
    searchPreData: preData && searchText(preData),
    searchTags: tags.length > 0 ? searchText(tags) : null,
    recipients: draft.recipients?.userIds ?? null,
    byEmail: draft.recipients?.byEmail ?? false,
  };
}

const draftsByTx = new WeakMap<Tx, EventDraft[]>();

/** What all events of a transaction have in their data. */
interface Circumstances {
  readonly comment?: string;
  readonly changeRequestId?: number;
}

const circumstancesByTx = new WeakMap<Tx, Circumstances>();

/**
 * Why the changes of a transaction are made, in the words of the actor. All its events get it as `data.comment`: the
 * search finds it there, and the hash covers it. No data of ours has such a key.
 */
export function commentEvents(tx: Tx, comment: string): void {
  circumstancesByTx.set(tx, { ...circumstancesByTx.get(tx), comment });
}

/** Names the change request that a transaction applies, in the same way, as `data.changeRequestId`. */
export function attributeEvents(tx: Tx, changeRequestId: number): void {
  circumstancesByTx.set(tx, { ...circumstancesByTx.get(tx), changeRequestId });
}

/**
 * Names the events that the transaction reverts in those that it has recorded since it had so many, in the same way, as
 * `data.reverts`.
 */
export function attributeReverts(tx: Tx, since: number, reverts: readonly number[]): void {
  const drafts = draftsByTx.get(tx) ?? [];
  for (const [index, draft] of drafts.entries()) {
    if (index >= since) drafts[index] = { ...draft, reverts };
  }
}

function underCircumstances(
  draft: EventDraft,
  circumstances: Circumstances | undefined,
): EventDraft {
  const { reverts } = draft;
  if (circumstances === undefined && reverts === undefined) return draft;
  return { ...draft, data: { ...draft.data, ...circumstances, ...(reverts && { reverts }) } };
}

/** The same transaction with another actor for permissions. Its events are those of the transaction. */
export function actAs(tx: Tx, actor: Actor): Tx {
  const drafts = draftsByTx.get(tx) ?? [];
  draftsByTx.set(tx, drafts);
  const acting: Tx = { ...tx, actor };
  draftsByTx.set(acting, drafts);
  return acting;
}

/** The same transaction for a trial that is rolled back to a savepoint: it records nothing. */
export const withoutRecording = (tx: Tx, actor: Actor): Tx => ({ ...tx, actor });

/**
 * Records an event in the transaction of the change. The last statements before the commit write it, and nothing may
 * catch their failure. A draft whose data and preData are equal is no change and is dropped.
 */
export function record(tx: Tx, draft: EventDraft): void {
  if (draft.data && draft.preData && isDeepStrictEqual(draft.data, draft.preData)) return;
  const drafts = draftsByTx.get(tx) ?? [];
  drafts.push(draft);
  draftsByTx.set(tx, drafts);
}

/**
 * Replaces the events that the transaction has recorded so far. An import makes things as a request does, but records
 * that they were imported, not that they were created here.
 */
export function replaceRecorded(tx: Tx, drafts: readonly EventDraft[]): void {
  draftsByTx.set(tx, [...drafts]);
}

/**
 * Records many events. Drafting 20,000 events of strategies took 0.4 s, so that other requests get a turn in between.
 */
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

/** The events that the transaction has recorded so far, before they are written. */
export const listRecorded = (tx: Tx): readonly EventDraft[] => draftsByTx.get(tx) ?? [];

/** The types that a transaction has recorded so far. */
export const recordedTypes = (tx: Tx): readonly string[] =>
  (draftsByTx.get(tx) ?? []).map(({ definition }) => definition.type);

/** The events that the transaction has recorded so far. */
export const describeRecorded = (tx: Tx) =>
  (draftsByTx.get(tx) ?? []).map((draft) => ({
    type: draft.definition.type,
    label: draft.definition.label,
    summary: summarize(draft.definition, tx.actor.name, draft),
    environment: draft.environment ?? null,
  }));

interface Recorded {
  readonly events: number;
  readonly characters: number;
}

/** How much the transaction has recorded, where so much was measured before. */
export function measureRecorded(tx: Tx, before: Recorded): Recorded {
  const drafts = draftsByTx.get(tx) ?? [];
  const added = drafts
    .slice(before.events)
    .reduce((sum, { data, preData }) => sum + JSON.stringify([data, preData]).length, 0);
  return { events: drafts.length, characters: before.characters + added };
}

/** The approximate size of a statement. Longer ones take long to send, and the database holds each in memory. */
const maxCharacters = 2 * 1024 * 1024;

/** Serialises the entries in slices: the hashes and search texts of 20,000 events take 2 s. */
async function serialiseEntries(tx: Tx, drafts: readonly EventDraft[]): Promise<string[]> {
  const slices = createSlices();
  const lists: string[] = [];
  let entries: string[] = [];
  let characters = 0;
  const circumstances = circumstancesByTx.get(tx);
  for (const draft of drafts) {
    const entry = JSON.stringify(
      toEntry(underCircumstances(draft, circumstances), tx.actor, tx.now),
    );
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
 * The statements that write the recorded events, under the lock that makes commit order equal id order. They are the
 * last ones of every transaction: at least one, even without events. All are built before the first of them takes the
 * lock.
 */
export async function appendingRecorded(tx: Tx): Promise<RawBuilder<unknown>[]> {
  const drafts = draftsByTx.get(tx) ?? [];
  draftsByTx.delete(tx);
  const lists = await serialiseEntries(tx, drafts);
  return lists.map((list) => sql`select append_events(${list}::json)`);
}
