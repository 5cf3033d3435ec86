import {
  ActionIcon,
  Alert,
  Button,
  Code,
  Group,
  Menu,
  SegmentedControl,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { useMay, useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { moreText } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './applications.module.css';
import { type Draft, draftsOf } from './drafts.ts';
import { ApplicationTabs } from './tabs.tsx';

const route = getRouteApi('/shell/unknown-flags');

const refresh = () =>
  invalidate(
    'GET /api/admin/metrics/unknown-flags',
    'GET /api/admin/metrics/applications/:appName/overview',
    'GET /api/admin/search/features',
  );

/** Creates the feature, disabled everywhere. Undo deletes it, because it has no history worth keeping. */
async function create(name: string, projectId: string, projectName: string): Promise<void> {
  await api('POST /api/admin/projects/:projectId/features', {
    params: { projectId },
    body: { name },
  });
  await refresh();
  tellDone({
    id: `unknown ${name}`,
    title: `${name} created in ${projectName}, disabled in every environment`,
    undo: async () => {
      await api('DELETE /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId, featureName: name },
      });
      await api('DELETE /api/admin/archive/:featureName', { params: { featureName: name } });
      await refresh();
    },
  });
}

async function setIgnored(name: string, isIgnored: boolean): Promise<void> {
  const operation = isIgnored
    ? 'PUT /api/admin/metrics/unknown-flags/:name/ignore'
    : 'DELETE /api/admin/metrics/unknown-flags/:name/ignore';
  await api(operation, { params: { name } });
  await refresh();
}

async function ignore(name: string, isIgnored: boolean): Promise<void> {
  await setIgnored(name, isIgnored);
  tellDone({
    id: `unknown ${name}`,
    title: isIgnored ? `${name} ignored` : `${name} no longer ignored`,
    undo: () => setIgnored(name, !isIgnored),
  });
}

const applicationsShown = 3;

interface RowProps {
  readonly draft: Draft;
  readonly isIgnored: boolean;
  readonly nameOfProject: (id: string) => string;
}

function DraftRow({ draft, isIgnored, nameOfProject }: RowProps) {
  const { name, applications, environments, seenAt, projects } = draft;
  const may = useMay();
  const navigate = useNavigate();
  const mayNotIgnore = useRefusal('UPDATE_APPLICATION');
  const allowed = projects.filter((project) => may('CREATE_FEATURE', { project }));
  const target = allowed[0] ?? projects[0] ?? 'default';
  const mayNotCreate = useRefusal('CREATE_FEATURE', { project: target });
  const creating = useMutation({
    mutationFn: (project: string) => create(name, project, nameOfProject(project)),
    onError: (error) => tellProblem(`create ${name}`, error),
  });
  const ignoring = useMutation({
    mutationFn: () => ignore(name, !isIgnored),
    onError: (error) => tellProblem(`${isIgnored ? 'stop ignoring' : 'ignore'} ${name}`, error),
  });
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.name}>
        <Code className={classes.draftName}>{name}</Code>
      </Table.Td>
      <Table.Td data-label="Requested by" className={classes.name}>
        {applications.slice(0, applicationsShown).map((appName, place) => (
          <span key={appName}>
            {place > 0 && ', '}
            <PageLink to="/applications/$appName" params={{ appName }} size="sm">
              {appName}
            </PageLink>
          </span>
        ))}{' '}
        {applications.length > applicationsShown && (
          <span className="quiet" title={applications.join(', ')}>
            {moreText(applications.length - applicationsShown)}
          </span>
        )}
      </Table.Td>
      <Table.Td data-label="Environments">{environments.join(', ')}</Table.Td>
      <Table.Td data-label="Last requested">
        <Since instant={seenAt} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" className={classes.draftActions ?? ''}>
          {!isIgnored && (
            <Button.Group>
              <GuardedButton
                refusal={mayNotCreate}
                size="xs"
                loading={creating.isPending}
                onClick={() => creating.mutate(target)}
              >
                <span className={classes.createIn}>Create in {nameOfProject(target)}</span>
              </GuardedButton>
              {mayNotCreate === undefined && (
                <MenuButton
                  position="bottom-end"
                  dropdown={{ className: classes.longMenu }}
                  button={
                    <ActionIcon
                      size={30}
                      aria-label={`More ways to create ${name}`}
                      className={classes.elsewhere}
                    >
                      <IconChevronDown size={14} aria-hidden />
                    </ActionIcon>
                  }
                >
                  <Menu.Item
                    onClick={() =>
                      void navigate({
                        to: '/projects/$projectId/create-toggle',
                        params: { projectId: target },
                        search: { name },
                      })
                    }
                  >
                    Create with options…
                  </Menu.Item>
                  {allowed.length > 1 && <Menu.Divider />}
                  {allowed.slice(1).map((project) => (
                    <Menu.Item key={project} onClick={() => creating.mutate(project)}>
                      Create in {nameOfProject(project)}
                    </Menu.Item>
                  ))}
                </MenuButton>
              )}
            </Button.Group>
          )}
          <GuardedButton
            refusal={mayNotIgnore}
            size="xs"
            variant="default"
            loading={ignoring.isPending}
            onClick={() => ignoring.mutate()}
          >
            {isIgnored ? 'Stop ignoring' : 'Ignore'}
          </GuardedButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Flags that applications request and no feature has: to be created or ignored. */
export function UnknownNames() {
  const { ignored: isIgnored = false, application } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(
    read('GET /api/admin/metrics/unknown-flags', isIgnored ? { query: { ignored: 'true' } } : {}),
  );
  const applications = useQuery(read('GET /api/admin/metrics/applications', {})).data?.applications;
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const drafts = draftsOf(found.data?.unknownFlags ?? [], applications ?? [], projects).filter(
    (draft) => application === undefined || draft.applications.includes(application),
  );
  const showAll = () => void navigate({ search: ({ application: _, ...before }) => before });
  const nameOfProject = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  return (
    <>
      <Title order={1} size="h2">
        Unknown flags
      </Title>
      <ApplicationTabs />
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" className="quiet" flex={1} miw={240}>
          Requested by {application === undefined ? 'your applications' : application} in the last 7
          days, but no feature has these names. They evaluate to false. A name may be misspelled, or
          its feature deleted or not created yet.
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Filter"
          data={[
            { value: 'open', label: 'Open' },
            { value: 'ignored', label: 'Ignored' },
          ]}
          value={isIgnored ? 'ignored' : 'open'}
          onChange={(which) =>
            void navigate({
              search: ({ ignored: _, ...before }) => ({
                ...before,
                ...(which === 'ignored' && { ignored: true as const }),
              }),
            })
          }
        />
      </Group>
      {found.isError ? (
        <Problem error={found.error} />
      ) : !found.data || !applications ? (
        <Waiting />
      ) : drafts.length === 0 && found.data.unknownFlags.length > 0 ? (
        <NoMatch what="unknown flags" onClear={showAll} />
      ) : drafts.length === 0 ? (
        <EmptyState title={isIgnored ? 'No ignored flags' : 'No unknown flags'}>
          {isIgnored
            ? 'Ignored flags stay here while applications request them.'
            : "Flags that applications request but that don't exist appear here."}
        </EmptyState>
      ) : (
        <>
          {isIgnored && (
            <Alert color="gray" mb="md">
              Ignored flags are hidden everywhere else.
            </Alert>
          )}
          {application !== undefined && (
            <Button variant="default" size="xs" mb="md" onClick={showAll}>
              Show all applications
            </Button>
          )}
          <div className={`card ${table.frame}`}>
            <Table
              className={`${table.table} ${table.stacked}`}
              verticalSpacing={8}
              horizontalSpacing="sm"
            >
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w="19%">Flag</Table.Th>
                  <Table.Th>Requested by</Table.Th>
                  <Table.Th w="16%">Environments</Table.Th>
                  <Table.Th w="13%">Last requested</Table.Th>
                  <Table.Th w="36%">
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {drafts.map((draft) => (
                  <DraftRow
                    key={draft.name}
                    draft={draft}
                    isIgnored={isIgnored}
                    nameOfProject={nameOfProject}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </>
      )}
    </>
  );
}
