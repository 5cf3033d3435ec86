import { defineModule } from '../../platform/module.ts';
import { endpoints } from './checks.ts';
import { eventFigures } from './figures.ts';
import { jobs } from './jobs.ts';
import { checkpointContract } from './proof/checkpoint-contract.ts';
import { checkpointRoutes } from './proof/checkpoint-routes.ts';
import { eventRoutes } from './routes.ts';
import './tables.ts';

export { type EventType, eventTypes } from './contract/event-types.ts';
export { defineEvent, type EventDefinition, type EventTag } from './define.ts';
export { eventJson } from './event-json.ts';
export { retentionDaysSetting, retentionSetting } from './events.ts';
export { maxLimit, parseSearch } from './filter.ts';
export { firstEventOf, holdOrder } from './order.ts';
export type { Json, JsonObject } from './proof/canonical.ts';
export { signedText } from './proof/checkpoint.ts';
export type { Checkpoint } from './proof/checkpoint-contract.ts';
export {
  countNaming,
  type ErasureProgress,
  eraseEvents,
  erasureBegin,
  recordErasure,
} from './proof/forget.ts';
export { erasedName } from './proof/hash.ts';
export { listSigningKeys } from './proof/queries.ts';
export { findRetentionDays } from './proof/retention.ts';
export { isSignedBy, keyIdOfPem } from './proof/signed-by.ts';
export { prepareSigningKey, rotateSigningKey } from './proof/signing.ts';
export { findStructureFault } from './proof/structure.ts';
export { verifyLog } from './proof/verify.ts';
export { appendingRecorded, record, recordEach, recordedTypes } from './record.ts';
export { firstEventIn, isEventSeen } from './seen.ts';
export { eventsChannel } from './tail/following.ts';

export const events = defineModule({
  name: 'events',
  contract: { ...endpoints, ...checkpointContract },
  routes: (app, services) => {
    eventRoutes(app, services);
    checkpointRoutes(app, services);
    eventFigures(services);
  },
  jobs,
});
