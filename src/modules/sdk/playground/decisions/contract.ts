import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { asOf, dictionary, named } from '../../../../platform/contract/schema.ts';
import { context, warnings } from '../context-schema.ts';
import { decisionShape } from '../decision-schema.ts';
import { environments, projects } from '../selection-schema.ts';

/** As many as someone compares. */
const maxContexts = 50;
const maxFeatures = 1000;
export const maxExplanationLength = 300;

export const decisionsContract = {
  decide: endpoint({
    method: 'POST',
    path: '/api/admin/playground/decisions',
    id: 'getPlaygroundDecisions',
    tag: 'Playground',
    summary: 'Evaluate features for several contexts, with short explanations',
    description:
      'Evaluates features as SDKs do, with the current configuration or, with `asOf`, that of a moment in the past, for each context of a list, and returns each decision with its reason in a sentence. ' +
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/playground returns all reasons of one decision. ' +
      'Changes nothing and does not count as usage. Projects that you cannot see are treated as if they did not exist. Requests for ' +
      'more than 15,000 evaluations (features by environments by contexts) are refused.',
    permission: 'none',
    duringMaintenance: true,
    body: named(
      'playgroundDecisionsRequestSchema',
      Type.Object({
        environments,
        projects: withDefault(projects, '*'),
        asOf: Type.Optional(asOf),
        contexts: Type.Array(context, { minItems: 1, maxItems: maxContexts }),
        query: Type.Optional(
          Type.String({ maxLength: 100, description: 'Only features whose name contains this' }),
        ),
        features: Type.Optional(
          Type.Array(Type.String({ maxLength: 100 }), {
            maxItems: maxFeatures,
            description: 'Only these features; those that do not exist are left out',
          }),
        ),
      }),
    ),
    response: named(
      'playgroundDecisionsSchema',
      Type.Object({
        contexts: Type.Array(
          Type.Object({
            of: Type.Integer({ description: 'Index of the context in the request, from 0' }),
            values: dictionary(Type.String(), 'One combination of its values'),
          }),
        ),
        fields: Type.Array(
          Type.Object({
            name: Type.String(),
            features: Type.Integer({ description: 'How many of the features depend on it' }),
          }),
          { description: 'Context fields on which the features depend, the most frequent first' },
        ),
        features: Type.Array(
          Type.Object({
            name: Type.String(),
            projectId: Type.String(),
            environments: dictionary(
              Type.Array(
                Type.Object({
                  isEnabled: decisionShape.isEnabled,
                  variant: Type.Optional(
                    Type.String({ description: 'Name of its variant; omitted if it has none' }),
                  ),
                  reason: decisionShape.reason,
                  explanation: Type.String({
                    description: `Readable reason, of at most ${maxExplanationLength} characters`,
                  }),
                  byChance: Type.Optional(
                    Type.Boolean({ description: 'Whether the next evaluation may differ' }),
                  ),
                  isUnknown: Type.Optional(
                    Type.Boolean({
                      description:
                        'Whether it depends on a strategy that only applications evaluate',
                    }),
                  ),
                }),
              ),
              'By environment, one for each item of `contexts`; only environments of the project',
            ),
          }),
          { description: 'By name' },
        ),
        warnings,
      }),
    ),
  }),
};
