import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../me.ts';
import { ProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { Actor } from '../ui/actor.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Since } from '../ui/time.tsx';
import { type ChangeRequest, type RequestState, stateText } from './change-words.ts';
import classes from './governance.module.css';
import { type RequestList, type RequestsSearch, requestLists, statesOf } from './search.ts';
import { StateBadge } from './state-badge.tsx';

const route = getRouteApi('/shell/change-requests');
const projectRoute = getRouteApi('/shell/projects/$projectId/change-requests');

const listNames: Readonly<Record<RequestList, string>> = {
  review: 'To review',
  emergencies: 'Emergencies to review',
  mine: 'Created by me',
  open: 'All open',
  scheduled: 'Scheduled',
  closed: 'Closed',
};

const emptyTexts: Readonly<Record<RequestList, string>> = {
  review: 'Requests that you can approve appear here.',
  emergencies:
    'Requests that others applied in an emergency appear here until you or someone else reviews them.',
  mine: 'Changes that you propose in protected environments appear here.',
  open: 'Your drafts, and requests that are in review, approved, or scheduled, appear here.',
  scheduled: 'Requests that will be applied at a set time appear here.',
  closed: 'Requests that were applied, rejected, or canceled appear here.',
};

interface Wanted {
  readonly list: RequestList;
  readonly state: RequestState | undefined;
  readonly environment: string | undefined;
  /** Undefined for all projects. */
  readonly project?: string;
}

function useFound({ list, state, environment, project }: Wanted) {
  const { user } = useMe();
  const query = {
    review: { waitingFor: 'review' } as const,
    emergencies: { waitingFor: 'emergency-review' } as const,
    mine: { createdBy: `IS:${user.id}` },
    open: { state: 'IS:open' },
    scheduled: { state: 'IS:scheduled' },
    closed: { state: 'IS:closed' },
  }[list];
  return useSuspenseQuery(
    read('GET /api/admin/search/change-requests', {
      query: {
        ...query,
        ...(state !== undefined && statesOf[list]?.includes(state) && { state: `IS:${state}` }),
        ...(environment !== undefined && { environment: `IS:${environment}` }),
        ...(project !== undefined && { project: `IS:${project}` }),
        limit: '200',
      },
    }),
  ).data;
}

interface Row {
  readonly id: number;
  readonly title: string;
  readonly project: string;
  readonly environment: string;
  readonly createdBy: { readonly id: number; readonly username: string };
  readonly createdAt: string;
  readonly state: ChangeRequest['state'];
  readonly schedule?: ChangeRequest['schedule'];
  readonly emergency?: ChangeRequest['emergency'];
}

const Rows = ({ rows, hasProject }: { readonly rows: readonly Row[]; hasProject: boolean }) => (
  <ul className={classes.list} aria-label="Change requests">
    {rows.map(({ id, title, project, environment, createdBy, createdAt, ...request }) => (
      <li key={id} className={classes.row}>
        <div className={classes.rowText}>
          <PageLink
            to="/projects/$projectId/change-requests/$id"
            params={{ projectId: project, id: String(id) }}
            fw={600}
          >
            {title}
          </PageLink>
          <Text size="sm" className="quiet">
            #{id} · {hasProject && <ProjectName id={project} />}
            {hasProject && ' · '}
            {environment} · by <Actor name={createdBy.username} id={createdBy.id} />,{' '}
            <Since instant={createdAt} />
          </Text>
        </div>
        <StateBadge {...request} />
      </li>
    ))}
  </ul>
);

function Requests({ children, ...wanted }: Wanted & { readonly children?: ReactNode }) {
  const { changeRequests: rows, total } = useFound(wanted);
  if (total === 0) {
    const isFiltered =
      wanted.environment !== undefined ||
      (wanted.state !== undefined && statesOf[wanted.list]?.includes(wanted.state));
    if (isFiltered) {
      return (
        <EmptyState title="No matching change requests">
          No change requests in “{listNames[wanted.list]}” match these filters.
        </EmptyState>
      );
    }
    return (
      <EmptyState title="No change requests">
        {emptyTexts[wanted.list]} {children}
      </EmptyState>
    );
  }
  return (
    <>
      <Rows rows={rows} hasProject={wanted.project === undefined} />
      {total > rows.length && (
        <Text size="sm" className="quiet">
          Showing the newest {numberText(rows.length)} of {numberText(total)}
        </Text>
      )}
    </>
  );
}

interface FilterProps {
  readonly list: RequestList;
  readonly state: RequestState | undefined;
  readonly environment: string | undefined;
  readonly onChange: (search: RequestsSearch) => void;
}

function Filters({ list, state, environment, onChange }: FilterProps) {
  const states = statesOf[list];
  const inEnvironment = environment !== undefined && { environment };
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  return (
    <Group>
      <SegmentedControl
        aria-label="Change requests to list"
        className={classes.lists ?? ''}
        value={list}
        onChange={(value) => onChange({ list: value as RequestList, ...inEnvironment })}
        data={requestLists.map((value) => ({ value, label: listNames[value] }))}
      />
      <Select
        aria-label="Environment"
        w={190}
        placeholder="All environments"
        clearable
        data={environments.map(({ name }) => name)}
        value={environment ?? null}
        onChange={(value) =>
          onChange({
            list,
            ...(state !== undefined && { state }),
            ...(value !== null && { environment: value }),
          })
        }
      />
      {states && (
        <Select
          aria-label="State"
          w={190}
          placeholder="All states"
          clearable
          data={states.map((value) => ({ value, label: stateText(value) }))}
          value={state !== undefined && states.includes(state) ? state : null}
          onChange={(value) =>
            onChange({
              list,
              ...(value !== null && { state: value as RequestState }),
              ...inEnvironment,
            })
          }
        />
      )}
    </Group>
  );
}

/** The change requests of a project. */
export function ProjectChangeRequests() {
  const params = projectRoute.useParams();
  const { list = 'open', state, environment } = projectRoute.useSearch();
  const configs = useQuery(
    read('GET /api/admin/projects/:projectId/change-requests/config', { params }),
  ).data;
  const isProtected = configs?.some(({ changeRequestEnabled }) => changeRequestEnabled) ?? true;
  const navigate = useNavigate();
  return (
    <Stack>
      <Filters
        list={list}
        state={state}
        environment={environment}
        onChange={(search) =>
          void navigate({ to: '/projects/$projectId/change-requests', params, search })
        }
      />
      <Text size="sm">
        <PageLink to="/calendar" search={{ project: params.projectId }} size="sm">
          Calendar of this project
        </PageLink>
      </Text>
      <Requests list={list} state={state} environment={environment} project={params.projectId}>
        {!isProtected && (
          <>
            To require approval for changes in an environment, enable change requests in{' '}
            <PageLink
              to="/projects/$projectId/settings/change-requests"
              params={params}
              underline="always"
            >
              the project settings
            </PageLink>
            .
          </>
        )}
      </Requests>
    </Stack>
  );
}

/** The change requests of all projects. */
export function ChangeRequests() {
  const { list = 'review', state, environment } = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page
      title="Change requests"
      lead="Changes in protected environments wait here until enough reviewers have approved them."
      action={<PageLink to="/calendar">Calendar</PageLink>}
    >
      <Filters
        list={list}
        state={state}
        environment={environment}
        onChange={(search) => void navigate({ to: '/change-requests', search })}
      />
      <Requests list={list} state={state} environment={environment} />
    </Page>
  );
}
