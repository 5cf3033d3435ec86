import { contract as apiTokensContract } from './modules/access/api-tokens/contract.ts';
import { contract as groupsContract } from './modules/access/groups/contract.ts';
import { contract as oidcContract } from './modules/access/oidc/contract.ts';
import { contract as personalTokensContract } from './modules/access/personal-tokens/contract.ts';
import { accessContract } from './modules/access/project-access/contract/access.ts';
import { oneRoleContract } from './modules/access/project-access/contract/one-role.ts';
import { contract as rolesContract } from './modules/access/roles/contract.ts';
import { contract as serviceAccountsContract } from './modules/access/service-accounts/contract.ts';
import { contract as settingsContract } from './modules/access/settings/contract.ts';
import { uiConfigContract } from './modules/access/settings/ui-config-contract.ts';
import { inviteLinkContract } from './modules/access/sign-in/contract/invite-links.ts';
import { logInContract } from './modules/access/sign-in/contract/log-in.ts';
import { loginsContract } from './modules/access/sign-in/contract/logins.ts';
import { ownPasswordContract } from './modules/access/sign-in/contract/own-password.ts';
import { resetContract } from './modules/access/sign-in/contract/reset.ts';
import { sessionContract } from './modules/access/sign-in/contract/sessions.ts';
import { avatarContract } from './modules/access/users/contract/avatar.ts';
import { inactiveContract } from './modules/access/users/contract/inactive.ts';
import { ownProfileContract } from './modules/access/users/contract/own-profile.ts';
import { passwordContract } from './modules/access/users/contract/passwords.ts';
import { peopleContract } from './modules/access/users/contract/people.ts';
import { permissionContract } from './modules/access/users/contract/permissions.ts';
import { preferenceContract } from './modules/access/users/contract/preferences.ts';
import { contract as adminUiContract } from './modules/admin-ui/contract.ts';
import { contract as contextFieldsContract } from './modules/catalogue/context-fields/contract/field.ts';
import { contract as environmentsContract } from './modules/catalogue/environments/contract.ts';
import { changeRequestContract } from './modules/catalogue/projects/contract/change-requests.ts';
import { environmentContract as projectEnvironmentContract } from './modules/catalogue/projects/contract/environments.ts';
import { favoriteContract as projectFavoriteContract } from './modules/catalogue/projects/contract/favorites.ts';
import { projectContract } from './modules/catalogue/projects/contract/project.ts';
import { contract as segmentsContract } from './modules/catalogue/segments/contract.ts';
import { contract as strategyTypesContract } from './modules/catalogue/strategy-types/contract/strategy-type.ts';
import { featureTagContract } from './modules/catalogue/tags/contract/feature-tags.ts';
import { tagContract } from './modules/catalogue/tags/contract/tag.ts';
import { tagTypeContract } from './modules/catalogue/tags/contract/tag-type.ts';
import { contract as eventsContract } from './modules/events/contract/endpoints.ts';
import { checkpointContract } from './modules/events/proof/checkpoint-contract.ts';
import { archiveContract } from './modules/flags/features/archive/contract.ts';
import { contract as cloneContract } from './modules/flags/features/clone/contract.ts';
import { featureContract } from './modules/flags/features/contract.ts';
import { contract as featureCreationContract } from './modules/flags/features/create/contract.ts';
import { dependencyContract } from './modules/flags/features/dependencies/contract.ts';
import { contract as featureEnvironmentsContract } from './modules/flags/features/environments/contract.ts';
import { favoriteContract as featureFavoriteContract } from './modules/flags/features/favorites/contract.ts';
import { featureTypeContract } from './modules/flags/features/feature-types/contract.ts';
import { lifecycleContract } from './modules/flags/features/lifecycle/contract.ts';
import { contract as moveContract } from './modules/flags/features/move/contract.ts';
import { searchContract } from './modules/flags/features/search/contract.ts';
import { variantContract } from './modules/flags/features/variants/contract.ts';
import { contract as importExportContract } from './modules/flags/import-export/contract/endpoints.ts';
import { strategyContract } from './modules/flags/strategies/contract/strategies.ts';
import { contract as codeReferencesContract } from './modules/insights/code-references/contract.ts';
import { contract as healthContract } from './modules/insights/health/contract.ts';
import { insightsContract as projectInsightsContract } from './modules/insights/health/insights/contract.ts';
import { overviewContract } from './modules/insights/health/overview/contract.ts';
import { reviewContract } from './modules/insights/health/reviews/contract.ts';
import { statusContract } from './modules/insights/health/status/contract.ts';
import { contract as healthHistoryContract } from './modules/insights/health-history/contract.ts';
import { contract as instanceAdminContract } from './modules/instance-admin/contract.ts';
import { insightsContract as instanceAdminInsightsContract } from './modules/instance-admin/insights/contract.ts';
import { configurationContract } from './modules/integrations/contract/configuration.ts';
import { deliveryContract } from './modules/integrations/contract/deliveries.ts';
import { recordContract } from './modules/integrations/contract/records.ts';
import { contract as clientApiContract } from './modules/sdk/client-api/contract.ts';
import { applicationContract } from './modules/sdk/client-metrics/contract/applications.ts';
import { featureUsageContract } from './modules/sdk/client-metrics/contract/feature-usage.ts';
import { reportContract } from './modules/sdk/client-metrics/contract/report.ts';
import { contract as frontendApiContract } from './modules/sdk/frontend-api/contract.ts';
import { contract as ofrepContract } from './modules/sdk/ofrep/contract.ts';
import { contract as playgroundContract } from './modules/sdk/playground/contract.ts';
import type { Output, Sent } from './platform/contract/endpoint.ts';

/** Every operation of the API, by module. It imports contracts and typebox alone, so that the page can read it. */
export const contract = {
  events: { ...eventsContract, ...checkpointContract },
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
    ...peopleContract,
    ...permissionContract,
    ...preferenceContract,
  },
  contextFields: contextFieldsContract,
  environments: environmentsContract,
  projects: {
    ...changeRequestContract,
    ...projectEnvironmentContract,
    ...projectFavoriteContract,
    ...projectContract,
  },
  segments: segmentsContract,
  strategyTypes: strategyTypesContract,
  tags: { ...featureTagContract, ...tagTypeContract, ...tagContract },
  features: {
    ...archiveContract,
    ...featureContract,
    ...dependencyContract,
    ...featureFavoriteContract,
    ...featureTypeContract,
    ...lifecycleContract,
    ...searchContract,
    ...variantContract,
  },
  clone: cloneContract,
  featureCreation: featureCreationContract,
  featureEnvironments: featureEnvironmentsContract,
  move: moveContract,
  importExport: importExportContract,
  strategies: strategyContract,
  clientApi: clientApiContract,
  clientMetrics: { ...applicationContract, ...featureUsageContract, ...reportContract },
  frontendApi: frontendApiContract,
  ofrep: ofrepContract,
  playground: playgroundContract,
  codeReferences: codeReferencesContract,
  healthHistory: healthHistoryContract,
  health: {
    ...healthContract,
    ...projectInsightsContract,
    ...overviewContract,
    ...reviewContract,
    ...statusContract,
  },
  integrations: { ...configurationContract, ...deliveryContract, ...recordContract },
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
