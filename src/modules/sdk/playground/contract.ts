import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { dictionary, named } from '../../../platform/contract/schema.ts';
import { DecisionSchema, decisionShape } from './decision-schema.ts';

const tag = 'Playground';
const path = '/api/admin/playground';

const name = Type.String({ minLength: 1, maxLength: 100 });

/** A list beside a text: each keyword looks only at what it is for. */
const projects = Type.Unsafe<'*' | string[]>({
  type: ['string', 'array'],
  pattern: '^\\*$',
  items: { type: 'string', maxLength: 100 },
  maxItems: 1000,
  'x-fault': "must be '*' for all that you may see, or a list of at most 1000 ids of projects",
  description: "Ids of projects, or '*' for all that you may see",
});

/** What is sent may leave them out; what is answered does not. */
const asked = <Input extends { projects: typeof projects }>(input: Input) =>
  Type.Object({ ...input, projects: withDefault(projects, '*') });

const context = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 100,
    properties: {
      userId: {},
      sessionId: {},
      remoteAddress: {},
      appName: {},
      currentTime: {},
      environment: {},
      properties: {},
    },
    additionalProperties: true,
    description,
  });

const simpleInput = {
  environment: Type.String({ minLength: 1, maxLength: 100, description: 'Where to evaluate' }),
  projects,
  context: context(
    'Who asks, as SDKs say it; fields that they do not know may stand in `properties`, or beside it',
  ),
};

const advancedInput = {
  environments: Type.Array(name, { minItems: 1, maxItems: 50, description: 'Where to evaluate' }),
  projects,
  context: context(
    'As SDKs say it. What has several values, in a list or with commas between them, is evaluated with each of them, ' +
      'together with each of those of every other field; `currentTime` is not divided at commas',
  ),
};

const warnings = Type.Optional(
  Type.Object(
    {
      invalidContextProperties: Type.Array(Type.String(), {
        description: 'Fields that were left out, because they are neither text, number nor boolean',
      }),
    },
    { description: 'Left out when there is none' },
  ),
);

const description =
  'Features are evaluated as SDKs do it, with what is set at this moment, and each decision is explained. Nothing is changed, ' +
  'and nothing of it counts as use. Projects that you may not see are as if they did not exist. More than 15,000 ' +
  'decisions at once (features in each environment, times combinations of values) are refused, and fewer where the ' +
  'answer would be longer than about 64 MB.';

export const contract = {
  evaluate: endpoint({
    method: 'POST',
    path,
    id: 'getPlayground',
    tag,
    summary: 'What would be decided for a context in an environment, and why',
    description,
    permission: 'none',
    duringMaintenance: true,
    body: named('playgroundRequestSchema', asked(simpleInput)),
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
    tag,
    summary: 'What would be decided for several contexts in several environments, and why',
    description,
    permission: 'none',
    duringMaintenance: true,
    body: named('advancedPlaygroundRequestSchema', asked(advancedInput)),
    response: named(
      'advancedPlaygroundResponseSchema',
      Type.Object({
        input: Type.Object(advancedInput),
        features: Type.Array(
          Type.Object({
            name: Type.String(),
            projectId: Type.String(),
            environments: dictionary(
              Type.Array(DecisionSchema),
              'By environment; only those that the project has',
            ),
          }),
          { description: 'By name' },
        ),
        warnings,
      }),
    ),
  }),
};
