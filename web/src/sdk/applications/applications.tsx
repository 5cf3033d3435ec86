import { Badge, Button, Chip, Code, Group, Table, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, type Response } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SortableHead, type Sorting } from '../../ui/sortable-head.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './applications.module.css';
import { Sdk } from './sdk.tsx';
import type { Order } from './search.ts';
import { ApplicationTabs } from './tabs.tsx';

const route = getRouteApi('/shell/applications');

type Found = Response<'GET /api/admin/metrics/applications'>;
type Application = Found['applications'][number];

const pageSize = 100;
const pauseMs = 200;

function useApplications() {
  const { query = '', sortBy = 'appName', sortOrder = 'asc' } = route.useSearch();
  const [asked] = useDebouncedValue(query, pauseMs);
  return useInfiniteQuery({
    queryKey: ['GET /api/admin/metrics/applications', asked, sortBy, sortOrder],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/metrics/applications', {
        query: {
          ...(asked !== '' && { query: asked }),
          sortBy,
          sortOrder,
          limit: String(pageSize),
          offset: String(pageParam),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }: Found, pages: readonly Found[]) => {
      const shown = pages.reduce((sum, { applications }) => sum + applications.length, 0);
      return shown < total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

interface RowProps {
  readonly application: Application;
  readonly isOutdated: boolean;
}

function Row({ application, isOutdated }: RowProps) {
  const nameOfProject = useProjectName();
  const { appName, description, usage, sdkVersion, lastSeen } = application;
  const environments = [...new Set(usage.flatMap((each) => each.environments))].sort();
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.name}>
        <PageLink to="/applications/$appName" params={{ appName }} size="sm" fw={600}>
          {appName}
        </PageLink>
        {description !== '' && (
          <Text size="xs" className="quiet" lineClamp={1}>
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {sdkVersion === undefined ? (
          <Text size="sm" className="quiet">
            SDK not reported
          </Text>
        ) : (
          <Sdk sdk={sdkVersion} isOutdated={isOutdated} />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {environments.map((name) => (
            <Badge key={name} size="sm" variant="light" color="gray" tt="none">
              {name}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td data-label="Projects">
        <Text size="sm" className="quiet" component="span">
          {usage
            .map(({ project }) => (project === '*' ? 'All projects' : nameOfProject(project)))
            .join(', ')}
        </Text>
      </Table.Td>
      <Table.Td data-label="Last seen">
        <Text size="sm" className="quiet" component="span">
          <Since instant={lastSeen} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** The applications that use an SDK, and when they were last seen. */
export function Applications() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useApplications();
  const sorting = { by: search.sortBy ?? 'appName', isDescending: search.sortOrder === 'desc' };
  const sort = ({ by, isDescending }: Sorting) =>
    void navigate({
      search: ({ sortOrder: _, ...before }) => ({
        ...before,
        sortBy: by as Order,
        ...(isDescending && { sortOrder: 'desc' as const }),
      }),
      replace: true,
    });
  const { hasNextPage, isFetching, isError, fetchNextPage } = found;
  const areAllWanted = search.outdated === true && hasNextPage;
  // The server can't filter by this, so a filtered list is right only if it is complete.
  useEffect(() => {
    if (areAllWanted && !isFetching && !isError) void fetchNextPage();
  }, [areAllWanted, isFetching, isError, fetchNextPage]);
  const outdatedSdks = useQuery(read('GET /api/admin/metrics/sdks/outdated', {}));
  const outdated = new Set(outdatedSdks.data?.sdks.flatMap(({ applications }) => applications));
  const loaded = found.data?.pages.flatMap(({ applications }) => applications) ?? [];
  const shown = search.outdated ? loaded.filter(({ appName }) => outdated.has(appName)) : loaded;
  const isFiltered = search.query !== undefined || search.outdated === true;
  return (
    <>
      <Title order={1} size="h2">
        Applications
      </Title>
      <ApplicationTabs />
      {found.isPending ? (
        <Waiting />
      ) : found.isError ? (
        <Problem error={found.error} />
      ) : loaded.length === 0 && !isFiltered ? (
        <NoApplications />
      ) : (
        <>
          <Group gap="sm" mb="md" role="search" aria-label="Filter applications">
            <SearchField
              label="Search applications"
              placeholder="Search by name or description"
              value={search.query ?? ''}
              onChange={(text) =>
                void navigate({
                  search: ({ query: _, ...before }) => ({
                    ...before,
                    ...(text && { query: text }),
                  }),
                  replace: true,
                })
              }
              flex={1}
              miw={200}
            />
            {(outdated.size > 0 || search.outdated) && (
              <Chip
                size="sm"
                variant="outline"
                checked={search.outdated === true}
                onChange={(checked) =>
                  void navigate({
                    search: ({ outdated: _, ...before }) => ({
                      ...before,
                      ...(checked && { outdated: true as const }),
                    }),
                    replace: true,
                  })
                }
              >
                Outdated SDK {outdated.size}
              </Chip>
            )}
          </Group>
          {shown.length === 0 && (areAllWanted || (search.outdated && outdatedSdks.isPending)) ? (
            <Waiting />
          ) : shown.length === 0 ? (
            <NoMatch
              what="applications"
              {...(search.query !== undefined && !search.outdated && { query: search.query })}
              onClear={() => void navigate({ search: {} })}
            />
          ) : (
            <div className={`card ${table.frame}`}>
              <Table
                className={`${table.table} ${table.stacked}`}
                verticalSpacing={8}
                horizontalSpacing="md"
              >
                <Table.Thead>
                  <Table.Tr>
                    <SortableHead
                      id="appName"
                      label="Application"
                      sorting={sorting}
                      onSort={sort}
                    />
                    <Table.Th w="24%">SDK</Table.Th>
                    <Table.Th w="20%">Environments</Table.Th>
                    <Table.Th w="13%">Projects</Table.Th>
                    <SortableHead id="lastSeen" label="Last seen" sorting={sorting} onSort={sort} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {shown.map((application) => (
                    <Row
                      key={application.appName}
                      application={application}
                      isOutdated={outdated.has(application.appName)}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )}
          {hasNextPage && !areAllWanted && (
            <Group justify="center" p="sm">
              <Button
                variant="default"
                size="xs"
                loading={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                Load more
              </Button>
            </Group>
          )}
        </>
      )}
    </>
  );
}

function NoApplications() {
  const url = useQuery(read('GET /api/admin/ui-config', {})).data?.unleashUrl ?? '';
  return (
    <EmptyState title="No applications connected yet">
      Applications appear here when their SDK registers. Create an API token in a project's
      settings, or register a test application with curl:
      <Code block mt="sm" ta="left">
        {`curl -X POST ${url.replace(/\/$/, '')}/api/client/register \\
  -H "Authorization: $CLIENT_TOKEN" -H "Content-Type: application/json" \\
  -d '{"appName": "my-app", "instanceId": "1", "interval": 15000, "started": "2026-01-01T00:00:00Z", "strategies": ["default"]}'`}
      </Code>
    </EmptyState>
  );
}
