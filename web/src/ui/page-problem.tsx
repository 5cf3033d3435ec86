import { Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { PageLink } from './link.tsx';
import { Problem } from './problem.tsx';

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
  ['/integrations', 'Integration', 'All integrations'],
  ['/applications', 'Application', 'All applications'],
  ['/projects', 'Project', 'All projects'],
] as const;

/** Instead of a page that couldn't be read. Something that doesn't exist is no error, and needs a way back. */
export function PageProblem({ error }: { readonly error: unknown }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  if (!(error instanceof ApiError) || error.status !== 404) return <Problem error={error} />;
  const [to, kind, label] = lists.find(([path]) => pathname.startsWith(`${path}/`)) ?? [
    '/',
    'Page',
    'Back to Home',
  ];
  return (
    <Stack className="card" align="center" p={{ base: 'md', sm: 48 }} gap="xs">
      <Title order={1} size="h3" ta="center">
        {kind} not found
      </Title>
      <Text ta="center" className="long-name">
        {error.message}
      </Text>
      <Text className="quiet" ta="center">
        It may have been deleted or renamed, or you may not have access to it.
      </Text>
      <PageLink to={to}>{label}</PageLink>
    </Stack>
  );
}
