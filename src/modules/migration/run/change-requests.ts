import type { Db } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { systemActor } from '../../access/gate/index.ts';
import { listStrategies } from '../../flags/features/index.ts';
import { type ImportedChange, importRequest } from '../../governance/change-requests/index.ts';
import type { Installation } from '../document.ts';
import type { Finding } from '../plan.ts';
import { insertThing, listThings } from '../queries.ts';
import { type ReadingClient, segment } from '../unleash/client.ts';
import {
  type Json,
  listOf,
  numberOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
} from '../unleash/plain.ts';
import type { RunContext } from './context.ts';
import { refusalOf } from './refusal.ts';

const openStates = ['Draft', 'In review', 'Approved', 'Scheduled'];

interface Translation {
  /** Our ids by theirs. */
  readonly segments: ReadonlyMap<number, number>;
  readonly accounts: ReadonlyMap<number, number>;
}

/** Strategies have other ids here. One is recognized by its place among those of its feature. */
async function strategyId(
  db: Db,
  client: ReadingClient,
  place: { readonly project: string; readonly environment: string; readonly feature: string },
  theirId: string,
): Promise<string> {
  const { project, environment, feature } = place;
  const path = `/api/admin/projects/${segment(project)}/features/${segment(feature)}`;
  const theirs = objectOf(await client.find(`${path}?variantEnvironments=true`));
  const own = listOf(theirs.environments).find(({ name }) => name === environment);
  const there = [...listOf(own?.strategies)].sort(
    (a, b) => numberOf(a.sortOrder, 0) - numberOf(b.sortOrder, 0),
  );
  const here = (await listStrategies(db, [feature])).filter(
    (each) => each.environment === environment,
  );
  const index = there.findIndex(({ id }) => id === theirId);
  const found = here[index];
  if (!found || here.length !== there.length || found.name !== there[index]?.name) {
    throw invalidOperation(`the strategy '${theirId}' of '${feature}' isn't the same here`);
  }
  return found.id;
}

function segmentIn({ segments }: Translation, theirId: unknown): number {
  const id = segments.get(Number(theirId));
  if (id === undefined) throw invalidOperation(`segment ${theirId} wasn't imported`);
  return id;
}

/** A change with the ids that strategies and segments have here. Its payload is checked when it is stored. */
async function translated(
  { db, client, ...translation }: Translation & { readonly db: Db; readonly client: ReadingClient },
  place: { readonly project: string; readonly environment: string; readonly feature: string },
  { action, payload }: Json,
): Promise<ImportedChange> {
  const values = objectOf(payload);
  const strategy = (id: unknown) => strategyId(db, client, place, textOf(id));
  const withSegments = {
    ...values,
    ...(Array.isArray(values.segments) && {
      segments: values.segments.map((id) => segmentIn(translation, id)),
    }),
  };
  const change = (own: unknown): ImportedChange => ({
    feature: place.feature,
    action: textOf(action),
    payload: own,
  });
  switch (action) {
    case 'addStrategy': {
      const { id: _, ...added } = withSegments as Json;
      return change(added);
    }
    case 'updateStrategy':
      return change({ ...withSegments, id: await strategy(values.id) });
    case 'deleteStrategy':
      return change({ id: await strategy(values.id) });
    case 'reorderStrategy': {
      const order = [];
      for (const each of listOf(payload)) {
        order.push({ id: await strategy(each.id), sortOrder: each.sortOrder });
      }
      return change(order);
    }
    case 'updateEnabled':
    case 'patchVariant':
    case 'archiveFeature':
    case 'addDependency':
    case 'deleteDependency':
      return change(payload ?? {});
    default:
      throw invalidOperation(`it contains '${textOf(action)}', which Burgee doesn't have`);
  }
}

/** All changes of a request, in the order in which they were proposed. */
async function changesOf(
  context: Translation & { readonly db: Db; readonly client: ReadingClient },
  request: Json,
): Promise<ImportedChange[]> {
  const found: { readonly id: number; readonly change: ImportedChange }[] = [];
  const place = { project: textOf(request.project), environment: textOf(request.environment) };
  for (const { name, changes } of listOf(request.features)) {
    for (const each of listOf(changes)) {
      const change = await translated(context, { ...place, feature: textOf(name) }, each);
      found.push({ id: Number(each.id), change });
    }
  }
  for (const { id, action, payload } of listOf(request.segments)) {
    const values = objectOf(payload);
    const own = { ...values, id: segmentIn(context, values.id) };
    found.push({ id: Number(id), change: { action: textOf(action), payload: own } });
  }
  return found.sort((a, b) => a.id - b.id).map(({ change }) => change);
}

function stateOf({ state, schedule }: Json): Parameters<typeof importRequest>[1]['state'] {
  if (state === 'Draft') return { name: 'Draft' };
  const scheduledAt = new Date(textOf(objectOf(schedule).scheduledAt));
  return state === 'Scheduled' && !Number.isNaN(scheduledAt.getTime())
    ? { name: 'Scheduled', scheduledAt }
    : { name: 'In review' };
}

interface Imported {
  readonly count: number;
  readonly findings: readonly Finding[];
}

/**
 * Imports the open change requests of projects that need approval for changes, once each. Approvals stay behind: they
 * were given for what the source showed. Follows the API description of the enterprise edition.
 */
export async function importChangeRequests(
  { db, transact }: Pick<RunContext, 'db' | 'transact'>,
  client: ReadingClient,
  { source: { url: source }, projects }: Pick<Installation, 'source' | 'projects'>,
): Promise<Imported> {
  const findings: Finding[] = [];
  let count = 0;
  const guarded = projects.filter(({ archived, environments }) => {
    return !archived && environments.some(({ requiredApprovals }) => requiredApprovals);
  });
  for (const { id: project } of guarded) {
    const translation = {
      segments: await listThings(db, source, 'segment'),
      accounts: await listThings(db, source, 'account'),
    };
    const known = await listThings(db, source, 'changeRequest');
    const found = listOf(
      await client.find(`/api/admin/projects/${segment(project)}/change-requests`),
    );
    const open = found.filter(({ id, state, project: own }) => {
      const isOpen = openStates.includes(textOf(state)) && own === project;
      return isOpen && numberOrNull(id) !== null && !known.has(Number(id));
    });
    // A draft last: an account has one draft of an environment, and others are drafts until they are complete.
    const drafts = open.filter(({ state }) => state === 'Draft');
    for (const request of [...open.filter(({ state }) => state !== 'Draft').reverse(), ...drafts]) {
      const { username, id: authorId } = objectOf(request.createdBy);
      const author = translation.accounts.get(Number(authorId));
      try {
        if (author === undefined) throw invalidOperation("its author wasn't imported");
        const changes = await changesOf({ ...translation, db, client }, request);
        await transact(systemActor, async (tx) => {
          const ourId = await importRequest(tx, {
            source,
            theirId: Number(request.id),
            place: { project, environment: textOf(request.environment) },
            author: { id: author, name: textOf(username) },
            title: textOrNull(request.title),
            state: stateOf(request),
            changes,
          });
          await insertThing(tx, source, 'changeRequest', Number(request.id), ourId);
        });
        count += 1;
      } catch (error) {
        const why = refusalOf(error);
        if (why === undefined) throw error;
        findings.push(refused(project, request, why));
      }
    }
  }
  if (count > 0) findings.push(withoutApprovals(count));
  return { count, findings };
}

const refused = (project: string, { id, title }: Json, why: string): Finding => ({
  code: 'CHANGE_REQUEST_SKIPPED',
  severity: 'warning',
  what: `Change request #${Number(id)} of project '${project}'${textOrNull(title) ? ` ('${textOf(title).slice(0, 100)}')` : ''} skipped: ${why}.`,
  todo: 'Apply or close it in the source, or propose it again in Burgee.',
});

const withoutApprovals = (count: number): Finding => ({
  code: 'CHANGE_REQUESTS_UNAPPROVED',
  severity: 'warning',
  what: `${count} open change ${count === 1 ? 'request was' : 'requests were'} imported without approvals and comments; schedules are suspended. The import of change requests is untested.`,
  todo: 'Review and approve them in Burgee.',
});
