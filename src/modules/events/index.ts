import { defineModule } from '../../platform/module.ts';
import * as contract from './contract.ts';
import { jobs } from './jobs.ts';
import { eventRoutes } from './routes.ts';
import './tables.ts';

export { type DefinedEvent, defineEvent, type EventDefinition, type EventTag } from './define.ts';
export { appendRecorded, record } from './record.ts';
export { type EventType, eventTypes } from './types.ts';

export const events = defineModule({ name: 'events', contract, routes: eventRoutes, jobs });
