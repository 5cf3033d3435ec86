import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../platform/contract/schema.ts';
import { RoleSchema } from '../access/roles/contract.ts';
import { OnboardingStatusSchema } from '../catalogue/projects/overview/contract.ts';
import { attentionContract } from './attention/contract.ts';
import { cspReportsContract } from './csp-reports/contract.ts';

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
        featureCount: Type.Integer({ minimum: 0, description: 'Active features' }),
      }),
      {
        description:
          'Projects in which you have a role, and your favorites; all projects for admins',
      },
    ),
    flags: Type.Array(Type.Object({ name, project: Type.String(), type: Type.String() }), {
      description: 'Active features that you created or starred, newest first',
    }),
    admins: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.Optional(name),
        username: Type.Optional(name),
        imageUrl,
      }),
      { description: 'Admins who can grant access' },
    ),
    projectOwners: Type.Array(OwnerSchema, {
      description: 'Distinct owners of the projects that you can see',
    }),
  }),
);
export type Dashboard = Static<typeof DashboardSchema>;

const FeatureNamesSchema = named(
  'featureNamesSchema',
  Type.Object({
    features: Type.Array(Type.Object({ name, project: Type.String() }), {
      description: 'Active features in the projects that you can see, newest first; at most 20,000',
    }),
  }),
);
const mean = (description: string) => nullable(Type.Integer({ description }));

const ProjectDetailsSchema = named(
  'personalDashboardProjectDetailsSchema',
  Type.Object({
    insights: Type.Object({
      health: Type.Integer({ minimum: 0, maximum: 100 }),
      avgHealthCurrentWindow: mean('Mean of the last 28 days; null if there is no data'),
      avgHealthPastWindow: mean('Mean of the 28 days before'),
      totalFlags: Type.Integer(),
      activeFlags: Type.Integer({
        description: 'Features that are neither stale nor potentially stale',
      }),
      staleFlags: Type.Integer(),
      potentiallyStaleFlags: Type.Integer(),
    }),
    owners: Type.Array(OwnerSchema),
    roles: Type.Array(RoleNameSchema, { description: 'Your roles in the project' }),
    latestEvents: Type.Array(
      Type.Object({
        id: Type.Integer(),
        createdAt: instant,
        createdBy: Type.String(),
        createdByImageUrl: Type.String(),
        summary: nullable(Type.String({ description: 'One sentence in Markdown' })),
      }),
      { description: 'The newest events of the project' },
    ),
    onboardingStatus: OnboardingStatusSchema,
  }),
);
export type ProjectDetails = Static<typeof ProjectDetailsSchema>;

const scope = 'projectId';
const projectParams = Type.Object({ projectId: Type.String() });

export const uiContract = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/api/admin/personal-dashboard',
    id: 'getPersonalDashboard',
    tag,
    summary: 'Get your personal dashboard',
    permission,
    response: DashboardSchema,
  }),

  getProjectDetails: endpoint({
    method: 'GET',
    path: '/api/admin/personal-dashboard/:projectId',
    id: 'getPersonalDashboardProjectDetails',
    tag,
    summary: 'Get one of your projects with health and latest events',
    permission,
    scope,
    params: projectParams,
    response: ProjectDetailsSchema,
  }),

  listFeatureNames: endpoint({
    method: 'GET',
    path: '/api/admin/feature-names',
    id: 'getFeatureNames',
    tag,
    summary: 'List the names of all features that you can see',
    description: 'To find a feature as you type, without a request per keystroke.',
    permission,
    response: FeatureNamesSchema,
  }),

  getTelemetry: endpoint({
    method: 'GET',
    path: '/api/admin/telemetry/settings',
    id: 'getTelemetrySettings',
    tag: 'Telemetry',
    summary: 'Get the telemetry settings; telemetry is always off',
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
    summary: 'Log an error of the UI',
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
    summary: 'Check the license; always valid, none is needed',
    permission,
    response: Type.Object({ isValid: Type.Boolean(), message: Type.String() }),
  }),

  getScimSettings: endpoint({
    method: 'GET',
    path: '/api/admin/scim-settings',
    id: 'getScimSettings',
    tag,
    summary: 'Get the SCIM settings; SCIM is not supported',
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
    summary: 'List banners; always empty',
    permission,
    response: Type.Object({ banners: Type.Array(Type.Object({})) }),
  }),

  listNotifications: endpoint({
    method: 'GET',
    path: '/api/admin/notifications',
    id: 'getNotifications',
    tag: 'Notifications',
    summary: 'List your notifications; always empty',
    permission,
    response: Type.Array(Type.Object({})),
  }),
};

export const contract = { ...uiContract, ...attentionContract, ...cspReportsContract };
