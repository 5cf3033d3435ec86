import { Badge, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { constraintPieces } from '../../../flags/sentence.ts';
import { read } from '../../../queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import classes from '../projects.module.css';
import { counted } from '../words.ts';
import { RoomHead } from './room-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/segments');

/** The segments that only this project can use. */
export function ProjectSegments() {
  const { projectId } = route.useParams();
  const all = useSuspenseQuery(read('GET /api/admin/segments', {})).data.segments;
  const own = all.filter(({ project }) => project === projectId);
  const shared = all.filter(({ project }) => !project);
  return (
    <Stack className={classes.form}>
      <RoomHead title="Segments">
        A segment names a set of constraints that several strategies share. These belong to this
        project; {counted(shared.length, 'more segment')} can be used in every project.
      </RoomHead>
      {own.length === 0 ? (
        <EmptyState title="The project has no segments of its own">
          A segment of a project can be used by its features alone, and its members may change it.
        </EmptyState>
      ) : (
        <ul className={`card ${classes.findings}`}>
          {own.map(({ id, name, description, constraints, usedInFeatures }) => (
            <li key={id} className={classes.setting}>
              <div>
                <Text fw={600}>{name}</Text>
                {description && (
                  <Text size="sm" className="quiet">
                    {description}
                  </Text>
                )}
                {constraints.map((constraint) => (
                  <Text size="sm" key={JSON.stringify(constraint)}>
                    {constraintPieces(constraint)
                      .map(({ text }) => text)
                      .join(' ')}
                  </Text>
                ))}
              </div>
              <Group>
                <Badge variant="light" color="gray" tt="none">
                  {counted(usedInFeatures ?? 0, 'feature')}
                </Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
