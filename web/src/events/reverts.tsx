import { Badge, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Response } from '../api.ts';
import { read } from '../queries.ts';
import { moreText, numberText } from '../ui/format.ts';
import classes from './events.module.css';
import type { LogEvent } from './sentence.ts';

type Found = Response<'GET /api/admin/search/events/reverts'>['reverts'][number];

const none: ReadonlyMap<number, Found> = new Map();

/** Not written where it is used: the same function for each rendering lets the query keep its result. */
const byEventId = ({ reverts }: Response<'GET /api/admin/search/events/reverts'>) =>
  new Map(reverts.map((each) => [each.eventId, each]));

/** Which of some events were reverted, by ID. */
export function useReverts(ids: readonly number[]): ReadonlyMap<number, Found> {
  const found = useQuery({
    ...read('GET /api/admin/search/events/reverts', { query: { id: ids.map(String) } }),
    enabled: ids.length > 0,
    select: byEventId,
  });
  return found.data ?? none;
}

/** The events that an event reverts. */
export const revertedIn = ({ data }: Pick<LogEvent, 'data'>): readonly number[] =>
  Array.isArray(data?.reverts) ? data.reverts.filter((id) => typeof id === 'number') : [];

/** Marks an event that was reverted and is not in force again. */
export const RevertedBadge = () => (
  <Badge color="gray" variant="light" tt="none" size="sm">
    Reverted
  </Badge>
);

/** As many are linked. */
const maxLinks = 10;

interface LinksProps {
  readonly title: string;
  readonly ids: readonly number[];
  readonly onOpen: (id: number) => void;
}

/** Events that open in place. */
export const EventLinks = ({ title, ids, onOpen }: LinksProps) => (
  <Text size="sm" component="div">
    {title}{' '}
    {ids.slice(0, maxLinks).map((id, index) => (
      <span key={id}>
        {index > 0 && ', '}
        <UnstyledButton className={classes.eventLink} onClick={() => onOpen(id)}>
          #{numberText(id)}
        </UnstyledButton>
      </span>
    ))}
    {ids.length > maxLinks && ` ${moreText(ids.length - maxLinks)}`}
  </Text>
);
