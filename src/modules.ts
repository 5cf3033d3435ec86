import { access } from './modules/access/index.ts';
import { events } from './modules/events/index.ts';

/** The parts of the service, lowest first. */
export const modules = [events, access] as const;
