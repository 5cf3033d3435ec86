import { defineModule } from '../../platform/module.ts';
import { beginHistory } from './catch-up.ts';
import { differenceUseCase } from './difference/routes.ts';
import { incidentUseCase } from './incident/routes.ts';
import { jobs } from './jobs.ts';
import { lookups } from './lookups.ts';

export { type AsOf, type Past, readPast } from './as-of.ts';
export { evaluationsBetween } from './incident/service.ts';

import './tables.ts';

/** How everything was after any event, computed from the log (ADR 41). */
export const history = defineModule({
  name: 'history',
  useCases: [differenceUseCase, incidentUseCase],
  firstStart: beginHistory,
  lookups,
  jobs,
});
