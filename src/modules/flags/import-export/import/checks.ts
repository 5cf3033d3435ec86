import type { Checks } from '../../../../platform/http/checked.ts';
import type { contract, ImportRequest } from './contract.ts';
import { documentFaults } from './plan/document-faults.ts';

const check = ({ body }: { body: Partial<ImportRequest> }) =>
  body.data ? documentFaults(body.data, '/body/data') : [];

export const checks = {
  validateImport: check,
  importFeatures: check,
} satisfies Checks<typeof contract>;
