import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  descriptionOrNull,
  instant,
  named,
  sortOrder,
} from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { UsesSchema, usesDescription } from '../uses/uses-schema.ts';
import { SetConstraintSchema } from './constraint-schema.ts';

const tag = 'Context';

/** More values than anyone chooses from. Every change stores all of them in the log. */
export const maxLegalValues = 1000;

const name = urlName({ description: 'Unique name, as sent by SDKs' });
const stickiness = Type.Boolean({
  description: 'Whether rollouts and variants can use it for stickiness',
});
const description = nullable(Type.String({ maxLength: 1000, description: 'Purpose of the field' }));

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
      'x-fault': 'must be 1 to 100 characters and not blank',
    }),
    description: Type.Optional(nullable(Type.String({ maxLength: 250 }))),
  }),
);
export type SetLegalValue = Static<typeof SetLegalValueSchema>;

/** A field of the Unleash context. */
export const ContextFieldSchema = named(
  'contextFieldSchema',
  Type.Object({
    name: Type.String(),
    description: descriptionOrNull,
    stickiness,
    sortOrder,
    legalValues: Type.Array(LegalValueSchema, {
      description: 'The only values allowed in constraints; empty: any value',
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
      description:
        'Number of active features with a constraint on it, in projects that you can see',
    }),
    usedInProjects: Type.Integer({ description: 'Number of projects with such features' }),
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
  id: Type.String({ description: 'ID of the strategy' }),
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
    summary: 'List context fields in sort order',
    permission: 'none',
    query: atMoment,
    response: named('contextFieldsSchema', Type.Array(UsedContextFieldSchema)),
  }),

  getContextField: endpoint({
    method: 'GET',
    path: '/api/admin/context/:contextField',
    id: 'getContextField',
    tag,
    summary: 'Get a context field',
    permission: 'none',
    params,
    query: atMoment,
    response: UsedContextFieldSchema,
  }),

  listContextUsage: endpoint({
    method: 'GET',
    path: '/api/admin/context/:contextField/strategies',
    id: 'getStrategiesByContextField',
    tag,
    summary: 'List strategies with a constraint on a context field',
    description: 'Only strategies of active features in projects that you can see.',
    permission: 'none',
    params,
    response: named(
      'contextFieldStrategiesSchema',
      Type.Object({ strategies: Type.Array(ContextUsageSchema) }),
    ),
  }),

  listContextFieldUses: endpoint({
    method: 'GET',
    path: '/api/admin/context/:contextField/uses',
    id: 'getContextFieldUses',
    tag,
    summary: 'List where a context field is used',
    description: usesDescription,
    permission: 'none',
    params,
    response: UsesSchema,
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
    summary: 'Check whether a context field name is valid and available',
    permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
    duringMaintenance: true,
    body: named('nameSchema', Type.Object({ name })),
  }),

  updateContextField: endpoint({
    method: 'PUT',
    path: '/api/admin/context/:contextField',
    id: 'updateContextField',
    tag,
    summary: 'Update a context field',
    description: 'Omitted properties stay unchanged; legal values are replaced as a whole.',
    permission: 'UPDATE_CONTEXT_FIELD',
    params,
    body: UpdateContextFieldSchema,
  }),

  addLegalValue: endpoint({
    method: 'POST',
    path: '/api/admin/context/:contextField/legal-values',
    id: 'updateContextFieldLegalValue',
    tag,
    summary: 'Add or update a legal value',
    permission: 'UPDATE_CONTEXT_FIELD',
    params,
    body: SetLegalValueSchema,
  }),

  removeLegalValue: endpoint({
    method: 'DELETE',
    path: '/api/admin/context/:contextField/legal-values/:legalValue',
    id: 'deleteContextFieldLegalValue',
    tag,
    summary: 'Remove a legal value; existing constraints stay unchanged',
    permission: 'UPDATE_CONTEXT_FIELD',
    params: Type.Object({ contextField: Type.String(), legalValue: Type.String() }),
  }),

  deleteContextField: endpoint({
    method: 'DELETE',
    path: '/api/admin/context/:contextField',
    id: 'deleteContextField',
    tag,
    summary: 'Delete a context field; existing constraints stay unchanged',
    permission: 'DELETE_CONTEXT_FIELD',
    params,
  }),

  validateConstraint: endpoint({
    method: 'POST',
    path: '/api/admin/constraints/validate',
    id: 'validateConstraint',
    tag: 'Features',
    summary: 'Check whether a constraint is valid',
    permission: 'none',
    duringMaintenance: true,
    body: SetConstraintSchema,
    status: 204,
  }),
};
