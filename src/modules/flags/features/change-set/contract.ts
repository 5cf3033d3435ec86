import { Type } from 'typebox';
import { endpoint, type Sent, withDefault } from '../../../../platform/contract/endpoint.ts';
import { describing, named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import type { SetStrategy } from '../../../catalogue/strategy-types/strategy-schema.ts';
import type { TagsChange } from '../../../catalogue/tags/feature-tags/contract.ts';
import { eventTypes } from '../../../events/event-types-schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import type { FeatureUpdate } from '../change/contract.ts';
import type { dependencyContract } from '../dependencies/contract.ts';
import { FeatureSchema } from '../feature-schema.ts';
import type { ReplaceStrategy } from '../strategies/change/contract.ts';
import type { SetVariants } from '../variants/variant-schema.ts';

/** What can be changed, with the names that change requests use, and two more for the feature itself. */
export const changeActions = [
  'updateFeature',
  'updateTags',
  'addDependency',
  'deleteDependency',
  'addStrategy',
  'updateStrategy',
  'deleteStrategy',
  'reorderStrategy',
  'patchVariant',
  'updateEnabled',
  'archiveFeature',
] as const;
export type ChangeAction = (typeof changeActions)[number];

interface OfFeature<Action extends ChangeAction, Payload> {
  readonly action: Action;
  readonly payload: Payload;
}

interface InEnvironment<Action extends ChangeAction, Payload> extends OfFeature<Action, Payload> {
  readonly environment: string;
}

/** One change. Its payload is the body of the operation for the single change. */
export type FeatureSetChange =
  | OfFeature<'updateFeature', FeatureUpdate>
  | OfFeature<'updateTags', TagsChange>
  | OfFeature<'addDependency', Sent<typeof dependencyContract.addDependency>['body']>
  | Partial<OfFeature<'deleteDependency', { readonly feature?: string }>>
  | InEnvironment<'addStrategy', SetStrategy>
  | InEnvironment<'updateStrategy', ReplaceStrategy & { readonly id: string }>
  | InEnvironment<'deleteStrategy', { readonly id: string }>
  | InEnvironment<'reorderStrategy', readonly { readonly id: string; readonly sortOrder: number }[]>
  | InEnvironment<'patchVariant', { readonly variants: SetVariants }>
  | InEnvironment<
      'updateEnabled',
      { readonly enabled: boolean; readonly shouldActivateDisabledStrategies?: boolean }
    >
  | { readonly action: 'archiveFeature'; readonly payload?: undefined };

/** A person reviews all of them before saving. */
export const maxChanges = 100;

const ChangeSchema = Type.Unsafe<FeatureSetChange>({
  type: 'object',
  required: ['action'],
  properties: {
    action: oneOf(changeActions),
    environment: Type.String({
      description: 'Required for strategies, variants, and updateEnabled',
    }),
    payload: {
      type: ['object', 'array'],
      description: [
        'updateFeature: as PUT of the feature',
        'updateTags: `{addedTags, removedTags}`',
        'addDependency: `{feature, enabled, variants}`',
        'deleteDependency: `{feature}`, or nothing for all',
        'addStrategy: a strategy',
        'updateStrategy: a strategy with its `id`',
        'deleteStrategy: `{id}`',
        'reorderStrategy: a list of `{id, sortOrder}`',
        'patchVariant: `{variants}`, which replace all',
        'updateEnabled: `{enabled, shouldActivateDisabledStrategies}`',
        'archiveFeature: nothing',
      ].join('; '),
    },
  },
});

const SavedChangesSchema = named(
  'savedFeatureChangesSchema',
  Type.Object({
    feature: FeatureSchema,
    events: Type.Array(
      Type.Object({
        type: Type.Unsafe<(typeof eventTypes)[number]>({ type: 'string', enum: [...eventTypes] }),
        label: Type.String(),
        summary: Type.String({ description: 'One sentence in Markdown; links are relative' }),
        environment: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      }),
      { description: 'Events that the request recorded, in order; empty if nothing changed' },
    ),
  }),
);

export const changeSetContract = {
  saveFeatureChanges: endpoint({
    method: 'POST',
    path: `${featurePath}/changes`,
    id: 'saveFeatureChanges',
    proposable: true,
    tag: 'Features',
    summary: 'Make several changes to a feature, all or nothing',
    description:
      'The changes are made in the order of the list. Each needs the same permission, follows the same rules, and records the same events ' +
      'as the operation for that single change. Add strategies before you delete others, because a feature without an enabled strategy is disabled. ' +
      'A refusal names the change in `details`: `/body/changes/2`. The comment is in `data.comment` of every recorded event.',
    permission: [
      'UPDATE_FEATURE',
      'UPDATE_FEATURE_DEPENDENCY',
      'DELETE_FEATURE',
      'CREATE_FEATURE_STRATEGY',
      'UPDATE_FEATURE_STRATEGY',
      'DELETE_FEATURE_STRATEGY',
      'UPDATE_FEATURE_ENVIRONMENT',
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    ],
    demandedByService: true,
    outdated:
      'the feature was changed after `expected.lastEventId`; `changes` in the response says by whom',
    scope,
    params: featureParams,
    query: Type.Object({
      dryRun: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'If true, nothing is changed; the response shows the result',
        }),
        'false',
      ),
    }),
    body: named(
      'featureChangesSchema',
      Type.Object({
        comment: Type.Optional(describing('Why; recorded with every event of the request')),
        expected: Type.Optional(
          Type.Object(
            { lastEventId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
            {
              description:
                'The `lastEventId` of the feature (`GET …?lastEventId=true`) that the changes are based on. If it has been changed since, the response is 409. Favorites, completion, and age do not count',
            },
          ),
        ),
        changes: Type.Array(ChangeSchema, { minItems: 1, maxItems: maxChanges }),
      }),
    ),
    response: SavedChangesSchema,
  }),
};
