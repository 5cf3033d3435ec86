import { checked } from '../../../../platform/http/checked.ts';
import { contract } from './contract.ts';

export const endpoints = checked(contract, {
  exportFeatures: ({ body: { features, tag, project } }) =>
    features === undefined && tag === undefined && project === undefined
      ? [{ path: '/body', message: '/body must name features, a tag or a project' }]
      : [],
});
