import { Stack, Text } from '@mantine/core';
import { EventSentence } from '../../events/event-sentence.tsx';
import type { EventForSentence, LogEvent } from '../../events/sentence.ts';
import { ActorAvatar } from '../../ui/avatar.tsx';
import { Since } from '../../ui/time.tsx';
import { useArchivedNames } from '../../use-directory.ts';
import classes from './home.module.css';

interface Props {
  readonly events: readonly (EventForSentence &
    Pick<LogEvent, 'id' | 'createdAt' | 'createdByUserId' | 'project'>)[];
}

/** What happened, each event in a line. */
export function EventRows({ events }: Props) {
  useArchivedNames(events.map(({ project }) => project));
  return (
    <Stack component="ol" gap={0} className={classes.rows}>
      {events.map((event) => (
        <li key={event.id} className={classes.row}>
          <Text size="sm" flex={1} miw={0} component="span">
            <ActorAvatar id={event.createdByUserId} /> <EventSentence event={event} />
          </Text>
          <Text size="xs" className="quiet" component="span">
            <Since instant={event.createdAt} />
          </Text>
        </li>
      ))}
    </Stack>
  );
}
