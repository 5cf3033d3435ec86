import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';

type Ask = TestApp['ask'];

/** A project in which changes in production need approval, and an account that may do everything but skip that. */
export interface Protected {
  readonly project: string;
  /** Prepares as an administrator. */
  readonly admin: Ask;
  /** Makes the request that is refused. */
  readonly ask: Ask;
}

type Attempt = (given: Protected) => Promise<LightMyRequestResponse>;

const at = (project: string, feature: string) =>
  `/api/admin/projects/${project}/features/${feature}` as const;

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'group' },
});
const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

/** A feature with two strategies in production. */
async function furnished({ project, admin }: Protected, name = `${project}-feature`) {
  const production = { project, environment: 'production' };
  const create = make(admin);
  await create.feature(name, { project });
  const first = await create.strategy(name, rollout('10'), production);
  const second = await create.strategy(name, rollout('20'), production);
  const path = at(project, name);
  return {
    ...{ name, path, inProduction: `${path}/environments/production` as const },
    ...{ first: String(first.id), second: String(second.id) },
  };
}

async function archived(given: Protected) {
  const feature = await furnished(given);
  await given.admin(`DELETE ${feature.path}`);
  return feature;
}

const inBulk =
  (action: string, more: object = {}): Attempt =>
  async (given) => {
    const isArchived = action === 'revive' || action === 'delete';
    const { name } = await (isArchived ? archived : furnished)(given);
    return given.ask('POST /api/admin/features/bulk', {
      payload: { action, features: [name], ...more },
    });
  };

const newestEventOf = async ({ admin }: Protected, feature: string): Promise<number> =>
  (await admin(`GET /api/admin/search/events?limit=1&feature=IS:${feature}`)).json().events[0].id;

/** Operations that change what environments evaluate. Each is refused with a proposal of the same change. */
export const guarded: Readonly<Record<string, Attempt>> = {
  addFeatureStrategy: async (given) => {
    const { inProduction } = await furnished(given);
    return given.ask(`POST ${inProduction}/strategies`, { payload: rollout('50') });
  },
  updateFeatureStrategy: async (given) => {
    const { inProduction, first } = await furnished(given);
    return given.ask(`PUT ${inProduction}/strategies/${first}`, { payload: rollout('50') });
  },
  patchFeatureStrategy: async (given) => {
    const { inProduction, first } = await furnished(given);
    return given.ask(`PATCH ${inProduction}/strategies/${first}`, {
      payload: [{ op: 'replace', path: '/parameters/rollout', value: '50' }],
    });
  },
  deleteFeatureStrategy: async (given) => {
    const { inProduction, first } = await furnished(given);
    return given.ask(`DELETE ${inProduction}/strategies/${first}`);
  },
  setStrategySortOrder: async (given) => {
    const { inProduction, first, second } = await furnished(given);
    return given.ask(`POST ${inProduction}/strategies/set-sort-order`, {
      payload: [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 9 },
      ],
    });
  },
  updateFeatureStrategySegments: async (given) => {
    const { first } = await furnished(given);
    const { id } = await make(given.admin).segment(`${given.project}-segment`);
    return given.ask('POST /api/admin/segments/strategies', {
      payload: {
        projectId: given.project,
        environmentId: 'production',
        strategyId: first,
        segmentIds: [id],
      },
    });
  },
  toggleFeatureEnvironmentOn: async (given) => {
    const { inProduction } = await furnished(given);
    return given.ask(`POST ${inProduction}/on`);
  },
  toggleFeatureEnvironmentOff: async (given) => {
    const { inProduction } = await furnished(given);
    await given.admin(`POST ${inProduction}/on`);
    return given.ask(`POST ${inProduction}/off`);
  },
  bulkToggleFeaturesEnvironmentOn: async (given) => {
    const { name } = await furnished(given);
    return given.ask(
      `POST /api/admin/projects/${given.project}/bulk_features/environments/production/on`,
      { payload: { features: [name] } },
    );
  },
  bulkToggleFeaturesEnvironmentOff: async (given) => {
    const { name, inProduction } = await furnished(given);
    await given.admin(`POST ${inProduction}/on`);
    return given.ask(
      `POST /api/admin/projects/${given.project}/bulk_features/environments/production/off`,
      { payload: { features: [name] } },
    );
  },
  overwriteEnvironmentFeatureVariants: async (given) => {
    const { inProduction } = await furnished(given);
    return given.ask(`PUT ${inProduction}/variants`, { payload: variants });
  },
  patchEnvironmentsFeatureVariants: async (given) => {
    const { inProduction } = await furnished(given);
    return given.ask(`PATCH ${inProduction}/variants`, {
      payload: [{ op: 'add', path: '/0', value: variants[0] }],
    });
  },
  overwriteFeatureVariantsOnEnvironments: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`PUT ${path}/variants-batch`, {
      payload: { variants, environments: ['development', 'production'] },
    });
  },
  overwriteFeatureVariants: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`PUT ${path}/variants`, { payload: variants });
  },
  patchFeatureVariants: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`PATCH ${path}/variants`, {
      payload: [{ op: 'add', path: '/0', value: variants[0] }],
    });
  },
  addFeatureDependency: async (given) => {
    const { path } = await furnished(given);
    const parent = `${given.project}-parent`;
    await make(given.admin).feature(parent, { project: given.project });
    return given.ask(`POST ${path}/dependencies`, { payload: { feature: parent } });
  },
  deleteFeatureDependency: async (given) => {
    const { path } = await dependent(given);
    return given.ask(`DELETE ${path}/dependencies/${given.project}-parent`);
  },
  deleteFeatureDependencies: async (given) => {
    const { path } = await dependent(given);
    return given.ask(`DELETE ${path}/dependencies`);
  },
  createFeature: (given) =>
    given.ask(`POST /api/admin/projects/${given.project}/features`, {
      payload: {
        name: `${given.project}-new`,
        environments: [{ name: 'production', enabled: true }],
      },
    }),
  updateFeature: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`PUT ${path}`, { payload: { archived: true } });
  },
  archiveFeature: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`DELETE ${path}`);
  },
  archiveFeatures: async (given) => {
    const { name } = await furnished(given);
    return given.ask(`POST /api/admin/projects/${given.project}/archive`, {
      payload: { features: [name] },
    });
  },
  reviveFeature: async (given) => {
    const { name } = await archived(given);
    return given.ask(`POST /api/admin/archive/revive/${name}`);
  },
  reviveFeatures: async (given) => {
    const { name } = await archived(given);
    return given.ask(`POST /api/admin/projects/${given.project}/revive`, {
      payload: { features: [name] },
    });
  },
  deleteFeature: async (given) => {
    const { name } = await archived(given);
    return given.ask(`DELETE /api/admin/archive/${name}`);
  },
  deleteFeatures: async (given) => {
    const { name } = await archived(given);
    return given.ask(`POST /api/admin/projects/${given.project}/delete`, {
      payload: { features: [name] },
    });
  },
  cloneFeature: async (given) => {
    const { path, name } = await furnished(given);
    return given.ask(`POST ${path}/clone`, { payload: { name: `${name}-copy` } });
  },
  cloneFeatures: async (given) => {
    const { name } = await furnished(given);
    return given.ask(`POST /api/admin/projects/${given.project}/features/clone`, {
      payload: { features: [{ feature: name, name: `${name}-copy` }] },
    });
  },
  changeProject: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`POST ${path}/changeProject`, { payload: { newProjectId: 'default' } });
  },
  saveFeatureChanges: async (given) => {
    const { path } = await furnished(given);
    return given.ask(`POST ${path}/changes`, {
      payload: {
        changes: [
          { action: 'updateFeature', payload: { description: 'Changed' } },
          { action: 'addStrategy', environment: 'development', payload: rollout('30') },
          { action: 'updateEnabled', environment: 'production', payload: { enabled: true } },
        ],
      },
    });
  },
  revertEvent: async (given) => {
    const { inProduction, name } = await furnished(given);
    await given.admin(`POST ${inProduction}/on`);
    const id = await newestEventOf(given, name);
    return given.ask(`POST /api/admin/events/${id}/revert`, { payload: {} });
  },
  revertEvents: async (given) => {
    const { inProduction, first, name } = await furnished(given);
    await given.admin(`DELETE ${inProduction}/strategies/${first}`);
    const eventIds = [await newestEventOf(given, name)];
    return given.ask('POST /api/admin/events/revert', { payload: { eventIds } });
  },
  importToggles: async (given) => {
    const name = `${given.project}-imported`;
    return given.ask('POST /api/admin/features-batch/import', {
      payload: {
        project: given.project,
        environment: 'production',
        data: {
          features: [{ name }],
          featureStrategies: [{ featureName: name, ...rollout('40') }],
          featureEnvironments: [],
          contextFields: [],
          featureTags: [],
          segments: [],
          tagTypes: [],
          dependencies: [],
        },
      },
    });
  },
  updateSegment: async (given) => {
    const { id } = await usedSegment(given);
    return given.ask(`PUT /api/admin/segments/${id}`, {
      payload: { name: `${given.project}-segment`, constraints: [] },
    });
  },
  removeSegment: async (given) => {
    const segment = { project: given.project };
    const { id } = await make(given.admin).segment(`${given.project}-segment`, segment);
    return given.ask(`DELETE /api/admin/segments/${id}`);
  },
  addDefaultStrategyToProjectEnvironment: (given) =>
    given.ask(
      `POST /api/admin/projects/${given.project}/environments/production/default-strategy`,
      { payload: rollout('60') },
    ),
};

/** The actions of `changeFeaturesInBulk` that change evaluations. It refuses each feature on its own. */
export const bulkActions: Readonly<Record<string, Attempt>> = {
  enable: inBulk('enable', { environment: 'production' }),
  archive: inBulk('archive'),
  revive: inBulk('revive'),
  delete: inBulk('delete'),
  move: inBulk('move', { newProjectId: 'default' }),
};

async function dependent(given: Protected) {
  const feature = await furnished(given);
  const parent = `${given.project}-parent`;
  await make(given.admin).feature(parent, { project: given.project });
  await make(given.admin).dependency(feature.name, parent, { project: given.project });
  return feature;
}

async function usedSegment(given: Protected) {
  const segment = await make(given.admin).segment(`${given.project}-segment`);
  const name = `${given.project}-feature`;
  const { project } = given;
  await make(given.admin).feature(name, { project });
  const strategy = { segments: [segment.id] };
  await make(given.admin).strategy(name, strategy, { project, environment: 'production' });
  return segment;
}

/**
 * Operations that are refused without a proposal: a change request would not outlive them. Disable change requests
 * first, which is recorded.
 */
export const refused: Readonly<Record<string, Attempt>> = {
  removeEnvironmentFromProject: ({ project, ask }) =>
    ask(`DELETE /api/admin/projects/${project}/environments/production`),
  deleteProject: ({ project, ask }) => ask(`DELETE /api/admin/projects/${project}`),
};

const access = 'accounts, access, and tokens: they evaluate nothing';
const settings = 'settings of the installation';
const metadata = 'metadata: no evaluation depends on it';
const personal = "the caller's own things";
const nothing = 'changes nothing';
const usage = 'reports of applications';
const notifying = 'integrations only send events';
const definition = 'strategies keep what they have; one in use cannot be deleted';
const unused = 'no strategy uses it yet';
const proposed = 'changes a change request, and no evaluation until it is applied';

/** Operations that need no approval, with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  createChangeRequest: proposed,
  editChange: proposed,
  resolveChange: proposed,
  discardChange: proposed,
  discardChangeRequest: proposed,
  updateChangeRequestTitle: proposed,
  addChangeRequestComment: proposed,
  reviewChangeRequestEmergency: 'the changes were made before, by someone who may skip approval',
  setChangeRequestApprovers: proposed,
  updateChangeRequestState: 'applies what was approved; without approvals, it is refused as usual',
  evaluateChangeRequest: nothing,
  previewChangeRequest: nothing,
  updateProjectChangeRequestConfig: 'needs the permission to change the project, and is recorded',
  addEnvironmentToProject: 'features are disabled in a new environment',
  createProject: 'a new project has no features',
  updateProject: 'its default stickiness applies to later strategies only',
  updateProjectEnterpriseSettings: metadata,
  archiveProject: 'a project with active features cannot be archived',
  reviveProject: 'its features stay archived, and its change request settings stay',
  createEnvironment: 'no project has it yet',
  cloneEnvironment: 'needs ADMIN, which includes SKIP_CHANGE_REQUEST',
  removeEnvironment: 'an environment of a project cannot be deleted',
  updateEnvironment: 'concerns lists and later projects',
  updateSortOrder: 'concerns lists',
  toggleEnvironmentOn: 'concerns later projects',
  toggleEnvironmentOff: 'concerns later projects',
  patchFeature: metadata,
  staleFeatures: metadata,
  complete: metadata,
  uncomplete: metadata,
  updateFeatureTypeLifetime: metadata,
  addTag: metadata,
  updateTags: metadata,
  removeTag: metadata,
  addTagToFeatures: metadata,
  createTag: metadata,
  deleteTag: metadata,
  createTagType: metadata,
  updateTagType: metadata,
  deleteTagType: metadata,
  addFeatureLink: metadata,
  updateFeatureLink: metadata,
  deleteFeatureLink: metadata,
  setFeatureReview: metadata,
  deleteFeatureReview: metadata,
  setFeatureReviews: metadata,
  deleteFeatureReviews: metadata,
  replaceCodeReferences: metadata,
  deleteCodeReferences: metadata,
  createSegment: unused,
  createContextField: unused,
  updateContextField: definition,
  deleteContextField: definition,
  updateContextFieldLegalValue: definition,
  deleteContextFieldLegalValue: definition,
  createStrategy: unused,
  updateStrategy: definition,
  removeStrategy: definition,
  deprecateStrategy: definition,
  reactivateStrategy: definition,
  exportFeatures: nothing,
  validateImport: nothing,
  validateFeature: nothing,
  validateArchiveFeatures: nothing,
  validateSegment: nothing,
  validateConstraint: nothing,
  validate: nothing,
  validateEnvironmentName: nothing,
  validateProject: nothing,
  validateTagType: nothing,
  validateRole: nothing,
  validateUserPassword: nothing,
  validatePassword: nothing,
  deprecatedSearchEvents: nothing,
  getFeatureEvaluations: nothing,
  getValidTokens: nothing,
  getPlayground: nothing,
  getAdvancedPlayground: nothing,
  getPlaygroundDecisions: nothing,
  evaluateUnsavedFeature: nothing,
  evaluateFrontendFeatures: nothing,
  evaluateFlag: nothing,
  evaluateFlags: nothing,
  toggleMaintenance: settings,
  setUiConfig: settings,
  setCors: settings,
  setRetentionSettings: settings,
  setSimpleSettings: settings,
  setOidcSettings: settings,
  testOidcSettings: nothing,
  createRole: access,
  updateRole: access,
  deleteRole: access,
  createUser: access,
  updateUser: access,
  deleteUser: access,
  deleteInactiveUsers: access,
  changeUserPassword: access,
  resetUserPassword: access,
  createGroup: access,
  updateGroup: access,
  deleteGroup: access,
  createApiToken: access,
  updateApiToken: access,
  deleteApiToken: access,
  createProjectApiToken: access,
  deleteProjectApiToken: access,
  createServiceAccount: access,
  updateServiceAccount: access,
  deleteServiceAccount: access,
  createServiceAccountToken: access,
  deleteServiceAccountToken: access,
  login: access,
  logout: access,
  deleteUserSessions: access,
  deleteUserSession: access,
  sendResetPasswordEmail: access,
  changePassword: access,
  createPublicSignupToken: access,
  updatePublicSignupToken: access,
  addPublicSignupTokenUser: access,
  addAccessToProject: access,
  setProjectAccess: access,
  setRolesForUser: access,
  removeUserAccess: access,
  setRolesForGroup: access,
  removeGroupAccess: access,
  addRoleToUser: access,
  changeRoleForUser: access,
  removeRoleForUser: access,
  addRoleToGroup: access,
  changeRoleForGroup: access,
  removeRoleForGroup: access,
  addRoleAccessToProject: access,
  createPat: personal,
  deletePat: personal,
  changeMyPassword: personal,
  deleteOtherSessions: personal,
  deleteOwnSession: personal,
  createFeedback: personal,
  updateFeedback: personal,
  updateSplashSettings: personal,
  addFavoriteProject: personal,
  removeFavoriteProject: personal,
  addFavoriteFeature: personal,
  removeFavoriteFeature: personal,
  createCalendarToken: personal,
  deleteCalendarToken: personal,
  createSavedView: personal,
  updateSavedView: personal,
  deleteSavedView: personal,
  followProject: personal,
  unfollowProject: personal,
  followFeature: personal,
  unfollowFeature: personal,
  markFollowNotificationsRead: personal,
  setFollowLetters: personal,
  createAddon: notifying,
  updateAddon: notifying,
  deleteAddon: notifying,
  createAddonSigningSecret: notifying,
  previewAddon: nothing,
  testAddon: notifying,
  redeliverIntegrationEvent: notifying,
  redeliverIntegrationEvents: notifying,
  pauseAddon: notifying,
  resumeAddon: notifying,
  registerClientApplication: usage,
  registerClientMetrics: usage,
  clientEdgeMetrics: usage,
  clientBulkMetrics: usage,
  registerFrontendMetrics: usage,
  registerFrontendClient: usage,
  createApplication: metadata,
  deleteApplication: metadata,
  ignoreUnknownFlag: metadata,
  noticeUnknownFlag: metadata,
  recordUiError: nothing,
  reportCspViolations: nothing,
};
