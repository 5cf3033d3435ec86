import { access } from './modules/access/index.ts';

/** The parts of the service, lowest first. */
export const modules = [access] as const;
