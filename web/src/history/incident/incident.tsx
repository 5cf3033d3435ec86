import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { fieldTime, readTime } from '../../ui/time-zone.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { useNamesInEvents } from '../../use-directory.ts';
import { RevertButton } from '../revert/revert-button.tsx';
import { IncidentChanges } from './changes.tsx';
import classes from './incident.module.css';
import { type IncidentSearch, rangeOf, usualWindow, type Window, windows } from './search.ts';
import { windowText } from './words.ts';

const route = getRouteApi('/shell/incident');

const minuteMs = 60_000;

interface FormProps {
  readonly search: IncidentSearch;
  readonly environments: readonly string[];
  readonly onChange: (search: IncidentSearch) => void;
}

function Where({ search, environments, onChange }: FormProps) {
  const { at = '', environment = '', window = usualWindow, project = '' } = search;
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const projectName = useProjectName();
  const isKnown = projects.some(({ id }) => id === project);
  const move = (direction: 1 | -1) =>
    onChange({
      ...search,
      at: new Date(new Date(at).getTime() + direction * window * minuteMs).toISOString(),
    });
  return (
    <div className={`card ${classes.form}`}>
      <TextInput
        type="datetime-local"
        label="Time"
        value={fieldTime(new Date(at))}
        onChange={({ currentTarget }) => {
          const next = readTime(currentTarget.value);
          if (!Number.isNaN(next.getTime())) onChange({ ...search, at: next.toISOString() });
        }}
      />
      <NativeSelect
        label="Environment"
        value={environment}
        data={[...new Set([...environments, environment])].filter((name) => name !== '')}
        onChange={({ currentTarget }) => onChange({ ...search, environment: currentTarget.value })}
      />
      <NativeSelect
        label="Range"
        value={String(window)}
        data={windows.map((each) => ({ value: String(each), label: windowText(each) }))}
        onChange={({ currentTarget }) =>
          onChange({ ...search, window: Number(currentTarget.value) as Window })
        }
      />
      <NativeSelect
        label="Project"
        value={project}
        data={[
          { value: '', label: 'All projects' },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ...(project === '' || isKnown ? [] : [{ value: project, label: projectName(project) }]),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const { project: _, ...rest } = search;
          onChange({ ...rest, ...(value !== '' && { project: value }) });
        }}
      />
      <Group gap="xs" className={classes.move ?? ''}>
        <Button variant="default" onClick={() => move(-1)}>
          Earlier
        </Button>
        <Button
          variant="default"
          disabled={new Date(at).getTime() + window * minuteMs > Date.now()}
          onClick={() => move(1)}
        >
          Later
        </Button>
      </Group>
    </div>
  );
}

type Complete = Required<Pick<IncidentSearch, 'at' | 'environment' | 'window'>> &
  Pick<IncidentSearch, 'project'>;

function Found({ search }: { readonly search: Complete }) {
  const { at, environment, window, project } = search;
  const range = rangeOf(at, window);
  const isOver = new Date(range.to).getTime() <= Date.now();
  const found = useQuery({
    ...read('GET /api/admin/history/incident', {
      query: { ...range, environment, ...(project !== undefined && { project }) },
    }),
    // What is over stays as it was.
    ...(isOver && { staleTime: 'static' as const }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) {
    const { error } = found;
    return error instanceof ApiError && error.status === 404 ? (
      <EmptyState title="No history for this time">{error.message}.</EmptyState>
    ) : (
      <Problem error={error} />
    );
  }
  return (
    <Stack aria-busy={found.isPlaceholderData}>
      {!isOver && (
        <Text size="sm" className="quiet">
          This range isn't over yet. New changes will appear here.
        </Text>
      )}
      <IncidentChanges
        incident={found.data}
        at={at}
        environment={environment}
        isOfProject={project !== undefined}
        revert={
          <RevertButton
            selection={{ ...range, environment, ...(project !== undefined && { project }) }}
            label="Revert all…"
            title={`Revert all changes in ${environment}`}
          />
        }
      />
    </Stack>
  );
}

/** What changed around a time in an environment, for an incident and its post-mortem. */
export function Incident() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useNamesInEvents();
  const all = useQuery(read('GET /api/admin/environments', {})).data?.environments;
  const environments = all?.filter(({ enabled }) => enabled) ?? [];
  const usual = (environments.find(({ type }) => type === 'production') ?? environments[0])?.name;
  const environment = search.environment ?? usual;
  const isComplete = search.at !== undefined && search.environment !== undefined;
  useEffect(() => {
    // From now on the address has a time of its own.
    if (isComplete || environment === undefined) return;
    const minute = new Date(Math.floor(Date.now() / minuteMs) * minuteMs);
    void navigate({
      search: (before) => ({ ...before, environment, at: before.at ?? minute.toISOString() }),
      replace: true,
    });
  }, [isComplete, environment, navigate]);
  const { at, window = usualWindow, project } = search;
  return (
    <Page
      title="Incident view"
      lead="What changed around a point in time, most evaluated features first."
      action={<CopyButton text={globalThis.location.href} label="Copy link" icon={IconLink} />}
    >
      <Where
        search={{ ...search, ...(environment !== undefined && { environment }) }}
        environments={environments.map(({ name }) => name)}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      {at !== undefined && environment !== undefined ? (
        <Found search={{ at, environment, window, ...(project !== undefined && { project }) }} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}
