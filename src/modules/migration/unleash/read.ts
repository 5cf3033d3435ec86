import type { Installation } from '../document.ts';
import type { ReadingClient } from './client.ts';
import { byName } from './plain.ts';
import { type Access, readAccess } from './read-access.ts';
import { readCatalogue } from './read-catalogue.ts';
import { readApplications, readIntegrations, readTokens } from './read-connections.ts';
import { type Progress, readFeatures, readNamed } from './read-features.ts';
import { readProjects } from './read-projects.ts';
import { readVersion } from './read-version.ts';
import type { Scope } from './scope.ts';

/** What was read, with the names of what responses give by id. */
export interface Reading {
  readonly installation: Installation;
  readonly segmentNames: ReadonlyMap<number, string>;
  readonly access: Access;
}

/** Reads everything that an import brings over, except the event log. */
export async function readEverything(
  anyClient: ReadingClient,
  progress: Progress,
  now: Date,
): Promise<Reading> {
  const client = anyClient.forNewReading();
  const { version, edition } = await readVersion(client);
  const { documents, segmentNames } = await readCatalogue(client);
  const access = await readAccess(client);
  const projects = await readProjects(client, segmentNames, access);
  const features = await readFeatures(
    client,
    projects,
    { segmentNames, logins: access.logins },
    progress,
  );
  const installation: Installation = {
    format: 'burgee-installation-1',
    source: {
      url: client.url,
      version,
      edition,
      readAt: now.toISOString(),
    },
    ...documents,
    projects,
    features,
    roles: access.roles,
    accounts: access.accounts,
    groups: access.groups,
    tokens: await readTokens(client),
    integrations: await readIntegrations(client),
    applications: await readApplications(client),
  };
  return { installation, segmentNames, access };
}

export const readUnleash = async (
  client: ReadingClient,
  progress: Progress,
  now: Date,
): Promise<Installation> => (await readEverything(client, progress, now)).installation;

const isRenamed = (before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>) =>
  [...before].some(([id, name]) => after.has(id) && after.get(id) !== name);

/** Reads what may have changed, and takes the rest from the last reading. */
export async function readAgain(
  anyClient: ReadingClient,
  last: Reading,
  scope: Scope,
  progress: Progress,
  now: Date,
): Promise<Reading> {
  const client = anyClient.forNewReading();
  const everything = () => readEverything(client, progress, now);
  const before = last.installation;
  // The search of version 5 does not find archived features.
  const isOld = Number.parseInt(before.source.version, 10) < 6;
  if (scope === 'everything' || isOld) return everything();
  const { parts } = scope;
  const { documents, segmentNames } = parts.has('catalogue')
    ? await readCatalogue(client)
    : { documents: {}, segmentNames: last.segmentNames };
  // Strategies name their segments.
  if (isRenamed(last.segmentNames, segmentNames)) return everything();
  const access = parts.has('access') ? await readAccess(client) : last.access;
  const known = parts.has('access')
    ? []
    : before.projects.filter(({ id }) => !scope.projects.has(id));
  const projects =
    scope.projects.size > 0 || parts.has('access')
      ? await readProjects(client, segmentNames, access, known)
      : before.projects;
  const named = await readNamed(client, [...scope.features], {
    segmentNames,
    logins: access.logins,
  });
  if (named === undefined) return everything();
  progress(named.length, named.length);
  const others = before.features.filter(({ name }) => !scope.features.has(name));
  const installation: Installation = {
    ...before,
    source: { ...before.source, readAt: now.toISOString() },
    ...documents,
    projects,
    features: [...others, ...named].sort(byName),
    roles: access.roles,
    accounts: access.accounts,
    groups: access.groups,
    ...(parts.has('tokens') && { tokens: await readTokens(client) }),
    ...(parts.has('integrations') && { integrations: await readIntegrations(client) }),
    ...(parts.has('applications') && { applications: await readApplications(client) }),
  };
  return { installation, segmentNames, access };
}
