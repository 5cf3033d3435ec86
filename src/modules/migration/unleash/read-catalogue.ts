import type { EnvironmentDocument, Installation, SegmentDocument } from '../document.ts';
import type { ReadingClient } from './client.ts';
import {
  byName,
  givenText,
  type Json,
  listIn,
  listOf,
  numberOf,
  numberOrNull,
  textOf,
  textOrNull,
} from './plain.ts';
import { constraintsOf } from './read-feature.ts';

const segmentOf = ({ name, description, project, constraints }: Json): SegmentDocument => ({
  name: textOf(name),
  description: givenText(description),
  project: textOrNull(project),
  constraints: constraintsOf(constraints),
});

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
    .map(({ name, type, enabled, sortOrder }) => ({
      name: textOf(name),
      type: textOf(type),
      enabled: enabled === true,
      sortOrder: numberOf(sortOrder, 9999),
    }))
    .sort(byName);

/** What projects and features refer to. */
export async function readCatalogue(client: ReadingClient): Promise<Catalogue> {
  const [environments, featureTypes, context, tagTypes, tags, strategies, ownSegments] =
    await Promise.all([
      readEnvironments(client),
      client.get('/api/admin/feature-types'),
      client.get('/api/admin/context'),
      client.get('/api/admin/tag-types'),
      client.get('/api/admin/tags'),
      client.get('/api/admin/strategies'),
      client.find('/api/admin/segments'),
    ]);
  const segments = ownSegments === undefined ? [] : listIn(ownSegments, 'segments');
  const documents = {
    environments,
    featureTypes: listIn(featureTypes, 'types').map(({ id, lifetimeDays }) => ({
      id: textOf(id),
      lifetimeDays: numberOrNull(lifetimeDays),
    })),
    contextFields: listOf(context)
      .map(({ name, description, stickiness, sortOrder, legalValues }) => ({
        name: textOf(name),
        description: givenText(description),
        stickiness: stickiness === true,
        sortOrder: numberOf(sortOrder, 10),
        legalValues: listOf(legalValues).map(({ value, description: about }) => ({
          value: textOf(value),
          ...(textOrNull(about) !== null && { description: textOf(about) }),
        })),
      }))
      .sort(byName),
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
