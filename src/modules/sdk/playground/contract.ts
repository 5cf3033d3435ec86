import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { asOf, dictionary, named } from '../../../platform/contract/schema.ts';
import { context, contextOf, warnings } from './context-schema.ts';
import { DecisionSchema, decisionShape } from './decision-schema.ts';
import { decisionsContract } from './decisions/contract.ts';
import { environments, projects } from './selection-schema.ts';
import { unsavedContract } from './unsaved/contract.ts';

const tag = 'Playground';
const path = '/api/admin/playground';

/** Optional in requests, present in responses. */
const requestSchema = <Input extends { projects: typeof projects }>(input: Input) =>
  Type.Object({ ...input, projects: withDefault(projects, '*'), asOf: Type.Optional(asOf) });

const simpleInput = {
  environment: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Environment to evaluate in',
  }),
  projects,
  context: contextOf('Context, as SDKs send it; custom fields can be in `properties` or beside it'),
};

const advancedInput = {
  environments,
  projects,
  context,
};

const description =
  'Evaluates features as SDKs do, with the current configuration or, with `asOf`, that of a moment in the past, and explains each decision. Changes nothing ' +
  'and does not count as usage. Projects that you cannot see are treated as if they did not exist. Requests for more than 15,000 ' +
  'evaluations (features by environments by combinations of values) are refused, and so are smaller ones whose ' +
  'response would exceed about 64 MB.';

export const AdvancedPlaygroundSchema = named(
  'advancedPlaygroundResponseSchema',
  Type.Object({
    input: Type.Object(advancedInput),
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        projectId: Type.String(),
        environments: dictionary(
          Type.Array(DecisionSchema),
          'By environment; only environments of the project',
        ),
      }),
      { description: 'By name' },
    ),
    warnings,
  }),
);

export const evaluateContract = {
  evaluate: endpoint({
    method: 'POST',
    path,
    id: 'getPlayground',
    largeResponse: true,
    tag,
    summary: 'Evaluate features for a context and explain the results',
    description,
    permission: 'none',
    duringMaintenance: true,
    body: named('playgroundRequestSchema', requestSchema(simpleInput)),
    response: named(
      'playgroundResponseSchema',
      Type.Object({
        input: Type.Object(simpleInput),
        features: Type.Array(Type.Object(decisionShape), { description: 'By name' }),
        warnings,
      }),
    ),
  }),

  evaluateAll: endpoint({
    method: 'POST',
    path: `${path}/advanced`,
    id: 'getAdvancedPlayground',
    largeResponse: true,
    tag,
    summary: 'Evaluate features for several contexts and environments',
    description,
    permission: 'none',
    duringMaintenance: true,
    body: named('advancedPlaygroundRequestSchema', requestSchema(advancedInput)),
    response: AdvancedPlaygroundSchema,
  }),
};

export const playgroundContract = {
  ...decisionsContract,
  ...unsavedContract,
  ...evaluateContract,
};
