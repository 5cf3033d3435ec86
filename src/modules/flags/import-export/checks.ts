import { checked } from '../../../platform/http/checked.ts';
import { contract, type ImportRequest } from './contract/endpoints.ts';
import { documentFaults } from './plan/document-faults.ts';

const check = ({ body }: { body: Partial<ImportRequest> }) =>
  body.data ? documentFaults(body.data, '/body/data') : [];

export const endpoints = checked(contract, {
  exportFeatures: ({ body: { features, tag: tagged, project } }) =>
    features === undefined && tagged === undefined && project === undefined
      ? [{ path: '/body', message: '/body must name features, a tag or a project' }]
      : [],
  validateImport: check,
  importFeatures: check,
});
