import { defineModule } from '../../../platform/module.ts';
import { updateForgottenCreator } from './queries.ts';
import { segmentUseCase } from './routes.ts';

export { listForeignSegments, listSegmentNames, lockSegment } from './queries.ts';
export {
  changeSegment,
  createSegment,
  lockedSegmentFaults,
  lockSegmentsForUse,
  removeSegment,
  removeSegmentsOf,
  segmentFaults,
} from './service.ts';

export { segmentUseCase };

import './tables.ts';

export const segments = defineModule({
  name: 'segments',
  useCases: [segmentUseCase],
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
  },
});
