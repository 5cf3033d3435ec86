import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { SetStrategySchema } from '../../../catalogue/strategy-types/strategy-schema.ts';
import {
  featureEnvironmentParams,
  featureEnvironmentPath,
  scope,
} from '../../../flags/features/address-schema.ts';
import { SetDependencySchema } from '../../../flags/features/dependencies/contract.ts';
import { maxStrategies } from '../../../flags/features/strategies/add/contract.ts';
import { SetVariantsSchema } from '../../../flags/features/variants/variant-schema.ts';
import { context, warnings } from '../context-schema.ts';
import { DecisionSchema } from '../decision-schema.ts';

export const unsavedContract = {
  evaluateUnsaved: endpoint({
    method: 'POST',
    path: `${featureEnvironmentPath}/playground`,
    id: 'evaluateUnsavedFeature',
    tag: 'Playground',
    summary: 'Evaluate a feature as it would be after a change',
    description:
      'Evaluates a feature in an environment with strategies that are not saved, and explains the decisions next to those for the saved feature. ' +
      'Omitted properties are as saved. Stores nothing and does not count as usage. The limits of the playground apply.',
    permission: 'none',
    duringMaintenance: true,
    scope,
    params: featureEnvironmentParams,
    body: named(
      'unsavedFeatureSchema',
      Type.Object({
        context,
        enabled: Type.Optional(Type.Boolean({ description: 'Whether it is enabled here' })),
        strategies: Type.Optional(
          Type.Array(
            Type.Object({ id: Type.Optional(Type.String()), ...SetStrategySchema.properties }),
            { maxItems: maxStrategies, description: 'In the order of evaluation' },
          ),
        ),
        variants: Type.Optional(SetVariantsSchema),
        dependencies: Type.Optional(Type.Array(SetDependencySchema, { maxItems: 100 })),
      }),
    ),
    response: named(
      'unsavedFeatureDecisionsSchema',
      Type.Object({
        decisions: Type.Array(
          Type.Object({
            saved: DecisionSchema,
            unsaved: DecisionSchema,
          }),
          { description: 'One for each combination of values' },
        ),
        warnings,
      }),
    ),
  }),
};
