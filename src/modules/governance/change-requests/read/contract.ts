import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../../../platform/contract/schema.ts';
import {
  ChangeRequestSchema,
  ChangeRequestsSchema,
  projectParams,
  requestParams,
  requestPath,
  requestStates,
  requestsPath,
  scope,
  tag,
} from '../request-schema.ts';

const permission = 'none';
const drafts = 'You see your own drafts, but not those of others.';
/** Of each list. */
export const maxListed = 300;

const text = (description: string) => Type.Optional(Type.String({ description }));

export const readContract = {
  listChangeRequests: endpoint({
    method: 'GET',
    path: requestsPath,
    id: 'getChangeRequestsForProject',
    tag,
    summary: 'List the change requests of a project',
    description: `The newest ${maxListed} in all states. ${drafts}`,
    permission,
    scope,
    largeResponse: true,
    params: projectParams,
    response: ChangeRequestsSchema,
  }),

  getChangeRequest: endpoint({
    method: 'GET',
    path: requestPath,
    id: 'getChangeRequest',
    tag,
    summary: 'Get a change request',
    description: drafts,
    permission,
    scope,
    params: requestParams,
    response: ChangeRequestSchema,
  }),

  listPendingForMe: endpoint({
    method: 'GET',
    path: `${requestsPath}/pending`,
    id: 'getPendingChangeRequestsForProject',
    tag,
    summary: 'List your own pending change requests in a project',
    description: 'Drafts, requests in review, and approved ones that are not scheduled.',
    permission,
    scope,
    params: projectParams,
    response: ChangeRequestsSchema,
  }),

  listPendingForFeature: endpoint({
    method: 'GET',
    path: `${requestsPath}/pending/:featureName`,
    id: 'getPendingChangeRequestsForFeature',
    tag,
    summary: 'List the pending change requests of a feature',
    description: `Drafts, requests in review, and approved ones that are not scheduled. ${drafts}`,
    permission,
    scope,
    params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
    response: ChangeRequestsSchema,
  }),

  listScheduled: endpoint({
    method: 'GET',
    path: `${requestsPath}/scheduled`,
    id: 'getScheduledChangeRequests',
    tag,
    summary: 'List scheduled change requests by what they change',
    description: 'Those that match any of the parameters; without parameters, none.',
    permission,
    scope,
    params: projectParams,
    query: Type.Object({
      feature: text('Name of a feature'),
      strategyId: text('ID of a strategy'),
      variantForFlag: text('Name of a feature whose variants they replace'),
    }),
    response: named(
      'scheduledChangeRequestsSchema',
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          environment: Type.String(),
          title: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),

  countChangeRequests: endpoint({
    method: 'GET',
    path: `${requestsPath}/count`,
    id: 'getChangeRequestsCount',
    tag,
    summary: 'Count the change requests of a project by state',
    description: 'Without drafts.',
    permission,
    scope,
    params: projectParams,
    response: named(
      'changeRequestsCountSchema',
      Type.Object({
        total: Type.Integer(),
        applied: Type.Integer(),
        rejected: Type.Integer(),
        reviewRequired: Type.Integer(),
        approved: Type.Integer(),
        scheduled: Type.Integer(),
      }),
    ),
  }),

  countActionable: endpoint({
    method: 'GET',
    path: `${requestsPath}/actionable`,
    id: 'getActionableChangeRequestsForProject',
    tag,
    summary: 'Count the change requests you can approve or apply',
    permission,
    scope,
    params: projectParams,
    response: named('actionableChangeRequestsSchema', Type.Object({ total: Type.Integer() })),
  }),

  searchChangeRequests: endpoint({
    method: 'GET',
    path: '/api/admin/search/change-requests',
    id: 'searchChangeRequests',
    tag,
    summary: 'Search change requests in all projects',
    description: `Newest first, in the projects that you can see. ${drafts}`,
    permission,
    query: Type.Object({
      createdBy: text('`IS:` and the ID of the author'),
      requestedApproverId: text('`IS:` and the ID of a requested reviewer'),
      state: text('`IS:open`, `IS:scheduled`, `IS:closed`, or one state, such as `IS:In review`'),
      project: text('`IS:` and the ID of a project'),
      environment: text('`IS:` and the name of an environment'),
      waitingFor: Type.Optional(
        oneOf(
          ['review', 'apply', 'emergency-review'],
          '`review`: requests that you can approve, and have not approved yet. `apply`: your own approved requests that you can apply. `emergency-review`: requests that others applied in an emergency, and that you can review',
        ),
      ),
      emergency: text('`IS:unreviewed`: applied in an emergency, and not reviewed yet'),
      offset: text('Number of requests to skip'),
      limit: text('1 to 1000; 50 if omitted'),
    }),
    response: named(
      'changeRequestSearchSchema',
      Type.Object({
        changeRequests: Type.Array(
          Type.Object({
            id: Type.Integer(),
            title: Type.String(),
            environment: Type.String(),
            project: Type.String(),
            createdBy: ChangeRequestSchema.properties.createdBy,
            createdAt: instant,
            features: Type.Array(Type.String()),
            segments: Type.Array(Type.String()),
            state: oneOf(requestStates),
            schedule: ChangeRequestSchema.properties.schedule,
            emergency: ChangeRequestSchema.properties.emergency,
          }),
        ),
        total: Type.Integer(),
      }),
    ),
  }),
};
