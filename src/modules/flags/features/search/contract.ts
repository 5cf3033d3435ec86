import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { listOf } from '../../../../platform/contract/query-list.ts';
import { atMoment, named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import { FoundFeatureSchema } from '../feature-schema.ts';

/** For properties with one value. */
export const choiceOperators = ['IS', 'IS_NOT', 'IS_ANY_OF', 'IS_NONE_OF'] as const;

/** For properties with several values. */
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
  ...atMoment.properties,
  query: text(
    'Words separated by spaces; each must be a literal, case-insensitive part of the name, the description, or a tag. ' +
      'Several texts, separated by commas, are alternatives',
  ),
  project: choice('Project ID'),
  state: choice(
    'active (not stale), stale, or potentially-stale (past the expected lifetime of its type)',
  ),
  type: choice('Feature type'),
  createdBy: choice('Creator (an integer is an ID, anything else an exact name)'),
  owner: choice('Owner (`me`, `none`, `user:id`, or `group:id`)'),
  lifecycle: choice('Stage'),
  tag: inclusion('Tag, as `type:value`'),
  segment: inclusion('Name of a segment that a strategy of the feature uses'),
  status: Type.Optional(
    listOf(Type.String(), {
      commas: true,
      maxItems: 10_000,
      description:
        '`environment:enabled` or `environment:disabled`; several values are alternatives',
    }),
  ),
  enabledIn: inclusion(
    'Type of an environment in which the feature is enabled, such as production',
  ),
  archived: text('`IS:true` returns archived features instead of active ones'),
  expired: text(
    '`IS:true` returns only features whose expiry date has passed, `IS:false` only others',
  ),
  createdAt: day('Creation'),
  lastSeenAt: text(
    'Last metrics, by UTC day: `IS_BEFORE:yyyy-MM-dd` or `IS_ON_OR_AFTER:yyyy-MM-dd`, which never match features without metrics, `IS:never` for those, or `IS_BEFORE_OR_NEVER:yyyy-MM-dd`',
  ),
  favorite: text('`IS:true` returns only your favorites, `IS:false` only others'),
  favoritesFirst: withDefault(yesNo, 'false'),
  sortBy: text(
    'name, createdAt (default), type, project (by its name), stale, lastSeenAt, owner (by name), expiresAt (features without expiry date last), or `environment:name`. Any other value is treated as the default; ties are sorted by creation time',
  ),
  sortOrder: withDefault(oneOf(['asc', 'desc']), 'asc'),
  offset: text('Number of features to skip; default 0'),
  limit: text('Page size; default 50, maximum 1000'),
});

export const searchContract = {
  searchFeatures: endpoint({
    method: 'GET',
    path: '/api/admin/search/features',
    id: 'searchFeatures',
    largeResponse: true,
    tag: 'Features',
    summary: 'Search features in all projects that you can see',
    description:
      'Operators ending in OF, and EXCLUDE_ALL, take several values separated by commas; the others take ' +
      'one value, which may contain commas. `total` is exact and from the same snapshot as the page.',
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
