import { Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { PageLink } from './link.tsx';
import { Problem } from './problem.tsx';

/** Where the others are. */
const lists = [
  ['/admin/users', 'All people'],
  ['/admin/roles', 'All roles'],
  ['/segments', 'All segments'],
  ['/integrations', 'All integrations'],
  ['/applications', 'All applications'],
  ['/projects', 'All projects'],
] as const;

/** Instead of a page that could not be read: what is not there is no fault, and needs a way on. */
export function PageProblem({ error }: { readonly error: unknown }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  if (!(error instanceof ApiError) || error.status !== 404) return <Problem error={error} />;
  const [to, label] = lists.find(([path]) => pathname.startsWith(`${path}/`)) ?? [
    '/',
    'Go to Home',
  ];
  return (
    <Stack className="card" align="center" p={{ base: 'md', sm: 48 }} gap="xs">
      <Title order={1} size="h3" ta="center" style={{ overflowWrap: 'anywhere' }}>
        {error.message}
      </Title>
      <Text className="quiet" ta="center">
        It may be deleted, have another name now, or be hidden from you.
      </Text>
      <PageLink to={to}>{label}</PageLink>
    </Stack>
  );
}
