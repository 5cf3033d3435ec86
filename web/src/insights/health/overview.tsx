import { Badge, Chip, Group, Table, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Response } from '../../api.ts';
import { Health, Trend } from '../../catalogue/projects/health.tsx';
import { healthReason } from '../../catalogue/projects/words.ts';
import { read } from '../../queries.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { Figure } from '../../ui/figure.tsx';
import { capitalized, numberText, percent, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SortableHead, type Sorting } from '../../ui/sortable-head.tsx';
import table from '../../ui/table.module.css';
import classes from './health.module.css';
import type { Column, OverviewSearch } from './search.ts';
import { budgetWords, exceededWords, type Week, weekFigure, weekOf, weekWords } from './week.ts';

const route = getRouteApi('/shell/insights');

type ListedProject = Response<'GET /api/admin/projects'>['projects'][number];

interface Rated {
  readonly project: ListedProject;
  readonly weeks: readonly number[];
  readonly week: Week | undefined;
}

const aWeekAgo = () => new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);

const dueIn = ({ staleFeatureCount, potentiallyStaleFeatureCount }: ListedProject) =>
  staleFeatureCount + potentiallyStaleFeatureCount;

const values: Readonly<Record<Column, (rated: Rated) => number | string>> = {
  name: ({ project }) => project.name.toLowerCase(),
  health: ({ project }) => project.health,
  due: ({ project }) => dueIn(project),
  week: ({ week }) => week?.health ?? 0,
};

/** The projects that match the address; the least healthy first unless it says otherwise. */
function chosen(
  rated: readonly Rated[],
  { query = '', over, sortBy, sortOrder }: OverviewSearch,
): Rated[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const value = values[sortBy ?? 'health'];
  const direction = sortOrder === 'desc' ? -1 : 1;
  return rated
    .filter(
      ({ project }) =>
        words.every((word) => `${project.id} ${project.name}`.toLowerCase().includes(word)) &&
        (!over || exceededWords(project).length > 0),
    )
    .sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a !== b) return a < b ? -direction : direction;
      return one.project.name.localeCompare(other.project.name);
    });
}

const columns: readonly { readonly id: Column; readonly label: string }[] = [
  { id: 'name', label: 'Project' },
  { id: 'health', label: 'Health' },
  { id: 'due', label: 'Needs cleanup' },
  { id: 'week', label: 'This week' },
];

function Budget({ project }: { readonly project: ListedProject }) {
  const limits = budgetWords(project.budget);
  const exceeded = exceededWords(project);
  if (limits === undefined) {
    return (
      <Text size="sm" className="quiet">
        No budget
      </Text>
    );
  }
  return (
    <>
      <Badge size="sm" color={exceeded.length > 0 ? 'yellow' : 'teal'} variant="light" tt="none">
        {exceeded.length > 0 ? 'Over budget' : 'Within budget'}
      </Badge>
      <Text size="xs" className="quiet">
        {capitalized(exceeded.length > 0 ? exceeded.join('; ') : limits)}
      </Text>
    </>
  );
}

function Row({ project, weeks, week, isCompared }: Rated & Pick<FiguresProps, 'isCompared'>) {
  const { id, name, health, featureCount } = project;
  const { staleFeatureCount: stale, potentiallyStaleFeatureCount: potentiallyStale } = project;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.name}>
        <PageLink to="/projects/$projectId/health" params={{ projectId: id }} fw={600}>
          {name}
        </PageLink>
        <Text size="xs" className="quiet tabular">
          {plural(featureCount, 'feature')}
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
      <Table.Td className={classes.due} data-label="Needs cleanup">
        <Text size="sm" className="tabular">
          {stale + potentiallyStale}
        </Text>
        {stale + potentiallyStale > 0 && (
          <Text size="xs" className="quiet tabular">
            {stale} stale, {potentiallyStale} potentially stale
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.week} data-label="This week">
        <Text size="sm" className="quiet tabular">
          {isCompared ? weekWords(week) : '…'}
        </Text>
      </Table.Td>
      <Table.Td className={classes.budget} data-label="Budget">
        <Budget project={project} />
      </Table.Td>
    </Table.Tr>
  );
}

interface FiguresProps {
  readonly rated: readonly Rated[];
  /** Whether the health of a week ago has been loaded. */
  readonly isCompared: boolean;
}

function Figures({ rated, isCompared }: FiguresProps) {
  const sum = (count: (rated: Rated) => number) =>
    rated.reduce((all, each) => all + count(each), 0);
  const total = sum(({ project }) => project.featureCount);
  const stale = sum(({ project }) => project.staleFeatureCount);
  const due = sum(({ project }) => project.potentiallyStaleFeatureCount);
  const budgeted = rated.filter(({ project }) => budgetWords(project.budget) !== undefined);
  const over = rated.filter(({ project }) => exceededWords(project).length > 0);
  return (
    <div className="figures">
      <Figure
        label="Overall health"
        value={percent(total === 0 ? 100 : Math.round((100 * (total - stale - due)) / total))}
        note={`${plural(total, 'feature')} in ${plural(rated.length, 'project')}`}
      />
      <Figure
        label="Needs cleanup"
        value={numberText(stale + due)}
        note={`${numberText(stale)} stale, ${numberText(due)} potentially stale`}
      />
      <Figure
        label="Over budget"
        value={numberText(over.length)}
        note={`of ${plural(budgeted.length, 'project')} with a budget`}
      />
      <Figure
        label="This week"
        {...(isCompared
          ? weekFigure(rated.map(({ week }) => week))
          : { value: '…', note: 'Comparing with last week…' })}
      />
    </div>
  );
}

/** The health of all projects, the least healthy first. */
export function HealthOverview() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { projects } = useSuspenseQuery(read('GET /api/admin/projects', {})).data;
  const trends = useQuery(read('GET /api/admin/insights', {})).data?.projectFlagTrends ?? [];
  const byProject = Map.groupBy(trends, ({ project }) => project);
  const day = aWeekAgo();
  const before = useQuery(read('GET /api/admin/insights', { query: { from: day, to: day } })).data
    ?.projectFlagTrends;
  const rated = projects.map((project): Rated => {
    const own = byProject.get(project.id) ?? [];
    return {
      project,
      weeks: own.map(({ health }) => health),
      week: weekOf(
        project,
        before?.find((each) => each.project === project.id),
      ),
    };
  });
  const shown = chosen(rated, search);
  const sorting = { by: search.sortBy ?? 'health', isDescending: search.sortOrder === 'desc' };
  const sort = ({ by, isDescending }: Sorting) =>
    void navigate({
      search: ({ sortOrder: _, ...before }) => ({
        ...before,
        sortBy: by as Column,
        ...(isDescending && { sortOrder: 'desc' as const }),
      }),
      replace: true,
    });
  return (
    <>
      <Title order={1} size="h2" mb="md">
        Health
      </Title>
      <Figures rated={rated} isCompared={before !== undefined} />
      <Group gap="sm" my="md" role="search" aria-label="Filter projects">
        <SearchField
          label="Search projects"
          placeholder="Search by name"
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
        <Chip
          size="sm"
          variant="outline"
          checked={search.over === true}
          onChange={(over) =>
            void navigate({
              search: ({ over: _, ...before }) => ({
                ...before,
                ...(over && { over: true as const }),
              }),
              replace: true,
            })
          }
        >
          Over budget
        </Chip>
      </Group>
      {projects.length === 0 ? (
        <EmptyState title="No projects yet">
          The health of the projects that you can see appears here.
        </EmptyState>
      ) : shown.length === 0 ? (
        <NoMatch
          what="projects"
          query={search.over ? '' : (search.query ?? '')}
          onClear={() => void navigate({ search: {} })}
        >
          {search.over &&
            !search.query &&
            'No projects are over budget. Set budgets in project settings.'}
        </NoMatch>
      ) : (
        <div className={`card ${table.frame}`}>
          <Table
            className={`${table.table} ${table.stacked}`}
            verticalSpacing={8}
            horizontalSpacing="md"
          >
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <SortableHead
                    key={column.id}
                    {...column}
                    className={classes[column.id]}
                    sorting={sorting}
                    onSort={sort}
                  />
                ))}
                <Table.Th className={classes.budget}>
                  <span className={table.sort}>Budget</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((each) => (
                <Row key={each.project.id} {...each} isCompared={before !== undefined} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </>
  );
}
