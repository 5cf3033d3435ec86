import { contract as apiTokensContract } from './modules/access/api-tokens/contract.ts';
import { contract as groupsContract } from './modules/access/groups/contract.ts';
import { contract as oidcContract } from './modules/access/oidc/contract.ts';
import { contract as personalTokensContract } from './modules/access/personal-tokens/contract.ts';
import { accessContract } from './modules/access/project-access/contract.ts';
import { oneRoleContract } from './modules/access/project-access/one-role/contract.ts';
import { contract as rolesContract } from './modules/access/roles/contract.ts';
import { contract as serviceAccountsContract } from './modules/access/service-accounts/contract.ts';
import { contract as settingsContract } from './modules/access/settings/contract.ts';
import { uiConfigContract } from './modules/access/settings/ui-config/contract.ts';
import { inviteLinkContract } from './modules/access/sign-in/invite-links/contract.ts';
import { logInContract } from './modules/access/sign-in/log-in/contract.ts';
import { loginsContract } from './modules/access/sign-in/logins/contract.ts';
import { ownPasswordContract } from './modules/access/sign-in/own-password/contract.ts';
import { resetContract } from './modules/access/sign-in/reset/contract.ts';
import { sessionContract } from './modules/access/sign-in/sessions/contract.ts';
import { avatarContract } from './modules/access/users/avatar/contract.ts';
import { inactiveContract } from './modules/access/users/inactive/contract.ts';
import { ownProfileContract } from './modules/access/users/own-profile/contract.ts';
import { passwordContract } from './modules/access/users/passwords/contract.ts';
import { permissionContract } from './modules/access/users/permissions/contract.ts';
import { preferenceContract } from './modules/access/users/preferences/contract.ts';
import { sourceContract } from './modules/access/users/sources/contract.ts';
import { userAdminContract } from './modules/access/users/user-admin/contract.ts';
import { contract as adminUiContract } from './modules/admin-ui/contract.ts';
import { contract as contextFieldsContract } from './modules/catalogue/context-fields/contract.ts';
import { contract as environmentsContract } from './modules/catalogue/environments/contract.ts';
import { changeRequestContract } from './modules/catalogue/projects/change-requests/contract.ts';
import { projectContract } from './modules/catalogue/projects/contract.ts';
import { environmentContract as projectEnvironmentContract } from './modules/catalogue/projects/environments/contract.ts';
import { favoriteContract as projectFavoriteContract } from './modules/catalogue/projects/favorites/contract.ts';
import { overviewContract as projectOverviewContract } from './modules/catalogue/projects/overview/contract.ts';
import { contract as segmentsContract } from './modules/catalogue/segments/contract.ts';
import { contract as strategyTypesContract } from './modules/catalogue/strategy-types/contract.ts';
import { tagContract } from './modules/catalogue/tags/contract.ts';
import { featureTagContract } from './modules/catalogue/tags/feature-tags/contract.ts';
import { tagTypeContract } from './modules/catalogue/tags/tag-types/contract.ts';
import { facetContract } from './modules/events/facets/contract.ts';
import { oneEventContract } from './modules/events/one-event/contract.ts';
import { checkpointContract } from './modules/events/proof/checkpoint-contract.ts';
import { contract as eventsContract } from './modules/events/search/contract.ts';
import { archiveContract } from './modules/flags/features/archive/contract.ts';
import { contract as bulkContract } from './modules/flags/features/bulk/contract.ts';
import { changeSetContract } from './modules/flags/features/change-set/contract.ts';
import { contract as cloneContract } from './modules/flags/features/clone/contract.ts';
import { featureContract } from './modules/flags/features/contract.ts';
import { contract as featureCreationContract } from './modules/flags/features/create/contract.ts';
import { dependencyContract } from './modules/flags/features/dependencies/contract.ts';
import { contract as featureEnvironmentsContract } from './modules/flags/features/environments/contract.ts';
import { favoriteContract as featureFavoriteContract } from './modules/flags/features/favorites/contract.ts';
import { featureTypeContract } from './modules/flags/features/feature-types/contract.ts';
import { lifecycleContract } from './modules/flags/features/lifecycle/contract.ts';
import { linkContract } from './modules/flags/features/links/contract.ts';
import { contract as moveContract } from './modules/flags/features/move/contract.ts';
import { searchContract } from './modules/flags/features/search/contract.ts';
import { contract as addStrategyContract } from './modules/flags/features/strategies/add/contract.ts';
import { contract as changeStrategyContract } from './modules/flags/features/strategies/change/contract.ts';
import { contract as orderStrategyContract } from './modules/flags/features/strategies/order/contract.ts';
import { contract as readStrategyContract } from './modules/flags/features/strategies/read/contract.ts';
import { contract as removeStrategyContract } from './modules/flags/features/strategies/remove/contract.ts';
import { variantContract } from './modules/flags/features/variants/contract.ts';
import { changesContract } from './modules/flags/follows/changes/contract.ts';
import { emailContract } from './modules/flags/follows/emails/contract.ts';
import { followContract } from './modules/flags/follows/follow/contract.ts';
import { contract as exportContract } from './modules/flags/import-export/export/contract.ts';
import { contract as importContract } from './modules/flags/import-export/import/contract.ts';
import { contract as codeReferencesContract } from './modules/insights/code-references/contract.ts';
import { insightsContract as projectInsightsContract } from './modules/insights/health/insights/contract.ts';
import { reportContract as healthReportContract } from './modules/insights/health/report/contract.ts';
import { reviewContract } from './modules/insights/health/reviews/contract.ts';
import { statusContract } from './modules/insights/health/status/contract.ts';
import { budgetContract } from './modules/insights/health-history/budget/contract.ts';
import { historyContract as healthHistoryContract } from './modules/insights/health-history/history/contract.ts';
import { contract as instanceAdminContract } from './modules/instance-admin/contract.ts';
import { insightsContract as instanceAdminInsightsContract } from './modules/instance-admin/insights/contract.ts';
import { configurationContract } from './modules/integrations/configuration/contract.ts';
import { recordContract } from './modules/integrations/deliveries/contract.ts';
import { deliveryContract } from './modules/integrations/deliveries/deliveries-contract.ts';
import { ofEventContract } from './modules/integrations/of-event/contract.ts';
import { previewContract } from './modules/integrations/preview/contract.ts';
import { testSendContract } from './modules/integrations/test-send/contract.ts';
import { contract as clientApiContract } from './modules/sdk/client-api/contract.ts';
import { applicationContract } from './modules/sdk/client-metrics/applications/contract.ts';
import { featureMetricsContract } from './modules/sdk/client-metrics/feature-metrics/contract.ts';
import { reportContract } from './modules/sdk/client-metrics/report/contract.ts';
import { contract as frontendApiContract } from './modules/sdk/frontend-api/contract.ts';
import { contract as ofrepContract } from './modules/sdk/ofrep/contract.ts';
import { contract as playgroundContract } from './modules/sdk/playground/contract.ts';
import { decisionsContract } from './modules/sdk/playground/decisions/contract.ts';
import { unsavedContract } from './modules/sdk/playground/unsaved/contract.ts';
import type { Output, Sent } from './platform/contract/endpoint.ts';

/** Every operation of the API, by module. It imports contracts and typebox alone, so that the page can read it. */
export const contract = {
  events: { ...eventsContract, ...facetContract, ...oneEventContract, ...checkpointContract },
  apiTokens: apiTokensContract,
  groups: groupsContract,
  oidc: oidcContract,
  personalTokens: personalTokensContract,
  projectAccess: { ...accessContract, ...oneRoleContract },
  roles: rolesContract,
  serviceAccounts: serviceAccountsContract,
  settings: { ...settingsContract, ...uiConfigContract },
  signIn: {
    ...inviteLinkContract,
    ...logInContract,
    ...loginsContract,
    ...ownPasswordContract,
    ...resetContract,
    ...sessionContract,
  },
  users: {
    ...avatarContract,
    ...inactiveContract,
    ...ownProfileContract,
    ...passwordContract,
    ...userAdminContract,
    ...permissionContract,
    ...sourceContract,
    ...preferenceContract,
  },
  contextFields: contextFieldsContract,
  environments: environmentsContract,
  projects: {
    ...changeRequestContract,
    ...projectEnvironmentContract,
    ...projectFavoriteContract,
    ...projectOverviewContract,
    ...projectContract,
  },
  segments: segmentsContract,
  strategyTypes: strategyTypesContract,
  tags: { ...featureTagContract, ...tagTypeContract, ...tagContract },
  features: {
    ...archiveContract,
    ...changeSetContract,
    ...featureContract,
    ...dependencyContract,
    ...featureFavoriteContract,
    ...featureTypeContract,
    ...lifecycleContract,
    ...linkContract,
    ...searchContract,
    ...variantContract,
    ...featureCreationContract,
    ...cloneContract,
    ...moveContract,
    ...bulkContract,
    ...featureEnvironmentsContract,
    ...readStrategyContract,
    ...addStrategyContract,
    ...orderStrategyContract,
    ...changeStrategyContract,
    ...removeStrategyContract,
  },
  follows: { ...changesContract, ...followContract, ...emailContract },
  importExport: { ...exportContract, ...importContract },
  clientApi: clientApiContract,
  clientMetrics: { ...applicationContract, ...featureMetricsContract, ...reportContract },
  frontendApi: frontendApiContract,
  ofrep: ofrepContract,
  playground: { ...playgroundContract, ...decisionsContract, ...unsavedContract },
  codeReferences: codeReferencesContract,
  healthHistory: { ...budgetContract, ...healthHistoryContract },
  health: {
    ...healthReportContract,
    ...projectInsightsContract,
    ...reviewContract,
    ...statusContract,
  },
  integrations: {
    ...configurationContract,
    ...ofEventContract,
    ...previewContract,
    ...testSendContract,
    ...deliveryContract,
    ...recordContract,
  },
  instanceAdmin: { ...instanceAdminContract, ...instanceAdminInsightsContract },
  adminUi: adminUiContract,
};

type Modules = typeof contract;
type Operation = { [Name in keyof Modules]: Modules[Name][keyof Modules[Name]] }[keyof Modules];

/** What goes over the wire, by method and path: `Api['GET /api/admin/projects']['response']`. */
export type Api = {
  readonly [E in Operation as `${E['method']} ${E['path']}`]: Sent<E> & {
    readonly response: Output<E>;
  };
};
