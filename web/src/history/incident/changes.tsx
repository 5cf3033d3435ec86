import { Badge, Button, Chip, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EventSentence } from '../../events/event-sentence.tsx';
import { EventTone } from '../../events/event-tone.tsx';
import { Particulars } from '../../events/particulars.tsx';
import { RevertedBadge, useReverts } from '../../events/reverts.tsx';
import type { LogEvent } from '../../events/sentence.ts';
import { ProjectName } from '../../project-name.tsx';
import { ActorAvatar } from '../../ui/avatar.tsx';
import { exactTime, timeText } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { joinAnd, numberText, plural } from '../../ui/format.ts';
import { JsonDiff } from '../../ui/json-diff.tsx';
import { PageLink } from '../../ui/link.tsx';
import { RevertButton } from '../revert/revert-button.tsx';
import classes from './incident.module.css';
import {
  countedText,
  distanceText,
  type Incident,
  type IncidentChange,
  reachText,
  type Turn,
  turnOf,
  turnText,
} from './words.ts';

/** As many names are listed. */
const maxNames = 5;

interface EventProps {
  readonly event: LogEvent;
  readonly at: string;
  readonly isReverted: boolean;
}

function IncidentEvent({ event, at, isReverted }: EventProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={classes.event}>
      <EventTone type={event.type} />
      <div className={classes.what}>
        <ActorAvatar id={event.createdByUserId} /> <EventSentence event={event} />{' '}
        {isReverted && <RevertedBadge />}
        <Particulars event={event} />
        <Text size="xs" className="quiet tabular">
          <time dateTime={event.createdAt} title={exactTime(event.createdAt)}>
            {timeText(event.createdAt)}
          </time>{' '}
          · {distanceText(event.createdAt, at)} ·{' '}
          <PageLink to="/history" search={{ event: event.id }} inherit underline="always">
            #{numberText(event.id)}
          </PageLink>
        </Text>
        {isOpen && <JsonDiff before={event.preData} after={event.data} />}
      </div>
      {(event.data ?? event.preData) !== null && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} diff of event ${event.id}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide diff' : 'Show diff'}
        </Button>
      )}
    </li>
  );
}

const turnColors: Readonly<Record<Turn, string>> = {
  enabled: 'teal',
  disabled: 'red',
  changed: 'gray',
};

function ChangeTitle({ change }: { readonly change: IncidentChange }) {
  const { kind, name, project } = change;
  if (kind === 'feature' && project !== null && name !== null) {
    return (
      <PageLink
        to="/projects/$projectId/features/$featureName"
        params={{ projectId: project, featureName: name }}
        inherit
      >
        {name}
      </PageLink>
    );
  }
  return kind === 'segment' ? `Segment ${name ?? ''}` : 'Other changes';
}

interface ChangeProps {
  readonly change: IncidentChange;
  readonly events: ReadonlyMap<number, LogEvent>;
  readonly at: string;
}

/** As many as the API takes. */
const maxAsked = 200;

function Change({ change, events, at }: ChangeProps) {
  const reverts = useReverts(change.eventIds.slice(0, maxAsked));
  const { kind, name, project, eventIds, features } = change;
  const turn = turnText(change);
  const reach = reachText(change);
  return (
    <section
      className={`card ${classes.change}`}
      aria-label={kind === 'other' ? 'Other changes' : (name ?? '')}
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2} size="h5" className={classes.name}>
            <ChangeTitle change={change} />
          </Title>
          {turn !== undefined && (
            <Badge color={turnColors[turnOf(change)]} variant="light" tt="none">
              {turn}
            </Badge>
          )}
        </Group>
        <Group gap="xs">
          {reach !== undefined && (
            <Text size="sm" fw={600} className="tabular">
              {reach}
            </Text>
          )}
          <RevertButton
            selection={{ eventIds: [...eventIds] }}
            label="Revert…"
            title={
              kind === 'other'
                ? `Revert ${plural(eventIds.length, 'other event')}`
                : `Revert ${plural(eventIds.length, 'event')} of ${name ?? ''}`
            }
            size="compact-xs"
          />
        </Group>
      </Group>
      {(project !== null || kind === 'segment') && kind !== 'other' && (
        <Text size="xs" className="quiet">
          {project !== null && <ProjectName id={project} />}
          {kind === 'segment' && project !== null && ' · '}
          {kind === 'segment' &&
            (features.length === 0
              ? 'Not used in this environment'
              : `Used by ${joinAnd(features, maxNames)}`)}
        </Text>
      )}
      <ul className={classes.events}>
        {eventIds.map((id) => {
          const event = events.get(id);
          const isReverted = reverts.get(id)?.isReverted === true;
          return event && <IncidentEvent key={id} {...{ event, at, isReverted }} />;
        })}
      </ul>
    </section>
  );
}

interface Props {
  readonly incident: Incident;
  /** The time of the incident. */
  readonly at: string;
  readonly environment: string;
  /** Whether only one project is shown. */
  readonly isOfProject: boolean;
  /** Takes back everything that changed in the environment. */
  readonly revert: ReactNode;
}

/** The changes of an incident, which can be limited to what was enabled or disabled. */
export function IncidentChanges({ incident, at, environment, isOfProject, revert }: Props) {
  const [shown, setShown] = useState<'all' | Turn>('all');
  const { changes } = incident;
  const events = new Map(incident.events.map((event) => [event.id, event]));
  if (changes.length === 0) {
    return (
      <EmptyState title="No changes">
        Nothing {isOfProject ? 'in this project ' : ''}changed in {environment} around this time.
        Choose another time or a longer range.
      </EmptyState>
    );
  }
  const countOf = (turn: Turn) => changes.filter((change) => turnOf(change) === turn).length;
  const choices = [
    { value: 'all', label: `All ${numberText(changes.length)}` },
    { value: 'enabled', label: `Enabled ${numberText(countOf('enabled'))}` },
    { value: 'disabled', label: `Disabled ${numberText(countOf('disabled'))}` },
  ] as const;
  const visible = changes.filter((change) => shown === 'all' || turnOf(change) === shown);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          <b>{plural(incident.events.length, 'event')}</b>{' '}
          <span className="quiet">{countedText(incident)}</span>
        </Text>
        <Chip.Group value={shown} onChange={(value) => setShown(value as 'all' | Turn)}>
          <Group gap={6} role="group" aria-label="Filter changes">
            {choices.map(({ value, label }) => (
              <Chip key={value} value={value} size="xs">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {revert}
      </Group>
      {visible.length === 0 ? (
        <Text size="sm" className="quiet">
          No feature was {shown} in {environment} in this time range.
        </Text>
      ) : (
        visible.map((change) => (
          <Change key={`${change.kind} ${change.name ?? ''}`} {...{ change, events, at }} />
        ))
      )}
    </Stack>
  );
}
