import {
  IconAdjustments,
  IconApi,
  IconApps,
  IconBell,
  IconCalendar,
  IconDevices,
  IconFlag,
  IconFolders,
  IconGitPullRequest,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconKey,
  IconPlug,
  IconQuestionMark,
  IconSettings,
  IconTestPipe,
  IconUrgent,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { basePath } from '../../api.ts';
import { cataloguePages } from '../../catalogue/catalogue-pages.ts';
import { useMay } from '../../me.ts';
import { allowedPages } from '../allowed-pages.ts';
import { keysTo } from '../shortcuts.ts';
import type { Thing } from './things.ts';

/** All pages that the user can open. */
export function usePages(): readonly Thing[] {
  const navigate = useNavigate();
  const may = useMay();
  return [
    {
      id: 'page home',
      keys: keysTo('/'),
      label: 'Home',
      icon: <IconHome size={16} />,
      run: () => void navigate({ to: '/' }),
    },
    {
      id: 'page features',
      keys: keysTo('/search'),
      label: 'Features',
      words: 'flags toggles search',
      icon: <IconFlag size={16} />,
      run: () => void navigate({ to: '/search' }),
    },
    {
      id: 'page projects',
      keys: keysTo('/projects'),
      label: 'Projects',
      icon: <IconFolders size={16} />,
      run: () => void navigate({ to: '/projects' }),
    },
    {
      id: 'page playground',
      keys: keysTo('/playground'),
      label: 'Playground',
      words: 'evaluate context why explain try test',
      icon: <IconTestPipe size={16} />,
      run: () => void navigate({ to: '/playground' }),
    },
    {
      id: 'page events',
      keys: keysTo('/history'),
      label: 'Event log',
      words: 'history audit changes',
      icon: <IconHistory size={16} />,
      run: () => void navigate({ to: '/history' }),
    },
    {
      id: 'page incident view',
      label: 'Incident view',
      words: 'outage post-mortem rollback what changed',
      icon: <IconUrgent size={16} />,
      run: () => void navigate({ to: '/incident' }),
    },
    {
      id: 'page change requests',
      label: 'Change requests',
      words: 'approve review proposals drafts',
      icon: <IconGitPullRequest size={16} />,
      run: () => void navigate({ to: '/change-requests' }),
    },
    {
      id: 'page calendar',
      label: 'Calendar',
      words: 'schedules scheduled changes ical',
      icon: <IconCalendar size={16} />,
      run: () => void navigate({ to: '/calendar' }),
    },
    {
      id: 'page integrations',
      keys: keysTo('/integrations'),
      label: 'Integrations',
      words: 'webhooks slack teams deliveries addons',
      icon: <IconPlug size={16} />,
      run: () => void navigate({ to: '/integrations' }),
    },
    {
      id: 'page new webhook',
      label: 'New webhook',
      words: 'integration create add receiver',
      icon: <IconPlug size={16} />,
      run: () =>
        void navigate({
          to: '/integrations/create/$provider',
          params: { provider: 'webhook' },
        }),
    },
    {
      id: 'page health',
      keys: keysTo('/insights'),
      label: 'Health',
      words: 'insights stale debt budget',
      icon: <IconHeartbeat size={16} />,
      run: () => void navigate({ to: '/insights' }),
    },
    {
      id: 'page applications',
      keys: keysTo('/applications'),
      label: 'Applications',
      words: 'sdk instances clients',
      icon: <IconApps size={16} />,
      run: () => void navigate({ to: '/applications' }),
    },
    {
      id: 'page unknown names',
      label: 'Unknown flags',
      words: 'features names typos',
      icon: <IconQuestionMark size={16} />,
      run: () => void navigate({ to: '/unknown-flags' }),
    },
    {
      id: 'page account',
      keys: keysTo('/profile'),
      label: 'Your account',
      words: 'profile password',
      icon: <IconUser size={16} />,
      run: () => void navigate({ to: '/profile' }),
    },
    {
      id: 'page following',
      label: 'Following',
      words: 'follow email notifications',
      icon: <IconBell size={16} />,
      run: () => void navigate({ to: '/profile', search: { tab: 'following' } }),
    },
    {
      id: 'page sessions',
      label: 'Sessions',
      words: 'devices browsers',
      icon: <IconDevices size={16} />,
      run: () => void navigate({ to: '/profile', search: { tab: 'sessions' } }),
    },
    {
      id: 'page tokens',
      label: 'Personal access tokens',
      words: 'pat api key secret',
      icon: <IconKey size={16} />,
      run: () => void navigate({ to: '/profile', search: { tab: 'tokens' } }),
    },
    ...cataloguePages.map(
      ({ to, label, words }): Thing => ({
        id: `page ${to}`,
        label,
        words: `configuration ${words}`,
        icon: <IconAdjustments size={16} />,
        run: () => void navigate({ to }),
      }),
    ),
    ...allowedPages(may).map(
      ({ to, label, words }): Thing => ({
        id: `page ${to}`,
        label,
        words: `administration ${words}`,
        icon: <IconSettings size={16} />,
        run: () => void navigate({ to }),
      }),
    ),
    {
      id: 'page api',
      label: 'API reference',
      words: 'documentation openapi swagger',
      icon: <IconApi size={16} />,
      run: () => window.location.assign(`${basePath}docs/openapi`),
    },
  ];
}
