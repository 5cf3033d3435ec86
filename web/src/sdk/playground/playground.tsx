import {
  Alert,
  Anchor,
  Button,
  Group,
  MultiSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLink, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, api } from '../../api.ts';
import { useMe } from '../../me.ts';
import { read } from '../../queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { preciseTime } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { capitalized, numberText } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { fieldTime, readTime } from '../../ui/time-zone.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { ContextJson } from './context-json.tsx';
import { type CellFaults, ContextTable } from './context-table.tsx';
import { type PlaygroundContext, sentContexts } from './contexts.ts';
import classes from './playground.module.css';
import { Results } from './result-list.tsx';
import type { PlaygroundSearch } from './search.ts';
import { contextsOfSegment, type LegalValues } from './segment-contexts.ts';
import { rememberTried } from './tried-contexts.ts';
import { Why } from './why.tsx';

const route = getRouteApi('/shell/playground');
const operation = 'POST /api/admin/playground/decisions';

/** How long a pause in typing may be. */
const pauseMs = 250;

/** A longer address is refused by servers and cut by chats. */
const maxLinkLength = 8_000;

/** As many names as one request may have. */
const maxNames = 1000;

/** Defaults for what the address leaves open, from a segment or an application. */
interface Origin {
  readonly environments: readonly string[];
  readonly contexts: readonly PlaygroundContext[];
  readonly features?: readonly string[];
  readonly isPending?: boolean;
  readonly error?: Error | null;
}

function useSegment(
  id: number | undefined,
  legalValues: LegalValues,
): (Origin & { readonly name: string }) | undefined {
  const params = { id: String(id) };
  const enabled = id !== undefined;
  const segment = useQuery({ ...read('GET /api/admin/segments/:id', { params }), enabled });
  const uses = useQuery({
    ...read('GET /api/admin/segments/:id/strategies', { params }),
    enabled,
  });
  if (!enabled) return undefined;
  const strategies = uses.data?.strategies ?? [];
  return {
    name: segment.data?.name ?? `#${id}`,
    environments: [...new Set(strategies.map(({ environment }) => environment))],
    contexts: contextsOfSegment(segment.data?.constraints ?? [], legalValues),
    features: [...new Set(strategies.map(({ featureName }) => featureName))].slice(0, maxNames),
    isPending: segment.isPending || uses.isPending,
    error: segment.error ?? uses.error,
  };
}

function useApplication(appName: string | undefined): Origin | undefined {
  const enabled = appName !== undefined;
  const found = useQuery({
    ...read('GET /api/admin/metrics/applications/:appName', { params: { appName: appName ?? '' } }),
    enabled,
  });
  if (!enabled) return undefined;
  const features = found.data?.features ?? [];
  return {
    environments: [...new Set(features.flatMap(({ environments }) => environments))],
    contexts: [{ appName }],
    features: features.map(({ name }) => name).slice(0, maxNames),
    isPending: found.isPending,
    error: found.error,
  };
}

/** Only features that both name; all where none does. */
function namesOf(origins: readonly (Origin | undefined)[]): readonly string[] | undefined {
  const lists = origins.flatMap((origin) => (origin?.features ? [origin.features] : []));
  const [first, ...others] = lists;
  return first?.filter((name) => others.every((list) => list.includes(name)));
}

/** The server's errors for single fields of the contexts, by `0/userId`. */
function cellFaultsOf(error: unknown): CellFaults {
  const faults = error instanceof ApiError ? error.faults : [];
  return new Map(
    faults.flatMap(({ path = '', message }) => {
      const place = /^\/body\/contexts\/(\d+\/.+)$/.exec(path)?.[1];
      return place === undefined
        ? []
        : [[place, capitalized(message.replace(path, '').trim())] as const];
    }),
  );
}

const faultsOf = (error: unknown): string[] =>
  error instanceof ApiError
    ? error.faults.map(({ message }) =>
        message.replace(
          /\/body\/contexts\/(\d+)/,
          (_, index: string) => `Context ${Number(index) + 1}`,
        ),
      )
    : [];

/** The segment or application whose features are shown, and the way to all others. */
function OriginNote({
  search,
  segmentName,
}: {
  readonly search: PlaygroundSearch;
  readonly segmentName: string;
}) {
  const navigate = route.useNavigate();
  const { segment, application } = search;
  const leave = () =>
    void navigate({
      search: ({ segment: _, application: __, why: ___, ...rest }) => rest,
    });
  if (segment === undefined && application === undefined) return null;
  return (
    <Alert color="blue" variant="light" p="sm">
      <Text size="sm">
        {segment !== undefined && (
          <>
            Showing features that use segment <b>{segmentName}</b>. The first context matches every
            constraint; each of the others fails one.{' '}
          </>
        )}
        {application !== undefined && (
          <>
            Showing features evaluated by{' '}
            <PageLink
              to="/applications/$appName"
              params={{ appName: application }}
              c="inherit"
              inherit
              underline="always"
            >
              {application}
            </PageLink>
            .{' '}
          </>
        )}
        <Anchor
          component="button"
          type="button"
          c="inherit"
          inherit
          underline="always"
          onClick={leave}
        >
          Show all features
        </Anchor>
      </Text>
    </Alert>
  );
}

interface AsOfProps {
  readonly asOf: PlaygroundSearch['asOf'];
  readonly onChange: (asOf: string | undefined) => void;
}

/** Evaluates with the configuration of a time in the past. */
function AsOfField({ asOf, onChange }: AsOfProps) {
  return (
    <TextInput
      type="datetime-local"
      label="As of (optional)"
      max={fieldTime(new Date())}
      value={typeof asOf === 'string' ? fieldTime(new Date(asOf)) : ''}
      onChange={({ currentTarget: { value } }) => {
        const time = readTime(value);
        if (value === '') onChange(undefined);
        else if (!Number.isNaN(time.getTime())) onChange(time.toISOString());
      }}
    />
  );
}

/** Says that the past is evaluated, and which moment of it. */
function AsOfNote({ asOf, onLeave }: Pick<AsOfProps, 'asOf'> & { readonly onLeave: () => void }) {
  if (asOf === undefined) return null;
  return (
    <Alert color="blue" variant="light" p="sm">
      <Text size="sm">
        Evaluated with the configuration{' '}
        {typeof asOf === 'number' ? (
          <>
            after{' '}
            <PageLink to="/history" search={{ event: asOf }} c="inherit" inherit underline="always">
              event #{numberText(asOf)}
            </PageLink>
          </>
        ) : (
          `as of ${preciseTime(asOf)}`
        )}
        .{' '}
        <Anchor
          component="button"
          type="button"
          c="inherit"
          inherit
          underline="always"
          onClick={onLeave}
        >
          Use the current configuration
        </Anchor>
      </Text>
    </Alert>
  );
}

function CopyLink() {
  const { href } = window.location;
  const isLong = href.length > maxLinkLength;
  return (
    <CopyButton
      text={href}
      label="Copy link"
      size="sm"
      icon={IconLink}
      refusal={isLong ? 'Too many contexts to share as a link. Remove some to copy it.' : undefined}
    />
  );
}

/** Undefined removes something from the address. */
type Change = { readonly [Name in keyof PlaygroundSearch]?: PlaygroundSearch[Name] | undefined };

/** Evaluates features for contexts, and says why each is enabled or disabled. */
export function Playground() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Change, isStep = false) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
        ) as PlaygroundSearch,
      replace: !isStep,
    });
  const catalogue = useQuery(read('GET /api/admin/context', {}));
  const segment = useSegment(
    search.segment,
    new Map(
      catalogue.data?.map(({ name, legalValues }) => [name, legalValues.map(({ value }) => value)]),
    ),
  );
  const application = useApplication(search.application);
  const origins = [segment, application];
  const allEnvironments = useQuery(read('GET /api/admin/environments', {}));
  const allProjects = useQuery(read('GET /api/admin/projects', {}));

  const [contexts, setContexts] = useUrlState<readonly PlaygroundContext[]>(
    search.contexts ?? origins.find((origin) => origin !== undefined)?.contexts ?? [{}],
    (next) => set({ contexts: next }),
  );
  const [query, setQuery] = useUrlState(search.query ?? '', (next) =>
    set({ query: next === '' ? undefined : next }),
  );
  const existing = allEnvironments.data?.environments ?? [];
  const suggested = [...new Set(origins.flatMap((origin) => origin?.environments ?? []))];
  const environments =
    search.environments ??
    existing.map(({ name }) => name).filter((name) => suggested.includes(name));
  const features = namesOf(origins);
  const latest = JSON.stringify({
    environments,
    ...(search.projects && { projects: search.projects }),
    ...(query !== '' && { query }),
    ...(features && { features }),
    ...(search.asOf !== undefined && { asOf: String(search.asOf) }),
    contexts: sentContexts(contexts),
  });
  const [settled] = useDebouncedValue(latest, pauseMs, { leading: true });
  const body = JSON.parse(settled) as {
    environments: string[];
    contexts: Record<string, unknown>[];
  };
  const isWaiting = (segment && catalogue.isPending) || origins.some((origin) => origin?.isPending);
  const found = useQuery({
    queryKey: [operation, body],
    queryFn: ({ signal }) => api(operation, { body, signal }),
    placeholderData: keepPreviousData,
    enabled: body.environments.length > 0 && !isWaiting,
    retry: false,
  });
  const { user } = useMe();
  useEffect(() => {
    if (found.isSuccess && !found.isPlaceholderData && search.contexts) {
      rememberTried(user.id, sentContexts(search.contexts));
    }
  }, [found.isSuccess, found.isPlaceholderData, search.contexts, user.id]);
  const originError = origins.find((origin) => origin?.error)?.error;
  const cellFaults = cellFaultsOf(found.error);
  // Environments that are shown are those of the answer, which may be older than the form.
  const shown = environments.filter((name) => existing.some((each) => each.name === name));
  const projects = allProjects.data?.projects ?? [];
  const inUse = found.data?.fields.map(({ name }) => name) ?? [];
  const why = search.why;
  const tooMuch = found.isError && cellFaults.size === 0;

  return (
    <>
      <Group justify="space-between" align="start" gap="sm" mb="md">
        <div className={classes.title}>
          <Title order={1} size="h2">
            Playground
          </Title>
          <Text size="sm" className="quiet">
            Evaluate features the way SDKs do, and see why. Nothing is changed or counted as usage.
          </Text>
        </div>
        <CopyLink />
      </Group>
      <Stack gap="lg">
        <div className={classes.form}>
          <MultiSelect
            label="Environments"
            placeholder={environments.length === 0 ? 'Select environments' : ''}
            data={existing.map(({ name }) => name)}
            value={[...environments]}
            searchable
            hidePickedOptions
            classNames={{ inputField: classes.typed ?? '' }}
            onChange={(next) => set({ environments: next, why: undefined })}
          />
          <MultiSelect
            label="Projects"
            placeholder={search.projects ? '' : 'All projects'}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...(search.projects ?? [])]}
            searchable
            clearable
            hidePickedOptions
            classNames={{ inputField: classes.typed ?? '' }}
            onChange={(next) =>
              set({ projects: next.length > 0 ? next : undefined, why: undefined })
            }
          />
          <TextInput
            label="Feature name"
            data-search
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={100}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <AsOfField asOf={search.asOf} onChange={(asOf) => set({ asOf })} />
        </div>
        <AsOfNote asOf={search.asOf} onLeave={() => set({ asOf: undefined })} />
        <OriginNote search={search} segmentName={segment?.name ?? ''} />
        <Section
          title={contexts.length === 1 ? 'Context' : `Contexts (${contexts.length})`}
          aside={
            <SegmentedControl
              size="xs"
              aria-label="Context format"
              data={[
                { value: 'table', label: 'Table' },
                { value: 'json', label: 'JSON' },
              ]}
              value={search.as ?? 'table'}
              onChange={(as) => set({ as: as === 'json' ? as : undefined })}
            />
          }
        >
          {search.as === 'json' ? (
            <ContextJson
              contexts={contexts}
              faults={tooMuch ? [] : faultsOf(found.error)}
              onChange={setContexts}
            />
          ) : (
            <ContextTable
              contexts={contexts}
              catalogue={catalogue.data ?? []}
              inUse={inUse}
              faults={cellFaults}
              onChange={setContexts}
            />
          )}
        </Section>
        <Section title="Results">
          {originError ? (
            <Problem error={originError} />
          ) : environments.length === 0 ? (
            <EmptyState title="Select an environment">
              Features are evaluated for the context above in each environment you select.
              <Group justify="center" mt="sm" gap="xs">
                {existing.slice(0, 4).map(({ name }) => (
                  <Button
                    key={name}
                    size="xs"
                    variant="default"
                    onClick={() => set({ environments: [name] }, true)}
                  >
                    Evaluate in {name}
                  </Button>
                ))}
              </Group>
            </EmptyState>
          ) : tooMuch ? (
            found.error instanceof ApiError && found.error.status === 400 ? (
              <Alert color="yellow" role="alert" title="Couldn't evaluate">
                {faultsOf(found.error).map((fault) => (
                  <Text key={fault} size="sm">
                    {fault.replace(/^\/body:? ?/, '')}
                  </Text>
                ))}
              </Alert>
            ) : (
              <Problem error={found.error} />
            )
          ) : found.isError ? (
            <EmptyState title="Invalid context">
              Fix the errors marked above to see results.
            </EmptyState>
          ) : !found.data ? (
            <Waiting />
          ) : found.data.features.length === 0 ? (
            <EmptyState title="No features to evaluate">
              {features?.length === 0
                ? search.segment === undefined
                  ? "This application hasn't evaluated any features yet."
                  : 'No features use this segment yet.'
                : 'No features match these filters.'}
            </EmptyState>
          ) : (
            <Results
              decisions={found.data}
              environments={shown}
              show={search.show}
              onShow={(show) => set({ show })}
              why={why}
              onWhy={(next) => set({ why: next }, true)}
              isOld={found.isPlaceholderData || settled !== latest}
            />
          )}
        </Section>
      </Stack>
      {why && found.data && (
        <Why
          why={why}
          decisions={found.data}
          asOf={search.asOf}
          onWhy={(next) => set({ why: next }, next === undefined)}
        />
      )}
    </>
  );
}
