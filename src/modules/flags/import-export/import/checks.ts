import { checked } from '../../../../platform/http/checked.ts';
import { contract, type ImportRequest } from './contract.ts';
import { documentFaults } from './plan/document-faults.ts';

const check = ({ body }: { body: Partial<ImportRequest> }) =>
  body.data ? documentFaults(body.data, '/body/data') : [];

export const endpoints = checked(contract, {
  validateImport: check,
  importFeatures: check,
});
