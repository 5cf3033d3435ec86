import { defineModule } from '../../platform/module.ts';
import { resealIntegrations } from './configuration/reseal.ts';
import { configurationUseCase } from './configuration/routes.ts';
import { eraseMessages } from './deliveries/forget.ts';
import { recordJobs } from './deliveries/jobs.ts';
import { updateForgottenRedelivery } from './deliveries/redeliver-queries.ts';
import { recordUseCase } from './deliveries/routes.ts';
import { deliveryMetrics } from './metrics.ts';
import { ofEventUseCase } from './of-event/routes.ts';
import { previewUseCase } from './preview/routes.ts';
import { testSendUseCase } from './test-send/routes.ts';
import './tables.ts';

export { hasIntegrations } from './configuration/queries.ts';
export {
  countFailingIntegrations,
  createIntegration,
  pauseIntegration,
} from './configuration/service.ts';
export type { Installation } from './configuration/stored.ts';
export { deliverWith, type ImaginedReceiver } from './delivery/deliver-with.ts';
export { deliveriesChannel } from './delivery/queries/progress.ts';
export { type Backlog, listBacklogs } from './metrics.ts';
export { findProvider } from './providers/catalogue.ts';

export const integrations = defineModule({
  name: 'integrations',
  useCases: [configurationUseCase, previewUseCase, testSendUseCase, recordUseCase, ofEventUseCase],
  setUp: deliveryMetrics,
  forget: async (tx, userId) => {
    await updateForgottenRedelivery(tx, userId);
  },
  forgetEvents: eraseMessages,
  reseal: resealIntegrations,
  jobs: recordJobs,
});
