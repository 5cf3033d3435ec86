import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type Response } from '../../api.ts';
import { EventSentence } from '../../events/event-sentence.tsx';
import { tellTabs } from '../../live.ts';
import { invalidate } from '../../queries.ts';
import { ActorAvatar } from '../../ui/avatar.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellProblem } from '../../ui/notices.tsx';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './notifications.module.css';

const operation = 'GET /api/admin/user/follows/notifications';
type Page = Response<typeof operation>;

const pageSize = 15;

const useNotifications = () =>
  useInfiniteQuery({
    queryKey: [operation],
    queryFn: ({ pageParam, signal }) =>
      api(operation, {
        query: { limit: String(pageSize), ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  });

const useMarkRead = () =>
  useMutation({
    mutationFn: (upTo: number) =>
      api('PUT /api/admin/user/follows/notifications/read', { body: { upTo } }),
    onSuccess: () => {
      const reads = [operation, 'GET /api/admin/attention'] as const;
      tellTabs(...reads);
      return invalidate(...reads);
    },
    onError: (error) => tellProblem('mark notifications as read', error),
  });

interface RowProps {
  readonly event: Page['events'][number];
  readonly isUnread: boolean;
}

const Row = ({ event, isUnread }: RowProps) => (
  <li className={classes.row} data-unread={isUnread || undefined}>
    <ActorAvatar id={event.createdByUserId} />
    <Text size="sm" component="div" className={classes.what ?? ''}>
      {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
      <EventSentence event={event} />
      <div>
        <PageLink to="/history" search={{ event: event.id }} size="xs" className="quiet">
          <Since instant={event.createdAt} />
          <VisuallyHidden>, open event</VisuallyHidden>
        </PageLink>
      </div>
    </Text>
  </li>
);

/** What others changed of the features and projects that the user follows, newest first. */
export function NotificationList({ onGo }: { readonly onGo: () => void }) {
  const found = useNotifications();
  const markRead = useMarkRead();
  const list = useRef<HTMLOListElement>(null);
  const events = found.data?.pages.flatMap((page) => page.events) ?? [];
  const { unread = 0, readUpTo = 0 } = found.data?.pages[0] ?? {};
  const [newest] = events;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard clicks the links inside
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside lead elsewhere
    <div
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a')) onGo();
      }}
    >
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} size="h5">
          Notifications
        </Title>
        {newest && unread > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={markRead.isPending}
            // The button disappears, and the focus with it.
            onClick={() => markRead.mutate(newest.id, { onSuccess: () => list.current?.focus() })}
          >
            Mark all as read
          </Button>
        )}
      </Group>
      {found.isPending && <Waiting />}
      {found.error && <Text size="sm">Couldn't load notifications</Text>}
      {found.data && events.length === 0 && (
        <Text size="sm" className="quiet">
          No notifications yet. Changes that others make to features and projects you follow appear
          here.
        </Text>
      )}
      {events.length > 0 && (
        <ol
          ref={list}
          className={classes.rows}
          aria-label="Notifications, newest first"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
          tabIndex={0}
        >
          {events.map((event) => (
            <Row key={event.id} event={event} isUnread={event.id > readUpTo} />
          ))}
        </ol>
      )}
      <Stack gap="xs" mt="sm">
        {found.hasNextPage && (
          <Button
            size="xs"
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Load more
          </Button>
        )}
        <PageLink to="/profile" search={{ tab: 'following' }} size="sm">
          Manage notifications
        </PageLink>
      </Stack>
    </div>
  );
}
