import { Group, SegmentedControl, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMe } from '../me.ts';
import { ProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Since } from '../ui/time.tsx';
import type { ChangeRequest } from './change-words.ts';
import classes from './governance.module.css';
import { type RequestList, requestLists } from './search.ts';
import { StateBadge } from './state-badge.tsx';

const route = getRouteApi('/shell/change-requests');
const projectRoute = getRouteApi('/shell/projects/$projectId/change-requests');

const listNames: Readonly<Record<RequestList, string>> = {
  review: 'To review',
  mine: 'Created by me',
  open: 'All open',
  closed: 'Closed',
};

const emptyTexts: Readonly<Record<RequestList, string>> = {
  review: 'Requests that you can approve appear here.',
  mine: 'Changes that you propose in protected environments appear here.',
  open: 'No one has proposed a change that is still open.',
  closed: 'Requests that were applied, rejected, or canceled appear here.',
};

function useFound(list: RequestList) {
  const { user } = useMe();
  const query = {
    review: { waitingFor: 'review' } as const,
    mine: { createdBy: `IS:${user.id}` },
    open: { state: 'IS:open' },
    closed: { state: 'IS:closed' },
  }[list];
  return useSuspenseQuery(
    read('GET /api/admin/search/change-requests', { query: { ...query, limit: '200' } }),
  ).data;
}

interface Row {
  readonly id: number;
  readonly title: string;
  readonly project: string;
  readonly environment: string;
  readonly createdBy: { readonly username: string };
  readonly createdAt: string;
  readonly state: ChangeRequest['state'];
  readonly schedule?: ChangeRequest['schedule'];
}

const Rows = ({ rows, hasProject }: { readonly rows: readonly Row[]; hasProject: boolean }) => (
  <ul className={classes.list} aria-label="Change requests">
    {rows.map(({ id, title, project, environment, createdBy, createdAt, state, schedule }) => (
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
            {environment} · by {createdBy.username}, <Since instant={createdAt} />
          </Text>
        </div>
        <StateBadge state={state} schedule={schedule} />
      </li>
    ))}
  </ul>
);

function Requests({ list }: { readonly list: RequestList }) {
  const { changeRequests, total } = useFound(list);
  if (total === 0) {
    return <EmptyState title="No change requests">{emptyTexts[list]}</EmptyState>;
  }
  return (
    <>
      <Rows rows={changeRequests} hasProject />
      {total > changeRequests.length && (
        <Text size="sm" className="quiet">
          The newest {numberText(changeRequests.length)} of {numberText(total)}
        </Text>
      )}
    </>
  );
}

/** The change requests of a project, newest first. */
export function ProjectChangeRequests() {
  const params = projectRoute.useParams();
  const requests = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/change-requests', { params }),
  ).data;
  if (requests.length === 0) {
    return (
      <EmptyState title="No change requests">
        To require approval for changes in an environment, turn on change requests in{' '}
        <PageLink to="/projects/$projectId/settings/change-requests" params={params}>
          the settings
        </PageLink>
        .
      </EmptyState>
    );
  }
  return (
    <>
      <Text size="sm" mt="md">
        <PageLink to="/calendar" search={{ project: params.projectId }} size="sm">
          Calendar of this project
        </PageLink>
      </Text>
      <Rows rows={requests} hasProject={false} />
    </>
  );
}

/** The change requests of all projects. */
export function ChangeRequests() {
  const { list = 'review' } = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page
      title="Change requests"
      lead="Changes in protected environments wait here until enough reviewers have approved them."
      action={<PageLink to="/calendar">Calendar</PageLink>}
    >
      <Group>
        <SegmentedControl
          aria-label="Change requests to list"
          value={list}
          onChange={(value) =>
            void navigate({ to: '/change-requests', search: { list: value as RequestList } })
          }
          data={requestLists.map((value) => ({ value, label: listNames[value] }))}
        />
      </Group>
      <Requests list={list} />
    </Page>
  );
}
