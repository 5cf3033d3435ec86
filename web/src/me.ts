import { useSuspenseQuery } from '@tanstack/react-query';
import type { Response } from './api.ts';
import { read } from './queries.ts';

export const meQuery = read('GET /api/admin/user', {});

export type Me = Response<'GET /api/admin/user'>;

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export const nameOf = ({ name, username, email, id }: Me['user']): string =>
  name ?? username ?? email ?? `User ${id}`;

interface Where {
  readonly project?: string;
  readonly environment?: string;
  /** Whether one of the environments is enough. */
  readonly inAnyEnvironment?: boolean;
}

/** Whether somebody has a permission, by what the server told of them. The server decides again. */
const may = (
  me: Me,
  permission: string,
  { project, environment, inAnyEnvironment = false }: Where = {},
): boolean =>
  me.permissions.some(
    (held) =>
      held.permission === 'ADMIN' ||
      (held.permission === permission &&
        (held.project === undefined || held.project === '*' || held.project === project) &&
        (inAnyEnvironment ||
          held.environment === undefined ||
          held.environment === '' ||
          held.environment === environment)),
  );

/** For lists of things of which some may be done. */
export function useMay(): (permission: string, where?: Where) => boolean {
  const me = useMe();
  return (permission, where) => may(me, permission, where);
}

function refusalOf(
  me: Me,
  permission: string | readonly string[],
  where: Where,
): string | undefined {
  const enough = typeof permission === 'string' ? [permission] : permission;
  if (enough.some((each) => may(me, each, where))) return undefined;
  const scope = where.project === undefined ? '' : ` in the project ${where.project}`;
  return `You need the permission ${enough.join(' or ')}${scope}. An owner or an administrator can give it to you.`;
}

/** Why something is disabled; undefined where it is not. One of several permissions is enough. */
export const useRefusal = (
  permission: string | readonly string[],
  where: Where = {},
): string | undefined => refusalOf(useMe(), permission, where);

/** For lists of things: why something may not be done in one of them. */
export function useRefusals(): (permission: string, where: Where) => string | undefined {
  const me = useMe();
  return (permission, where) => refusalOf(me, permission, where);
}

/** For a list of projects: why something may be done in none of them. Where it may in one, the list is no refusal. */
export function useRefusalInAll(): (
  permission: string,
  projects: readonly string[],
) => string | undefined {
  const me = useMe();
  return (permission, projects) => {
    const isAllowed = projects.some((project) =>
      may(me, permission, { project, inAnyEnvironment: true }),
    );
    if (isAllowed || projects.length === 0) return undefined;
    const [first, ...others] = projects;
    const where = others.length === 0 ? `the project ${first}` : 'the projects of these features';
    return `You need the permission ${permission} in ${where}. An owner or an administrator can give it to you.`;
  };
}
