import { ActionIcon, Badge } from '@mantine/core';
import { IconCopy, IconGripVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, queryClient, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { GuardedButton, GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { DeleteDialog } from '../uses/delete-dialog.tsx';
import { UsedBy } from '../uses/uses.tsx';
import { protectedReason } from './environment-words.ts';

const route = getRouteApi('/shell/configure/environments');
const query = read('GET /api/admin/environments', {});

export type Environment = Response<'GET /api/admin/environments'>['environments'][number];

const refresh = () =>
  invalidate('GET /api/admin/environments', 'GET /api/admin/environments/project/:projectId');

/** Between two environments, so that the API can put one there. */
const step = 100;

const orderOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name, place) => [name, (place + 1) * step]));

interface Order {
  /** For Undo, because the new order is already shown when the server has saved it. */
  readonly before: readonly string[];
  readonly next: readonly string[];
  readonly moved: string;
}

const orderName = 'order of environments';

/** Moves environments. The new order is shown at once, and taken back if the server refuses it. */
function useOrder(environments: readonly Environment[]) {
  const names = environments.map(({ name }) => name);
  const send = (next: readonly string[]) =>
    api('PUT /api/admin/environments/sort-order', { body: orderOf(next) });
  const order = useMutation({
    mutationKey: [orderName],
    // One after another: keys are pressed faster than the server responds.
    scope: { id: orderName },
    mutationFn: ({ next }: Order) => send(next),
    onMutate: async ({ next }) => {
      // What is being fetched has the order of before.
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      queryClient.setQueryData(
        query.queryKey,
        (before) =>
          before && {
            ...before,
            environments: before.environments.toSorted(
              (one, other) => next.indexOf(one.name) - next.indexOf(other.name),
            ),
          },
      );
    },
    onSuccess: (_, { before, next, moved }) =>
      tellDone({
        id: 'order of environments',
        title: `${moved} moved to position ${next.indexOf(moved) + 1} of ${next.length}`,
        undo: async () => {
          await send(before);
          await refresh();
        },
      }),
    onError: (error) => tellProblem('reorder environments', error),
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: [orderName] }) === 1) void refresh();
    },
  });
  return (moved: string, to: number) => {
    const from = names.indexOf(moved);
    if (from === to || to < 0 || to >= names.length) return;
    const next = names.toSpliced(from, 1).toSpliced(to, 0, moved);
    order.mutate({ before: names, next, moved });
  };
}

/** The environments, in the order in which every list shows them. */
export function Environments() {
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { environments } = useSuspenseQuery(query).data;
  const mayNot = useRefusal('ADMIN');
  const mayNotReadTokens = useRefusal(['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN']);
  const move = useOrder(environments);
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<string>();
  const [deleting, setDeleting] = useState<Environment>();
  const moveByKey = (event: KeyboardEvent, name: string, place: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    move(name, place + by);
  };
  return (
    <Page
      title="Environments"
      lead={`Features are configured separately in each environment, and each SDK token belongs to one.${mayNot === undefined ? ' Drag to change the order used everywhere.' : ''}`}
      action={
        <GuardedButton
          refusal={mayNot}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/environments/create', search: true })}
        >
          New environment
        </GuardedButton>
      }
    >
      <List
        what="environments"
        items={environments}
        textOf={({ name, type }) => `${name} ${type}`}
        query={search.query ?? ''}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="No environments yet">
            Create an environment so projects can enable features.
          </EmptyState>
        }
      >
        {(environment) => {
          const { name, type } = environment;
          const place = environments.indexOf(environment);
          const refusal = mayNot ?? (environment.protected ? protectedReason : undefined);
          return (
            <Row
              key={name}
              name={name}
              isTarget={target === name && dragged !== name}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                setTarget(name);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) move(dragged, place);
                setTarget(undefined);
              }}
              before={
                <Tooltip label={refusal ?? 'Drag or use arrow keys to reorder'}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Move ${name}`}
                    aria-disabled={refusal !== undefined || undefined}
                    style={{ cursor: refusal === undefined ? 'grab' : 'not-allowed' }}
                    draggable={refusal === undefined}
                    onDragStart={({ dataTransfer }) => {
                      // Some browsers only drag what has data.
                      dataTransfer.setData('application/x-burgee-environment', name);
                      dataTransfer.effectAllowed = 'move';
                      setDragged(name);
                    }}
                    onDragEnd={() => {
                      setDragged(undefined);
                      setTarget(undefined);
                    }}
                    onKeyDown={(event) => {
                      if (refusal === undefined) moveByKey(event, name, place);
                    }}
                  >
                    <IconGripVertical size={16} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              }
              badges={
                <>
                  {type === 'production' && <ProductionMark name={name} isCompact />}
                  {type !== name && (
                    <Badge size="sm" variant="outline" color="gray" tt="none">
                      {type}
                    </Badge>
                  )}
                  {environment.protected && (
                    <Badge size="sm" variant="light" color="gray" tt="none">
                      Protected
                    </Badge>
                  )}
                  {!environment.enabled && (
                    <Badge size="sm" variant="light" color="gray" tt="none">
                      Not in new projects
                    </Badge>
                  )}
                </>
              }
              note={
                <>
                  {plural(environment.enabledToggleCount, 'feature')} enabled ·{' '}
                  <span style={{ whiteSpace: 'nowrap' }}>
                    {mayNotReadTokens === undefined ? (
                      <PageLink
                        to="/admin/api"
                        search={{ query: name }}
                        size="sm"
                        underline="always"
                      >
                        {plural(environment.apiTokenCount, 'API token')}
                      </PageLink>
                    ) : (
                      plural(environment.apiTokenCount, 'API token')
                    )}
                  </span>
                </>
              }
              actions={
                <>
                  <GuardedIcon
                    icon={IconPencil}
                    refusal={refusal}
                    label={`Edit ${name}`}
                    onClick={() =>
                      void navigate({
                        to: '/environments/edit/$name',
                        params: { name },
                        search: true,
                      })
                    }
                  />
                  <GuardedIcon
                    icon={IconCopy}
                    refusal={mayNot}
                    label={`Clone ${name}`}
                    onClick={() =>
                      void navigate({
                        to: '/environments/clone/$name',
                        params: { name },
                        search: true,
                      })
                    }
                  />
                  <GuardedIcon
                    icon={IconTrash}
                    refusal={refusal}
                    label={`Delete ${name}`}
                    onClick={() => setDeleting(environment)}
                  />
                </>
              }
            >
              <UsedBy
                thing={{ kind: 'environment', id: name }}
                label={
                  environment.projectCount === 0
                    ? 'Not used by any project'
                    : `Used by ${plural(environment.projectCount, 'project')}`
                }
              />
            </Row>
          );
        }}
      </List>
      {deleting && (
        <DeleteDialog
          thing={{ kind: 'environment', id: deleting.name }}
          name={deleting.name}
          // Only projects prevent it: features are in an environment through their project.
          blockersOf={(uses) => ({ ...uses, features: [], featureCount: 0 })}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/environments/:name', { params: { name: deleting.name } });
            await refresh();
          }}
        >
          {deleting.apiTokenCount > 0 &&
            `${plural(deleting.apiTokenCount, 'API token')} will stop working. `}
          Role permissions limited to this environment will be removed.
        </DeleteDialog>
      )}
      <Outlet />
    </Page>
  );
}
