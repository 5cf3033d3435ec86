import { Badge } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { numberText } from '../ui/format.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { wholeEvent } from './whole-event.ts';

/** How far the log is verified, for the part of it that the reader sees. */
export function ChainState({ newest }: { readonly newest: number }) {
  const chain = useQuery({ ...wholeEvent(newest), placeholderData: keepPreviousData }).data?.chain;
  if (chain === undefined) return null;
  const { state, firstId, verifiedThrough, fault } = chain;
  const words = {
    verified: {
      text: `Verified through #${numberText(verifiedThrough)}`,
      help: `Events #${numberText(firstId)} to #${numberText(verifiedThrough)} are unchanged since they were recorded. Each hash covers the event and the one before it.`,
    },
    checking: {
      text: `Verifying… #${numberText(verifiedThrough)}`,
      help: 'Recomputing every hash from the first event',
    },
    broken: {
      text: 'Integrity check failed',
      help: fault ?? 'An event was modified or deleted after it was recorded',
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
