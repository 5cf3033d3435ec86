import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { actorName } from '../directory.ts';
import { type LogEvent, onLogEvent } from '../live.ts';
import { useDirectory } from '../use-directory.ts';

interface Props {
  /** The changes of others to fields that are edited here, in words. */
  readonly theirs: readonly ReactNode[];
  /** Whether an event is about the thing that is being changed. */
  readonly isAbout: (event: LogEvent) => boolean;
  readonly onTake: () => void;
}

/** Shows in the save bar what someone else changed while the user was editing. */
export function EditConflict({ theirs, isAbout, onTake }: Props) {
  const [who, setWho] = useState<LogEvent>();
  const directory = useDirectory();
  useEffect(() => onLogEvent((event) => void (isAbout(event) && setWho(event))), [isAbout]);
  if (theirs.length === 0) return null;
  return (
    <>
      <Text size="sm" c="yellow.3" role="alert">
        {who ? actorName(who, directory).name : 'Someone else'} changed this while you were editing:{' '}
        {theirs.join(', ')}. Saving overwrites their change.
      </Text>
      <Button size="xs" variant="default" onClick={onTake}>
        Use theirs
      </Button>
    </>
  );
}
