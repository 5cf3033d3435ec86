import { defineModule } from '../../platform/module.ts';
import { configurationEndpoints } from './configuration/checks.ts';
import { resealIntegrations } from './configuration/reseal.ts';
import { configurationRoutes } from './configuration/routes.ts';
import { deliveryEndpoints, recordEndpoints } from './deliveries/checks.ts';
import { eraseMessages } from './deliveries/forget.ts';
import { recordJobs } from './deliveries/jobs.ts';
import { updateForgottenRedelivery } from './deliveries/redeliver-queries.ts';
import { recordRoutes } from './deliveries/routes.ts';
import { deliveryFigures } from './figures.ts';
import { ofEventContract } from './of-event/contract.ts';
import { ofEventRoutes } from './of-event/routes.ts';
import { previewEndpoints } from './preview/checks.ts';
import { previewRoutes } from './preview/routes.ts';
import { testSendContract } from './test-send/contract.ts';
import { testSendRoutes } from './test-send/routes.ts';
import './tables.ts';

export { hasIntegrations } from './configuration/queries.ts';
export { createIntegration, pauseIntegration } from './configuration/service.ts';
export type { Installation } from './configuration/stored.ts';
export { deliverWith, type ImaginedReceiver } from './delivery/deliver-with.ts';
export { deliveriesChannel } from './delivery/queries/progress.ts';
export { type Backlog, listBacklogs } from './figures.ts';
export { findProvider } from './providers/catalogue.ts';

export const integrations = defineModule({
  name: 'integrations',
  contract: {
    ...configurationEndpoints,
    ...previewEndpoints,
    ...testSendContract,
    ...recordEndpoints,
    ...deliveryEndpoints,
    ...ofEventContract,
  },
  routes: (app, services) => {
    configurationRoutes(app, services);
    previewRoutes(app, services);
    testSendRoutes(app, services);
    recordRoutes(app, services);
    ofEventRoutes(app, services);
    deliveryFigures(services);
  },
  forget: async (tx, userId) => {
    await updateForgottenRedelivery(tx, userId);
  },
  forgetEvents: eraseMessages,
  reseal: resealIntegrations,
  jobs: recordJobs,
});
