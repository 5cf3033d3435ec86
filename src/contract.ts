import { contract as apiTokens } from './modules/access/api-tokens/contract.ts';
import { contract as groups } from './modules/access/groups/contract.ts';
import { contract as oidc } from './modules/access/oidc/contract.ts';
import { contract as personalTokens } from './modules/access/personal-tokens/contract.ts';
import { projectAccessContract as projectAccess } from './modules/access/project-access/contract.ts';
import { contract as roles } from './modules/access/roles/contract.ts';
import { contract as serviceAccounts } from './modules/access/service-accounts/contract.ts';
import { settingsContract as settings } from './modules/access/settings/contract.ts';
import { signInContract as signIn } from './modules/access/sign-in/contract.ts';
import { userContract as users } from './modules/access/users/contract.ts';
import { contract as adminUi } from './modules/admin-ui/contract.ts';
import { contract as contextFields } from './modules/catalogue/context-fields/contract.ts';
import { contract as environments } from './modules/catalogue/environments/contract.ts';
import { projectContract as projects } from './modules/catalogue/projects/contract.ts';
import { contract as savedViews } from './modules/catalogue/saved-views/contract.ts';
import { contract as segments } from './modules/catalogue/segments/contract.ts';
import { contract as strategyTypes } from './modules/catalogue/strategy-types/contract.ts';
import { tagsContract as tags } from './modules/catalogue/tags/contract.ts';
import { eventContract as events } from './modules/events/contract.ts';
import { featureContract as features } from './modules/flags/features/contract.ts';
import { followsContract as follows } from './modules/flags/follows/contract.ts';
import { importExportContract as importExport } from './modules/flags/import-export/contract.ts';
import { calendarContract as calendar } from './modules/governance/calendar/contract.ts';
import { changeRequestContract as changeRequests } from './modules/governance/change-requests/contract.ts';
import { revertContract as revert } from './modules/governance/revert/contract.ts';
import { historyContract as history } from './modules/history/contract.ts';
import { contract as codeReferences } from './modules/insights/code-references/contract.ts';
import { healthContract as health } from './modules/insights/health/contract.ts';
import { healthHistoryContract as healthHistory } from './modules/insights/health-history/contract.ts';
import { contract as instanceAdmin } from './modules/instance-admin/contract.ts';
import { integrationContract as integrations } from './modules/integrations/contract.ts';
import { contract as clientApi } from './modules/sdk/client-api/contract.ts';
import { clientMetricsContract as clientMetrics } from './modules/sdk/client-metrics/contract.ts';
import { edgesContract as edges } from './modules/sdk/edges/contract.ts';
import { contract as frontendApi } from './modules/sdk/frontend-api/contract.ts';
import { contract as ofrep } from './modules/sdk/ofrep/contract.ts';
import { playgroundContract as playground } from './modules/sdk/playground/contract.ts';
import type { Output, Sent } from './platform/contract/endpoint.ts';

/** Every operation of the API, by module. It imports contracts and typebox alone, so that the page can read it. */
export const contract = {
  events,
  apiTokens,
  groups,
  oidc,
  personalTokens,
  projectAccess,
  roles,
  serviceAccounts,
  settings,
  signIn,
  users,
  contextFields,
  environments,
  projects,
  segments,
  strategyTypes,
  tags,
  savedViews,
  features,
  follows,
  history,
  importExport,
  clientApi,
  clientMetrics,
  edges,
  frontendApi,
  ofrep,
  playground,
  codeReferences,
  healthHistory,
  health,
  integrations,
  revert,
  changeRequests,
  calendar,
  instanceAdmin,
  adminUi,
};

type Modules = typeof contract;
type Operation = { [Name in keyof Modules]: Modules[Name][keyof Modules[Name]] }[keyof Modules];

/** What goes over the wire, by method and path: `Api['GET /api/admin/projects']['response']`. */
export type Api = {
  readonly [E in Operation as `${E['method']} ${E['path']}`]: Sent<E> & {
    readonly response: Output<E>;
  };
};
