import type { FeatureDocument, ProjectDocument } from '../document.ts';
import { type ReadingClient, segment } from './client.ts';
import { mostListed } from './limits.ts';
import { readAllPages } from './pages.ts';
import {
  byName,
  type Json,
  listIn,
  listOf,
  objectOf,
  textOf,
  textOrNull,
  withValues,
} from './plain.ts';
import { type FeatureNames, featureOf } from './read-feature.ts';

/** Called with the number of features that are read, and of all. */
export type Progress = (done: number, total: number) => void;

const pageSize = 100;

interface ListedFeature {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
  /** Undefined: they have to be read. */
  readonly tags: unknown;
  readonly row: Json;
}

/** Features from the search. Undefined: this version has no search, or none of archived features. */
async function searchPages(
  client: ReadingClient,
  archived: boolean,
  words?: string,
): Promise<ListedFeature[] | undefined> {
  const about = words === undefined ? '' : `&query=${segment(words)}`;
  const rows = await readAllPages<Json>({
    ...{ what: 'features', mostRows: mostListed.features },
    keyOf: ({ name }) => textOf(name),
    readPage: async (offset) => {
      const query = `limit=${pageSize}&offset=${offset}&sortBy=name&sortOrder=asc${about}`;
      const found = await client.find(
        `/api/admin/search/features?${query}${archived ? '&archived=IS:true' : ''}`,
      );
      if (found === undefined) return undefined;
      const page = listIn(found, 'features');
      if (page.some(({ archivedAt }) => archivedAt === undefined)) return undefined;
      return { rows: page, isLast: page.length < pageSize };
    },
  });
  return rows
    ?.filter(({ archivedAt }) => (textOrNull(archivedAt) !== null) === archived)
    .map((row) => ({
      ...{ name: textOf(row.name), project: textOf(row.project), archived },
      ...{ tags: row.tags ?? [], row },
    }));
}

/**
 * Features from the search, archived ones too. Undefined as above. A feature that is revived between the two lists is in
 * neither of them, so the first is read once more.
 */
async function searchFeatures(client: ReadingClient): Promise<ListedFeature[] | undefined> {
  const byName = new Map<string, ListedFeature>();
  for (const archived of [false, true, false]) {
    const listed = await searchPages(client, archived);
    if (listed === undefined) return undefined;
    for (const feature of listed) byName.set(feature.name, feature);
  }
  return [...byName.values()];
}

/** Undefined: this version cannot say. */
async function searchNamed(
  client: ReadingClient,
  wanted: string,
): Promise<ListedFeature | 'absent' | undefined> {
  for (const archived of [false, true, false]) {
    const listed = await searchPages(client, archived, wanted);
    if (listed === undefined) return undefined;
    const found = listed.find(({ name }) => name === wanted);
    if (found) return found;
  }
  return 'absent';
}

async function listFromProjects(
  client: ReadingClient,
  projects: readonly ProjectDocument[],
): Promise<ListedFeature[]> {
  const listed: ListedFeature[] = [];
  for (const { id: project } of projects) {
    const active = await client.get(`/api/admin/projects/${segment(project)}/features`);
    for (const row of listIn(active, 'features')) {
      listed.push({ name: textOf(row.name), project, archived: false, tags: undefined, row });
    }
  }
  const archive = objectOf(await client.find('/api/admin/archive/features'));
  for (const row of listOf(archive.features)) {
    const project = textOrNull(row.project) ?? 'default';
    // This list does not name its environments.
    const environments = projects.find(({ id }) => id === project)?.environments ?? [];
    listed.push({
      ...{ name: textOf(row.name), project, archived: true, tags: undefined },
      row: withValues(row, { environments }),
    });
  }
  return listed;
}

/** All features, archived ones too. */
export async function readFeatures(
  client: ReadingClient,
  projects: readonly ProjectDocument[],
  names: FeatureNames,
  progress: Progress,
): Promise<FeatureDocument[]> {
  const listed = (await searchFeatures(client)) ?? (await listFromProjects(client, projects));
  let done = 0;
  const features = await Promise.all(
    listed.map(async (each) => {
      const feature =
        (await readListed(client, each, names)) ??
        // It has been moved, archived or deleted meanwhile.
        (await lookUp(client, projects, [each.name], names))[0];
      done += 1;
      progress(done, listed.length);
      return feature;
    }),
  );
  // A feature that is archived meanwhile may be in two lists.
  const ownName = new Map(
    features.flatMap((feature) => (feature ? [[feature.name, feature]] : [])),
  );
  return [...ownName.values()].sort(byName);
}

/** Those of the named features that exist. Undefined: this version cannot find them. */
export async function readNamed(
  client: ReadingClient,
  wanted: readonly string[],
  names: FeatureNames,
): Promise<FeatureDocument[] | undefined> {
  const read = await Promise.all(
    wanted.map(async (name) => {
      const found = await searchNamed(client, name);
      if (found === undefined || found === 'absent') return found;
      return (await readListed(client, found, names)) ?? 'absent';
    }),
  );
  if (read.includes(undefined)) return undefined;
  return read.flatMap((found) => (found === undefined || found === 'absent' ? [] : found));
}

/** Those of the named features that exist, in all versions. */
export async function lookUp(
  client: ReadingClient,
  projects: readonly ProjectDocument[],
  wanted: readonly string[],
  names: FeatureNames,
): Promise<FeatureDocument[]> {
  const found = await readNamed(client, wanted, names);
  if (found) return found;
  const listed = await listFromProjects(client, projects);
  const read = await Promise.all(
    listed
      .filter(({ name }) => wanted.includes(name))
      .map((each) => readListed(client, each, names)),
  );
  return read.flatMap((feature) => feature ?? []);
}

/** Reads one feature. Undefined: it is no longer there. */
async function readListed(
  client: ReadingClient,
  { name, project, archived, tags, row }: ListedFeature,
  names: FeatureNames,
): Promise<FeatureDocument | undefined> {
  const path = `/api/admin/projects/${segment(project)}/features/${segment(name)}`;
  const ownTags =
    tags ?? objectOf(await client.find(`/api/admin/features/${segment(name)}/tags`)).tags;
  if (!archived) {
    const found = await client.find(`${path}?variantEnvironments=true`);
    if (found === undefined) return undefined;
    // What is missing in a response that is no feature must not be taken from the feature.
    listIn(found, 'environments');
    return featureOf(withValues(objectOf(found), { project }), ownTags, names);
  }
  // The response about one feature is for active ones. Those about its environments still exist.
  const environments = await Promise.all(
    listOf(row.environments).map(async (environment) => {
      const at = `${path}/environments/${segment(textOf(environment.name))}`;
      const strategies = await client.find(`${at}/strategies`);
      const hasVariants = environment.variantCount !== 0;
      const { variants } = objectOf(hasVariants && (await client.find(`${at}/variants`)));
      return withValues(environment, { enabled: false, strategies: strategies ?? [], variants });
    }),
  );
  const archivedRow = withValues(row, { project, archived: true, environments });
  return featureOf(archivedRow, ownTags, names);
}
