import { Alert, Badge, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useLocation } from '@tanstack/react-router';
import { ApiError } from '../../api.ts';
import { FollowButton } from '../../flags/follow.tsx';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { useActiveInView } from '../../ui/active-in-view.ts';
import { percent } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellProblem } from '../../ui/notices.tsx';
import { PageProblem } from '../../ui/page-problem.tsx';
import tabClasses from '../../ui/tabs.module.css';
import { reviveProject } from './archived-projects.tsx';
import { FavoriteStar } from './favorite.tsx';
import { ModeBadge } from './mode-badge.tsx';
import classes from './projects.module.css';
import { healthReason } from './words.ts';

const route = getRouteApi('/shell/projects/$projectId');

const tabs = [
  { to: '/projects/$projectId', label: 'Features', exact: true },
  { to: '/projects/$projectId/insights', label: 'Overview', exact: false },
  { to: '/projects/$projectId/health', label: 'Health', exact: false },
  { to: '/projects/$projectId/change-requests', label: 'Change requests', exact: true },
  { to: '/projects/$projectId/logs', label: 'Event log', exact: false },
  { to: '/projects/$projectId/archive', label: 'Archive', exact: false },
  { to: '/projects/$projectId/settings', label: 'Settings', exact: false },
] as const;

/** The header and tabs of a project. */
export function Project() {
  const { projectId } = route.useParams();
  const list = useActiveInView(useLocation({ select: ({ pathname }) => pathname }));
  const overview = useQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  );
  if (overview.isError) return <NotThere projectId={projectId} error={overview.error} />;
  const project = overview.data;
  return (
    <>
      <Breadcrumbs mb={4}>
        <PageLink to="/projects" size="sm">
          Projects
        </PageLink>
      </Breadcrumbs>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap={6} wrap="nowrap" align="center">
          <Title order={1} size="h2" className={classes.title}>
            {project?.name ?? projectId}
          </Title>
          {project && (
            <>
              <FavoriteStar id={projectId} name={project.name} favorite={project.favorite} />
              <ModeBadge mode={project.mode} />
            </>
          )}
        </Group>
        {project && <FollowButton project={projectId} name={project.name} />}
      </Group>
      <HealthSentence projectId={projectId} />
      <nav
        ref={list}
        aria-label={`Project ${project?.name ?? projectId}`}
        className={tabClasses.tabs}
      >
        {tabs.map(({ to, label, exact }) => (
          <Link
            key={to}
            to={to}
            params={{ projectId }}
            className={tabClasses.tab}
            activeOptions={{ exact, includeSearch: false }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

function HealthSentence({ projectId }: { readonly projectId: string }) {
  const health = useQuery(
    read('GET /api/admin/projects/:projectId/budget', { params: { projectId } }),
  ).data;
  if (!health) return <Text size="sm">&nbsp;</Text>;
  const { current, exceeded } = health;
  const { total, stale, potentiallyStale } = current;
  return (
    <Group gap={8} mt={2}>
      <Text size="sm" className="quiet tabular">
        <b>Health {percent(current.health)}</b> ·{' '}
        {healthReason({ features: total, stale, potentiallyStale })}
      </Text>
      {exceeded.length > 0 && (
        <Badge color="yellow" variant="light" tt="none" size="sm">
          Over budget
        </Badge>
      )}
    </Group>
  );
}

/** A project that is archived can come back from here; of any other that is not there, the server says why. */
function NotThere({ projectId, error }: { readonly projectId: string; readonly error: Error }) {
  const isMissing = error instanceof ApiError && error.status === 404;
  const archived = useQuery({
    ...read('GET /api/admin/projects', { query: { archived: 'true' } }),
    enabled: isMissing,
  }).data?.projects.find(({ id }) => id === projectId);
  const refusal = useRefusal('DELETE_PROJECT', { project: projectId });
  if (!archived) return <PageProblem error={error} />;
  return (
    <Stack>
      <Breadcrumbs>
        <PageLink to="/projects" search={{ archived: true }} size="sm">
          Archived projects
        </PageLink>
      </Breadcrumbs>
      <Title order={1} size="h2">
        {archived.name}
      </Title>
      <Alert color="yellow" title="This project is archived">
        <Text size="sm" mb="sm">
          Nothing has been deleted. Revive it to make it visible to its members again.
        </Text>
        <GuardedButton
          refusal={refusal}
          size="xs"
          onClick={() =>
            void reviveProject(projectId, archived.name).catch((problem: Error) =>
              tellProblem(`revive ${archived.name}`, problem),
            )
          }
        >
          Revive project
        </GuardedButton>
      </Alert>
    </Stack>
  );
}
