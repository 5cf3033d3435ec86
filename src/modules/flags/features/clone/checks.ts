import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { contract } from './contract.ts';

/** The path names the target project. A body that names another project is a mistake. */
const projectFaults = (project: string | undefined, projectId: string | undefined): Fault[] =>
  project === undefined || project === projectId
    ? []
    : [
        {
          path: '/body/project',
          message: `/body/project must be the project in the path, '${projectId}', or be omitted; you sent '${project}'`,
        },
      ];

function repeatedNames(copies: readonly { name?: string }[]): Fault[] {
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

export const checks = {
  cloneFeature: ({ params, body }) => projectFaults(body.project, params.projectId),
  cloneFeatures: ({ params, body }) => [
    ...projectFaults(body.project, params.projectId),
    ...repeatedNames(body.features ?? []),
  ],
} satisfies Checks<typeof contract>;
