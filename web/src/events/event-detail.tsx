import {
  ActionIcon,
  Button,
  Code,
  Group,
  Stack,
  Tabs,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconClock,
  IconCopy,
  IconFilter,
  IconLink,
  IconShieldCheck,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../api.ts';
import { actorName, withNames } from '../directory.ts';
import { RevertButton } from '../history/revert/revert-button.tsx';
import { read } from '../queries.ts';
import { Actor } from '../ui/actor.tsx';
import { CopyButton, CopyIcon } from '../ui/copy-button.tsx';
import { exactTime, preciseTime } from '../ui/dates.ts';
import { moreText, numberText, plural } from '../ui/format.ts';
import { changesBetween } from '../ui/json-changes.ts';
import { JsonDiff } from '../ui/json-diff.tsx';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useDirectory } from '../use-directory.ts';
import { ChangeRows } from './change-rows.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventSentence } from './event-sentence.tsx';
import { EventTone } from './event-tone.tsx';
import classes from './events.module.css';
import { type QualifierName, toggleValue, valuesIn } from './query/grammar.ts';
import { EventLinks, revertedIn, useReverts } from './reverts.tsx';
import { type LogEvent, labelOf, sentenceText } from './sentence.ts';
import { type WholeEvent, wholeEvent } from './whole-event.ts';

/** The same objects without their values, so that each value is listed. */
const emptied = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) =>
          typeof inner === 'object' && inner !== null && !Array.isArray(inner)
            ? [[key, emptied(inner)]]
            : [],
        ),
      )
    : undefined;

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Before and after in words. An event with only one of them lists its values. */
function ChangesInWords({ event }: { readonly event: LogEvent }) {
  const directory = useDirectory();
  const data = event.data && withNames(event.data, directory);
  const preData = event.preData && withNames(event.preData, directory);
  const changes =
    data && preData
      ? changesBetween(preData, data).filter(({ path: [key] }) => key !== 'reverts')
      : changesBetween(emptied(preData ?? data), preData ?? data)
          .filter(({ after, path: [key] }) => !isEmpty(after) && key !== 'reverts')
          .map(({ path, after }) =>
            preData
              ? { path, before: after, after: undefined }
              : { path, before: undefined, after },
          );
  if (changes.length === 0) {
    return (
      <Text size="sm" className="quiet">
        {data && preData ? 'No changes' : 'No additional data'}
      </Text>
    );
  }
  return <ChangeRows changes={changes} />;
}

const short = (hash: string) => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

/** Whether the log is unchanged from its start through this event. */
function Integrity({ chain, id }: { readonly chain: WholeEvent['chain']; readonly id: number }) {
  const { state, hash, previousHash, isLinked, fault, firstId } = chain;
  const isBroken = state === 'broken' || !isLinked;
  return (
    <div className={classes.field}>
      <span className="quiet">Integrity</span>
      <div>
        <Group
          gap={4}
          wrap="nowrap"
          className={classes.chain}
          data-state={isBroken ? 'broken' : state}
        >
          {isBroken ? (
            <IconAlertTriangle size={14} aria-hidden />
          ) : state === 'verified' ? (
            <IconShieldCheck size={14} aria-hidden />
          ) : (
            <IconClock size={14} aria-hidden />
          )}
          <Text size="sm" inherit>
            {isBroken
              ? (fault ?? 'This event was modified after it was recorded')
              : state === 'verified'
                ? `Verified #${numberText(firstId)}–#${numberText(id)}`
                : 'Matches the previous event. Verifying the full log…'}
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap">
          <Tooltip label={`Hash ${hash} · Previous ${previousHash}`} multiline maw={420}>
            <Text size="sm" className="quiet" tabIndex={0}>
              Hash <Code>{short(hash)}</Code>
            </Text>
          </Tooltip>
          <CopyIcon text={hash} label="Copy hash" variant="subtle" size="sm" />
        </Group>
      </div>
    </div>
  );
}

/** Which events reverted it, and which it reverts. */
function Reverts({ event, onOpen }: Pick<SameRequestProps, 'event' | 'onOpen'>) {
  const found = useReverts([event.id]).get(event.id);
  const reverts = revertedIn(event);
  if (!found && reverts.length === 0) return null;
  return (
    <Stack gap={4}>
      {reverts.length > 0 && <EventLinks title="Reverts" ids={reverts} onOpen={onOpen} />}
      {found && (
        <EventLinks
          title={found.isReverted ? 'Reverted by' : 'Reverted, then restored. Reverted by'}
          ids={found.revertedBy}
          onOpen={onOpen}
        />
      )}
    </Stack>
  );
}

interface SameRequestProps {
  readonly event: LogEvent;
  readonly ids: readonly number[];
  readonly onOpen: (id: number) => void;
}

const shownOfRequest = 20;

/** Other events of the same request. */
function SameRequest({ event, ids, onOpen }: SameRequestProps) {
  const directory = useDirectory();
  const others = ids.filter((id) => id !== event.id);
  const shown = others.slice(0, shownOfRequest);
  const found = useQuery({
    ...read('GET /api/admin/search/events', {
      query: { id: `IS_ANY_OF:${shown.join(',')}`, limit: String(shownOfRequest) },
    }),
    staleTime: 'static',
    enabled: shown.length > 0,
  });
  if (others.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {plural(others.length, 'more event')} from this request
      </Text>
      <Group>
        <RevertButton
          selection={{ eventIds: [...ids] }}
          label="Revert request…"
          title={`Revert all ${plural(ids.length, 'event')} of this request`}
          size="compact-xs"
        />
      </Group>
      <ol className={classes.plain}>
        {(found.data?.events ?? []).map((other) => (
          <li key={other.id}>
            <UnstyledButton className={classes.facet} onClick={() => onOpen(other.id)}>
              <span>{sentenceText(other, directory)}</span>
              <Text size="xs" className="quiet tabular">
                #{numberText(other.id)}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {others.length > shown.length && (
        <Text size="xs" className="quiet">
          {moreText(others.length - shown.length)}
        </Text>
      )}
    </Stack>
  );
}

interface LikeThisProps {
  readonly event: LogEvent;
  readonly q: string;
  readonly onChange: (q: string) => void;
}

/** Filters the log by values of the event. */
function LikeThis({ event, q, onChange }: LikeThisProps) {
  const { name: actor } = actorName(event, useDirectory());
  const values: readonly (readonly [QualifierName, string | null])[] = [
    ['type', event.type],
    ['actor', valuesIn(q, 'actor').includes(event.createdBy) ? event.createdBy : actor],
    ['feature', event.featureName],
    ['project', event.project],
    ['env', event.environment],
  ];
  return (
    <Group gap={6}>
      {values.map(([name, value]) =>
        value === null ? null : (
          <Button
            key={name}
            size="compact-xs"
            variant={valuesIn(q, name).includes(value) ? 'filled' : 'default'}
            leftSection={<IconFilter size={11} aria-hidden />}
            aria-pressed={valuesIn(q, name).includes(value)}
            onClick={() => onChange(toggleValue(q, name, value))}
          >
            {name}:{value}
          </Button>
        ),
      )}
    </Group>
  );
}

const linkOf = (id: number) => `${window.location.origin}${basePath}history?event=${id}`;

interface Props {
  readonly id: number;
  /** If the list has it already. */
  readonly event: LogEvent | undefined;
  readonly q: string;
  readonly onQuery: (q: string) => void;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
}

/** All details of one event. */
export function EventDetail({ id, event: known, q, onQuery, onOpen, onClose }: Props) {
  const found = useQuery(wholeEvent(id));
  const event = known ?? found.data?.event;
  if (!event) {
    if (found.isPending) return <Waiting />;
    return (
      <Problem
        error={found.error ?? new Error(`Event #${id} not found, or you don't have access to it`)}
      />
    );
  }
  return (
    <Stack gap="md" data-event-detail>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Group gap={8} wrap="nowrap">
            <EventTone type={event.type} />
            <Title order={2} size="h4" id="event-title">
              {event.label ?? labelOf(event.type)}
            </Title>
          </Group>
          <Text size="xs" className="quiet tabular">
            #{numberText(event.id)} · <Code>{event.type}</Code>
          </Text>
        </div>
        <Tooltip label="Close (Esc)">
          <ActionIcon variant="subtle" color="gray" aria-label="Close event" onClick={onClose}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>

      <Text>
        <EventSentence event={event} />
      </Text>
      <Stack gap={4}>
        <div className={classes.field}>
          <span className="quiet">Actor</span>
          <span>
            <Actor name={event.createdBy} id={event.createdByUserId} />
            {event.ip !== null && <span className="quiet"> from {event.ip}</span>}
          </span>
        </div>
        <div className={classes.field}>
          <span className="quiet">Time</span>
          <time className="tabular" dateTime={event.createdAt} title={exactTime(event.createdAt)}>
            {preciseTime(event.createdAt)}
          </time>
        </div>
        {event.tags.length > 0 && (
          <div className={classes.field}>
            <span className="quiet">Tags</span>
            <span>{event.tags.map(({ type, value }) => `${type}:${value}`).join(', ')}</span>
          </div>
        )}
      </Stack>

      <Reverts event={event} onOpen={onOpen} />

      <Group gap="xs">
        <RevertButton
          selection={{ eventIds: [event.id] }}
          label="Revert…"
          title={`Revert event #${numberText(event.id)}`}
        />
        <CopyButton text={linkOf(event.id)} label="Copy link" icon={IconLink} />
        <CopyButton text={JSON.stringify(event, null, 2)} label="Copy JSON" icon={IconCopy} />
        {event.featureName !== null && event.project !== null && (
          <PageLink
            to="/projects/$projectId/features/$featureName"
            params={{ projectId: event.project, featureName: event.featureName }}
            search={{ tab: 'history', asOf: event.id }}
            size="sm"
          >
            View in timeline
          </PageLink>
        )}
        {event.environment !== null && (
          <PageLink
            to="/incident"
            search={{ at: event.createdAt, environment: event.environment }}
            size="sm"
          >
            View in incident view
          </PageLink>
        )}
      </Group>

      <Tabs defaultValue="words" keepMounted={false}>
        <Tabs.List mb="xs">
          <Tabs.Tab value="words">Changes</Tabs.Tab>
          <Tabs.Tab value="diff">Diff</Tabs.Tab>
          <Tabs.Tab value="raw">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="words">
          <ChangesInWords event={event} />
        </Tabs.Panel>
        <Tabs.Panel value="diff">
          {event.data || event.preData ? (
            <JsonDiff before={event.preData} after={event.data} />
          ) : (
            <Text size="sm" className="quiet">
              No data
            </Text>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <Code block fz={12} mah={420} style={{ overflow: 'auto' }} tabIndex={0}>
            {JSON.stringify(event, null, 2)}
          </Code>
        </Tabs.Panel>
      </Tabs>

      <EventDeliveries id={event.id} />
      {found.data && <Integrity chain={found.data.chain} id={event.id} />}
      {found.data && <SameRequest event={event} ids={found.data.sameRequest} onOpen={onOpen} />}

      <Stack gap={6}>
        <Text size="sm" fw={600}>
          Filter by
        </Text>
        <LikeThis event={event} q={q} onChange={onQuery} />
      </Stack>
    </Stack>
  );
}
