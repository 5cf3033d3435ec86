import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { administratorPassword } from '../support/tokens.ts';
import type { Role } from './oracle.ts';

/** Endpoints whose service checks the permission: the error names the one that the request needs. */
export const inTheService: ReadonlySet<string> = new Set([
  'createSegment',
  'updateSegment',
  'removeSegment',
  'importToggles',
  'saveFeatureChanges',
  'revertEvent',
  'revertEvents',
]);

/** The permissions for the scenario, if the endpoint has others for other cases, such as a segment of a project. */
export const neededByScenario: Readonly<Record<string, readonly string[]>> = {
  createSegment: ['CREATE_SEGMENT'],
  updateSegment: ['UPDATE_SEGMENT'],
  removeSegment: ['DELETE_SEGMENT'],
  // The scenario changes the description.
  saveFeatureChanges: ['UPDATE_FEATURE'],
  // The scenarios revert the creation of a feature.
  revertEvent: ['DELETE_FEATURE'],
  revertEvents: ['DELETE_FEATURE'],
};

/**
 * Tags are shared by all projects: permission to change features in one is enough. The plan of an import lists
 * missing permissions.
 */
export const anywhere: ReadonlySet<string> = new Set(['createTag', 'deleteTag', 'validateImport']);

/** Used by monitoring, outside the API. */
export const outsideTheApi: readonly string[] = ['getHealth', 'getReady'];

/** Bodies for requests without a scenario, which change nothing. */
export const harmlessBodies: Readonly<Record<string, object>> = {
  login: { username: 'admin', password: administratorPassword },
  replaceCodeReferences: { repository: 'looked-at', references: [] },
  sendResetPasswordEmail: { email: 'nobody@example.com' },
  validatePassword: { password: 'long-enough-42-words' },
  validateUserPassword: { password: 'long-enough-42-words' },
  validateConstraint: { contextName: 'userId', operator: 'IN', values: ['1'] },
  registerFrontendMetrics: { appName: 'web' },
  registerFrontendClient: { appName: 'web' },
  evaluateUnsavedFeature: { context: {} },
  evaluateChangeRequest: { context: {} },
  previewChangeRequest: {},
  getFeatureEvaluations: { features: ['looked-at'] },
  previewAddon: { provider: 'webhook', events: ['feature-created'] },
  getPlayground: { environment: 'development', context: {} },
  getAdvancedPlayground: { environments: ['development'], context: {} },
  getPlaygroundDecisions: { environments: ['development'], contexts: [{}] },
  validateArchiveFeatures: { features: ['looked-at'] },
  validateImport: {
    project: 'default',
    environment: 'development',
    data: { features: [], featureStrategies: [] },
  },
  validate: { name: 'free-name' },
  validateEnvironmentName: { name: 'free-name' },
  validateFeature: { name: 'free-name' },
  validateProject: { id: 'free-name' },
  validateRole: { name: 'free-name' },
  validateSegment: { name: 'free-name' },
  validateTagType: { name: 'free-name' },
  getValidTokens: { tokens: [] },
  registerClientApplication: { appName: 'looked-at' },
  recordUiError: { errorMessage: 'a page failed' },
  deprecatedSearchEvents: {},
  registerClientMetrics: { appName: 'looked-at' },
  clientBulkMetrics: { applications: [], metrics: [] },
  clientEdgeMetrics: { identifier: '1', appName: 'looked-at', edgeVersion: '1.0.0' },
};

/** Roles to which another rule than the table applies first, with the reason. */
const otherRules: Readonly<Record<string, readonly Role[]>> = {
  // Each permitted request replaces all access, including the role of the next caller.
  setProjectAccess: ['exactly the permission'],
};

export const refusedForAnotherReason = ({ id }: Endpoint, role: Role): boolean =>
  otherRules[id]?.includes(role) ?? false;

/** Endpoints that reject the request for every role, with the reason. */
export const refusedOnPrinciple: ReadonlySet<string> = new Set([
  // These are about the caller's own data, and the scenario belongs to another user.
  'changeMyPassword',
  'deleteCalendarToken',
  'deletePat',
  'updateSavedView',
  'deleteSavedView',
  'editChange',
  'resolveChange',
  'discardChange',
  'discardChangeRequest',
  'updateChangeRequestTitle',
  'addChangeRequestComment',
  'reviewChangeRequestEmergency',
  'setChangeRequestApprovers',
  'updateChangeRequestState',
  'deleteOwnSession',
  'deleteUserSession',
  // A link that works once and is not shown again.
  'validateToken',
]);

/** Routes outside the API: documents, pages, their assets, and what browsers request automatically. */
export const pages: readonly string[] = [
  'GET /',
  'GET /account',
  'GET /admin',
  'GET /admin*',
  'GET /assets/:file',
  'GET /auth/oidc/callback',
  'GET /auth/oidc/login',
  'GET /burgee.svg',
  'GET /calendar',
  'GET /change-requests',
  'GET /color-scheme.js',
  'GET /docs',
  'GET /docs/openapi',
  'GET /docs/openapi.json',
  'GET /docs/openapi/static/:file',
  'GET /docs/openapi/static/start.js',
  'GET /forgotten-password',
  'GET /health',
  'GET /history',
  'GET /incident',
  'GET /insights',
  'GET /applications',
  'GET /applications*',
  'GET /unknown-flags',
  'GET /integrations',
  'GET /integrations*',
  'GET /internal-backstage/prometheus',
  'GET /login',
  'GET /new-user',
  'GET /segments',
  'GET /segments*',
  'GET /context',
  'GET /context*',
  'GET /strategies',
  'GET /strategies*',
  'GET /tag-types',
  'GET /tag-types*',
  'GET /feature-toggle-type',
  'GET /feature-toggle-type*',
  'GET /environments',
  'GET /environments*',
  'GET /playground',
  'GET /profile',
  'GET /projects',
  'GET /projects*',
  'GET /ready',
  'GET /reset-password',
  'GET /search',
  'GET /signed-in',
  'OPTIONS /api/frontend',
  'OPTIONS /api/frontend*',
  'OPTIONS /ofrep',
  'OPTIONS /ofrep*',
];
