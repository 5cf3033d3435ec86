import { tokens } from '../modules/access/api-tokens/index.ts';
import { access } from '../modules/access/gate/index.ts';
import { groups } from '../modules/access/groups/index.ts';
import { oidc } from '../modules/access/oidc/index.ts';
import { personalTokens } from '../modules/access/personal-tokens/index.ts';
import { projectAccess } from '../modules/access/project-access/index.ts';
import { roles } from '../modules/access/roles/index.ts';
import { serviceAccounts } from '../modules/access/service-accounts/index.ts';
import { settings } from '../modules/access/settings/index.ts';
import { signIn } from '../modules/access/sign-in/index.ts';
import { users } from '../modules/access/users/index.ts';
import { adminUi } from '../modules/admin-ui/index.ts';
import { context } from '../modules/catalogue/context-fields/index.ts';
import { environments } from '../modules/catalogue/environments/index.ts';
import { projects } from '../modules/catalogue/projects/index.ts';
import { savedViews } from '../modules/catalogue/saved-views/index.ts';
import { segments } from '../modules/catalogue/segments/index.ts';
import { strategyTypes } from '../modules/catalogue/strategy-types/index.ts';
import { tags } from '../modules/catalogue/tags/index.ts';
import { events } from '../modules/events/index.ts';
import { features } from '../modules/flags/features/index.ts';
import { follows } from '../modules/flags/follows/index.ts';
import { importExport } from '../modules/flags/import-export/index.ts';
import { calendar } from '../modules/governance/calendar/index.ts';
import { changeRequests } from '../modules/governance/change-requests/index.ts';
import { guard } from '../modules/governance/guard/index.ts';
import { revert } from '../modules/governance/revert/index.ts';
import { history } from '../modules/history/index.ts';
import { codeReferences } from '../modules/insights/code-references/index.ts';
import { health } from '../modules/insights/health/index.ts';
import { healthHistory } from '../modules/insights/health-history/index.ts';
import { instanceAdmin } from '../modules/instance-admin/index.ts';
import { integrations } from '../modules/integrations/index.ts';
import { migration } from '../modules/migration/index.ts';
import { clientApi } from '../modules/sdk/client-api/index.ts';
import { clientMetrics } from '../modules/sdk/client-metrics/index.ts';
import { edges } from '../modules/sdk/edges/index.ts';
import { frontendApi } from '../modules/sdk/frontend-api/index.ts';
import { ofrep } from '../modules/sdk/ofrep/index.ts';
import { playground } from '../modules/sdk/playground/index.ts';

/** The parts of the service, lowest first. */
export const modules = [
  events,
  access,
  settings,
  roles,
  users,
  groups,
  tokens,
  personalTokens,
  serviceAccounts,
  signIn,
  oidc,
  projectAccess,
  environments,
  context,
  segments,
  strategyTypes,
  projects,
  tags,
  savedViews,
  features,
  importExport,
  follows,
  history,
  integrations,
  clientMetrics,
  edges,
  clientApi,
  frontendApi,
  ofrep,
  playground,
  codeReferences,
  health,
  healthHistory,
  revert,
  guard,
  changeRequests,
  calendar,
  instanceAdmin,
  migration,
  adminUi,
] as const;
