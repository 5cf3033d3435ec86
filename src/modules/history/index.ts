import { defineModule } from '../../platform/module.ts';
import { beginHistory } from './catch-up.ts';
import { differenceUseCase } from './difference/routes.ts';
import { incidentUseCase } from './incident/routes.ts';
import { jobs } from './jobs.ts';
import { lookups } from './lookups.ts';

export { type AsOf, getEventAt, type Past, readPast } from './as-of.ts';
export {
  type EventChanges,
  nameOfThing,
  readEventChanges,
  readPresentStates,
  type StateChange,
  withCompanions,
} from './event-changes.ts';
export { type LoggedEvent, subjectsOf } from './fold.ts';
export { evaluationsBetween } from './incident/service.ts';
export { listLastRemovals, listNamedEvents, type NamedEvent } from './last-changes.ts';
export { createReadAt, reachEventAt } from './read-at.ts';
export type {
  FeatureEnvironmentState,
  FeatureState,
  Kind,
  States,
  Subject,
} from './states.ts';
export type { CurrentState, Thing } from './world.ts';

import './tables.ts';

/** How everything was after any event, computed from the log (ADR 41). */
export const history = defineModule({
  name: 'history',
  useCases: [differenceUseCase, incidentUseCase],
  firstStart: beginHistory,
  lookups,
  jobs,
});
