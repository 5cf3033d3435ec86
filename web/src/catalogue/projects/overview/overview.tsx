import { Avatar, Group, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EventList } from '../../../events/event-list.tsx';
import { useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { Figure } from '../../../ui/figure.tsx';
import { joinAnd, numberText, plural } from '../../../ui/format.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Person } from '../../../ui/person.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../projects.module.css';
import { comparedText, daysText } from '../words.ts';

const route = getRouteApi('/shell/projects/$projectId/insights');

/** The overview of a project: figures, recent activity, members and environments. */
export function ProjectOverview() {
  const { projectId } = route.useParams();
  const project = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data;
  const { stats, environments, members, owners } = project;
  const where = { project: projectId };
  const mayNotUpdate = useRefusal('UPDATE_PROJECT', where);
  const mayNotReadMembers = useRefusal(['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ'], where);
  const mayNotChangeMembers = useRefusal(['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'], where);
  const listedOwners = owners.filter(({ ownerType }) => ownerType !== 'system');
  return (
    <div className={classes.overview}>
      <Stack gap="lg" className={classes.overviewMain}>
        <Section title="Last 30 days">
          <div className="figures">
            <Figure
              label="Features created"
              value={numberText(stats.createdCurrentWindow)}
              note={comparedText(stats.createdCurrentWindow, stats.createdPastWindow)}
            />
            <Figure
              label="Features archived"
              value={numberText(stats.archivedCurrentWindow)}
              note={comparedText(stats.archivedCurrentWindow, stats.archivedPastWindow)}
            />
            <Figure
              label="Changes"
              value={numberText(stats.projectActivityCurrentWindow)}
              note={comparedText(
                stats.projectActivityCurrentWindow,
                stats.projectActivityPastWindow,
              )}
            />
            <Figure
              label="Avg. time to production"
              value={
                stats.avgTimeToProdCurrentWindow === 0
                  ? '–'
                  : daysText(stats.avgTimeToProdCurrentWindow)
              }
              note={
                stats.avgTimeToProdCurrentWindow === 0
                  ? 'No features reached production recently'
                  : 'From creation to production'
              }
            />
          </div>
        </Section>
        <Section
          title="Recent activity"
          aside={
            <PageLink to="/projects/$projectId/logs" params={{ projectId }} size="sm">
              View all
            </PageLink>
          }
        >
          <EventList query={{ project: `IS:${projectId}` }} limit={12} />
        </Section>
      </Stack>
      <Stack gap="lg" className={classes.overviewSide}>
        <Section
          title="Members"
          aside={
            mayNotReadMembers === undefined && (
              <PageLink to="/projects/$projectId/settings/access" params={{ projectId }} size="sm">
                {mayNotChangeMembers === undefined ? 'Manage' : 'View all'}
              </PageLink>
            )
          }
        >
          <Stack className="card" p="md" gap={8}>
            <Text size="sm">{plural(members, 'member')}</Text>
            {listedOwners.length === 0 ? (
              <Text size="sm" className="quiet">
                No owner. Managed by admins.
              </Text>
            ) : (
              <Group gap={8}>
                <Avatar.Group spacing={8}>
                  {listedOwners.slice(0, 5).map((owner, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two owners may have one name
                    <Person key={index} name={owner.name ?? ''} imageUrl={owner.imageUrl} />
                  ))}
                </Avatar.Group>
                <Text size="sm" className="quiet">
                  Owned by{' '}
                  {joinAnd(
                    listedOwners.map(({ name }) => name ?? ''),
                    5,
                  )}
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
              {mayNotUpdate === undefined ? 'Manage' : 'View all'}
            </PageLink>
          }
        >
          <Environments
            projectId={projectId}
            names={environments.map(({ environment }) => environment)}
          />
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
                `${plural(state.projectEnabledToggleCount, 'feature')} enabled · ${plural(state.projectApiTokenCount, 'API token')}`}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}
