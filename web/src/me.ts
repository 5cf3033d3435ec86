import { useSuspenseQuery } from '@tanstack/react-query';
import type { Response } from './api.ts';
import { read } from './queries.ts';
import { requirement } from './requirement.ts';

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
  return requirement(enough, where.project === undefined ? undefined : `project ${where.project}`);
}

/** Why something is disabled; undefined where it is not. One of several permissions is enough. */
export const useRefusal = (
  permission: string | readonly string[],
  where: Where = {},
): string | undefined => refusalOf(useMe(), permission, where);

/** For lists of things: why something may not be done in one of them. */
export function useRefusals(): (
  permission: string | readonly string[],
  where: Where,
) => string | undefined {
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
    return requirement(
      [permission],
      others.length === 0 ? `project ${first}` : "these features' projects",
    );
  };
}
