import { Badge, Text } from '@mantine/core';
import { IconPencil, IconTestPipe, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Segment } from '../../flags/feature/view.ts';
import { Sentence } from '../../flags/strategy/sentence.tsx';
import { constraintPieces } from '../../flags/strategy/strategy-sentence.ts';
import { useRefusal } from '../../me.ts';
import { plural } from '../../ui/format.ts';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Row } from '../../ui/list.tsx';
import { UsedBy, usedByFeatures } from '../uses/uses.tsx';

/** So many conditions are written out. */
const namedConditions = 4;

export function useSegmentRefusal(
  permission: 'CREATE_SEGMENT' | 'UPDATE_SEGMENT' | 'DELETE_SEGMENT',
  project: string | undefined,
): string | undefined {
  return useRefusal(
    project === undefined ? permission : [permission, 'UPDATE_PROJECT_SEGMENT'],
    project === undefined ? {} : { project },
  );
}

interface Props {
  readonly segment: Segment;
  readonly onDelete: () => void;
}

/** One segment: what it means, where it is used, and what can be done with it. */
export function SegmentRow({ segment, onDelete }: Props) {
  const { id, name, description, project, constraints } = segment;
  const navigate = useNavigate();
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
          {project === undefined ? 'every project' : `only ${project}`}
        </Badge>
      }
      note={description || undefined}
      actions={
        <>
          <GuardedIcon
            icon={IconTestPipe}
            refusal={undefined}
            label={`Open ${name} in the playground`}
            onClick={() => void navigate({ to: '/playground', search: { segment: id } })}
          />
          <GuardedIcon
            icon={IconPencil}
            refusal={mayNotUpdate}
            label={`Change ${name}`}
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
        {constraints.length === 0 && <Text size="sm">Everybody: it has no conditions.</Text>}
        {constraints.slice(0, namedConditions).map((constraint, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has nothing but its place
          <Text size="sm" component="div" key={place}>
            {place === 0 ? 'where ' : 'and '}
            <Sentence pieces={constraintPieces(constraint)} />
          </Text>
        ))}
        {constraints.length > namedConditions && (
          <Text size="sm" className="quiet">
            and {plural(constraints.length - namedConditions, 'more condition')}
          </Text>
        )}
      </div>
      <UsedBy thing={{ kind: 'segment', id }} label={usedByFeatures(segment.usedInFeatures)} />
    </Row>
  );
}
