import { type Static, type TSchema, Type } from 'typebox';
import { endpoint, nullable } from '../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../platform/contract/schema.ts';
import { RoleSchema } from '../access/roles/contract.ts';
import { OnboardingStatusSchema } from '../insights/health/overview/contract.ts';

const tag = 'Admin UI';
const permission = 'none';

const name = Type.String();
const imageUrl = Type.Optional(Type.String());

const RoleNameSchema = Type.Object({
  id: RoleSchema.properties.id,
  name,
  type: RoleSchema.properties.type,
});

const OwnerSchema = Type.Object({
  ownerType: oneOf(['user', 'group', 'system']),
  name: Type.Optional(name),
  imageUrl,
});

const DashboardSchema = named(
  'personalDashboardSchema',
  Type.Object({
    projects: Type.Array(
      Type.Object({
        id: Type.String(),
        name,
        health: Type.Integer({ minimum: 0, maximum: 100 }),
        memberCount: Type.Integer({ minimum: 0 }),
        featureCount: Type.Integer({ minimum: 0, description: 'Living features' }),
      }),
      {
        description:
          'Those in which you have a role, and your favourites; of an administrator all of them',
      },
    ),
    flags: Type.Array(Type.Object({ name, project: Type.String(), type: Type.String() }), {
      description: 'Living features that you created or marked as favourites, the newest first',
    }),
    admins: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.Optional(name),
        username: Type.Optional(name),
        imageUrl,
      }),
      { description: 'Whom to ask for access' },
    ),
    projectOwners: Type.Array(OwnerSchema, {
      description: 'Whom the projects that you may see belong to, each once',
    }),
  }),
);
export type Dashboard = Static<typeof DashboardSchema>;

const mean = (description: string) => nullable(Type.Integer({ description }));

const ProjectDetailsSchema = named(
  'personalDashboardProjectDetailsSchema',
  Type.Object({
    insights: Type.Object({
      health: Type.Integer({ minimum: 0, maximum: 100 }),
      avgHealthCurrentWindow: mean('Mean over the last 28 days; null: nothing is known of them'),
      avgHealthPastWindow: mean('Mean over the 28 days before'),
      totalFlags: Type.Integer(),
      activeFlags: Type.Integer({ description: 'Neither stale nor potentially stale' }),
      staleFlags: Type.Integer(),
      potentiallyStaleFlags: Type.Integer(),
    }),
    owners: Type.Array(OwnerSchema),
    roles: Type.Array(RoleNameSchema, { description: 'Yours in the project' }),
    latestEvents: Type.Array(
      Type.Object({
        id: Type.Integer(),
        createdAt: instant,
        createdBy: Type.String(),
        createdByImageUrl: Type.String(),
        summary: nullable(Type.String({ description: 'One sentence in Markdown' })),
      }),
      { description: 'The newest of the project' },
    ),
    onboardingStatus: OnboardingStatusSchema,
  }),
);
export type ProjectDetails = Static<typeof ProjectDetailsSchema>;

const scope = 'projectId';
const projectParams = Type.Object({ projectId: Type.String() });
const changeRequests = '/api/admin/projects/:projectId/change-requests';

/** Change requests do not exist yet; what a page asks of them on the way is answered truly. */
const nothing = <Params extends TSchema>(
  path: string,
  id: string,
  summary: string,
  params: Params,
) =>
  endpoint({
    method: 'GET',
    path: `${changeRequests}${path}`,
    id,
    tag: 'Change Requests',
    summary,
    description: 'There are no change requests: always empty.',
    permission,
    scope,
    params,
    response: Type.Array(Type.Object({})),
  });

export const contract = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/api/admin/personal-dashboard',
    id: 'getPersonalDashboard',
    tag,
    summary: 'What concerns you: projects, features, and whom to ask',
    permission,
    response: DashboardSchema,
  }),

  getProjectDetails: endpoint({
    method: 'GET',
    path: '/api/admin/personal-dashboard/:projectId',
    id: 'getPersonalDashboardProjectDetails',
    tag,
    summary: 'One of your projects: how it fares and what happened last',
    permission,
    scope,
    params: projectParams,
    response: ProjectDetailsSchema,
  }),

  getTelemetry: endpoint({
    method: 'GET',
    path: '/api/admin/telemetry/settings',
    id: 'getTelemetrySettings',
    tag: 'Telemetry',
    summary: 'Whether anybody is told of this installation: nobody is',
    permission,
    response: named(
      'telemetrySettingsSchema',
      Type.Object({
        versionInfoCollectionEnabled: Type.Boolean(),
        featureInfoCollectionEnabled: Type.Boolean(),
      }),
    ),
  }),

  reportError: endpoint({
    method: 'POST',
    path: '/api/admin/record-ui-error',
    id: 'recordUiError',
    tag,
    summary: 'Tell of a failure of a page: it becomes a line of the log',
    permission,
    duringMaintenance: true,
    body: named(
      'recordUiErrorSchema',
      Type.Object({
        errorMessage: Type.String({ maxLength: 10_000 }),
        errorStack: Type.Optional(nullable(Type.String({ maxLength: 100_000 }))),
      }),
    ),
    status: 204,
  }),

  checkLicense: endpoint({
    method: 'GET',
    path: '/api/admin/license/check',
    id: 'checkLicense',
    tag,
    summary: 'Whether the installation may be used: always, for nobody needs a licence',
    permission,
    response: Type.Object({ isValid: Type.Boolean(), message: Type.String() }),
  }),

  getScimSettings: endpoint({
    method: 'GET',
    path: '/api/admin/scim-settings',
    id: 'getScimSettings',
    tag,
    summary: 'Whether accounts are kept by a provider through SCIM: no, there is none',
    permission: 'ADMIN',
    response: Type.Object({
      enabled: Type.Boolean(),
      hasToken: Type.Boolean(),
      assumeControlOfExisting: Type.Boolean(),
    }),
  }),

  listBanners: endpoint({
    method: 'GET',
    path: '/api/admin/banners',
    id: 'getBanners',
    tag: 'Banners',
    summary: 'Messages that pages show to everybody: there are none',
    permission,
    response: Type.Object({ banners: Type.Array(Type.Object({})) }),
  }),

  listNotifications: endpoint({
    method: 'GET',
    path: '/api/admin/notifications',
    id: 'getNotifications',
    tag: 'Notifications',
    summary: 'What you are notified of: nothing',
    permission,
    response: Type.Array(Type.Object({})),
  }),

  listChangeRequests: nothing(
    '',
    'getChangeRequestsForProject',
    'Change requests of a project',
    projectParams,
  ),

  listPending: nothing(
    '/pending',
    'getPendingChangeRequestsForProject',
    'Change requests that wait for something',
    projectParams,
  ),

  listPendingOfFeature: nothing(
    '/pending/:featureName',
    'getPendingChangeRequestsForFeature',
    'Change requests for a feature that wait for something',
    Type.Object({ projectId: Type.String(), featureName: Type.String() }),
  ),

  listScheduled: nothing(
    '/scheduled',
    'getScheduledChangeRequests',
    'Change requests that are applied later',
    projectParams,
  ),

  countChangeRequests: endpoint({
    method: 'GET',
    path: `${changeRequests}/count`,
    id: 'getChangeRequestsCount',
    tag: 'Change Requests',
    summary: 'How many change requests of a project are in which state: none',
    permission,
    scope,
    params: projectParams,
    response: Type.Object({
      total: Type.Integer(),
      reviewRequired: Type.Integer(),
      approved: Type.Integer(),
      scheduled: Type.Integer(),
      applied: Type.Integer(),
      rejected: Type.Integer(),
    }),
  }),

  countActionable: endpoint({
    method: 'GET',
    path: `${changeRequests}/actionable`,
    id: 'getActionableChangeRequestsForProject',
    tag: 'Change Requests',
    summary: 'How many change requests of a project wait for you',
    permission,
    scope,
    params: projectParams,
    response: Type.Object({ total: Type.Integer({ minimum: 0 }) }),
  }),
};
