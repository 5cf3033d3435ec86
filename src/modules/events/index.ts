export { type DefinedEvent, defineEvent, type EventTag } from './define.ts';
export { appendRecorded, record } from './record.ts';

import './tables.ts';
