import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { actorName } from '../directory.ts';
import { type LogEvent, onLogEvent } from '../live.ts';
import { useMe } from '../me.ts';
import { useDirectory } from '../use-directory.ts';
import { withAuthor } from './conflict-authors.ts';
import { joinAnd } from './format.ts';

interface Props {
  /** The changes of others to fields that are edited here, in words. */
  readonly theirs: readonly ReactNode[];
  /** Whether an event is about the thing that is being changed. */
  readonly isAbout: (event: LogEvent) => boolean;
  readonly onTake: () => void;
}

/** Shows in the save bar what someone else changed while the user was editing. */
export function EditConflict({ theirs, isAbout, onTake }: Props) {
  const { user } = useMe();
  const [authors, setAuthors] = useState<readonly LogEvent[]>([]);
  const directory = useDirectory();
  useEffect(
    () =>
      onLogEvent((event) => {
        if (isAbout(event)) setAuthors((before) => withAuthor(before, event, user.id));
      }),
    [isAbout, user.id],
  );
  if (theirs.length === 0) return null;
  return (
    <>
      <Text size="sm" c="yellow.3" role="alert">
        {authors.length === 0
          ? 'Someone else'
          : joinAnd(authors.map((author) => actorName(author, directory).name))}{' '}
        changed this while you were editing: {theirs.join(', ')}. Saving overwrites their change.
      </Text>
      <Button size="xs" variant="default" onClick={onTake}>
        Use theirs
      </Button>
    </>
  );
}
