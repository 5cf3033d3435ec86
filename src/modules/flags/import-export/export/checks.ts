import type { Checks } from '../../../../platform/http/checked.ts';
import type { contract } from './contract.ts';

export const checks = {
  exportFeatures: ({ body: { features, tag, project } }) =>
    features === undefined && tag === undefined && project === undefined
      ? [{ path: '/body', message: '/body must name features, a tag, or a project' }]
      : [],
} satisfies Checks<typeof contract>;
