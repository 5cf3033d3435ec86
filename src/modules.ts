import { access } from './modules/access/index.ts';
import { environments } from './modules/environments/index.ts';
import { events } from './modules/events/index.ts';
import { projects } from './modules/projects/index.ts';

/** The parts of the service, lowest first. */
export const modules = [events, access, environments, projects] as const;
