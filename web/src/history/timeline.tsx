import '@mantine/core/styles/Slider.layer.css';
import { ActionIcon, Button, Group, Slider, Stack, Switch, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconLink, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api.ts';
import { EventSentence } from '../events/event-sentence.tsx';
import { Particulars } from '../events/particulars.tsx';
import type { LogEvent } from '../events/sentence.ts';
import type { Feature } from '../flags/feature/view.ts';
import { read } from '../queries.ts';
import { ActorAvatar } from '../ui/avatar.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { dateTimeText, exactTime, preciseTime } from '../ui/dates.ts';
import { numberText } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useFeatureEvents } from './feature-events.ts';
import classes from './history.module.css';
import { ThenAndNow } from './then-and-now.tsx';

interface Props {
  readonly feature: Feature;
  /** The ID of an event, or a date and time. */
  readonly asOf: string;
  readonly onAsOf: (asOf: string | undefined, options: { readonly replace: boolean }) => void;
}

interface StepsProps {
  /** Newest first. */
  readonly events: readonly LogEvent[];
  readonly place: number;
  readonly total: number;
  readonly onStep: (event: LogEvent) => void;
}

/** Moves from change to change: buttons for the next ones, and a slider for all that are loaded. */
function Steps({ events, place, total, onStep }: StepsProps) {
  // Oldest at the left.
  const position = events.length - 1 - place;
  const [dragged, setDragged] = useState<number>();
  const shown = dragged ?? position;
  const at = (value: number) => events[events.length - 1 - value];
  const go = (value: number) => {
    const event = at(value);
    if (event) onStep(event);
  };
  const hasOlder = total > events.length;
  return (
    <div className={classes.steps}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        disabled={position <= 0}
        onClick={() => go(position - 1)}
      >
        Previous change
      </Button>
      <Slider
        className={classes.slider ?? ''}
        size="sm"
        thumbLabel="Change"
        min={0}
        max={Math.max(events.length - 1, 0)}
        value={Math.max(shown, 0)}
        disabled={events.length < 2}
        label={(value) => {
          const event = at(value);
          return event && dateTimeText(event.createdAt);
        }}
        thumbProps={{
          'aria-valuetext': valueText(at(shown), shown + total - events.length, total),
        }}
        onChange={setDragged}
        onChangeEnd={(value) => {
          setDragged(undefined);
          go(value);
        }}
      />
      <Button
        size="xs"
        variant="default"
        rightSection={<IconChevronRight size={14} aria-hidden />}
        disabled={position >= events.length - 1}
        onClick={() => go(position + 1)}
      >
        Next change
      </Button>
      <Text size="xs" className={`quiet tabular ${classes.position}`}>
        {position < 0
          ? 'Before the first change'
          : `Change ${numberText(total - place)} of ${numberText(total)}`}
        {hasOlder && position === 0 && ' · Loading earlier changes'}
      </Text>
    </div>
  );
}

const valueText = (event: LogEvent | undefined, value: number, count: number): string =>
  event
    ? `Change ${numberText(value + 1)} of ${numberText(count)}, ${dateTimeText(event.createdAt)}`
    : 'Before the first change';

/** A moment before the first change that is known. */
const momentText = (asOf: string): string =>
  /^\d+$/.test(asOf) ? `event #${numberText(Number(asOf))}` : dateTimeText(asOf);

/** Why there is nothing to compare with: the history says so in words. */
const Unknown = ({ error }: { readonly error: Error }) =>
  error instanceof ApiError && error.status === 404 ? (
    <Text className={classes.unknown} role="status">
      {error.message.startsWith('There is no')
        ? "The feature didn't exist at that time, or was in a project that you can't see."
        : `${error.message}.`}
    </Text>
  ) : (
    <Problem error={error} />
  );

/** How a feature was after each of its changes, beside how it is now. */
export function Timeline({ feature, asOf, onAsOf }: Props) {
  const [isShort, setShort] = useState(false);
  const { events, place, total, isPending, error } = useFeatureEvents(feature.name, asOf);
  const event = events[place];
  const past = useQuery({
    ...read('GET /api/admin/projects/:projectId/features/:featureName', {
      // The project that it belonged to then.
      params: { projectId: event?.project ?? feature.project, featureName: feature.name },
      query: { asOf },
    }),
    enabled: !isPending,
    staleTime: 'static',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const step = (next: LogEvent) => onAsOf(String(next.id), { replace: true });
  return (
    <section aria-label="Timeline" className={`card ${classes.timeline}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <Title order={2} size="h4">
          Timeline
        </Title>
        <Group gap="xs" wrap="nowrap">
          <CopyButton text={window.location.href} label="Copy link" icon={IconLink} />
          <Tooltip label="Close timeline">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Close timeline"
              onClick={() => onAsOf(undefined, { replace: false })}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {error ? (
        <Problem error={error} />
      ) : isPending ? (
        <Waiting />
      ) : (
        <Stack gap="sm">
          <Steps {...{ events, place, total }} onStep={step} />
          {event && (
            <div className={classes.event} role="status">
              <Text size="sm" component="div">
                <ActorAvatar id={event.createdByUserId} /> <EventSentence event={event} />
              </Text>
              <Particulars event={event} />
              <Text size="xs" className="quiet tabular">
                <time dateTime={event.createdAt} title={exactTime(event.createdAt)}>
                  {preciseTime(event.createdAt)}
                </time>{' '}
                · #{numberText(event.id)}
              </Text>
            </div>
          )}
          {past.isError ? (
            <Unknown error={past.error} />
          ) : past.data ? (
            <>
              <Switch
                size="xs"
                label="Only differences"
                checked={isShort}
                onChange={({ currentTarget }) => setShort(currentTarget.checked)}
              />
              <ThenAndNow
                past={past.data}
                present={feature}
                moment={event ? dateTimeText(event.createdAt) : momentText(asOf)}
                isShort={isShort}
              />
            </>
          ) : (
            <Waiting />
          )}
        </Stack>
      )}
    </section>
  );
}
