import { Badge } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { numberText } from '../ui/format.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { wholeEvent } from './whole-event.ts';

/** Up to where the log is as it was recorded: everybody sees it, for what they see of the log. */
export function ChainState({ newest }: { readonly newest: number }) {
  const chain = useQuery({ ...wholeEvent(newest), placeholderData: keepPreviousData }).data?.chain;
  if (chain === undefined) return null;
  const { state, firstId, verifiedThrough, fault } = chain;
  const words = {
    verified: {
      text: `verified up to event ${numberText(verifiedThrough)}`,
      help: `Each event from ${numberText(firstId)} on is as it was recorded: its hash covers its content and the event before it.`,
    },
    checking: {
      text: `verifying… event ${numberText(verifiedThrough)}`,
      help: 'The hashes are computed again from the first event on.',
    },
    broken: {
      text: 'not as it was recorded',
      help: fault ?? 'An event was changed or removed after it was recorded.',
    },
  }[state];
  return (
    <Tooltip label={words.help} multiline maw={320}>
      <Badge
        {...(state === 'broken' ? { variant: 'light', color: 'red' } : { variant: 'default' })}
        tt="none"
        className="tabular"
        tabIndex={0}
        role="note"
        visibleFrom="sm"
      >
        {words.text}
      </Badge>
    </Tooltip>
  );
}
