import { defineModule } from '../../platform/module.ts';
import { jobs } from './jobs.ts';
import { eventMetrics } from './metrics.ts';
import { oneEventUseCase } from './one-event/routes.ts';
import { checkpointUseCase } from './proof/checkpoint-routes.ts';
import { deleteRecipient } from './recipients.ts';
import { eventUseCase } from './search/routes.ts';
import './tables.ts';

export { eventJson } from './event-json.ts';
export {
  type EventType,
  eventLabels,
  eventTypes,
  isEventType,
  typesOfOthers,
} from './event-types-schema.ts';
export { retentionSetting } from './events.ts';
export { findLastEventId, listEventsSince } from './feature-history.ts';
export { readLog } from './log-state.ts';
export { canonical, type Json, type JsonObject, sha256 } from './proof/canonical.ts';
export { contentOf, fits } from './proof/chain.ts';
export { type AnyCheckpoint, checkpointFormat, signedText } from './proof/checkpoint.ts';
export type { Checkpoint } from './proof/checkpoint-contract.ts';
export type { LogFault } from './proof/diagnose.ts';
export {
  countEventsNaming,
  type ErasureProgress,
  eraseEvents,
  erasureStart,
  recordErasure,
} from './proof/forget.ts';
export { type Content, erasedName } from './proof/hash.ts';
export { getHead, listSigningKeys } from './proof/queries.ts';
export { retentionJob } from './proof/retention.ts';
export { isSignedBy, readPublicKeys } from './proof/signed-by.ts';
export { prepareSigningKey, rotateSigningKey } from './proof/signing.ts';
export { findStructureFault, namesOf } from './proof/structure.ts';
export { type Verification, verifyLog } from './proof/verify.ts';
export { verifyEnd } from './proof/verify-end.ts';
export { findRetentionFault } from './proof/verify-removal.ts';
export {
  claimDirectEmails,
  type DirectEmail,
  releaseDirectEmails,
  updateDirectEmail,
} from './recipients.ts';
export {
  defineEvent,
  type EventDefinition,
  type EventDraft,
  type EventTag,
  findDefinition,
  type Words,
} from './record/define.ts';
export { lockEventLog, reserveFirstEventId } from './record/order.ts';
export { personName } from './record/person-name.ts';
export {
  actAs,
  appendingRecorded,
  attributeEvents,
  attributeReverts,
  commentEvents,
  describeRecorded,
  listRecorded,
  measureRecorded,
  record,
  recordEach,
  recordedTypes,
  replaceRecorded,
  withoutRecording,
} from './record/record.ts';
export { markdown } from './record/summary.ts';
export { maxLimit, parseSearch } from './search/filter.ts';
export { absoluteUrl, plainText, readSentence, type Span } from './sentence.ts';
export { firstEventIdOf, isEventVisible } from './visibility.ts';

export const events = defineModule({
  name: 'events',
  useCases: [eventUseCase, oneEventUseCase, checkpointUseCase],
  setUp: eventMetrics,
  forget: deleteRecipient,
  jobs,
});
