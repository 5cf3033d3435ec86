/** The pages of the administration, for its navigation and for the palette. */
export const adminPages = [
  { to: '/admin/users', label: 'People', group: 'Who', words: 'users accounts invite colleague' },
  { to: '/admin/groups', label: 'Groups', group: 'Who', words: 'teams' },
  {
    to: '/admin/service-accounts',
    label: 'Service accounts',
    group: 'Who',
    words: 'robots machines ci tokens',
  },
  { to: '/admin/invite-link', label: 'Invite links', group: 'Who', words: 'sign up join' },
  { to: '/admin/roles', label: 'Roles', group: 'Access', words: 'permissions rights' },
  { to: '/admin/api', label: 'API tokens', group: 'Access', words: 'secrets keys sdk' },
  {
    to: '/admin/auth',
    label: 'Signing in',
    group: 'Access',
    words: 'openid oidc sso password authentication',
  },
  { to: '/admin/cors', label: 'Browser origins', group: 'Access', words: 'cors frontend api' },
  {
    to: '/admin/retention',
    label: 'Retention',
    group: 'Installation',
    words: 'events keep delete days',
  },
  {
    to: '/admin/maintenance',
    label: 'Maintenance',
    group: 'Installation',
    words: 'read only freeze',
  },
  {
    to: '/admin/instance',
    label: 'Instance',
    group: 'Installation',
    words: 'version database disk memory statistics checkpoint',
  },
] as const;
