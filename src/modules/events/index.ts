import { defineModule } from '../../platform/module.ts';
import * as contract from './contract.ts';
import { jobs } from './jobs.ts';
import { eventRoutes } from './routes.ts';
import './tables.ts';

export {
  type Checkpoint,
  checkpointContract,
  checkpointRoutes,
  signedText,
} from './checkpoint.ts';
export { type DefinedEvent, defineEvent, type EventDefinition, type EventTag } from './define.ts';
export { countNaming, forgetPerson } from './forget.ts';
export { appendRecorded, record } from './record.ts';
export { retentionJob } from './retention.ts';
export {
  isSignedBy,
  keyIdOf,
  listSigningKeys,
  prepareSigningKey,
  rotateSigningKey,
} from './signing.ts';
export { type EventType, eventTypes } from './types.ts';
export { verifyLog } from './verify.ts';

export const events = defineModule({ name: 'events', contract, routes: eventRoutes, jobs });
