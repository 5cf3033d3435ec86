import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Database, Db, Transact, Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { RunHook } from '../../../platform/hooks.ts';
import { roleIds, systemActor } from '../../access/gate/index.ts';
import { createRole } from '../../access/roles/index.ts';
import { createAccount, createPasswordLink } from '../../access/users/index.ts';
import { changeContextField, createContextField } from '../../catalogue/context-fields/index.ts';
import { changeEnvironment, createEnvironment } from '../../catalogue/environments/index.ts';
import {
  archiveProject,
  changeProject,
  removeDefaultStrategy,
  removeEnvironment,
  setDefaultStrategy,
} from '../../catalogue/projects/index.ts';
import { changeSegment, createSegment } from '../../catalogue/segments/index.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  reactivateStrategyType,
} from '../../catalogue/strategy-types/index.ts';
import { changeTagType, createTag, ensureTagType } from '../../catalogue/tags/index.ts';
import { type EventDraft, replaceRecorded } from '../../events/index.ts';
import { importFeatureType, setLifetime } from '../../flags/features/index.ts';
import { createIntegration } from '../../integrations/index.ts';
import { importApplication } from '../../sdk/client-metrics/index.ts';
import type {
  AccessDocument,
  AccountDocument,
  ApplicationDocument,
  ContextFieldDocument,
  EnvironmentDocument,
  FeatureDocument,
  FeatureTypeDocument,
  GroupDocument,
  IntegrationDocument,
  ProjectDocument,
  RoleDocument,
  SegmentDocument,
  StrategyTypeDocument,
  TagDocument,
  TagTypeDocument,
  TokenDocument,
} from '../document.ts';
import { importEvent, type Kind } from '../import-event.ts';
import type { Finding, Item, Plan } from '../plan.ts';
import {
  findFeatureIn,
  insertThing,
  listRoleIds,
  listSegmentIds,
  listThings,
  reserveAccountId,
} from '../queries.ts';
import { asOf } from './as-of.ts';
import { changeFeature, changeTogether, makeFeatures, setDependencies } from './features.ts';
import { grantAccess, makeGroup, makeProject, makeToken } from './make.ts';
import { refusalOf } from './refusal.ts';
import { segmentIdsOf } from './segments.ts';

export interface RunContext {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly encryptionKeys: readonly Buffer[];
  readonly baseUrl: string;
  readonly runHook: RunHook;
  /** Called after each thing. */
  readonly progress: (done: number, total: number) => void;
  /** Called for each new user at once, because a run may be interrupted: a secret to choose a password. */
  readonly link: (login: string, secret: string) => void;
}

export interface RunReport {
  /** Things that were made or changed. */
  readonly done: number;
  /** What was refused, with the reason. */
  readonly findings: readonly Finding[];
}

/** Features in one transaction. */
const portion = 100;

/** The order in which things can refer to each other. Segments may belong to a project. */
const order: readonly Kind[] = [
  'environment',
  'featureType',
  'contextField',
  'tagType',
  'tag',
  'strategyType',
  'role',
  'account',
  'serviceAccount',
  'group',
  'project',
  // Before the end of the features, when archived projects are archived.
  'projectAccess',
  'segment',
  'feature',
  'token',
  'application',
  'integration',
];

/**
 * Carries a plan out, in transactions of one thing or of a hundred features. Each records one event for each thing. What
 * is there already is not in the plan, so an interrupted run is continued by planning and running again.
 */
export async function runPlan(context: RunContext, plan: Plan): Promise<RunReport> {
  const { transact, progress } = context;
  const source = plan.source.url;
  const findings: Finding[] = [];
  const total = plan.items.length;
  let done = 0;
  const refused = (item: Item, error: unknown) => {
    const { kind, name } = item;
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    findings.push({
      code: 'REFUSED',
      severity: 'error',
      what: `Skipped: ${reason}`,
      todo: todoOf(item),
      ...{ kind, names: [name] },
    });
  };
  const inOne = async (
    items: readonly Item[],
    work: (tx: Tx) => Promise<void>,
    drafts: readonly EventDraft[] = items.map((item) => eventOf(item, source)),
  ): Promise<void> => {
    await transact(systemActor, async (tx) => {
      await work(tx);
      replaceRecorded(tx, drafts);
    });
    done += items.length;
    progress(done, total);
  };
  const byKind = grouped(plan.items, ({ kind }) => kind);
  for (const kind of order) {
    const items = byKind.get(kind) ?? [];
    if (kind === 'feature') {
      await runFeatures(context.db, items as readonly Item<FeatureDocument>[], inOne, refused);
      await runProjectSettings(
        (byKind.get('project') ?? []) as readonly Item<ProjectDocument>[],
        { context, source },
        refused,
      );
      continue;
    }
    for (const item of items) {
      try {
        if (kind === 'account' || kind === 'serviceAccount') {
          const link = await runAccount(item as Item<AccountDocument>, { context, source }, inOne);
          if (link) context.link(link.login, link.secret);
        } else {
          const work = workOf(item, context, source);
          await inOne([item], work);
        }
      } catch (error) {
        refused(item, error);
      }
    }
  }
  return { done, findings };
}

/** What the operator can do about a refusal. */
function todoOf({ kind, before, after }: Item): string {
  const [own, wanted] = [before, after] as [FeatureDocument | undefined, FeatureDocument];
  return kind === 'feature' && own && own.project !== wanted.project
    ? `It was moved in the source, and stays in the project '${own.project}' in Burgee: correct what the reason names, and import again.`
    : 'Correct it in the source, and import again.';
}

type InOne = (
  items: readonly Item[],
  work: (tx: Tx) => Promise<void>,
  drafts?: readonly EventDraft[],
) => Promise<void>;

/** Secrets are never in an event. */
function dataOf({ kind, after }: Item): object {
  if (kind === 'token') {
    const { secret: _, ...facts } = after as TokenDocument;
    return facts;
  }
  if (kind === 'integration') {
    const { parameters, ...facts } = after as IntegrationDocument;
    return { ...facts, enabled: false, parameters: Object.keys(parameters) };
  }
  return Array.isArray(after) ? { access: after } : (after as object);
}

function eventOf(item: Item, source: string): EventDraft {
  const { kind, name, before } = item;
  const feature = kind === 'feature' ? (item.after as FeatureDocument) : undefined;
  const isOfProject = kind === 'project' || kind === 'projectAccess';
  const segment = kind === 'segment' ? (item.after as SegmentDocument).project : null;
  return importEvent({
    kind,
    name,
    source,
    ...(feature && { project: feature.project, featureName: name, tags: feature.tags }),
    ...(isOfProject && { project: name }),
    ...(segment !== null && { project: segment }),
    ...(kind === 'environment' && { environment: name }),
    data: dataOf(item),
    ...(before !== undefined && { preData: before as object }),
  });
}

/** The work that makes or changes one thing. */
function workOf(
  { kind, name: nameOfThing, after, before }: Item,
  { encryptionKeys, baseUrl }: RunContext,
  source: string,
): (tx: Tx) => Promise<void> {
  switch (kind) {
    case 'environment': {
      const { name, type, enabled, sortOrder } = after as EnvironmentDocument;
      return async (tx) => {
        if (before) await changeEnvironment(tx, name, { type, enabled, sortOrder });
        else await createEnvironment(tx, { name, type, enabled, sortOrder });
      };
    }
    case 'featureType': {
      const { id, name = id, description = '', lifetimeDays } = after as FeatureTypeDocument;
      return async (tx) => {
        if (before) await setLifetime(tx, id, lifetimeDays);
        else await importFeatureType(tx, { id, name, description, lifetimeDays });
      };
    }
    case 'contextField': {
      const { name, createdAt, project: _, ...field } = after as ContextFieldDocument;
      const input = { ...field, legalValues: field.legalValues.map((each) => ({ ...each })) };
      return async (tx) => {
        if (before) await changeContextField(tx, name, input);
        else await createContextField(await asOf(tx, { createdAt }), { name, ...input });
      };
    }
    case 'tagType': {
      const { name, description, icon, color } = after as TagTypeDocument;
      const input = {
        description,
        ...(icon !== null && { icon }),
        ...(color !== null && { color }),
      };
      return async (tx) => {
        if (before) await changeTagType(tx, name, input);
        else await ensureTagType(tx, { name, ...input });
      };
    }
    case 'tag':
      return async (tx) => void (await createTag(tx, after as TagDocument));
    case 'strategyType': {
      const { deprecated, title, parameters, ...type } = after as StrategyTypeDocument;
      const input = {
        ...type,
        ...(before ? { title: title ?? '' } : title !== null && { title }),
        parameters: parameters.map((each) => ({ ...each })) as never,
      };
      return async (tx) => {
        if (before) await changeStrategyType(tx, type.name, input);
        else await createStrategyType(tx, input);
        if (deprecated) await deprecateStrategyType(tx, type.name);
        else if (before) await reactivateStrategyType(tx, type.name);
      };
    }
    case 'role': {
      const { permissions, type, ...role } = after as RoleDocument;
      return async (tx) => {
        await createRole(tx, {
          ...role,
          type: type === 'root-custom' ? 'root-custom' : 'custom',
          permissions: permissions.map((each) => ({ ...each })) as never,
        });
      };
    }
    case 'group':
      return async (tx) => makeGroup(tx, after as GroupDocument);
    case 'project':
      return async (tx) =>
        makeProject(tx, after as ProjectDocument, before as ProjectDocument | undefined);
    case 'segment': {
      const {
        id: theirId,
        constraints,
        createdAt,
        createdBy,
        ...segment
      } = after as SegmentDocument;
      const input = { ...segment, constraints: [...constraints] };
      const creation = { ...(createdAt && { createdAt }), ...(createdBy && { createdBy }) };
      const nameBefore = (before as SegmentDocument | undefined)?.name ?? segment.name;
      return async (tx) => {
        const own = (await listSegmentIds(tx.db)).get(nameBefore);
        if (own !== undefined) {
          await changeSegment(tx, String(own), input, { keepsValues: true });
          return;
        }
        const { id } = await createSegment(await asOf(tx, creation), input, { keepsValues: true });
        if (theirId !== undefined) await insertThing(tx, source, 'segment', theirId, id);
      };
    }
    case 'application': {
      const { name, description, usage, features, ...more } = after as ApplicationDocument;
      const annotations = { ...more, description: description ?? '' };
      return async (tx) => importApplication(tx, name, annotations, { usage, features });
    }
    case 'token':
      return async (tx) => makeToken(tx, after as TokenDocument, encryptionKeys);
    case 'integration':
      return async (tx) => {
        const {
          id: theirId,
          parameters,
          tags,
          createdAt,
          ...integration
        } = after as IntegrationDocument;
        const readable = Object.entries(parameters).filter(([, value]) => !/^\*+$/.test(value));
        const { id } = await createIntegration(
          await asOf(tx, { createdAt }),
          { encryptionKeys, baseUrl },
          {
            ...integration,
            description: integration.description ?? '',
            enabled: false,
            parameters: Object.fromEntries(readable),
            events: [...integration.events] as never,
            projects: integration.projects.filter((each) => each !== '*'),
            environments: integration.environments.filter((each) => each !== '*'),
            ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
          },
        );
        await insertThing(tx, source, 'integration', theirId, id);
      };
    case 'projectAccess':
      return async (tx) => grantAccess(tx, nameOfThing, after as readonly AccessDocument[]);
    default:
      throw new Error(`Nothing makes a ${kind}`);
  }
}

/** Creates the account under the id that the history names as its author. */
async function runAccount(
  item: Item<AccountDocument>,
  { context, source }: { context: RunContext; source: string },
  inOne: InOne,
): Promise<{ login: string; secret: string } | undefined> {
  const { kind, name, username, email, rootRole, id: theirId } = item.after;
  const roles = await listRoleIds(context.db);
  const reserved = (await listThings(context.db, source, 'account')).get(theirId);
  let link: { login: string; secret: string } | undefined;
  const id = reserved ?? (await context.transact(systemActor, reserveAccountId));
  const after = { ...item.after, id };
  await inOne([{ ...item, after }], async (tx) => {
    await createAccount(await asOf(tx, item.after), {
      ...{ id, kind, name, username, email },
      rootRole: roles.get(rootRole) ?? roleIds.viewer,
    });
    if (reserved === undefined) await insertThing(tx, source, 'account', theirId, id);
    if (kind !== 'person') return;
    const { secret } = await createPasswordLink(tx, id, 'invitation');
    link = { login: item.name, secret };
  });
  return link;
}

type Change = Item<FeatureDocument> & { readonly before: FeatureDocument };

/** Features that move to another project and have parents or children, with these. */
function movedTogether(items: readonly Item<FeatureDocument>[]): Change[] {
  const living = items.filter(
    (item): item is Change => item.before !== undefined && !item.after.archived,
  );
  const moved = new Set(
    living.filter(({ before, after }) => before.project !== after.project).map(({ name }) => name),
  );
  const parents = new Set<string>();
  const children = living.filter(({ name, before }) => {
    const own = before.dependencies.filter(({ feature }) => moved.has(name) || moved.has(feature));
    for (const { feature } of own) parents.add(feature);
    return own.length > 0;
  });
  const names = new Set(children.map(({ name }) => name));
  return living.filter(({ name }) => names.has(name) || (moved.has(name) && parents.has(name)));
}

async function runFeatures(
  db: Db,
  items: readonly Item<FeatureDocument>[],
  inOne: InOne,
  refused: (item: Item, error: unknown) => void,
): Promise<void> {
  const segmentIds = await listSegmentIds(db);
  const attempt = async (
    some: readonly Item<FeatureDocument>[],
    work: (tx: Tx) => Promise<void>,
  ) => {
    try {
      await inOne(some, work);
      return true;
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      if (some.length === 1) refused(some[0] as Item, error);
      return false;
    }
  };
  const made = grouped(
    items.filter(({ before }) => before === undefined),
    ({ after }) => after.project,
  );
  for (const [project, own] of made) {
    for (let start = 0; start < own.length; start += portion) {
      const some = own.slice(start, start + portion);
      const make = (each: readonly Item<FeatureDocument>[]) =>
        attempt(each, (tx) =>
          makeFeatures(
            tx,
            project,
            each.map(({ after }) => after),
            segmentIds,
          ),
        );
      if (some.length > 1 && (await make(some))) continue;
      // One of them is refused. The others come without it.
      for (const item of some) await make([item]);
    }
  }
  const change = async (some: readonly Item<FeatureDocument>[]) => {
    for (const item of some) {
      const { before, after } = item;
      if (before) await attempt([item], (tx) => changeFeature(tx, before, after, segmentIds));
    }
  };
  const related = movedTogether(items);
  const isDone =
    related.length > 1 && (await attempt(related, (tx) => changeTogether(tx, related, segmentIds)));
  const done = new Set(isDone ? related.map(({ name }) => name) : []);
  const left = items.filter(({ name }) => !done.has(name));
  await change(left.filter(({ after }) => !after.archived));
  for (const item of left) {
    const { before, after } = item;
    // A feature that moves loses its parents.
    const had = before?.project === after.project ? before.dependencies : [];
    if (after.archived || isDeepStrictEqual(had, after.dependencies)) continue;
    await inOne([], (tx) => setDependencies(tx, [after])).catch((error) => refused(item, error));
  }
  // A feature with children cannot be archived. Its children have lost it by now.
  await change(left.filter(({ after }) => after.archived));
}

/**
 * Takes environments away that the project does not have there. Its features have lost what they had in them by now, except
 * those that were created here.
 */
async function removeEnvironments(
  tx: Tx,
  { before, after }: Item<ProjectDocument>,
  runHook: RunHook,
): Promise<void> {
  const project = after.id;
  const wanted = new Set(after.environments.map(({ name }) => name));
  for (const { name: environment } of before?.environments ?? []) {
    if (wanted.has(environment)) continue;
    const user = await findFeatureIn(tx.db, project, environment);
    if (user !== undefined) {
      throw invalidOperation(
        `the project in the source does not have the environment '${environment}', but the feature '${user}', which was created in Burgee, uses it`,
      );
    }
    await removeEnvironment(tx, { project, environment }, runHook);
  }
}

/** Patterns and limits come last: features that are there already may break them. */
async function runProjectSettings(
  items: readonly Item<ProjectDocument>[],
  { context, source }: { context: RunContext; source: string },
  refused: (item: Item, error: unknown) => void,
): Promise<void> {
  const segmentIds = await listSegmentIds(context.db);
  for (const item of items) {
    const { after, before } = item;
    if (before?.archived && after.archived) continue;
    try {
      await context.transact(systemActor, async (tx) => {
        await changeProject(tx, after.id, {
          featureLimit: after.featureLimit,
          featureNaming: after.featureNaming ?? { pattern: null },
          ...after.ours,
        });
        for (const { name: environment, defaultStrategy } of after.environments) {
          const own = before?.environments.find((each) => each.name === environment);
          if (isDeepStrictEqual(own?.defaultStrategy ?? null, defaultStrategy)) continue;
          if (!defaultStrategy) {
            await removeDefaultStrategy(tx, { project: after.id, environment });
            continue;
          }
          const { segments, sortOrder: _, title, ...strategy } = defaultStrategy;
          await setDefaultStrategy(
            tx,
            { project: after.id, environment },
            {
              ...strategy,
              name: 'flexibleRollout',
              title: title ?? '',
              constraints: [...strategy.constraints],
              parameters: { ...strategy.parameters },
              variants: strategy.variants.map((each) => ({ ...each })) as never,
              segments: segmentIdsOf(segments, segmentIds),
            },
            { keepsValues: true },
          );
        }
        await removeEnvironments(tx, item, context.runHook);
        if (after.archived) {
          const then = await asOf(tx, { createdAt: after.archivedAt });
          await archiveProject(then, after.id);
        }
        replaceRecorded(tx, [
          importEvent({
            kind: 'project',
            name: after.id,
            source,
            project: after.id,
            data: { settings: 'complete', ...after },
          }),
        ]);
      });
    } catch (error) {
      refused(item, error);
    }
  }
}
