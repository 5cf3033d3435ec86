import type {
  ContextFieldDocument,
  EnvironmentDocument,
  Installation,
  SegmentDocument,
} from '../document.ts';
import { type ReadingClient, segment } from './client.ts';
import {
  approvalsOf,
  byName,
  creatorNamed,
  givenText,
  type Json,
  listIn,
  listOf,
  numberOf,
  numberOrNull,
  textOf,
  textOrNull,
  withValues,
} from './plain.ts';
import { constraintsOf } from './read-feature.ts';
import { listProjects } from './read-projects.ts';

const segmentOf = (row: Json): SegmentDocument => ({
  id: numberOf(row.id, 0),
  name: textOf(row.name),
  description: givenText(row.description),
  project: textOrNull(row.project),
  constraints: constraintsOf(row.constraints),
  createdAt: textOrNull(row.createdAt),
  ...creatorNamed(row.createdBy),
});

const contextFieldOf = (field: Json): ContextFieldDocument => ({
  name: textOf(field.name),
  ...(textOrNull(field.project) !== null && { project: textOf(field.project) }),
  description: givenText(field.description),
  stickiness: field.stickiness === true,
  sortOrder: numberOf(field.sortOrder, 10),
  legalValues: listOf(field.legalValues).map(({ value, description }) => ({
    value: textOf(value),
    ...(textOrNull(description) !== null && { description: textOf(description) }),
  })),
  createdAt: textOrNull(field.createdAt),
});

/** Fields of all projects and, from version 8 on, of single ones. A name is used once. */
async function readContextFields(client: ReadingClient): Promise<ContextFieldDocument[]> {
  const global = listOf(await client.get('/api/admin/context'));
  const projects = await listProjects(client);
  const own = await Promise.all(
    projects.map(async ({ id }) => {
      const fields = await client.find(`/api/admin/projects/${segment(textOf(id))}/context`);
      return listOf(fields).map((field) => withValues(field, { project: id }));
    }),
  );
  const byOwnName = new Map([...own.flat(), ...global].map((field) => [field.name, field]));
  return [...byOwnName.values()].map(contextFieldOf).sort(byName);
}

interface Catalogue {
  readonly documents: Pick<
    Installation,
    | 'environments'
    | 'featureTypes'
    | 'contextFields'
    | 'tagTypes'
    | 'tags'
    | 'strategyTypes'
    | 'segments'
  >;
  readonly segmentNames: ReadonlyMap<number, string>;
}

export const readEnvironments = async (client: ReadingClient): Promise<EnvironmentDocument[]> =>
  listIn(await client.get('/api/admin/environments'), 'environments')
    .map(({ name, type, enabled, sortOrder, requiredApprovals }) => ({
      name: textOf(name),
      type: textOf(type),
      enabled: enabled === true,
      sortOrder: numberOf(sortOrder, 9999),
      ...approvalsOf(requiredApprovals),
    }))
    .sort(byName);

/** What projects and features refer to. */
export async function readCatalogue(client: ReadingClient): Promise<Catalogue> {
  const [environments, featureTypes, contextFields, tagTypes, tags, strategies, ownSegments] =
    await Promise.all([
      readEnvironments(client),
      client.get('/api/admin/feature-types'),
      readContextFields(client),
      client.get('/api/admin/tag-types'),
      client.get('/api/admin/tags'),
      client.get('/api/admin/strategies'),
      client.find('/api/admin/segments'),
    ]);
  const segments = ownSegments === undefined ? [] : listIn(ownSegments, 'segments');
  const documents = {
    environments,
    featureTypes: listIn(featureTypes, 'types').map(({ id, name, description, lifetimeDays }) => ({
      id: textOf(id),
      name: textOrNull(name) ?? textOf(id),
      description: textOf(description),
      lifetimeDays: numberOrNull(lifetimeDays),
    })),
    contextFields,
    tagTypes: listIn(tagTypes, 'tagTypes')
      .map(({ name, description, icon, color }) => ({
        name: textOf(name),
        description: textOf(description),
        icon: textOrNull(icon),
        color: textOrNull(color),
      }))
      .sort(byName),
    tags: listIn(tags, 'tags').map(({ type, value }) => ({
      type: textOf(type),
      value: textOf(value),
    })),
    strategyTypes: listIn(strategies, 'strategies')
      .filter(({ editable }) => editable !== false)
      .map(({ name, title, description, deprecated, parameters }) => ({
        name: textOf(name),
        title: textOrNull(title),
        description: textOf(description),
        deprecated: deprecated === true,
        parameters: listOf(parameters).map((parameter) => ({
          name: textOf(parameter.name),
          type: textOrNull(parameter.type) ?? 'string',
          description: textOf(parameter.description),
          required: parameter.required === true,
        })),
      }))
      .sort(byName),
    segments: segments.map(segmentOf).sort(byName),
  };
  const segmentNames = new Map(segments.map(({ id, name }) => [Number(id), textOf(name)]));
  return { documents, segmentNames };
}
