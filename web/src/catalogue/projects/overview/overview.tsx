import { Avatar, Group, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EventList } from '../../../events/event-list.tsx';
import { read } from '../../../queries.ts';
import { Figure } from '../../../ui/figure.tsx';
import { decimalText, plural } from '../../../ui/format.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Person } from '../../../ui/person.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../projects.module.css';

const route = getRouteApi('/shell/projects/$projectId/insights');

/** How a project fares: figures, what happened lately, who is in it, and where its features are on. */
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
        <div className="figures">
          <Figure
            label="Created in 30 days"
            value={decimalText(stats.createdCurrentWindow)}
            note={`${decimalText(stats.createdPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Archived in 30 days"
            value={decimalText(stats.archivedCurrentWindow)}
            note={`${decimalText(stats.archivedPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Changes in 30 days"
            value={decimalText(stats.projectActivityCurrentWindow)}
            note={`${decimalText(stats.projectActivityPastWindow)} in the 30 days before`}
          />
          <Figure
            label="Time to production"
            value={
              stats.avgTimeToProdCurrentWindow === 0
                ? '–'
                : `${decimalText(stats.avgTimeToProdCurrentWindow)} days`
            }
            note={
              stats.avgTimeToProdCurrentWindow === 0
                ? 'nothing reached production lately'
                : 'from creation, on average'
            }
          />
        </div>
        <Section
          title="Lately"
          aside={
            <PageLink to="/projects/$projectId/logs" params={{ projectId }} size="sm">
              All activity
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
            <PageLink to="/projects/$projectId/settings/access" params={{ projectId }} size="sm">
              Manage
            </PageLink>
          }
        >
          <Stack className="card" p="md" gap={8}>
            <Text size="sm">{plural(members, 'member')}</Text>
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
                `${plural(state.projectEnabledToggleCount, 'feature')} on · ${plural(state.projectApiTokenCount, 'token')}`}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}
