import { Badge, Button, Group, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { IconCalendarPlus, IconX } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Response } from '../../api.ts';
import { ProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { chosenTimeZone, exactTime, shortTime, weekdayText } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { joinAnd, numberText } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { plusDays, startOfDay, useTimeZone } from '../../ui/time-zone.ts';
import classes from './calendar.module.css';
import { type CalendarSearch, type CalendarState, calendarStates } from './calendar-search.ts';

const Subscribe = lazyPart(() => import('./subscribe.tsx'), 'Subscribe');

const route = getRouteApi('/shell/calendar');

type Entry = Response<'GET /api/admin/calendar'>['entries'][number];

const stateNames: Readonly<Record<CalendarState, string>> = {
  pending: 'Scheduled',
  suspended: 'Suspended',
  failed: 'Failed',
  applied: 'Applied',
  canceled: 'Canceled',
};

const stateColors: Readonly<Record<CalendarState, string>> = {
  pending: 'violet',
  suspended: 'orange',
  failed: 'red',
  applied: 'green',
  canceled: 'gray',
};

/** How many days the past has. */
const pastDays = 90;

/** Today belongs to what is to come, so that what was applied this morning is still there. */
function useEntries({ when, project, feature, environment, state }: CalendarSearch) {
  // The day depends on the chosen zone.
  useTimeZone();
  const today = new Date();
  const query = {
    ...(project !== undefined && { project }),
    ...(feature !== undefined && { feature }),
    ...(environment !== undefined && { environment }),
    ...(state !== undefined && { status: state }),
    from: plusDays(today, when === 'past' ? -pastDays : 0).toISOString(),
    ...(when === 'past' && { to: startOfDay(today).toISOString() }),
  };
  const { entries, truncated } = useSuspenseQuery(read('GET /api/admin/calendar', { query })).data;
  return { entries: when === 'past' ? entries.toReversed() : entries, truncated };
}

/** What the request changes, unless its title says so. */
const othersThanInTitle = ({ title, features, segments }: Entry): string => {
  const names = [...features, ...segments].filter((name) => !title.includes(name));
  return names.length > 0 ? ` · ${joinAnd(names, 3)}` : '';
};

const Row = ({ entry }: { readonly entry: Entry }) => (
  <li className={classes.row}>
    <time
      dateTime={entry.scheduledAt}
      title={exactTime(entry.scheduledAt)}
      className={classes.time}
    >
      {shortTime(entry.scheduledAt)}
    </time>
    <div className={classes.what}>
      <PageLink
        to="/projects/$projectId/change-requests/$id"
        params={{ projectId: entry.project, id: String(entry.id) }}
        fw={600}
      >
        {entry.title}
      </PageLink>
      <Text size="sm" className="quiet">
        #{entry.id} · <ProjectName id={entry.project} /> · {entry.environment}
        {othersThanInTitle(entry)} · by{' '}
        <Actor name={entry.createdBy.username} id={entry.createdBy.id} />
      </Text>
      {entry.reason !== undefined && <Text size="sm">{entry.reason}</Text>}
    </div>
    <Badge color={stateColors[entry.status]} variant="light" tt="none">
      {stateNames[entry.status]}
    </Badge>
  </li>
);

function Agenda({ search }: { readonly search: CalendarSearch }) {
  const { entries, truncated } = useEntries(search);
  const { when, ...filters } = search;
  if (entries.length === 0) {
    const what =
      when === 'past' ? `scheduled changes in the past ${pastDays} days` : 'upcoming changes';
    const isFiltered = Object.keys(filters).length > 0;
    return (
      <EmptyState title={isFiltered ? 'No matching changes' : `No ${what}`}>
        {isFiltered
          ? `No ${what} match these filters.`
          : 'To schedule one, open the menu of an environment on a feature and select “Enable at a later time” or “Disable at a later time”. You can also schedule a change request.'}
      </EmptyState>
    );
  }
  const days = Map.groupBy(entries, ({ scheduledAt }) => weekdayText(scheduledAt));
  return (
    <Stack gap="lg">
      {[...days].map(([day, own]) => (
        <section key={day} aria-label={day}>
          <Title order={2} size="h5">
            {day}
          </Title>
          <ul className={classes.list}>
            {own.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {truncated && (
        <Text size="sm" className="quiet">
          Showing the first {numberText(entries.length)}. Use the filters to see others.
        </Text>
      )}
    </Stack>
  );
}

interface FiltersProps {
  readonly search: CalendarSearch;
  readonly onChange: (search: CalendarSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const { when, feature } = search;
  const set = (name: keyof CalendarSearch, value: string | null) => {
    const { [name]: _former, ...others } = search;
    onChange(value === null ? others : { ...others, [name]: value });
  };
  return (
    <div className={classes.filters}>
      <SegmentedControl
        aria-label="Period"
        value={when ?? 'upcoming'}
        onChange={(value) => set('when', value === 'past' ? value : null)}
        data={[
          { value: 'upcoming', label: 'Upcoming' },
          { value: 'past', label: `Past ${pastDays} days` },
        ]}
      />
      <Select
        className={classes.filter}
        aria-label="Project"
        placeholder="All projects"
        clearable
        searchable
        value={search.project ?? null}
        onChange={(value) => set('project', value)}
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Select
        className={classes.filter}
        aria-label="Environment"
        placeholder="All environments"
        clearable
        value={search.environment ?? null}
        onChange={(value) => set('environment', value)}
        data={environments.map(({ name }) => name)}
      />
      <Select
        className={classes.filter}
        aria-label="State"
        placeholder="All states"
        clearable
        value={search.state ?? null}
        onChange={(value) => set('state', value)}
        data={calendarStates.map((value) => ({ value, label: stateNames[value] }))}
      />
      {feature !== undefined && (
        <Button
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove filter: feature ${feature}`}
          onClick={() => set('feature', null)}
        >
          Feature: {feature}
        </Button>
      )}
    </div>
  );
}

/** Scheduled changes by day. */
export function Calendar() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isSubscribing, setSubscribing] = useState(false);
  useTimeZone();
  const { project, feature } = search;
  return (
    <Page
      title="Calendar"
      lead={`Scheduled changes. Times are in ${chosenTimeZone()}.`}
      action={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            onClick={() => setSubscribing(true)}
          >
            Subscribe
          </Button>
        </Group>
      }
    >
      <Filters
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <Agenda search={search} />
      {isSubscribing && (
        <Suspense>
          <Subscribe scope={{ project, feature }} onClose={() => setSubscribing(false)} />
        </Suspense>
      )}
    </Page>
  );
}
