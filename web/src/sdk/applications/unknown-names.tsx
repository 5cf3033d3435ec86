import {
  ActionIcon,
  Alert,
  Button,
  Code,
  Group,
  Menu,
  SegmentedControl,
  Text,
  Title,
} from '@mantine/core';
import { IconChevronDown, IconEyeOff, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { useMay, useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { agree } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
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

/** Makes the feature, off everywhere. Undo takes it away for good: it never was more than a name. */
async function create(name: string, projectId: string): Promise<void> {
  await api('POST /api/admin/projects/:projectId/features', {
    params: { projectId },
    body: { name },
  });
  await refresh();
  tellDone({
    id: `unknown ${name}`,
    title: `${name} created in ${projectId}, disabled in every environment`,
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
    mutationFn: (project: string) => create(name, project),
    onError: (error) => tellProblem(`create ${name}`, error),
  });
  const ignoring = useMutation({
    mutationFn: () => ignore(name, !isIgnored),
    onError: (error) => tellProblem(`${isIgnored ? 'stop ignoring' : 'ignore'} ${name}`, error),
  });
  return (
    <li className={classes.draft}>
      <div className={classes.draftText}>
        <Code className={classes.draftName}>{name}</Code>
        <Text size="sm" className="quiet">
          {applications.slice(0, 3).map((appName, place) => (
            <span key={appName}>
              {place > 0 && ', '}
              <PageLink to="/applications/$appName" params={{ appName }} inherit underline="always">
                {appName}
              </PageLink>
            </span>
          ))}
          {applications.length > 3 && ` and ${applications.length - 3} more`}{' '}
          {agree(applications.length, 'asks', 'ask')} for it in {environments.join(', ')}, last{' '}
          <Since instant={seenAt} />. Everybody gets “off”.
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap" className={classes.draftActions ?? ''}>
        {!isIgnored && (
          <Button.Group>
            <GuardedButton
              refusal={mayNotCreate}
              size="xs"
              loading={creating.isPending}
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => creating.mutate(target)}
            >
              Create in {nameOfProject(target)}
            </GuardedButton>
            <MenuButton
              position="bottom-end"
              dropdown={{ className: classes.longMenu }}
              button={
                <ActionIcon
                  size={30}
                  aria-label={`Create ${name} elsewhere`}
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
                With its details…
              </Menu.Item>
              {allowed.length > 1 && <Menu.Divider />}
              {allowed.slice(1).map((project) => (
                <Menu.Item key={project} onClick={() => creating.mutate(project)}>
                  in {nameOfProject(project)}
                </Menu.Item>
              ))}
            </MenuButton>
          </Button.Group>
        )}
        <GuardedButton
          refusal={mayNotIgnore}
          size="xs"
          variant="default"
          loading={ignoring.isPending}
          leftSection={<IconEyeOff size={14} aria-hidden />}
          onClick={() => ignoring.mutate()}
        >
          {isIgnored ? 'No longer ignore' : 'Ignore'}
        </GuardedButton>
      </Group>
    </li>
  );
}

/** Names that applications ask for and no feature has: each is a draft, to be made or ignored. */
export function UnknownNames() {
  const { ignored: isIgnored = false } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(
    read('GET /api/admin/metrics/unknown-flags', isIgnored ? { query: { ignored: 'true' } } : {}),
  );
  const applications = useQuery(read('GET /api/admin/metrics/applications', {})).data?.applications;
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const nameOfProject = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  return (
    <>
      <Title order={1} size="h2">
        Names that nobody made
      </Title>
      <ApplicationTabs />
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" className="quiet" flex={1} miw={240}>
          Applications asked for these names within the last week, and no feature has them. A name
          may be misspelt, deleted, or not made yet.
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Which names"
          data={[
            { value: 'open', label: 'Open' },
            { value: 'ignored', label: 'Ignored' },
          ]}
          value={isIgnored ? 'ignored' : 'open'}
          onChange={(which) =>
            void navigate({ search: which === 'ignored' ? { ignored: true } : {} })
          }
        />
      </Group>
      {found.isError ? (
        <Problem error={found.error} />
      ) : !found.data || !applications ? (
        <Waiting />
      ) : found.data.unknownFlags.length === 0 ? (
        <EmptyState title={isIgnored ? 'No name is ignored' : 'Every name is a feature'}>
          {isIgnored
            ? 'A name that is ignored stands here as long as applications ask for it.'
            : 'When an application asks for a name that no feature has, it appears here within seconds, ready to be created.'}
        </EmptyState>
      ) : (
        <>
          {isIgnored && (
            <Alert color="gray" mb="md">
              These are not shown anywhere else.
            </Alert>
          )}
          <ul className={`card ${classes.drafts}`}>
            {draftsOf(found.data.unknownFlags, applications, projects).map((draft) => (
              <DraftRow
                key={draft.name}
                draft={draft}
                isIgnored={isIgnored}
                nameOfProject={nameOfProject}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}
