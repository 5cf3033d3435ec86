/** Every page there is, on the data of the demo: each is looked at in light and dark, wide and narrow. */
export interface Visit {
  readonly path: string;
  /** What is there when the page has what it shows. */
  readonly heading: string | RegExp;
  /** For somebody who has not signed in. */
  readonly isPublic?: boolean;
}

export const visits: readonly Visit[] = [
  { path: '/login', heading: 'Sign in', isPublic: true },
  { path: '/login?error=account-unknown', heading: 'Sign in', isPublic: true },
  { path: '/forgotten-password', heading: 'Forgotten password', isPublic: true },
  { path: '/new-user?invite=nonsense', heading: 'Join', isPublic: true },
  { path: '/', heading: /^(Hello|Good)/ },
  { path: '/search', heading: 'Features' },
  {
    path: '/search?type=release,experiment&columns=project,type,state,lifecycle,tags,lastSeenAt,createdAt,createdBy,env:production',
    heading: 'Features',
  },
  { path: '/search?query=nothing-has-this-name', heading: 'Features' },
  { path: '/projects', heading: 'Projects' },
  { path: '/projects/web-shop/create-toggle', heading: 'New feature' },
  { path: '/projects/web-shop/create-toggle?as=json', heading: 'New feature' },
  { path: '/projects/web-shop', heading: 'Web shop' },
  { path: '/projects/web-shop/features/dark-mode', heading: 'dark-mode' },
  { path: '/insights', heading: 'Health' },
  { path: '/projects/web-shop/insights', heading: 'Web shop' },
  { path: '/projects/web-shop/health', heading: 'Web shop' },
  { path: '/projects/web-shop/health?reason=fullyOn&check=wishlists', heading: 'Web shop' },
  { path: '/applications', heading: 'Applications' },
  { path: '/applications/order-service', heading: 'order-service' },
  { path: '/unknown-flags', heading: 'Names that nobody made' },
  { path: '/unknown-flags?ignored=true', heading: 'Names that nobody made' },
  { path: '/history', heading: 'Event log' },
  { path: '/history?q=env:production&event=900', heading: 'Event log' },
  { path: '/integrations', heading: 'Integrations' },
  { path: '/integrations/create/webhook', heading: 'New integration: Webhook' },
  { path: '/integrations/create/slack-app', heading: 'New integration: Slack app' },
  { path: '/integrations/1', heading: 'Order service: clears its cache' },
  { path: '/integrations/1?state=givenUp&hours=720', heading: 'Order service: clears its cache' },
  { path: '/integrations/edit/1', heading: 'Settings of Order service: clears its cache' },
  { path: '/projects/web-shop/logs', heading: 'Web shop' },
  { path: '/profile', heading: 'Your account' },
  { path: '/profile?tab=sessions', heading: 'Your account' },
  { path: '/profile?tab=tokens', heading: 'Your account' },
  { path: '/profile?tab=access', heading: 'Your account' },
  { path: '/admin/users', heading: 'People' },
  { path: '/admin/users?invite=true', heading: 'People' },
  { path: '/admin/users/2', heading: /^(?!People$)./ },
  { path: '/admin/users/3?project=web-shop', heading: /^(?!People$)./ },
  { path: '/admin/roles', heading: 'Roles' },
  { path: '/admin/roles/2?compare=3', heading: 'Editor' },
  { path: '/admin/groups', heading: 'Groups' },
  { path: '/admin/api', heading: 'API tokens' },
  { path: '/admin/api?create=true', heading: 'API tokens' },
  { path: '/admin/service-accounts', heading: 'Service accounts' },
  { path: '/admin/invite-link', heading: 'Invite links' },
  { path: '/admin/auth', heading: 'Signing in' },
  { path: '/admin/cors', heading: 'Browser origins' },
  { path: '/admin/retention', heading: 'Retention' },
  { path: '/admin/maintenance', heading: 'Maintenance' },
  { path: '/admin/instance', heading: 'Instance' },
];
