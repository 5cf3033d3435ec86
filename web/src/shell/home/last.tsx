import { Group, Text, Title } from '@mantine/core';
import { IconFlag, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { systemId } from '../../directory.ts';
import { useMe } from '../../me.ts';
import { ProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { PageLink } from '../../ui/link.tsx';
import { keyOf, useRecent } from '../recent.ts';
import { EventRows } from './event-rows.tsx';
import classes from './home.module.css';

interface CardProps {
  readonly title: string;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

export const HomeCard = ({ title, more, children }: CardProps) => (
  <section className={`card ${classes.card}`} aria-label={title}>
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      {more}
    </Group>
    {children}
  </section>
);

interface FeatureRowProps {
  readonly project: string;
  readonly name: string;
  readonly note?: ReactNode;
}

export const FeatureRow = ({
  project,
  name,
  note = <ProjectName id={project} />,
}: FeatureRowProps) => (
  <li className={classes.row}>
    <IconFlag size={15} aria-hidden className={classes.icon} />
    <PageLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId: project, featureName: name }}
      size="sm"
      className={classes.name ?? ''}
    >
      {name}
    </PageLink>
    <Text size="xs" className="quiet">
      {note}
    </Text>
  </li>
);

export function RecentlyViewed() {
  const { user } = useMe();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  // Archived projects, and those that the user can no longer see, have no page.
  const places = useRecent(user.id)
    .filter(({ project }) => projects?.some(({ id }) => id === project) ?? true)
    .slice(0, 7);
  return (
    <HomeCard title="Recently viewed">
      {places.length === 0 ? (
        <Text size="sm" className="quiet">
          Features and projects you open show up here.
        </Text>
      ) : (
        <ul className={classes.rows}>
          {places.map((place) =>
            place.kind === 'feature' ? (
              <FeatureRow key={keyOf(place)} project={place.project} name={place.name} />
            ) : (
              <li key={keyOf(place)} className={classes.row}>
                <IconFolder size={15} aria-hidden className={classes.icon} />
                <PageLink
                  to="/projects/$projectId"
                  params={{ projectId: place.project }}
                  size="sm"
                  className={classes.name ?? ''}
                >
                  <ProjectName id={place.project} />
                </PageLink>
                <Text size="xs" className="quiet">
                  Project
                </Text>
              </li>
            ),
          )}
        </ul>
      )}
    </HomeCard>
  );
}

export function Favorites() {
  const found = useQuery(
    read('GET /api/admin/search/features', {
      query: { favorite: 'IS:true', limit: '7', sortBy: 'name' },
    }),
  ).data;
  const favorites = found?.features ?? [];
  return (
    <HomeCard title="Favorites">
      {favorites.length === 0 ? (
        <Text size="sm" className="quiet">
          {found && 'Star a feature to pin it here.'}
        </Text>
      ) : (
        <ul className={classes.rows}>
          {favorites.map(({ name, project }) => (
            <FeatureRow key={name} project={project} name={name} />
          ))}
        </ul>
      )}
    </HomeCard>
  );
}

/** Without the events of the first start while the installation is fresh. */
export function RecentActivity({ isFresh }: { readonly isFresh: boolean }) {
  const events = useQuery(
    read('GET /api/admin/search/events', {
      query: { limit: '10', ...(isFresh && { notCreatedBy: `IS:${systemId}` }) },
    }),
  ).data;
  return (
    <HomeCard
      title="Recent activity"
      more={
        <PageLink to="/history" size="sm">
          View all
        </PageLink>
      }
    >
      {events?.events.length === 0 ? (
        <Text size="sm" className="quiet">
          Changes show up here as they happen.
        </Text>
      ) : (
        <EventRows events={events?.events ?? []} />
      )}
    </HomeCard>
  );
}
