import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type LogEvent, onLogEvent } from '../live.ts';

interface Props {
  /** What somebody else changed to what, in words, of what is changed here, too. */
  readonly theirs: readonly ReactNode[];
  /** Whether an event is about the thing that is being changed. */
  readonly isAbout: (event: LogEvent) => boolean;
  readonly onTake: () => void;
}

/** Shows in the save bar what someone else changed meanwhile, and lets the user take it. */
export function EditConflict({ theirs, isAbout, onTake }: Props) {
  const [who, setWho] = useState<string>();
  useEffect(() => onLogEvent((event) => isAbout(event) && setWho(event.createdBy)), [isAbout]);
  if (theirs.length === 0) return null;
  return (
    <>
      <Text size="sm" c="yellow.3" role="alert">
        {who ?? 'Somebody else'} changed this meanwhile: {theirs.join(', ')}. Saving replaces it.
      </Text>
      <Button size="xs" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </>
  );
}
