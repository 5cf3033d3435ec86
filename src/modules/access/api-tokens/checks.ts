import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { type CreateToken, type contract, typeOf } from './contract.ts';
import { everywhere } from './scope.ts';

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` });

type CreateTokenRequest = { readonly body: Partial<CreateToken> };

const nameFaults = ({ tokenName, username }: Partial<CreateToken>): Fault[] =>
  tokenName === undefined && username === undefined
    ? [fault('/body/tokenName', 'is missing: every token needs a name')]
    : [];

function reachFaults({ type, environment, project, projects }: Partial<CreateToken>): Fault[] {
  if (type !== undefined && typeOf(type) === 'admin') {
    const named = { environment, project, projects: projects?.find((id) => id !== everywhere) };
    return Object.entries(named)
      .filter(([, value]) => value !== undefined && value !== everywhere)
      .map(([key]) =>
        fault(
          `/body/${key}`,
          'must be omitted: an admin token covers all projects and environments',
        ),
      );
  }
  if (!projects?.length) return [];
  const faults: Fault[] = [];
  if (project !== undefined && (projects.length > 1 || projects[0] !== project)) {
    faults.push(fault('/body/project', 'differs from /body/projects'));
  }
  if (projects.length > 1 && projects.includes(everywhere)) {
    faults.push(
      fault('/body/projects', `contains both ${everywhere}, which means all, and other projects`),
    );
  }
  return faults;
}

/** Faults of combinations of fields. */
const faultsOf = ({ body }: CreateTokenRequest): Fault[] => [
  ...nameFaults(body),
  ...reachFaults(body),
];

/** The same for a token that is created in a project. */
function faultsInProject({
  params,
  body,
}: CreateTokenRequest & { params: { projectId: string } }): Fault[] {
  const { project, projects, type } = body;
  const faults = nameFaults(body);
  if (type !== undefined && typeOf(type) === 'admin') {
    faults.push(
      fault('/body/type', 'must be client or frontend: an admin token belongs to no project'),
    );
  }
  for (const [key, named] of [
    ['project', project === undefined ? [] : [project]],
    ['projects', projects ?? []],
  ] as const) {
    if (named.some((id) => id !== params.projectId)) {
      faults.push(
        fault(`/body/${key}`, `must not name a project other than '${params.projectId}'`),
      );
    }
  }
  return faults;
}

export const checks = {
  createApiToken: faultsOf,
  createProjectApiToken: faultsInProject,
} satisfies Checks<typeof contract>;
