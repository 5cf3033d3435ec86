import { defineModule } from '../../platform/module.ts';
import './tables.ts';

export { maxDocumentBytes, parseDocument } from './check/parse-document.ts';
export type { Installation } from './document.ts';
export { cutOver, findCutOver, isChangedSince, migrate, planForNew, planFrom } from './migrate.ts';
export { oneImportAtATime } from './one-at-a-time.ts';
export { readOwn } from './own/read.ts';
export type { Finding, Plan } from './plan.ts';
export { findingLines, kindLines, planJson, planText } from './report.ts';
export { createSync } from './sync.ts';
export { createReadingClient, type ReadingClient } from './unleash/client.ts';
export { readUnleash } from './unleash/read.ts';
export { readEnvironments } from './unleash/read-catalogue.ts';
export { readApplications, readTokens } from './unleash/read-connections.ts';
export { environmentsInUse } from './verify/in-use.ts';
export {
  compareDefinitions,
  readOwnDefinition,
  readTheirDefinition,
  type Verification,
} from './verify/verify.ts';

export const migration = defineModule({ name: 'migration', useCases: [] });
