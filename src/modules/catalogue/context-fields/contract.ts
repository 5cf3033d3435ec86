import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, instant, named, sortOrder } from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { SetConstraintSchema } from './constraint-schema.ts';

const tag = 'Context';

/** More values than anybody chooses from; the log keeps all of them with every change of one. */
export const maxLegalValues = 1000;

const name = urlName({ description: 'Unique name, as SDKs send it' });
const stickiness = Type.Boolean({ description: 'Whether rollouts and variants can stick to it' });
const description = nullable(Type.String({ maxLength: 1000, description: 'What the field says' }));

const LegalValueSchema = Type.Object({
  value: Type.String(),
  description: Type.Optional(Type.String()),
});
export type LegalValue = Static<typeof LegalValueSchema>;

const SetLegalValueSchema = named(
  'legalValueSchema',
  Type.Object({
    value: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      'x-fault': 'must be 1 to 100 characters, not all of them blank',
    }),
    description: Type.Optional(nullable(Type.String({ maxLength: 250 }))),
  }),
);
export type SetLegalValue = Static<typeof SetLegalValueSchema>;

/** A field of the context that SDKs evaluate with. */
export const ContextFieldSchema = named(
  'contextFieldSchema',
  Type.Object({
    name: Type.String(),
    description: descriptionOrNull,
    stickiness,
    sortOrder,
    legalValues: Type.Array(LegalValueSchema, {
      description: 'The only values that constraints may name; none: any',
    }),
    createdAt: instant,
  }),
);
export type ContextField = Static<typeof ContextFieldSchema>;

const UsedContextFieldSchema = named(
  'contextFieldSchema',
  Type.Object({
    ...ContextFieldSchema.properties,
    usedInFeatures: Type.Integer({
      description: 'Living features with a constraint on it, of the projects you may see',
    }),
    usedInProjects: Type.Integer({ description: 'Projects of those features' }),
  }),
);
export type UsedContextField = Static<typeof UsedContextFieldSchema>;

const changeable = {
  description: Type.Optional(description),
  stickiness: Type.Optional(stickiness),
  sortOrder: Type.Optional(sortOrder),
  legalValues: Type.Optional(Type.Array(SetLegalValueSchema, { maxItems: maxLegalValues })),
};
export const CreateContextFieldSchema = named(
  'createContextFieldSchema',
  Type.Object({ name, ...changeable }),
);
export type CreateContextField = Static<typeof CreateContextFieldSchema>;
const UpdateContextFieldSchema = named('updateContextFieldSchema', Type.Object(changeable));
export type ContextFieldChange = Static<typeof UpdateContextFieldSchema>;

const ContextUsageSchema = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  strategyName: Type.String(),
  id: Type.String({ description: 'Of the strategy' }),
  environment: Type.String(),
});
export type ContextUsage = Static<typeof ContextUsageSchema>;

const params = Type.Object({ contextField: Type.String() });

export const contract = {
  listContextFields: endpoint({
    method: 'GET',
    path: '/api/admin/context',
    id: 'getContextFields',
    tag,
    summary: 'All context fields, in their order',
    permission: 'none',
    response: named('contextFieldsSchema', Type.Array(UsedContextFieldSchema)),
  }),

  getContextField: endpoint({
    method: 'GET',
    path: '/api/admin/context/:contextField',
    id: 'getContextField',
    tag,
    summary: 'One context field',
    permission: 'none',
    params,
    response: UsedContextFieldSchema,
  }),

  listContextUsage: endpoint({
    method: 'GET',
    path: '/api/admin/context/:contextField/strategies',
    id: 'getStrategiesByContextField',
    tag,
    summary: 'The strategies with a constraint on a context field',
    description: 'Of living features, in the projects that you may see.',
    permission: 'none',
    params,
    response: named(
      'contextFieldStrategiesSchema',
      Type.Object({ strategies: Type.Array(ContextUsageSchema) }),
    ),
  }),

  createContextField: endpoint({
    method: 'POST',
    path: '/api/admin/context',
    id: 'createContextField',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a context field',
    permission: 'CREATE_CONTEXT_FIELD',
    body: CreateContextFieldSchema,
    response: ContextFieldSchema,
    status: 201,
    locatedBy: 'name',
  }),

  validateContextFieldName: endpoint({
    method: 'POST',
    path: '/api/admin/context/validate',
    id: 'validate',
    conflict: 'the name is taken',
    tag,
    summary: 'Whether the name of a context field is well formed and free',
    permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
    duringMaintenance: true,
    body: named('nameSchema', Type.Object({ name })),
  }),

  updateContextField: endpoint({
    method: 'PUT',
    path: '/api/admin/context/:contextField',
    id: 'updateContextField',
    tag,
    summary: 'Change a context field',
    description: 'What is left out stays as it is; legal values are replaced as a whole.',
    permission: 'UPDATE_CONTEXT_FIELD',
    params,
    body: UpdateContextFieldSchema,
  }),

  addLegalValue: endpoint({
    method: 'POST',
    path: '/api/admin/context/:contextField/legal-values',
    id: 'updateContextFieldLegalValue',
    tag,
    summary: 'Add a legal value, or describe one anew',
    permission: 'UPDATE_CONTEXT_FIELD',
    params,
    body: SetLegalValueSchema,
  }),

  removeLegalValue: endpoint({
    method: 'DELETE',
    path: '/api/admin/context/:contextField/legal-values/:legalValue',
    id: 'deleteContextFieldLegalValue',
    tag,
    summary: 'Remove a legal value; constraints that name it stay as they are',
    permission: 'UPDATE_CONTEXT_FIELD',
    params: Type.Object({ contextField: Type.String(), legalValue: Type.String() }),
  }),

  deleteContextField: endpoint({
    method: 'DELETE',
    path: '/api/admin/context/:contextField',
    id: 'deleteContextField',
    tag,
    summary: 'Delete a context field; constraints on it stay as they are',
    permission: 'DELETE_CONTEXT_FIELD',
    params,
  }),

  validateConstraint: endpoint({
    method: 'POST',
    path: '/api/admin/constraints/validate',
    id: 'validateConstraint',
    tag: 'Features',
    summary: 'Whether a constraint could be set',
    permission: 'none',
    duringMaintenance: true,
    body: SetConstraintSchema,
    status: 204,
  }),
};
