import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../platform/counted.ts';
import { createReadSnapshot, type Db } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import { systemActor } from '../access/gate/index.ts';
import { importFavoriteProject } from '../catalogue/projects/index.ts';
import { importFavoriteFeature } from '../flags/features/index.ts';
import { findProvider } from '../integrations/index.ts';
import { listGone, listRenamed, withLoginsOf } from './accounts.ts';
import { type CheckedInstallation, checkInstallation } from './check/check.ts';
import { checkFindings } from './check/findings.ts';
import { isSoundEvent } from './check/past-event.ts';
import type { Kind } from './document.ts';
import { type Installation, loginOf, type TokenDocument } from './document.ts';
import { collectEventsAfter, overlap } from './history/read.ts';
import { createSpool } from './history/spool.ts';
import { writeHistory } from './history/write.ts';
import { importTypes, kindOf } from './kinds/table.ts';
import { withMissedFeatures } from './missed-features.ts';
import { readOwn } from './own/read.ts';
import { type Finding, type Plan, planMigration } from './plan.ts';
import {
  findAccountId,
  findImport,
  hasOwnChanges,
  hasTokenWith,
  insertImport,
  insertThing,
  listActiveTokens,
  listCreatedHere,
  listImported,
  listLastImportedIds,
  listOtherFavorites,
  listSegmentIds,
  listThings,
  reserveAccountId,
  updateCutOver,
} from './queries.ts';
import { importChangeRequests } from './run/change-requests.ts';
import type { RunContext } from './run/context.ts';
import { type RunReport, runPlan } from './run/run.ts';
import { listRenamedSegments, withSegmentNames } from './segments.ts';
import type { ReadingClient } from './unleash/client.ts';

const noSource = { url: '', version: '', edition: '', readAt: '' };

/** The plan for an installation that does not exist yet. */
export function planForNew(read: Installation): Plan {
  const checked = checkInstallation(read);
  const plan = planMigration(
    checked.installation,
    {
      ...{ format: 'burgee-installation-1', source: noSource, environments: [], featureTypes: [] },
      ...{ contextFields: [], tagTypes: [], tags: [], strategyTypes: [], segments: [] },
      ...{ projects: [], features: [], roles: [], accounts: [], groups: [], tokens: [] },
      ...{ integrations: [], applications: [] },
    },
    {
      ...{ history: 'wanted', integrations: new Set(), hasToken: () => false },
      isKnownProvider: (provider) => findProvider(provider) !== undefined,
      ...{ imported: [], createdHere: new Set(), renamed: [], renamedSegments: new Map() },
      refusedSegments: refusedSegmentsOf(checked),
      gone: [],
    },
  );
  return withRefusals(plan, checked);
}

const wholesOf = ({ refusals }: CheckedInstallation) =>
  refusals.filter(({ part }) => part === undefined);

const refusedSegmentsOf = (checked: CheckedInstallation): string[] =>
  wholesOf(checked).flatMap(({ kind, name }) => (kind === 'segment' ? [name] : []));

const withRefusals = (plan: Plan, checked: CheckedInstallation): Plan => ({
  ...plan,
  skipped: [...wholesOf(checked), ...plan.skipped],
  findings: [...checkFindings(checked), ...plan.findings],
});

/** Checks what was read and compares it with what Burgee has. Writes nothing. A document has no client. */
export async function planFrom(
  db: Db,
  read: Installation,
  source: string,
  client?: ReadingClient,
): Promise<Plan> {
  const theirs = client ? await withMissedFeatures(db, client, read) : read;
  return planChecked(db, checkInstallation(theirs), source);
}

async function planChecked(db: Db, checked: CheckedInstallation, source: string): Promise<Plan> {
  const { installation: theirs } = checked;
  const refused = new Set(wholesOf(checked).map(({ kind, name }) => JSON.stringify([kind, name])));
  /** What is refused is still in the source: it has not been deleted. */
  const isRefused = ({ kind, name }: { readonly kind: Kind; readonly name: string }) =>
    refused.has(JSON.stringify([kind, name]));
  const begun = await findImport(db, source);
  const stored = await readOwn(db, noSource);
  const segmentIds = await listThings(db, source, 'segment');
  const renamedSegments = listRenamedSegments(theirs, stored, segmentIds);
  const own = withSegmentNames(stored, renamedSegments);
  const secrets = theirs.tokens.flatMap(({ secret }) => (secret === null ? [] : [secret]));
  const imported = (await listImported(db, source, importTypes)).flatMap(({ type, name }) => {
    const kind = kindOf(type);
    return kind ? [{ kind, name }] : [];
  });
  const accounts = await listThings(db, source, 'account');
  const renamed = listRenamed(theirs, own, accounts);
  const people = listGone(theirs, own, accounts);
  const existing = new Set<string>();
  for (const secret of secrets) {
    if (await hasTokenWith(db, hashSecret(secret))) existing.add(secret);
  }
  /** A document has no secrets: its tokens can only be recognized by everything else. */
  const isHere = ({ secret, ...token }: TokenDocument) =>
    secret === null && own.tokens.some((each) => isSameToken(each, token));
  const wanted = { ...theirs, tokens: theirs.tokens.filter((token) => !isHere(token)) };
  const plan = planMigration(withLoginsOf(wanted, renamed), own, {
    history: begun?.history ?? ((await hasOwnChanges(db, systemActor.id)) ? 'left out' : 'wanted'),
    integrations: new Set((await listThings(db, source, 'integration')).keys()),
    hasToken: (secret) => existing.has(secret),
    isKnownProvider: (provider) => findProvider(provider) !== undefined,
    imported: imported.filter((each) => !isRefused(each)),
    refusedSegments: refusedSegmentsOf(checked),
    renamed,
    renamedSegments,
    createdHere: new Set(await listCreatedHere(db)),
    gone: [
      ...people.map((account) => ({
        kind: account.kind === 'person' ? ('account' as const) : ('serviceAccount' as const),
        name: loginOf(account),
        here: 'can still be used',
      })),
      ...(await listGoneTokens(db, theirs, imported)).map((name) => ({
        ...{ kind: 'token' as const, name, here: 'is still valid' },
      })),
    ].filter((each) => !isRefused(each)),
  });
  const unchanged = plan.unchanged + theirs.tokens.length - wanted.tokens.length;
  return withRefusals({ ...plan, unchanged }, checked);
}

const isSameToken = (a: Omit<TokenDocument, 'secret'>, b: Omit<TokenDocument, 'secret'>): boolean =>
  a.name === b.name &&
  a.type === b.type &&
  a.environment === b.environment &&
  isDeepStrictEqual([...a.projects].sort(), [...b.projects].sort());

/** Names of imported tokens that are valid in Burgee and no longer in the source. */
async function listGoneTokens(
  db: Db,
  { tokens }: Installation,
  imported: readonly { readonly kind: Kind; readonly name: string }[],
): Promise<string[]> {
  const names = new Set(imported.flatMap(({ kind, name }) => (kind === 'token' ? [name] : [])));
  if (names.size === 0) return [];
  const hashes = new Set<string>();
  for (const { name, secret } of tokens) {
    // No one can say whether it is another one.
    if (secret === null) names.delete(name);
    else hashes.add(hashSecret(secret).toString('hex'));
  }
  const active = await listActiveTokens(db);
  return active
    .filter(({ name, hash }) => names.has(name) && !hashes.has(hash.toString('hex')))
    .map(({ name }) => name);
}

/**
 * Notes that the import has begun, and the ids that its accounts have or will get in Burgee. Segments that have the same
 * name are noted too, so that they are recognized when they are renamed.
 */
async function begin(
  { db, transact }: Pick<RunContext, 'db' | 'transact'>,
  source: string,
  { accounts, segments }: Pick<Installation, 'accounts' | 'segments'>,
): Promise<void> {
  const wanted = (await hasOwnChanges(db, systemActor.id)) ? 'left out' : 'wanted';
  await transact(systemActor, async (tx) => {
    if (!(await findImport(tx.db, source))) await insertImport(tx, source, wanted);
    const known = await listThings(tx.db, source, 'account');
    for (const account of accounts) {
      const login = loginOf(account);
      if (known.has(account.id) || login === '') continue;
      const ourId = (await findAccountId(tx.db, login)) ?? (await reserveAccountId(tx));
      await insertThing(tx, source, 'account', account.id, ourId);
    }
    const ownSegments = await listSegmentIds(tx.db);
    const knownSegments = await listThings(tx.db, source, 'segment');
    for (const { id, name } of segments) {
      const ourId = ownSegments.get(name);
      if (id === undefined || ourId === undefined || knownSegments.has(id)) continue;
      await insertThing(tx, source, 'segment', id, ourId);
    }
  });
}

interface ImportedHistory {
  readonly events: number;
  /** Events that the source counts and does not give. */
  readonly missing: number;
  /** Events that cannot be stored. */
  readonly invalid: number;
}

const noHistory: ImportedHistory = { events: 0, missing: 0, invalid: 0 };

/** Appends the events that the source has recorded since the last run. */
async function importHistory(
  { db, transact }: Pick<RunContext, 'db' | 'transact'>,
  client: ReadingClient,
  theirs: Installation,
  progress?: (done: number, total: number) => void,
): Promise<ImportedHistory> {
  const source = theirs.source.url;
  const begun = await findImport(db, source);
  if (begun?.history !== 'wanted') return noHistory;
  const spool = createSpool();
  const now = new Date(theirs.source.readAt);
  const invalid = new Set<number>();
  try {
    const until = Number(begun.historyUntil);
    const known = new Set(await listLastImportedIds(db, source, 5 * overlap));
    const total = await collectEventsAfter(client, Math.max(0, until - overlap), {
      get size() {
        return spool.size;
      },
      add: (events) => {
        const unknown = events.filter(({ id }) => !known.has(id));
        spool.add(unknown.filter((event) => isSoundEvent(event, now)));
        for (const event of unknown) if (!isSoundEvent(event, now)) invalid.add(event.id);
      },
    });
    const accounts = await listThings(db, source, 'account');
    const projects = new Map(theirs.features.map(({ name, project }) => [name, project]));
    await writeHistory(transact, spool, { source, until, accounts, projects }, progress);
    const missing = until > 0 ? 0 : Math.max(0, total - spool.size - invalid.size);
    return { events: spool.size, missing, invalid: invalid.size };
  } finally {
    spool.close();
  }
}

const favoritesAtOnce = 100;

/** The API of the source gives the favorites of the asking user only. The event log has those of everyone. */
async function importFavorites(
  { db, transact }: Pick<RunContext, 'db' | 'transact'>,
  source: string,
): Promise<number> {
  const others = await listOtherFavorites(db, source);
  let imported = 0;
  for (let start = 0; start < others.length; start += favoritesAtOnce) {
    await transact(systemActor, async (tx) => {
      for (const { of, name, user, isFavorite } of others.slice(start, start + favoritesAtOnce)) {
        const importFavorite = of === 'feature' ? importFavoriteFeature : importFavoriteProject;
        if (await importFavorite(tx, name, user, isFavorite)) imported += 1;
      }
    });
  }
  return imported;
}

export interface MigrationReport extends RunReport {
  readonly plan: Plan;
  readonly events: number;
}

interface Hooks {
  /** Prepares an empty installation, after the history and before everything else. */
  readonly prepare: (idOf: (login: string) => number | undefined) => Promise<void>;
  readonly historyProgress?: (done: number, total: number) => void;
}

/**
 * Brings everything over: the history first, because dates become ranges of ids (ADR 4), then what the plan says.
 * Without a client there is no history: the document comes from a file.
 */
export async function migrate(
  context: RunContext,
  read: Installation,
  client: ReadingClient | undefined,
  { prepare, historyProgress }: Hooks,
): Promise<MigrationReport> {
  const checked = checkInstallation(
    client ? await withMissedFeatures(context.db, client, read) : read,
  );
  const theirs = checked.installation;
  const source = theirs.source.url;
  await begin(context, source, theirs);
  const { events, missing, invalid } = client
    ? await importHistory(context, client, theirs, historyProgress)
    : noHistory;
  const ids = await listThings(context.db, source, 'account');
  await prepare((login) => {
    const account = theirs.accounts.find((each) => loginOf(each) === login.toLowerCase());
    return account && ids.get(account.id);
  });
  const snapshot = createReadSnapshot(context.db);
  const plan = await snapshot((db) => planChecked(db, checked, source));
  const report = await runPlan(context, plan);
  const favorites = await importFavorites(context, source);
  const requests = client
    ? await importChangeRequests(context, client, theirs)
    : { count: 0, findings: [] };
  const findings = [
    ...report.findings,
    ...requests.findings,
    ...(missing > 0 ? [eventsMissing(missing)] : []),
    ...(invalid > 0 ? [eventsInvalid(invalid)] : []),
  ];
  return { ...report, findings, done: report.done + favorites + requests.count, plan, events };
}

const eventsMissing = (count: number): Finding => ({
  code: 'EVENTS_MISSING',
  severity: 'warning',
  what: `${counted(count, 'event')} couldn't be read: the source's paging skips events recorded at the same instant.`,
  todo: 'To try again, import into a new installation.',
});

const eventsInvalid = (count: number): Finding => ({
  code: 'EVENTS_INVALID',
  severity: 'warning',
  what: `Skipped ${counted(count, 'event')} that can't be stored: without a time or an ID, nested too deep, or too large.`,
  todo: "If you didn't expect that, check the source's event log.",
});

/** When the import was cut over last; null: not yet. */
export const findCutOver = async (db: Db, source: string): Promise<Date | null> =>
  (await findImport(db, source))?.cutOverAt ?? null;

/** Whether someone has changed something in Burgee since then. A run could undo it. */
export const isChangedSince = (db: Db, since: Date): Promise<boolean> =>
  hasOwnChanges(db, systemActor.id, since);

/** Notes that the other installation is no longer followed. */
export const cutOver = ({ transact }: Pick<RunContext, 'transact'>, source: string) =>
  transact(systemActor, async (tx) => {
    await updateCutOver(tx, source);
  });
