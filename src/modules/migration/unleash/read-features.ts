import { StartError } from '../../../platform/start-error.ts';
import type { FeatureDocument, ProjectDocument } from '../document.ts';
import { type ReadingClient, segment } from './client.ts';
import { createPageCounter, mostListed } from './limits.ts';
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

/** Features from the search, archived ones too. Undefined: this version has no search, or none of archived features. */
async function searchFeatures(
  client: ReadingClient,
  words?: string,
): Promise<ListedFeature[] | undefined> {
  const listed: ListedFeature[] = [];
  const about = words === undefined ? '' : `&query=${segment(words)}`;
  const countPage = createPageCounter('features', mostListed.features);
  const names = new Set<string>();
  for (const archived of [false, true]) {
    for (let offset = 0; ; offset += pageSize) {
      const query = `limit=${pageSize}&offset=${offset}&sortBy=name&sortOrder=asc${about}`;
      const page = await client.find(
        `/api/admin/search/features?${query}${archived ? '&archived=IS:true' : ''}`,
      );
      if (page === undefined) return undefined;
      const rows = listIn(page, 'features');
      countPage(rows.length);
      if (rows.length > 0 && rows.every(({ name }) => names.has(`${archived} ${textOf(name)}`))) {
        throw new StartError('The search for features repeats its pages without an end.');
      }
      for (const { name } of rows) names.add(`${archived} ${textOf(name)}`);
      if (rows.some(({ archivedAt }) => archivedAt === undefined)) return undefined;
      for (const row of rows) {
        if ((textOrNull(row.archivedAt) !== null) !== archived) continue;
        const [name, project] = [textOf(row.name), textOf(row.project)];
        listed.push({ name, project, archived, tags: row.tags ?? [], row });
      }
      if (rows.length < pageSize) break;
    }
  }
  return listed;
}

async function listFromProjects(
  client: ReadingClient,
  projects: readonly ProjectDocument[],
): Promise<ListedFeature[]> {
  const listed: ListedFeature[] = [];
  for (const { id: project } of projects) {
    const living = await client.get(`/api/admin/projects/${segment(project)}/features`);
    for (const row of listIn(living, 'features')) {
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
        (await readNamed(client, [each.name], names))?.[0];
      done += 1;
      progress(done, listed.length);
      return feature;
    }),
  );
  return features.flatMap((feature) => feature ?? []).sort(byName);
}

/** Those of the named features that exist. Undefined: this version cannot find them. */
export async function readNamed(
  client: ReadingClient,
  wanted: readonly string[],
  names: FeatureNames,
): Promise<FeatureDocument[] | undefined> {
  const read = await Promise.all(
    wanted.map(async (name) => {
      const found = await searchFeatures(client, name);
      const own = found?.find((each) => each.name === name);
      return {
        isKnown: found !== undefined,
        feature: own && (await readListed(client, own, names)),
      };
    }),
  );
  if (read.some(({ isKnown }) => !isKnown)) return undefined;
  return read.flatMap(({ feature }) => feature ?? []);
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
  // The response about one feature is for living ones. Those about its environments still exist.
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
