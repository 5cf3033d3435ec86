import {
  Avatar,
  Badge,
  Group,
  SegmentedControl,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useRef } from 'react';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { agree, numberText } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { Person } from '../../ui/person.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SortableHead, type Sorting } from '../../ui/sortable-head.tsx';
import tableClasses from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { ArchivedProjects } from './archived-projects.tsx';
import { FavoriteStar } from './favorite.tsx';
import { Health, Trend } from './health.tsx';
import { type Column, chosenProjects, type ListedProject } from './list-search.ts';
import { ModeBadge } from './mode-badge.tsx';
import classes from './projects.module.css';
import { healthReason } from './words.ts';

const CreateProject = lazyPart(() => import('./create-project.tsx'), 'CreateProject');

const route = getRouteApi('/shell/projects');

const columns: readonly { readonly id: Column; readonly label: string }[] = [
  { id: 'name', label: 'Project' },
  { id: 'health', label: 'Health' },
  { id: 'featureCount', label: 'Features' },
  { id: 'memberCount', label: 'Members' },
  { id: 'lastChange', label: 'Last updated' },
];

interface RowProps {
  readonly project: ListedProject;
  readonly weeks: readonly number[];
}

function Row({ project, weeks }: RowProps) {
  const { id, name, description, health, featureCount, featureLimit, memberCount, owners } =
    project;
  const { staleFeatureCount: stale, potentiallyStaleFeatureCount: potentiallyStale } = project;
  const listedOwners = owners.filter(({ ownerType }) => ownerType !== 'system');
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.star}>
        <FavoriteStar id={id} name={name} favorite={project.favorite} />
      </Table.Td>
      <Table.Td className={classes.name}>
        <Group gap="0 8px">
          <PageLink
            to="/projects/$projectId"
            params={{ projectId: id }}
            fw={600}
            truncate
            data-row-link
          >
            {name}
          </PageLink>
          <ModeBadge mode={project.mode} />
        </Group>
        <Text size="xs" className="quiet" truncate title={description}>
          {description ?? id}
        </Text>
      </Table.Td>
      <Table.Td className={classes.health}>
        <Group gap="sm" wrap="nowrap">
          <Health
            health={health}
            reason={healthReason({ features: featureCount, stale, potentiallyStale })}
          />
          <Trend weeks={weeks} />
        </Group>
      </Table.Td>
      <Table.Td className={classes.featureCount} data-label="Features">
        <Text size="sm" className="tabular" component="span">
          {featureLimit === null
            ? numberText(featureCount)
            : `${numberText(featureCount)} of ${numberText(featureLimit)}`}
          <span className={classes.noun}>
            {` ${agree(featureLimit ?? featureCount, 'feature')}`}
          </span>
        </Text>
        {featureLimit !== null && featureCount >= featureLimit && (
          <Badge size="xs" color="yellow" variant="light" tt="none" ml={6}>
            Limit reached
          </Badge>
        )}
        {stale + potentiallyStale > 0 && (
          <Text size="xs" className="quiet tabular">
            {numberText(stale + potentiallyStale)}{' '}
            {agree(stale + potentiallyStale, 'needs', 'need')} cleanup
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.memberCount}>
        <Group gap={8} wrap="nowrap">
          {listedOwners.length > 0 && (
            <Avatar.Group spacing={8} aria-label="Owners" role="group">
              {listedOwners.slice(0, 3).map((owner, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two owners may have one name
                <Person key={index} name={owner.name ?? ''} imageUrl={owner.imageUrl} />
              ))}
            </Avatar.Group>
          )}
          <Text size="sm" className="quiet tabular">
            {numberText(memberCount)}
            <span className={classes.noun}>{` ${agree(memberCount, 'member')}`}</span>
          </Text>
        </Group>
      </Table.Td>
      <Table.Td className={classes.lastChange}>
        <Text size="sm" className="quiet" component="span">
          <Since instant={project.lastUpdatedAt ?? project.updatedAt} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** j and k walk through the links of the rows. */
function useRowKeys() {
  const table = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const here = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, here + by))]?.focus();
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  return table;
}

/** The projects that the user can see, with their health. */
export function ProjectList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayNotCreate = useRefusal('CREATE_PROJECT');
  const table = useRowKeys();
  const open = useSuspenseQuery(read('GET /api/admin/projects', {})).data.projects;
  const archived = useQuery(read('GET /api/admin/projects', { query: { archived: 'true' } })).data
    ?.projects;
  const trends = useQuery(read('GET /api/admin/insights', {})).data?.projectFlagTrends ?? [];
  const weeksOf = Map.groupBy(trends, ({ project }) => project);
  const shown = chosenProjects(open, search);
  const sorting = { by: search.sortBy ?? 'name', isDescending: search.sortOrder === 'desc' };
  const sort = ({ by, isDescending }: Sorting) =>
    void navigate({
      search: ({ sortOrder: _, ...before }) => ({
        ...before,
        sortBy: by as Column,
        ...(isDescending && { sortOrder: 'desc' as const }),
      }),
      replace: true,
    });

  const clearSearch = () => void navigate({ search: ({ query: _, ...before }) => before });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          Projects
        </Title>
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: (before) => ({ ...before, create: true }) })}
        >
          New project
        </GuardedButton>
      </Group>
      <Group gap="sm" mb="md" role="search" aria-label="Projects">
        <SearchField
          label="Search projects"
          placeholder="Search by name, description, or owner"
          value={search.query ?? ''}
          onChange={(text) =>
            void navigate({
              search: ({ query: _, ...before }) => ({ ...before, ...(text && { query: text }) }),
              replace: true,
            })
          }
          flex={1}
          miw={200}
        />
        <SegmentedControl
          aria-label="Status"
          data={[
            { value: 'open', label: `Active ${numberText(open.length)}` },
            {
              value: 'archived',
              label: archived ? `Archived ${numberText(archived.length)}` : 'Archived',
            },
          ]}
          value={search.archived ? 'archived' : 'open'}
          onChange={(which) =>
            void navigate({
              search: ({ archived: _, ...before }) => ({
                ...before,
                ...(which === 'archived' && { archived: true }),
              }),
            })
          }
        />
      </Group>
      {search.archived ? (
        archived ? (
          <ArchivedProjects
            projects={chosenProjects(archived, search)}
            query={search.query}
            onClear={clearSearch}
          />
        ) : (
          <Waiting />
        )
      ) : shown.length === 0 ? (
        <NothingShown query={search.query} onClear={clearSearch} />
      ) : (
        <div className={`card ${tableClasses.frame}`} ref={table}>
          <Table
            className={`${tableClasses.table} ${tableClasses.stacked}`}
            verticalSpacing={8}
            horizontalSpacing="md"
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th className={classes.star}>
                  <VisuallyHidden>Favorite</VisuallyHidden>
                </Table.Th>
                {columns.map((column) => (
                  <SortableHead
                    key={column.id}
                    {...column}
                    className={classes[column.id]}
                    sorting={sorting}
                    onSort={sort}
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((project) => (
                <Row
                  key={project.id}
                  project={project}
                  weeks={(weeksOf.get(project.id) ?? []).map(({ health }) => health)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {search.create && mayNotCreate === undefined && (
        <Suspense>
          <CreateProject
            onClose={() =>
              void navigate({ search: ({ create: _, ...before }) => before, replace: true })
            }
          />
        </Suspense>
      )}
    </>
  );
}

interface NothingShownProps {
  readonly query: string | undefined;
  readonly onClear: () => void;
}

const NothingShown = ({ query, onClear }: NothingShownProps) =>
  query === undefined ? (
    <EmptyState title="No projects yet">
      Projects group features and control who can change them. Create one, or ask an owner to add
      you.
    </EmptyState>
  ) : (
    <NoMatch what="projects" query={query} onClear={onClear} />
  );
