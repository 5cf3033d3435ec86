import { adminUiMutations } from './admin-ui.ts';
import { bulkMutations } from './bulk.ts';
import { calendarMutations } from './calendar.ts';
import { changeRequestMutations } from './change-requests.ts';
import { clientApiMutations } from './client-api.ts';
import { cloneMutations } from './clone.ts';
import { codeReferenceMutations } from './code-references.ts';
import { contextMutations } from './context.ts';
import { createFeatureMutations } from './create-feature.ts';
import { environmentMutations } from './environments.ts';
import { featurePartMutations } from './feature-parts.ts';
import { featureMutations } from './features.ts';
import { followMutations } from './follows.ts';
import { frontendApiMutations } from './frontend-api.ts';
import { groupMutations } from './groups.ts';
import { healthMutations } from './health.ts';
import { importExportMutations } from './import-export.ts';
import { integrationRecordMutations } from './integration-records.ts';
import { integrationMutations } from './integrations.ts';
import { moveMutations } from './move.ts';
import type { Mutations } from './mutations.ts';
import { ofrepMutations } from './ofrep.ts';
import { oidcMutations } from './oidc.ts';
import { personalTokenMutations } from './personal-tokens.ts';
import { playgroundMutations } from './playground.ts';
import { projectAccessMutations } from './project-access.ts';
import { projectMutations } from './projects.ts';
import { revertMutations } from './revert.ts';
import { roleMutations } from './roles.ts';
import { savedViewMutations } from './saved-views.ts';
import { segmentMutations } from './segments.ts';
import { serviceAccountMutations } from './service-accounts.ts';
import { settingMutations } from './settings.ts';
import { signInMutations } from './sign-in.ts';
import { strategyMutations } from './strategies.ts';
import { strategyTypeMutations } from './strategy-types.ts';
import { tagMutations } from './tags.ts';
import { tokenMutations } from './tokens.ts';
import { usageMutations } from './usage.ts';
import { userMutations } from './users.ts';

const known = [
  bulkMutations,
  calendarMutations,
  cloneMutations,
  contextMutations,
  environmentMutations,
  featureMutations,
  featurePartMutations,
  createFeatureMutations,
  projectMutations,
  moveMutations,
  segmentMutations,
  strategyMutations,
  strategyTypeMutations,
  tagMutations,
  savedViewMutations,
  revertMutations,
  roleMutations,
  userMutations,
  groupMutations,
  tokenMutations,
  personalTokenMutations,
  serviceAccountMutations,
  signInMutations,
  oidcMutations,
  projectAccessMutations,
  settingMutations,
  importExportMutations,
  followMutations,
  integrationMutations,
  integrationRecordMutations,
  usageMutations,
  clientApiMutations,
  frontendApiMutations,
  ofrepMutations,
  playgroundMutations,
  codeReferenceMutations,
  healthMutations,
  changeRequestMutations,
  adminUiMutations,
];
export const scenarios = Object.assign(
  {},
  ...known.map((each) => each.scenarios),
) as Mutations['scenarios'];
export const conflicts = Object.assign(
  {},
  ...known.map((each) => each.conflicts),
) as Mutations['conflicts'];
export const changesNothing: Mutations['changesNothing'] = Object.assign(
  {},
  ...known.map((each) => each.changesNothing),
);
