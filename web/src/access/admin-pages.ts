/** The pages of the administration, for its navigation and for the palette. */
export const adminPages = [
  {
    to: '/admin/users',
    label: 'Users',
    group: 'Users and groups',
    words: 'people accounts invite teammate',
  },
  { to: '/admin/groups', label: 'Groups', group: 'Users and groups', words: 'teams' },
  {
    to: '/admin/service-accounts',
    label: 'Service accounts',
    group: 'Users and groups',
    words: 'robots machines ci tokens',
  },
  {
    to: '/admin/invite-link',
    label: 'Invite links',
    group: 'Users and groups',
    words: 'sign up join',
  },
  { to: '/admin/roles', label: 'Roles', group: 'Access', words: 'permissions rights' },
  { to: '/admin/api', label: 'API tokens', group: 'Access', words: 'secrets keys sdk' },
  {
    to: '/admin/auth',
    label: 'Authentication',
    group: 'Access',
    words: 'single sign-on openid oidc sso password sign in login',
  },
  {
    to: '/admin/cors',
    label: 'CORS origins',
    group: 'Access',
    words: 'browser frontend api',
  },
  {
    to: '/admin/edges',
    label: 'Edges',
    group: 'System',
    words: 'proxy relay latency region load',
  },
  {
    to: '/admin/retention',
    label: 'Event retention',
    group: 'System',
    words: 'keep delete days',
  },
  {
    to: '/admin/maintenance',
    label: 'Maintenance mode',
    group: 'System',
    words: 'read only freeze',
  },
  {
    to: '/admin/instance',
    label: 'Instance',
    group: 'System',
    words: 'version database disk memory statistics checkpoint',
  },
] as const;
