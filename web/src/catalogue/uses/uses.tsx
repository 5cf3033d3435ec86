import { Alert, Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import classes from './uses.module.css';
import { isUnused, noUsage, type Uses } from './words.ts';

/** Something of the catalogue, by its kind and what names it in a path. */
export type Thing =
  | { readonly kind: 'segment'; readonly id: number }
  | {
      readonly kind: 'context field' | 'strategy type' | 'tag type' | 'environment';
      readonly id: string;
    };

const usesQuery = ({ kind, id }: Thing): UseQueryOptions<Uses, Error, Uses, readonly unknown[]> => {
  if (kind === 'segment') {
    return read('GET /api/admin/segments/:id/uses', { params: { id: String(id) } });
  }
  if (kind === 'context field') {
    return read('GET /api/admin/context/:contextField/uses', { params: { contextField: id } });
  }
  if (kind === 'strategy type') {
    return read('GET /api/admin/strategies/:strategyName/uses', { params: { strategyName: id } });
  }
  if (kind === 'tag type') {
    return read('GET /api/admin/tag-types/:name/uses', { params: { name: id } });
  }
  return read('GET /api/admin/environments/:name/uses', { params: { name: id } });
};

export const useUses = (thing: Thing) => useQuery(usesQuery(thing));

const EnvironmentBadge = ({ name, enabled }: Uses['features'][number]['environments'][number]) => (
  <Badge
    size="sm"
    variant={enabled ? 'light' : 'outline'}
    color={enabled ? 'teal' : 'gray'}
    tt="none"
  >
    {name}
    {enabled ? ' · Enabled' : ' · Disabled'}
  </Badge>
);

/** The features, projects and segments that use something, with links. */
export function UsesList({ uses }: { readonly uses: Uses }) {
  const { features, featureCount, projects, segments } = uses;
  const nameOf = useProjectName();
  if (isUnused(uses)) {
    return (
      <Text size="sm" className="quiet">
        {noUsage}
      </Text>
    );
  }
  return (
    <ul className={classes.uses}>
      {segments.map(({ id, name, project }) => (
        <li key={`segment ${id}`}>
          <Group gap={8}>
            <Text size="sm" className="quiet">
              Segment
            </Text>
            <PageLink to="/segments/edit/$id" params={{ id: String(id) }} size="sm">
              {name}
            </PageLink>
            {project !== undefined && (
              <Text size="xs" className="quiet">
                {nameOf(project)}
              </Text>
            )}
          </Group>
        </li>
      ))}
      {projects.map(({ id, name, archived, environments }) => (
        <li key={`project ${id}`}>
          <Group gap={8}>
            <Text size="sm" className="quiet">
              {environments.length > 0 ? 'Default strategy in' : 'Project'}
            </Text>
            <PageLink
              to={
                environments.length > 0
                  ? '/projects/$projectId/settings/default-strategy'
                  : '/projects/$projectId/settings/environments'
              }
              params={{ projectId: id }}
              size="sm"
            >
              {name}
            </PageLink>
            {environments.length > 0 && (
              <Text size="sm" className="quiet">
                · {environments.join(', ')}
              </Text>
            )}
            {archived && (
              <Badge size="sm" variant="light" color="gray" tt="none">
                Archived
              </Badge>
            )}
          </Group>
        </li>
      ))}
      {features.map(({ name, project, archived, environments }) => (
        <li key={name}>
          <Group gap={8}>
            {archived ? (
              <PageLink to="/projects/$projectId/archive" params={{ projectId: project }} size="sm">
                {name}
              </PageLink>
            ) : (
              <PageLink
                to="/projects/$projectId/features/$featureName"
                params={{ projectId: project, featureName: name }}
                size="sm"
              >
                {name}
              </PageLink>
            )}
            <Text size="xs" className="quiet">
              {nameOf(project)}
            </Text>
            {archived && (
              <Badge size="sm" variant="light" color="gray" tt="none">
                Archived
              </Badge>
            )}
            {!archived &&
              environments.map((each) => <EnvironmentBadge key={each.name} {...each} />)}
          </Group>
        </li>
      ))}
      {featureCount > features.length && (
        <li>
          <Text size="sm" className="quiet">
            and {plural(featureCount - features.length, 'more feature')}
          </Text>
        </li>
      )}
    </ul>
  );
}

/** The same, loaded when it is shown. */
export function UsesOf({ thing }: { readonly thing: Thing }) {
  const { data, error } = useUses(thing);
  if (error) {
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  if (!data) return <Skeleton height={24} aria-busy="true" />;
  return <UsesList uses={data} />;
}

interface UsedByProps {
  readonly thing: Thing;
  readonly label: string;
}

/** A button that shows where something is used. */
export function UsedBy({ thing, label }: UsedByProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap={6} align="start">
      <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        {label}
      </MoreButton>
      {isOpen && <UsesOf thing={thing} />}
    </Stack>
  );
}
