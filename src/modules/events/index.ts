import { defineModule } from '../../platform/module.ts';
import * as contract from './contract.ts';
import { jobs } from './jobs.ts';
import { checkpointContract, checkpointRoutes } from './proof/checkpoint.ts';
import { eventRoutes } from './routes.ts';
import './tables.ts';

export { defineEvent, type EventDefinition, type EventTag } from './define.ts';
export {
  type Checkpoint,
  signedText,
} from './proof/checkpoint.ts';
export { countNaming, forgetPerson } from './proof/forget.ts';
export {
  isSignedBy,
  keyIdOf,
  listSigningKeys,
  prepareSigningKey,
  rotateSigningKey,
} from './proof/signing.ts';
export { verifyLog } from './proof/verify.ts';
export { appendRecorded, record } from './record.ts';
export { type EventType, eventTypes } from './types.ts';

export const events = defineModule({
  name: 'events',
  contract: { ...contract, ...checkpointContract },
  routes: (app, services) => {
    eventRoutes(app, services);
    checkpointRoutes(app, services);
  },
  jobs,
});
