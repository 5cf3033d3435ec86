import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { settingRoutes } from './routes.ts';
import { resealSettings } from './store.ts';
import { uiConfigContract } from './ui-config-contract.ts';

import './tables.ts';

export { findInstanceId } from './queries.ts';
export {
  frontendOrigins,
  isInMaintenance,
  isPasswordSignInOff,
  oidcSetting,
  setFrontendOrigins,
} from './service.ts';
export {
  hasSecret,
  holdSetting,
  readSecret,
  readSetting,
  writeSetting,
} from './store.ts';
export { maxApiTokens } from './ui-config.ts';

export const settings = defineModule({
  name: 'settings',
  contract: { ...endpoints, ...uiConfigContract },
  routes: settingRoutes,
  reseal: resealSettings,
});
