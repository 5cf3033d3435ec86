import { defineModule } from '../../../platform/module.ts';
import {
  changedChangeRequestSettings,
  removingEnvironment,
} from '../../catalogue/projects/index.ts';
import { proposingChanges } from '../../flags/features/index.ts';
import { playgroundUseCase } from './playground/routes.ts';
import { previewUseCase } from './preview/routes.ts';
import { proposeUseCase } from './propose/routes.ts';
import { propose } from './propose/service.ts';
import { updateForgottenPerson } from './queries.ts';
import { readUseCase } from './read/routes.ts';
import { reviewUseCase } from './review/routes.ts';
import { announceSchedule } from './state/queries.ts';
import { stateUseCase } from './state/routes.ts';
import { startScheduler } from './state/scheduler.ts';
import { cancelAllIn } from './state/service.ts';

export { presentUser, titleOf } from './present.ts';
export { type ImportedChange, importRequest } from './propose/import.ts';
export { createProposeInstead } from './propose/instead.ts';
export { listNames } from './read/queries.ts';
export { countWaiting } from './read/service.ts';

import './tables.ts';

export const changeRequests = defineModule({
  name: 'change-requests',
  useCases: [
    readUseCase,
    proposeUseCase,
    reviewUseCase,
    stateUseCase,
    playgroundUseCase,
    previewUseCase,
  ],
  hooks: [
    removingEnvironment.handledBy(cancelAllIn),
    // Requests may expire earlier now.
    changedChangeRequestSettings.handledBy(async (tx) => void (await announceSchedule(tx))),
    proposingChanges.handledBy(async (tx, { place, changes, onProposed }) => {
      const placed = changes.map((change, index) => ({ change, at: `/body/${index}` }));
      onProposed((await propose(tx, place, placed)).id);
    }),
  ],
  forget: updateForgottenPerson,
  start: startScheduler,
});
