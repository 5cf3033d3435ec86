import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { releasePlanActions, requestActions } from '../actions/action-schema.ts';
import {
  ChangeRequestSchema,
  changeParams,
  limitedPerAccount,
  maxChanges,
  requestParams,
  requestPath,
  scope,
  tag,
} from '../request-schema.ts';

const CreateChangeSchema = named(
  'changeRequestCreateSchema',
  Type.Object({
    feature: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Name of the feature; omitted for changes that concern no single feature',
      }),
    ),
    action: oneOf([...requestActions, ...releasePlanActions]),
    payload: Type.Optional(
      Type.Unsafe<unknown>({
        description: [
          'updateEnabled: `{enabled, shouldActivateDisabledStrategies}`',
          'addStrategy: a strategy',
          'updateStrategy: a strategy with its `id`',
          'deleteStrategy: `{id}`',
          'reorderStrategy: a list of `{id, sortOrder}`',
          'patchVariant: `{variants}`, which replace all',
          'archiveFeature: nothing',
          'addDependency: `{feature, enabled, variants}`',
          'deleteDependency: `{feature}`, or nothing for all',
          'updateFeature: as PUT of the feature',
          'updateTags: `{addedTags, removedTags}`',
          'updateSegment: a segment with its `id`',
          'deleteSegment: `{id}`',
          'createFeature, cloneFeatures, importFeatures, reviveFeatures, deleteFeatures, saveFeatureChanges, and revertEvents (with eventIds): the body of the operation',
          'moveFeature: `{feature, project, newProjectId}`',
          'updateVariants: `{variants, environments}`, without environments in all',
          'updateDefaultStrategy: a strategy',
          'The actions of release plans are not supported',
        ].join('; '),
      }),
    ),
  }),
);
export type CreateChange = Static<typeof CreateChangeSchema>;

const CreateChangesSchema = named(
  'changeRequestOneOrManyCreateSchema',
  Type.Unsafe<CreateChange | CreateChange[]>({
    anyOf: [
      CreateChangeSchema,
      { type: 'array', items: CreateChangeSchema, minItems: 1, maxItems: maxChanges },
    ],
  }),
);

const ResolveSchema = named(
  'changeRequestResolveSchema',
  Type.Object({
    resolution: oneOf(
      ['merge', 'reapply', 'keep', 'drop'],
      'merge: adopt what others changed, unless both changed the same property; reapply: the same, but your values win; keep: replace what others changed; drop: remove the change',
    ),
  }),
);

const permission = 'none';
const edits =
  'Only the author and admins can do this. It voids all approvals, and an approved request returns to review. A scheduled request cannot be edited unless its schedule failed or is suspended.';

export const proposeContract = {
  createChangeRequest: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/environments/:environment/change-requests',
    id: 'createChangeRequest',
    tag,
    summary: 'Propose one or more changes',
    description: `Adds to your draft for this environment of the project, or creates it. Each change follows the rules of the operation that makes this change alone. A request has at most ${maxChanges} changes.`,
    permission,
    limitedPerAccount,
    scope,
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    body: CreateChangesSchema,
    response: ChangeRequestSchema,
  }),

  editChange: endpoint({
    method: 'PUT',
    path: `${requestPath}/changes/:changeId`,
    id: 'editChange',
    tag,
    summary: 'Replace a change of a change request',
    description: `The change gets a new ID. ${edits}`,
    permission,
    limitedPerAccount,
    scope,
    params: changeParams,
    body: CreateChangeSchema,
    response: ChangeRequestSchema,
  }),

  resolveChange: endpoint({
    method: 'POST',
    path: `${requestPath}/changes/:changeId/resolve`,
    id: 'resolveChange',
    tag,
    summary: 'Resolve a conflict of a change',
    description: `\`conflicts\` of the change request lists what is possible. ${edits}`,
    permission,
    limitedPerAccount,
    scope,
    params: changeParams,
    body: ResolveSchema,
    response: ChangeRequestSchema,
  }),

  discardChange: endpoint({
    method: 'DELETE',
    path: `${requestPath}/changes/:changeId`,
    id: 'discardChange',
    tag,
    summary: 'Remove a change from a change request',
    description: `A draft without changes is discarded. ${edits}`,
    permission,
    limitedPerAccount,
    scope,
    params: changeParams,
  }),

  discardChangeRequest: endpoint({
    method: 'DELETE',
    path: requestPath,
    id: 'discardChangeRequest',
    tag,
    summary: 'Discard a draft',
    description: 'Only its author can do this. A request in review is canceled instead.',
    permission,
    limitedPerAccount,
    scope,
    params: requestParams,
  }),
};
