import { Group, Stack, Text, Title } from '@mantine/core';
import { EventList } from '../events/event-list.tsx';
import { nameOf, useMe } from '../me.ts';
import { PageLink } from '../ui/link.tsx';

/** What happened last, and the way to everything else. */
export function Home() {
  const { user } = useMe();
  return (
    <Stack>
      <div>
        <Title order={1} size="h2">
          Hello {nameOf(user)}
        </Title>
        <Text className="quiet">What happened last, in all projects that you may see.</Text>
      </div>
      <EventList query={{}} limit={15} />
      <Group>
        <PageLink to="/search">All features</PageLink>
        <PageLink to="/history">The whole log</PageLink>
      </Group>
    </Stack>
  );
}
