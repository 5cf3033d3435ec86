import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  describing,
  descriptionOrNull,
  named,
  nameText,
  notSupported,
  oneOf,
} from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { UsesSchema, usesDescription } from '../uses/uses-schema.ts';

const tag = 'Strategies';
const path = '/api/admin/strategies';

const name = urlName({ description: 'Unique name, as known to SDKs' });
const title = nullable(nameText({ minLength: 0, maxLength: 100, description: 'Display name' }));
const description = nullable(describing('What the strategy does'));

const parameterShape = {
  name: nameText({ maxLength: 100 }),
  type: oneOf(
    ['string', 'percentage', 'list', 'number', 'boolean'],
    'Format of the parameter value; a list is separated by commas',
  ),
};

const ParameterSchema = Type.Object({
  ...parameterShape,
  description: Type.String(),
  required: Type.Boolean({ description: 'Whether a strategy must have it' }),
});
export type StrategyParameter = Static<typeof ParameterSchema>;

const SetParametersSchema = Type.Array(
  Type.Object({
    ...parameterShape,
    description: Type.Optional(nullable(describing())),
    required: Type.Optional(nullable(Type.Boolean())),
  }),
  { maxItems: 100 },
);

const StrategyTypeSchema = named(
  'strategySchema',
  Type.Object({
    name: Type.String(),
    displayName: Type.String({ description: 'The title, or the name if there is no title' }),
    title: Type.Optional(Type.String()),
    description: descriptionOrNull,
    parameters: Type.Array(ParameterSchema),
    editable: Type.Boolean({ description: 'False for built-in types' }),
    deprecated: Type.Boolean({
      description:
        'Deprecated types are not offered for new strategies; existing strategies keep working',
    }),
  }),
);
export type StrategyType = Static<typeof StrategyTypeSchema>;

const UsedStrategyTypeSchema = named(
  'strategySchema',
  Type.Object({
    ...StrategyTypeSchema.properties,
    usedInFeatures: Type.Integer({
      description:
        'Number of features that use it, including archived ones, in projects that you can see',
    }),
  }),
);
export type UsedStrategyType = Static<typeof UsedStrategyTypeSchema>;

/** Omitted properties stay; null removes a title or description. */
const changeable = {
  title: Type.Optional(title),
  description: Type.Optional(description),
  parameters: Type.Optional(SetParametersSchema),
};

const StrategyTypeChangeSchema = named('updateStrategySchema', Type.Object(changeable));
export type StrategyTypeChange = Static<typeof StrategyTypeChangeSchema>;

const CreateStrategyTypeSchema = named(
  'createStrategySchema',
  Type.Object({
    name,
    ...changeable,
    deprecated: notSupported('use POST …/:strategyName/deprecate'),
  }),
);
export type CreateStrategyType = Static<typeof CreateStrategyTypeSchema>;

const params = Type.Object({ strategyName: Type.String() });

export const contract = {
  listStrategyTypes: endpoint({
    method: 'GET',
    path,
    id: 'getAllStrategies',
    tag,
    summary: 'List strategy types, built-in types first',
    permission: 'none',
    query: atMoment,
    response: named(
      'strategiesSchema',
      Type.Object({
        version: Type.Integer(),
        strategies: Type.Array(UsedStrategyTypeSchema),
      }),
    ),
  }),

  getStrategyType: endpoint({
    method: 'GET',
    path: `${path}/:strategyName`,
    id: 'getStrategy',
    tag,
    summary: 'Get a strategy type',
    permission: 'none',
    params,
    query: atMoment,
    response: UsedStrategyTypeSchema,
  }),

  listStrategyTypeUses: endpoint({
    method: 'GET',
    path: `${path}/:strategyName/uses`,
    id: 'getStrategyUses',
    tag,
    summary: 'List where a strategy type is used',
    description: usesDescription,
    permission: 'none',
    params,
    response: UsesSchema,
  }),

  createStrategyType: endpoint({
    method: 'POST',
    path,
    id: 'createStrategy',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a custom strategy type',
    permission: 'CREATE_STRATEGY',
    body: CreateStrategyTypeSchema,
    response: StrategyTypeSchema,
    status: 201,
    locatedBy: 'name',
  }),

  updateStrategyType: endpoint({
    method: 'PUT',
    path: `${path}/:strategyName`,
    id: 'updateStrategy',
    tag,
    summary: 'Update a strategy type',
    description: 'Existing strategies stay unchanged.',
    permission: 'UPDATE_STRATEGY',
    params,
    body: StrategyTypeChangeSchema,
  }),

  deleteStrategyType: endpoint({
    method: 'DELETE',
    path: `${path}/:strategyName`,
    id: 'removeStrategy',
    tag,
    summary: 'Delete an unused strategy type',
    permission: 'DELETE_STRATEGY',
    params,
  }),

  deprecateStrategyType: endpoint({
    method: 'POST',
    path: `${path}/:strategyName/deprecate`,
    id: 'deprecateStrategy',
    tag,
    summary: 'Deprecate a strategy type',
    permission: 'UPDATE_STRATEGY',
    params,
  }),

  reactivateStrategyType: endpoint({
    method: 'POST',
    path: `${path}/:strategyName/reactivate`,
    id: 'reactivateStrategy',
    tag,
    summary: 'Reactivate a deprecated strategy type',
    permission: 'UPDATE_STRATEGY',
    params,
  }),
};
