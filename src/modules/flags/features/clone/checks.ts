import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { contract } from './contract.ts';

/** The path names the receiver. Who names another in the body means something that would not happen. */
const projectFaults = (wished: string | undefined, projectId: string | undefined): Fault[] =>
  wished === undefined || wished === projectId
    ? []
    : [
        {
          path: '/body/project',
          message: `/body/project must be the project of the path, '${projectId}', or be left out; you sent '${wished}'`,
        },
      ];

/** Two copies of one list cannot have one name. */
function repeated(copies: readonly { name?: string }[]): Fault[] {
  const names = new Set<string | undefined>();
  return copies.flatMap(({ name }, index) => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    const path = `/body/features/${index}/name`;
    return [{ path, message: `${path} '${name}' is used twice` }];
  });
}

export const endpoints = checked(contract, {
  cloneFeature: ({ params, body }) => projectFaults(body.project, params.projectId),
  cloneFeatures: ({ params, body }) => [
    ...projectFaults(body.project, params.projectId),
    ...repeated(body.features ?? []),
  ],
});
