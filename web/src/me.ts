import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { Response } from './api.ts';
import { queryClient, read } from './queries.ts';
import { requirement } from './requirement.ts';

export const meQuery = read('GET /api/admin/user', {});

export type Me = Response<'GET /api/admin/user'>;

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export const nameOf = ({ name, username, email, id }: Me['user']): string =>
  name ?? username ?? email ?? `User ${id}`;

interface Where {
  readonly project?: string;
  readonly environment?: string;
  /** Whether one of the projects is enough. */
  readonly inAnyProject?: boolean;
  /** Whether one of the environments is enough. */
  readonly inAnyEnvironment?: boolean;
  /** Whether the change is one of all environments, which the permission alone doesn't say. */
  readonly concernsAllEnvironments?: boolean;
}

/** Whether a user has a permission. The server checks again. */
export const may = (
  me: Me,
  permission: string,
  { project, environment, inAnyProject = false, inAnyEnvironment = false }: Where = {},
): boolean =>
  me.permissions.some(
    (held) =>
      held.permission === 'ADMIN' ||
      (held.permission === permission &&
        (inAnyProject ||
          held.project === undefined ||
          held.project === '*' ||
          held.project === project) &&
        (inAnyEnvironment ||
          held.environment === undefined ||
          held.environment === '' ||
          held.environment === environment)),
  );

/** For lists of which only some entries are allowed. */
export function useMay(): (permission: string, where?: Where) => boolean {
  const me = useMe();
  return (permission, where) => may(me, permission, where);
}

/** With the names of the project and its owners, from the list of projects that every page loads. */
function requirementIn(needed: readonly string[], project: string): string {
  const list = queryClient.getQueryData(read('GET /api/admin/projects', {}).queryKey)?.projects;
  const { name = project, owners = [] } = list?.find(({ id }) => id === project) ?? {};
  return requirement(
    needed,
    `project ${name}`,
    owners.flatMap((owner) => owner.name ?? []),
  );
}

/** Permissions for changes of one environment, which everyone can propose if changes there need approval. */
const inEnvironment = new Set([
  'UPDATE_FEATURE_ENVIRONMENT',
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'PROJECT_DEFAULT_STRATEGY_WRITE',
]);
/** Permissions for changes that concern all environments. */
const inAllEnvironments = new Set([
  'CREATE_FEATURE',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
]);

type Protected = (project: string | undefined) => readonly string[];

/** The environments of a project in which changes need approval, from the list that every page loads. */
export function useProtectedEnvironments(): Protected {
  const projects = useQuery({
    ...read('GET /api/admin/projects', {}),
    notifyOnChangeProps: ['data'],
  }).data?.projects;
  return (project) => projects?.find(({ id }) => id === project)?.changeRequestEnvironments ?? [];
}

/** Whether a change becomes a proposal, which needs no permission. */
function isProposed(
  permission: string,
  { environment, inAnyEnvironment = false, concernsAllEnvironments = false }: Where,
  protectedEnvironments: readonly string[],
): boolean {
  if (concernsAllEnvironments || inAllEnvironments.has(permission)) {
    return protectedEnvironments.length > 0;
  }
  if (!inEnvironment.has(permission)) return false;
  return environment === undefined
    ? inAnyEnvironment && protectedEnvironments.length > 0
    : protectedEnvironments.includes(environment);
}

function refusalOf(
  me: Me,
  permission: string | readonly string[],
  where: Where,
  protectedOf: Protected,
): string | undefined {
  const enough = typeof permission === 'string' ? [permission] : permission;
  if (enough.some((each) => may(me, each, where))) return undefined;
  if (enough.some((each) => isProposed(each, where, protectedOf(where.project)))) return undefined;
  const { project } = where;
  if (project === undefined) return requirement(enough);
  return requirementIn(enough, project);
}

/** Why something is disabled; undefined if it isn't. One of several permissions is enough. */
export const useRefusal = (
  permission: string | readonly string[],
  where: Where = {},
): string | undefined => refusalOf(useMe(), permission, where, useProtectedEnvironments());

/** A revived feature is back in all environments, so that it needs approval if one of them does. */
export const useReviveRefusal = (project: string): string | undefined =>
  useRefusal('UPDATE_FEATURE', { project, concernsAllEnvironments: true });

/** The same for each entry of a list. */
export function useRefusals(): (
  permission: string | readonly string[],
  where: Where,
) => string | undefined {
  const me = useMe();
  const protectedOf = useProtectedEnvironments();
  return (permission, where) => refusalOf(me, permission, where, protectedOf);
}

/** Why something can't be done in any of these projects; undefined if it can be done in one. */
export function useRefusalInAll(): (
  permission: string,
  projects: readonly string[],
  options?: Pick<Where, 'concernsAllEnvironments'>,
) => string | undefined {
  const me = useMe();
  const protectedOf = useProtectedEnvironments();
  return (permission, projects, options = {}) => {
    const isAllowed = projects.some((project) => {
      const where = { project, inAnyEnvironment: true, ...options };
      return may(me, permission, where) || isProposed(permission, where, protectedOf(project));
    });
    if (isAllowed || projects.length === 0) return undefined;
    const [first, ...others] = projects;
    return others.length === 0
      ? requirementIn([permission], first ?? '')
      : requirement([permission], "these features' projects");
  };
}
