import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { record } from '../../../events/index.ts';
import { lockFeatures } from '../../../flags/features/index.ts';
import { maxInstancesReturned } from '../bounds.ts';
import { applicationDescribed, applicationForgotten, nameIgnored, nameNoticed } from '../events.ts';
import { insertApplications, listEnvironmentNames } from '../report/application-queries.ts';
import { lockProjects, upsertReach } from '../report/reach-queries.ts';
import { upsertUses } from '../report/use-queries.ts';
import type {
  Annotations,
  Application,
  Instance,
  OneApplication,
  Overview,
  ProjectApplication,
} from './contract.ts';
import { isOutdated } from './outdated-sdks.ts';
import { listSdksInUse, searchProjectApplications } from './project-queries.ts';
import {
  countUnknown,
  deleteApplication,
  deleteIgnored,
  findApplication,
  insertIgnored,
  listInstances,
  listMissingStrategies,
  listSdks,
  listUnknown,
  listUsedFeatures,
  lockApplication,
  updateAnnotations,
} from './queries.ts';

const what = 'application';
const mostUnknown = 1_000;

async function getKnown(db: Db, { sees }: Actor, appName: string): Promise<Application> {
  const application = await findApplication(db, sees, appName);
  if (!application) throw notFound(what, appName);
  return application;
}

/** IP addresses are returned only to readers who may see everything. */
const instanceOf = (
  { instanceId, sdkVersion, clientIp, seenAt }: Awaited<ReturnType<typeof listInstances>>[number],
  actor: Actor,
): Instance => ({
  instanceId,
  sdkVersion,
  clientIp: actor.may('ADMIN') ? clientIp : null,
  lastSeen: seenAt.toISOString(),
});

export async function getApplication(
  db: Db,
  actor: Actor,
  appName: string,
): Promise<OneApplication> {
  const application = await getKnown(db, actor, appName);
  const features = await listUsedFeatures(db, actor.sees, appName);
  const instances = await listInstances(db, appName, { limit: maxInstancesReturned });
  return {
    ...application,
    seenToggles: features.map(({ name }) => name),
    features: features.map(({ seenAt, ...feature }) => ({
      ...feature,
      lastSeen: seenAt.toISOString(),
    })),
    instances: instances.map((instance) => ({
      ...instanceOf(instance, actor),
      environment: instance.environment,
    })),
  };
}

export async function listInstancesIn(
  db: Db,
  actor: Actor,
  appName: string,
  environment: string,
): Promise<Instance[]> {
  await getKnown(db, actor, appName);
  const instances = await listInstances(db, appName, { environment, limit: maxInstancesReturned });
  return instances.map((instance) => instanceOf(instance, actor));
}

const sortedNames = (names: Iterable<string>) => [...new Set(names)].sort();

type SdkRow = Awaited<ReturnType<typeof listSdks>>[number];

const sdksOf = (rows: readonly SdkRow[]) =>
  sortedNames(rows.flatMap(({ sdkVersion }) => sdkVersion ?? []));

const isOutdatedRow = ({ sdkVersion }: SdkRow) => sdkVersion !== null && isOutdated({ sdkVersion });

export async function getOverview(db: Db, actor: Actor, appName: string): Promise<Overview> {
  await getKnown(db, actor, appName);
  const features = await listUsedFeatures(db, actor.sees, appName);
  const running = grouped(await listSdks(db, appName), ({ environment }) => environment);
  const unknown = await listUnknown(db, { sees: actor.sees, appName, ignored: false }, mostUnknown);
  return {
    projects: sortedNames(features.map(({ project }) => project)),
    featureCount: features.length,
    environments: [...running].map(([name, rows]) => ({
      name,
      instanceCount: rows.reduce((sum, { instanceCount }) => sum + instanceCount, 0),
      sdks: sdksOf(rows),
      frontendSdks: sdksOf(rows.filter(({ sdkType }) => sdkType === 'frontend')),
      backendSdks: sdksOf(rows.filter(({ sdkType }) => sdkType !== 'frontend')),
      lastSeen: new Date(Math.max(...rows.map(({ seenAt }) => seenAt.getTime()))).toISOString(),
      issues: {
        missingFeatures: sortedNames(
          unknown.filter(({ environment }) => environment === name).map((each) => each.name),
        ),
        outdatedSdks: sdksOf(rows.filter(isOutdatedRow)),
      },
    })),
    issues: { missingStrategies: await listMissingStrategies(db, appName) },
  };
}

/** The names of what an application uses, as another installation knows them. */
interface ImportedUse {
  readonly usage?:
    | readonly { readonly project: string; readonly environments: readonly string[] }[]
    | undefined;
  readonly features?:
    | readonly { readonly name: string; readonly environments: readonly string[] }[]
    | undefined;
}

/**
 * Adds an application that another installation knows, with what it uses, as far as that exists here. Once its
 * instances report here, they are listed too.
 */
export async function importApplication(
  tx: Tx,
  appName: string,
  annotations: Annotations,
  { usage = [], features = [] }: ImportedUse = {},
): Promise<void> {
  await insertApplications(tx, [{ appName, strategies: null, isPublic: false }]);
  await annotateApplication(tx, appName, annotations);
  const environments = await listEnvironmentNames(tx.db);
  const isKnown = (each: { readonly environment: string }) => environments.has(each.environment);
  const projects = await lockProjects(
    tx,
    usage.map(({ project }) => project),
  );
  const reach = usage
    .filter(({ project }) => project === '*' || projects.has(project))
    .flatMap(({ project, environments: own }) =>
      own.map((environment) => ({ appName, project, environment })),
    )
    .filter(isKnown);
  if (reach.length > 0) await upsertReach(tx, reach);
  const existing = await lockFeatures(
    tx,
    features.map(({ name }) => name),
  );
  const names = new Set(existing.map(({ name }) => name));
  const uses = features
    .filter(({ name }) => names.has(name))
    .flatMap(({ name: feature, environments: own }) =>
      own.map((environment) => ({ appName, feature, environment })),
    )
    .filter(isKnown);
  if (uses.length > 0) await upsertUses(tx, uses);
}

export async function annotateApplication(
  tx: Tx,
  appName: string,
  { description, url, color, icon }: Annotations,
): Promise<void> {
  const found = await lockApplication(tx, appName);
  if (!found) throw notFound(what, appName);
  const before = {
    description: found.description,
    url: found.url,
    color: found.color,
    icon: found.icon,
  };
  const after = {
    description: description === undefined ? before.description : (description ?? ''),
    url: url === undefined ? before.url : url || null,
    color: color === undefined ? before.color : color || null,
    icon: icon === undefined ? before.icon : icon || null,
  };
  if (isDeepStrictEqual(before, after)) return;
  await updateAnnotations(tx, appName, after);
  const facts = factsOf(found);
  const data = { ...facts, ...after, updatedAt: tx.now.toISOString() };
  record(tx, applicationDescribed({ data, preData: facts }));
}

const factsOf = ({
  createdAt,
  updatedAt,
  ...facts
}: NonNullable<Awaited<ReturnType<typeof lockApplication>>>) => ({
  ...facts,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export async function forgetApplication(tx: Tx, appName: string): Promise<void> {
  const found = await lockApplication(tx, appName);
  // Already deleted: no error.
  if (!found) return;
  await deleteApplication(tx, appName);
  record(tx, applicationForgotten({ preData: factsOf(found) }));
}

/** Outdated SDKs, each with its applications. */
export async function listOutdated(db: Db, { sees }: Actor, project?: string) {
  const outdated = (await listSdksInUse(db, sees, project)).filter(isOutdated);
  return [...grouped(outdated, ({ sdkVersion }) => sdkVersion)].map(([sdkVersion, users]) => ({
    sdkVersion,
    applications: sortedNames(users.map(({ appName }) => appName)),
  }));
}

export async function listUnknownFor(db: Db, { sees }: Actor, ignored: boolean) {
  const unknown = await listUnknown(db, { sees, ignored }, mostUnknown);
  return unknown.map(({ seenAt, ...each }) => ({ ...each, seenAt: seenAt.toISOString() }));
}

/** Each name once, however many applications request it. */
export const countUnknownFlags = (db: Db, { sees }: Actor, most: number): Promise<number> =>
  countUnknown(db, { sees, ignored: false }, most);

/** Only names that the actor can see, so that no one learns which others are asked for. */
async function expectUnknown(tx: Tx, name: string): Promise<void> {
  const [asked] = await listUnknown(tx.db, { sees: tx.actor.sees, name }, 1);
  if (!asked) throw notFound('unknown flag', name);
}

/** Leaves a name out of the list. If it is ignored already, nothing happens. */
export async function ignoreName(tx: Tx, name: string): Promise<void> {
  await expectUnknown(tx, name);
  if (await insertIgnored(tx, name)) record(tx, nameIgnored({ data: { name } }));
}

/** Lists a name again. If it is not ignored, nothing happens. */
export async function noticeName(tx: Tx, name: string): Promise<void> {
  await expectUnknown(tx, name);
  if (await deleteIgnored(tx, name)) record(tx, nameNoticed({ preData: { name } }));
}

/** `name:version`; an SDK may send only a name. */
const split = (sdk: string) => {
  const [name = sdk, ...version] = sdk.split(':');
  return { name, version: version.join(':') };
};

export async function searchApplicationsOf(
  db: Db,
  project: string,
  search: Parameters<typeof searchProjectApplications>[2],
): Promise<{ applications: ProjectApplication[]; total: number }> {
  const { applications, total } = await searchProjectApplications(db, project, search);
  return {
    total,
    applications: applications.map(({ sdks, ...application }) => ({
      ...application,
      sdks: [...grouped(sdks.map(split), ({ name }) => name)].map(([name, own]) => ({
        name,
        versions: own.map(({ version }) => version).filter((version) => version !== ''),
      })),
    })),
  };
}
