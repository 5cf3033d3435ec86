import { defineModule } from '../../../platform/module.ts';
import { retentionJob } from '../../events/index.ts';
import { settingUseCase } from './routes.ts';
import { findRetentionDays } from './service.ts';
import { resealSettings } from './store.ts';
import { uiConfigUseCase } from './ui-config/routes.ts';

import './tables.ts';

export { findInstanceId } from './queries.ts';
export {
  changeRetention,
  findRetentionDays,
  frontendOrigins,
  isInMaintenance,
  isPasswordSignInOff,
  oidcSetting,
  setFrontendOrigins,
  setMaintenance,
  switchPasswordSignIn,
} from './service.ts';
export {
  getSettingForUpdate,
  hasSecret,
  readSecret,
  readSetting,
  removeSetting,
  writeSetting,
} from './store.ts';
export { maxApiTokens } from './ui-config/service.ts';

export const settings = defineModule({
  name: 'settings',
  useCases: [uiConfigUseCase, settingUseCase],
  reseal: resealSettings,
  jobs: (services) => [
    retentionJob(services, services.system, services.settings, findRetentionDays),
  ],
});
