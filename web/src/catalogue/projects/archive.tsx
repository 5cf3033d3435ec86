import { Button, Checkbox, Group, List, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { typeName } from '../../flags/feature-words.ts';
import { useRefusal, useReviveRefusal } from '../../me.ts';
import { invalidate } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './projects.module.css';

const route = getRouteApi('/shell/projects/$projectId/archive');

type Found = Response<'GET /api/admin/search/features'>;

const pageSize = 100;
const pauseMs = 120;

/** Archived features of a project, newest first. */
function useArchived(projectId: string, query: string) {
  return useInfiniteQuery({
    queryKey: ['GET /api/admin/search/features', 'archive', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/search/features', {
        query: {
          query,
          project: `IS:${projectId}`,
          archived: 'IS:true',
          sortBy: 'createdAt',
          sortOrder: 'desc',
          limit: String(pageSize),
          offset: String(pageParam),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }: Found, pages: readonly Found[]) => {
      const shown = pages.reduce((sum, { features }) => sum + features.length, 0);
      return shown < total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

const refresh = () =>
  invalidate('GET /api/admin/search/features', 'GET /api/admin/projects/:projectId/overview');

/** The archived features of a project, which can be revived or deleted. */
export function ProjectArchive() {
  const { projectId } = route.useParams();
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [asked] = useDebouncedValue(query, pauseMs);
  const found = useArchived(projectId, asked);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deleted, setDeleted] = useState<readonly string[]>();
  const mayNotRevive = useReviveRefusal(projectId);
  const mayNotDelete = useRefusal('DELETE_FEATURE', { project: projectId });

  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const features = found.data.pages.flatMap((page) => page.features);
  const total = found.data.pages[0]?.total ?? 0;
  if (total === 0 && asked === '') {
    return (
      <EmptyState title="No archived features">
        Archive a feature once its code is removed. It keeps its configuration. If you revive it
        later, it starts disabled in every environment.
      </EmptyState>
    );
  }
  const search = (text: string) =>
    void navigate({ search: text === '' ? {} : { query: text }, replace: true });
  const names = features.map(({ name }) => name);
  const chosen = names.filter((name) => selected.has(name));
  const toggle = (name: string) => {
    const next = new Set(selected);
    if (!next.delete(name)) next.add(name);
    setSelected(next);
  };
  const revive = async (which: readonly string[]) => {
    const request = { params: { projectId }, body: { features: [...which] } };
    try {
      await api('POST /api/admin/projects/:projectId/revive', request);
    } catch (error) {
      tellProblem(`revive ${plural(which.length, 'feature')}`, error as Error);
      return;
    }
    setSelected(new Set());
    await refresh();
    tellDone({
      id: 'archive',
      title: `${which.length === 1 ? which[0] : plural(which.length, 'feature')} revived, disabled in every environment`,
      undo: async () => {
        await api('POST /api/admin/projects/:projectId/archive', request);
        await refresh();
      },
    });
  };

  return (
    <>
      <Group mb="md" role="search" aria-label="Archived features" gap="sm">
        <SearchField
          label="Search archived features"
          placeholder="Search by name, description, or tag"
          value={query}
          flex={1}
          miw={200}
          onChange={search}
        />
        <GuardedButton
          refusal={chosen.length === 0 ? 'Select features first' : mayNotRevive}
          variant="default"
          onClick={() => void revive(chosen)}
        >
          Revive {chosen.length || ''}
        </GuardedButton>
        <GuardedButton
          refusal={chosen.length === 0 ? 'Select features first' : mayNotDelete}
          variant="default"
          onClick={() => setDeleted(chosen)}
        >
          {chosen.length === 0 ? 'Delete…' : `Delete ${chosen.length}…`}
        </GuardedButton>
      </Group>
      {total === 0 ? (
        <NoMatch what="archived features" query={asked} onClear={() => search('')} />
      ) : (
        <>
          <Text size="sm" className="quiet tabular" mb="xs" role="status">
            {plural(total, 'archived feature')}
          </Text>
          <div className={`card ${table.frame}`}>
            <Table verticalSpacing={8} horizontalSpacing="md" className={classes.archived ?? ''}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={44}>
                    <Checkbox
                      aria-label={found.hasNextPage ? 'Select all loaded features' : 'Select all'}
                      checked={chosen.length > 0 && chosen.length === names.length}
                      indeterminate={chosen.length > 0 && chosen.length < names.length}
                      onChange={() =>
                        setSelected(new Set(chosen.length === names.length ? [] : names))
                      }
                    />
                  </Table.Th>
                  <Table.Th>Feature</Table.Th>
                  <Table.Th visibleFrom="sm">Archived</Table.Th>
                  <Table.Th visibleFrom="sm">Last evaluated</Table.Th>
                  <Table.Th w={190}>
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {features.map(({ name, type, archivedAt, lastSeenAt }) => (
                  <Table.Tr key={name}>
                    <Table.Td>
                      <Checkbox
                        aria-label={`Select ${name}`}
                        checked={selected.has(name)}
                        onChange={() => toggle(name)}
                      />
                    </Table.Td>
                    <Table.Td className={classes.archivedName}>
                      <PageLink
                        to="/projects/$projectId/features/$featureName"
                        params={{ projectId, featureName: name }}
                        fw={600}
                        size="sm"
                      >
                        {name}
                      </PageLink>
                      <Text size="xs" className="quiet">
                        {typeName(type)}
                      </Text>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Text size="sm" className="quiet" component="span">
                        {archivedAt ? <Since instant={archivedAt} /> : '–'}
                      </Text>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Text size="sm" className="quiet" component="span">
                        {lastSeenAt ? <Since instant={lastSeenAt} /> : 'Never'}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Group gap={4} justify="flex-end" wrap="nowrap">
                        <GuardedButton
                          refusal={mayNotRevive}
                          size="compact-sm"
                          variant="subtle"
                          onClick={() => void revive([name])}
                        >
                          Revive
                        </GuardedButton>
                        <GuardedButton
                          refusal={mayNotDelete}
                          size="compact-sm"
                          variant="subtle"
                          color="red"
                          onClick={() => setDeleted([name])}
                        >
                          Delete…
                        </GuardedButton>
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </>
      )}
      {found.hasNextPage && (
        <Group justify="center" mt="sm">
          <Button
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
      {deleted && (
        <Confirm
          title={
            deleted.length === 1
              ? `Delete ${deleted[0]} permanently?`
              : `Delete ${plural(deleted.length, 'feature')} permanently?`
          }
          action="Delete permanently"
          onClose={() => setDeleted(undefined)}
          onConfirm={async () => {
            await api('POST /api/admin/projects/:projectId/delete', {
              params: { projectId },
              body: { features: [...deleted] },
            });
            setSelected(new Set());
            await refresh();
            tellDone({
              id: 'archive',
              title: `${deleted.length === 1 ? deleted[0] : plural(deleted.length, 'feature')} deleted`,
            });
          }}
        >
          <Text size="sm">
            This can't be undone. Code that still evaluates a deleted feature gets its fallback
            value, and its name can be reused. The event log keeps its history.
          </Text>
          {deleted.length > 1 && (
            <List size="sm" className={classes.longList}>
              {deleted.map((name) => (
                <List.Item key={name}>{name}</List.Item>
              ))}
            </List>
          )}
        </Confirm>
      )}
    </>
  );
}
