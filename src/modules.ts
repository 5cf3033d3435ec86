import { access } from './modules/access/index.ts';
import { adminUi } from './modules/admin-ui/index.ts';
import { clientApi } from './modules/client-api/index.ts';
import { clone } from './modules/clone/index.ts';
import { codeReferences } from './modules/code-references/index.ts';
import { context } from './modules/context/index.ts';
import { environments } from './modules/environments/index.ts';
import { events } from './modules/events/index.ts';
import { features } from './modules/features/index.ts';
import { frontendApi } from './modules/frontend-api/index.ts';
import { groups } from './modules/groups/index.ts';
import { health } from './modules/health/index.ts';
import { healthHistory } from './modules/health-history/index.ts';
import { instanceAdmin } from './modules/instance-admin/index.ts';
import { integrations } from './modules/integrations/index.ts';
import { newFeatures } from './modules/new-features/index.ts';
import { ofrep } from './modules/ofrep/index.ts';
import { oidc } from './modules/oidc/index.ts';
import { personalTokens } from './modules/personal-tokens/index.ts';
import { playground } from './modules/playground/index.ts';
import { projectAccess } from './modules/project-access/index.ts';
import { projects } from './modules/projects/index.ts';
import { reorganisation } from './modules/reorganisation/index.ts';
import { roles } from './modules/roles/index.ts';
import { segments } from './modules/segments/index.ts';
import { serviceAccounts } from './modules/service-accounts/index.ts';
import { settings } from './modules/settings/index.ts';
import { signIn } from './modules/sign-in/index.ts';
import { strategies } from './modules/strategies/index.ts';
import { strategyTypes } from './modules/strategy-types/index.ts';
import { tags } from './modules/tags/index.ts';
import { tokens } from './modules/tokens/index.ts';
import { transfer } from './modules/transfer/index.ts';
import { usage } from './modules/usage/index.ts';
import { users } from './modules/users/index.ts';

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
  features,
  strategies,
  newFeatures,
  clone,
  reorganisation,
  transfer,
  integrations,
  usage,
  clientApi,
  frontendApi,
  ofrep,
  playground,
  codeReferences,
  health,
  healthHistory,
  instanceAdmin,
  adminUi,
] as const;
