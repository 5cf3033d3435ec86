import { Avatar, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { EventList } from '../../../events/event-list.tsx';
import { read } from '../../../queries.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Person } from '../../../ui/person.tsx';
import { Problem } from '../../../ui/problem.tsx';
import classes from '../projects.module.css';
import { counted } from '../words.ts';
import { ProjectFindings } from './findings.tsx';
import { periods } from './search.ts';

const HealthChart = lazy(async () => ({
  default: (await import('./health-chart.tsx')).HealthChart,
}));

const route = getRouteApi('/shell/projects/$projectId/insights');

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

const Figure = ({ label, value, note }: FigureProps) => (
  <div className={`card ${classes.figure}`}>
    <Text size="xs" className="quiet">
      {label}
    </Text>
    <Text size="xl" fw={650} className="tabular">
      {value}
    </Text>
    <Text size="xs" className="quiet tabular">
      {note}
    </Text>
  </div>
);

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}

const firstDay = (days: number): string =>
  new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);

/** How the health went. The chart is read when it is shown. */
function History({ projectId }: { readonly projectId: string }) {
  const { days = 90 } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useQuery({
    ...read('GET /api/admin/projects/:projectId/health-history', {
      params: { projectId },
      query: { from: firstDay(days) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Change over time"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods.map((period) => ({ value: String(period), label: `${period} days` }))}
          value={String(days)}
          onChange={(value) => {
            const chosen = periods.find((period) => period === Number(value));
            void navigate({
              search: ({ days: _, ...before }) => ({
                ...before,
                ...(chosen && chosen !== 90 && { days: chosen }),
              }),
              replace: true,
            });
          }}
        />
      }
    >
      <div className={`card ${classes.chart}`}>
        {history.isError ? (
          <Problem error={history.error} />
        ) : (
          <Suspense fallback={<Skeleton h={220} />}>
            {history.data && history.data.days.length < 2 ? (
              <Text size="sm" className="quiet">
                The history begins today. From tomorrow on, lines show how the health changes.
              </Text>
            ) : history.data ? (
              <HealthChart days={history.data.days} minHealth={history.data.budget.minHealth} />
            ) : (
              <Skeleton h={220} />
            )}
          </Suspense>
        )}
      </div>
    </Section>
  );
}

/** How a project fares: figures, what should go and why, who is in it, and what happened lately. */
export function ProjectOverview() {
  const { projectId } = route.useParams();
  const project = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data;
  const { stats, environments, members, owners } = project;
  const people = owners.filter(({ ownerType }) => ownerType !== 'system');
  return (
    <div className={classes.overview}>
      <Stack gap="lg" className={classes.overviewMain}>
        <div className={classes.figures}>
          <Figure
            label="Created in 30 days"
            value={number.format(stats.createdCurrentWindow)}
            note={`${number.format(stats.createdPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Archived in 30 days"
            value={number.format(stats.archivedCurrentWindow)}
            note={`${number.format(stats.archivedPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Changes in 30 days"
            value={number.format(stats.projectActivityCurrentWindow)}
            note={`${number.format(stats.projectActivityPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Time to production"
            value={
              stats.avgTimeToProdCurrentWindow === 0
                ? '–'
                : `${number.format(stats.avgTimeToProdCurrentWindow)} days`
            }
            note={
              stats.avgTimeToProdCurrentWindow === 0
                ? 'nothing reached production lately'
                : 'from creation, on average'
            }
          />
        </div>
        <History projectId={projectId} />
        <Section title="What should go, and why">
          <ProjectFindings projectId={projectId} />
        </Section>
      </Stack>
      <Stack gap="lg" className={classes.overviewSide}>
        <Section
          title="Members"
          aside={
            <PageLink to="/projects/$projectId/settings/access" params={{ projectId }} size="sm">
              Manage
            </PageLink>
          }
        >
          <Stack className="card" p="md" gap={8}>
            <Text size="sm">{counted(members, 'member')}</Text>
            {people.length === 0 ? (
              <Text size="sm" className="quiet">
                Nobody owns it. Administrators decide.
              </Text>
            ) : (
              <Group gap={8}>
                <Avatar.Group spacing={8}>
                  {people.slice(0, 5).map((owner, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two owners may have one name
                    <Person key={index} name={owner.name ?? ''} imageUrl={owner.imageUrl} />
                  ))}
                </Avatar.Group>
                <Text size="sm" className="quiet">
                  owned by {people.map(({ name }) => name).join(', ')}
                </Text>
              </Group>
            )}
          </Stack>
        </Section>
        <Section
          title="Environments"
          aside={
            <PageLink
              to="/projects/$projectId/settings/environments"
              params={{ projectId }}
              size="sm"
            >
              Manage
            </PageLink>
          }
        >
          <Environments
            projectId={projectId}
            names={environments.map(({ environment }) => environment)}
          />
        </Section>
        <Section
          title="Lately"
          aside={
            <PageLink to="/projects/$projectId/logs" params={{ projectId }} size="sm">
              All activity
            </PageLink>
          }
        >
          <EventList query={{ project: `IS:${projectId}` }} limit={8} />
        </Section>
      </Stack>
    </div>
  );
}

function Environments({
  projectId,
  names,
}: {
  readonly projectId: string;
  readonly names: readonly string[];
}) {
  const listed = useQuery(
    read('GET /api/admin/environments/project/:projectId', { params: { projectId } }),
  ).data?.environments;
  return (
    <Stack className="card" p="md" gap={8}>
      {names.map((name) => {
        const state = listed?.find((each) => each.name === name);
        return (
          <Group key={name} justify="space-between" gap={8}>
            <Text size="sm">{name}</Text>
            <Text size="xs" className="quiet tabular">
              {state &&
                `${counted(state.projectEnabledToggleCount, 'feature')} on · ${counted(state.projectApiTokenCount, 'token')}`}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}
