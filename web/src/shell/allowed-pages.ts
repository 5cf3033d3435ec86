import { adminPages } from '../access/admin-pages.ts';

type AdminPage = (typeof adminPages)[number];

/** The permissions with which a page of the administration can be opened; one of them is enough. */
const needed: Readonly<Record<AdminPage['to'], readonly string[]>> = {
  '/admin/users': ['ADMIN'],
  '/admin/groups': ['ADMIN'],
  '/admin/service-accounts': ['ADMIN'],
  '/admin/invite-link': ['ADMIN'],
  '/admin/roles': ['READ_ROLE'],
  '/admin/api': ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  '/admin/auth': ['UPDATE_AUTH_CONFIGURATION'],
  '/admin/cors': ['UPDATE_CORS'],
  '/admin/edges': ['ADMIN'],
  '/admin/retention': ['ADMIN'],
  '/admin/maintenance': ['UPDATE_MAINTENANCE_MODE'],
  '/admin/instance': ['ADMIN'],
};

/** The pages of the administration that someone with these permissions can open. */
export const allowedPages = (may: (permission: string) => boolean): readonly AdminPage[] =>
  adminPages.filter(({ to }) => needed[to].some(may));
