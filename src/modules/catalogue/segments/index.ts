import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { updateForgottenCreator } from './queries.ts';
import { segmentRoutes } from './routes.ts';

export { listForeignSegments } from './queries.ts';
export {
  changeSegment,
  createSegment,
  lockedSegmentFaults,
  lockSegmentsForUse,
  removeSegmentsOf,
  segmentFaults,
} from './service.ts';

import './tables.ts';

export const segments = defineModule({
  name: 'segments',
  contract: endpoints,
  routes: segmentRoutes,
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
  },
});
