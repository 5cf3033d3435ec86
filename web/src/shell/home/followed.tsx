import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, type Response } from '../../api.ts';
import { followsQuery } from '../../flags/follow.tsx';
import { PageLink } from '../../ui/link.tsx';
import { EventRows } from './event-rows.tsx';
import { HomeCard } from './last.tsx';

type Page = Response<'GET /api/admin/user/follows/changes'>;

const pageSize = 8;

function useFollowedChanges() {
  return useInfiniteQuery({
    queryKey: ['GET /api/admin/user/follows/changes'],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/user/follows/changes', {
        query: { limit: String(pageSize), ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  });
}

function Nothing() {
  const follows = useQuery(followsQuery).data;
  if (!follows) return null;
  const count = follows.features.length + follows.projects.length;
  return (
    <Text size="sm" className="quiet">
      {count === 0 ? 'Follow a feature or project to see its changes here.' : 'No changes yet'}
    </Text>
  );
}

/** The changes of followed features and projects, newest first. */
export function FollowedChanges() {
  const found = useFollowedChanges();
  const events = found.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <HomeCard
      title="Following"
      more={
        <PageLink to="/profile" search={{ tab: 'following' }} size="sm">
          Manage
        </PageLink>
      }
    >
      {found.data && events.length === 0 && <Nothing />}
      {events.length > 0 && <EventRows events={events} />}
      {found.hasNextPage && (
        <Group mt="xs">
          <Button
            size="xs"
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
    </HomeCard>
  );
}
