import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  named,
  notSupported,
  oneOf,
} from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';

const tag = 'Strategies';
const path = '/api/admin/strategies';

const name = urlName({ description: 'Unique name: the one that SDKs know the strategy by' });
const title = nullable(Type.String({ maxLength: 100, description: 'Name for people' }));
const description = nullable(describing('What the strategy does'));

const parameterShape = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: oneOf(
    ['string', 'percentage', 'list', 'number', 'boolean'],
    'What the text of the parameter has to be; a list is separated by commas',
  ),
};

const ParameterSchema = Type.Object({
  ...parameterShape,
  description: Type.String(),
  required: Type.Boolean({ description: 'Whether a strategy without it is refused' }),
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
    displayName: Type.String({ description: 'The title, or the name where there is none' }),
    title: Type.Optional(Type.String()),
    description: descriptionOrNull,
    parameters: Type.Array(ParameterSchema),
    editable: Type.Boolean({ description: 'False for the types that every installation has' }),
    deprecated: Type.Boolean({ description: 'No longer offered, but whoever uses it may go on' }),
  }),
);
export type StrategyType = Static<typeof StrategyTypeSchema>;

/** Left out of a change, each stays as it is; null takes a title or description away. */
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
    deprecated: notSupported('POST …/:strategyName/deprecate does it'),
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
    summary: 'The types of strategies: those that every installation has, then the others by name',
    permission: 'none',
    response: named(
      'strategiesSchema',
      Type.Object({
        version: Type.Integer(),
        strategies: Type.Array(StrategyTypeSchema),
      }),
    ),
  }),

  getStrategyType: endpoint({
    method: 'GET',
    path: `${path}/:strategyName`,
    id: 'getStrategy',
    tag,
    summary: 'One type of strategies',
    permission: 'none',
    params,
    response: StrategyTypeSchema,
  }),

  createStrategyType: endpoint({
    method: 'POST',
    path,
    id: 'createStrategy',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a type of strategies, for SDKs that know how to evaluate it',
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
    summary: 'Change a type of strategies',
    description: 'Strategies that stand already stay as they are.',
    permission: 'UPDATE_STRATEGY',
    params,
    body: StrategyTypeChangeSchema,
  }),

  deleteStrategyType: endpoint({
    method: 'DELETE',
    path: `${path}/:strategyName`,
    id: 'removeStrategy',
    tag,
    summary: 'Delete a type of strategies that no feature uses',
    permission: 'DELETE_STRATEGY',
    params,
  }),

  deprecateStrategyType: endpoint({
    method: 'POST',
    path: `${path}/:strategyName/deprecate`,
    id: 'deprecateStrategy',
    tag,
    summary: 'No longer offer a type of strategies',
    permission: 'UPDATE_STRATEGY',
    params,
  }),

  reactivateStrategyType: endpoint({
    method: 'POST',
    path: `${path}/:strategyName/reactivate`,
    id: 'reactivateStrategy',
    tag,
    summary: 'Offer a deprecated type of strategies again',
    permission: 'UPDATE_STRATEGY',
    params,
  }),
};
