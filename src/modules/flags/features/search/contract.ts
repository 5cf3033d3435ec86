import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { listOf } from '../../../../platform/contract/query-list.ts';
import { named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import { FoundFeatureSchema } from '../feature-schema.ts';

/** For what a feature has one of. */
export const choiceOperators = ['IS', 'IS_NOT', 'IS_ANY_OF', 'IS_NONE_OF'] as const;

/** For what a feature may have several of. */
export const inclusionOperators = [
  'INCLUDE',
  'DO_NOT_INCLUDE',
  'INCLUDE_ANY_OF',
  'INCLUDE_ALL_OF',
  'EXCLUDE_IF_ANY_OF',
  'EXCLUDE_ALL',
  ...choiceOperators,
] as const;

const text = (description: string) => Type.Optional(Type.String({ description }));

const choice = (what: string) =>
  text(`${what}: \`IS:value\`; the operators are ${choiceOperators.join(', ')}`);

const inclusion = (what: string) =>
  text(`${what}: \`INCLUDE:value\`; the operators are ${inclusionOperators.join(', ')}`);

const day = (what: string) =>
  text(`${what}, by UTC day: \`IS_BEFORE:yyyy-MM-dd\` or \`IS_ON_OR_AFTER:yyyy-MM-dd\``);

const SearchParameters = Type.Object({
  query: text(
    'Words, separated by blanks: each is a literal, case-insensitive part of the name, the description or a tag. ' +
      'Of several such texts, separated by commas, any one',
  ),
  project: choice('Project id'),
  state: choice('active (not stale), stale, or potentially-stale (older than its type lives)'),
  type: choice('Feature type'),
  createdBy: choice('Creator: an integer is the id, anything else the exact name'),
  lifecycle: choice('Stage'),
  tag: inclusion('Tag, as `type:value`'),
  segment: inclusion('Name of a segment that a strategy of the feature uses'),
  status: Type.Optional(
    listOf(Type.String(), {
      commas: true,
      maxItems: 10_000,
      description: '`environment:enabled` or `environment:disabled`; of several, any one',
    }),
  ),
  archived: text('`IS:true`: archived features instead of living ones'),
  createdAt: day('Creation'),
  lastSeenAt: day('Last metrics; features that were never seen are neither'),
  favoritesFirst: withDefault(yesNo, 'false'),
  sortBy: text(
    'name, createdAt (default), type, project, stale, lastSeenAt or `environment:name`; what else is sent counts as the default, and equals are ordered by their creation',
  ),
  sortOrder: withDefault(oneOf(['asc', 'desc']), 'asc'),
  offset: text('Number of features to skip; default 0'),
  limit: text('Number of features in a page; default 50, more than 1000 is served as 1000'),
});

export const searchContract = {
  searchFeatures: endpoint({
    method: 'GET',
    path: '/api/admin/search/features',
    id: 'searchFeatures',
    tag: 'Features',
    summary: 'Search the features of all projects that you may see',
    description:
      'Operators that end in OF, and EXCLUDE_ALL, take several values separated by commas; the others take ' +
      'one value, commas included. `total` is exact and of the same snapshot as the page.',
    permission: 'none',
    query: SearchParameters,
    response: named(
      'searchFeaturesSchema',
      Type.Object({
        features: Type.Array(FoundFeatureSchema),
        total: Type.Integer({ minimum: 0 }),
      }),
    ),
  }),
};
