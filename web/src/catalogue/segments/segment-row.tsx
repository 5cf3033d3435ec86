import { Badge, Text } from '@mantine/core';
import { IconPencil, IconTestPipe, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Segment } from '../../flags/feature/view.ts';
import { Sentence } from '../../flags/strategy/sentence.tsx';
import { constraintPieces } from '../../flags/strategy/strategy-sentence.ts';
import { useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { plural } from '../../ui/format.ts';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Row } from '../../ui/list.tsx';
import { UsedBy } from '../uses/uses.tsx';
import { usedByFeatures } from '../uses/words.ts';

/** More constraints are counted. */
const shownConstraints = 4;

/** A change of a project's segment needs approval if one of its environments does. A new one is not in use yet. */
export function useSegmentRefusal(
  permission: 'CREATE_SEGMENT' | 'UPDATE_SEGMENT' | 'DELETE_SEGMENT',
  project: string | undefined,
): string | undefined {
  return useRefusal(
    project === undefined ? permission : [permission, 'UPDATE_PROJECT_SEGMENT'],
    project === undefined
      ? {}
      : { project, concernsAllEnvironments: permission !== 'CREATE_SEGMENT' },
  );
}

interface Props {
  readonly segment: Segment;
  readonly onDelete: () => void;
}

/** One segment: its constraints, where it is used, and what can be done with it. */
export function SegmentRow({ segment, onDelete }: Props) {
  const { id, name, description, project, constraints } = segment;
  const navigate = useNavigate();
  const nameOf = useProjectName();
  const mayNotUpdate = useSegmentRefusal('UPDATE_SEGMENT', project);
  const mayNotDelete = useSegmentRefusal('DELETE_SEGMENT', project);
  const edit = { to: '/segments/edit/$id', params: { id: String(id) } } as const;
  return (
    <Row
      name={name}
      title={
        <PageLink {...edit} size="sm" fw={600}>
          {name}
        </PageLink>
      }
      badges={
        <Badge size="sm" variant="outline" color="gray" tt="none">
          {project === undefined ? 'Global' : nameOf(project)}
        </Badge>
      }
      note={description || undefined}
      actions={
        <>
          <GuardedIcon
            icon={IconTestPipe}
            refusal={undefined}
            label={`Open ${name} in Playground`}
            onClick={() => void navigate({ to: '/playground', search: { segment: id } })}
          />
          <GuardedIcon
            icon={IconPencil}
            refusal={mayNotUpdate}
            label={`Edit ${name}`}
            onClick={() => void navigate(edit)}
          />
          <GuardedIcon
            icon={IconTrash}
            refusal={mayNotDelete}
            label={`Delete ${name}`}
            onClick={onDelete}
          />
        </>
      }
    >
      <div>
        {constraints.length === 0 && <Text size="sm">Matches everyone (no constraints)</Text>}
        {constraints.slice(0, shownConstraints).map((constraint, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no ID, and the list is read-only
          <Text size="sm" component="div" key={place}>
            {place === 0 ? 'where ' : 'and '}
            <Sentence pieces={constraintPieces(constraint)} />
          </Text>
        ))}
        {constraints.length > shownConstraints && (
          <Text size="sm" className="quiet">
            and {plural(constraints.length - shownConstraints, 'more constraint')}
          </Text>
        )}
      </div>
      <UsedBy thing={{ kind: 'segment', id }} label={usedByFeatures(segment.usedInFeatures)} />
    </Row>
  );
}
