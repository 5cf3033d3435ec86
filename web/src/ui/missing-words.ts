import { requirement } from '../requirement.ts';

/** What a page shows, and the list to go back to. */
const lists = [
  ['/admin/users', 'User', 'All users'],
  ['/admin/roles', 'Role', 'All roles'],
  ['/segments', 'Segment', 'All segments'],
  ['/context', 'Context field', 'All context fields'],
  ['/strategies', 'Strategy type', 'All strategy types'],
  ['/tag-types', 'Tag type', 'All tag types'],
  ['/feature-toggle-type', 'Feature type', 'All feature types'],
  ['/environments', 'Environment', 'All environments'],
  ['/integrations/create', 'Provider', 'All integrations'],
  ['/integrations', 'Integration', 'All integrations'],
  ['/applications', 'Application', 'All applications'],
  ['/projects', 'Project', 'All projects'],
] as const;

/** The list of providers is the one of integrations. */
const listOf = (path: (typeof lists)[number][0]) =>
  path === '/integrations/create' ? '/integrations' : path;

/** A change request is below its project in the address. */
const requestPath = /^\/projects\/[^/]+\/change-requests\/[^/]+$/;

const permissionId = /\b(?:ADMIN|[A-Z]+(?:_[A-Z]+)+)\b/g;

/** "Project hr", if a message says only that it was not found. */
const missingThing = (message: string): string | undefined =>
  /^(.+) not found$/.exec(message)?.[1]?.replace(/'(.+)'$/, '$1');

const home = { to: '/', label: 'Back to Home' } as const;

/** What a page says if there is nothing to show: why, who can help, and where to go. */
export function missingWords(
  { status, message }: { readonly status: number; readonly message: string },
  pathname: string,
) {
  const [path, kind, label] = lists.find(([start]) => pathname.startsWith(`${start}/`)) ?? [];
  const inProject = path === '/projects';
  const back = path === undefined ? home : { to: listOf(path), label };
  if (status === 403) {
    const needed = message.match(permissionId);
    return {
      title: "You don't have access to this page",
      text: needed ? requirement([...new Set(needed)]) : message,
      hint: undefined,
      // The list needs the same permission.
      ...(pathname.startsWith('/admin') ? home : back),
    };
  }
  const thing = missingThing(message);
  if (requestPath.test(pathname) && message.startsWith('Change request')) {
    return {
      title: 'Change request not found',
      text: undefined,
      hint: `${thing ?? 'It'} may be someone else's draft, or may have been discarded.`,
      to: '/change-requests',
      label: 'All change requests',
    } as const;
  }
  return {
    title: `${kind ?? 'Page'} not found`,
    text: thing === undefined ? message : undefined,
    hint: inProject
      ? `${thing ?? 'It'} may have been archived or deleted, or it may be private. Ask an owner of the project or an admin for access.`
      : `${thing ?? 'It'} may have been deleted or renamed, or you may not have access to it. If you need it, ask an admin.`,
    ...back,
  };
}
