export { listUses } from './queries.ts';
export type { Uses } from './uses-schema.ts';
