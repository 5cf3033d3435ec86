import { Badge } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tooltip } from '../ui/tooltip.tsx';
import { numberText } from './times.ts';
import { wholeEvent } from './whole-event.ts';

/** Up to where the log is as it was recorded: everybody sees it, for what they see of the log. */
export function ChainState({ newest }: { readonly newest: number }) {
  const chain = useQuery({ ...wholeEvent(newest), placeholderData: keepPreviousData }).data?.chain;
  if (chain === undefined) return null;
  const { state, firstId, verifiedThrough, fault } = chain;
  const words = {
    verified: {
      color: 'gray',
      text: `verified up to event ${numberText(verifiedThrough)}`,
      help: `Each event from ${numberText(firstId)} on is as it was recorded: its hash covers its content and the event before it.`,
    },
    checking: {
      color: 'gray',
      text: 'being verified…',
      help: 'The hashes are computed again from the first event on.',
    },
    broken: {
      color: 'red',
      text: 'not as it was recorded',
      help: fault ?? 'An event was changed or removed after it was recorded.',
    },
  }[state];
  return (
    <Tooltip label={words.help} multiline maw={320}>
      <Badge variant="light" color={words.color} tt="none" role="status" tabIndex={0}>
        {words.text}
      </Badge>
    </Tooltip>
  );
}
