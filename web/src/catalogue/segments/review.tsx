import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { Sentence } from '../../flags/strategy/sentence.tsx';
import { constraintPieces } from '../../flags/strategy/strategy-sentence.ts';
import { useProtectedEnvironments } from '../../me.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { joinAnd } from '../../ui/format.ts';
import { isSame } from '../../ui/is-same.ts';
import { UsesList, useUses } from '../uses/uses.tsx';
import { impactText, usesText } from '../uses/words.ts';
import { detailChanges, type SegmentDraft } from './segment-words.ts';

interface Props {
  readonly id: number;
  readonly before: SegmentDraft;
  readonly after: SegmentDraft;
  /** The name of a project by its ID. */
  readonly nameOf: (project: string) => string;
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onClose: () => void;
}

const Constraints = ({
  title,
  draft,
}: {
  readonly title: string;
  readonly draft: SegmentDraft;
}) => (
  <div>
    <Text size="xs" className="quiet">
      {title}
    </Text>
    {draft.constraints.length === 0 && <Text size="sm">Everyone</Text>}
    {draft.constraints.map((constraint, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no ID, and the list is read-only
      <Text size="sm" component="div" key={place}>
        {place === 0 ? 'where ' : 'and '}
        <Sentence pieces={constraintPieces(constraint)} />
      </Text>
    ))}
  </div>
);

/** What a change of a segment does, and to which features, before it is saved. */
export function SegmentReview({ id, before, after, nameOf, sending, onClose }: Props) {
  const { data: uses, error } = useUses({ kind: 'segment', id });
  const retargets = !isSame(before.constraints, after.constraints);
  const protectedIn = useProtectedEnvironments();
  // A name or a description takes effect at once, and so do constraints that no protected environment uses.
  const places = retargets ? (uses?.features ?? []) : [];
  const needApproval = [
    ...new Set(
      places.flatMap(({ project, environments }) =>
        environments.map(({ name }) => name).filter((name) => protectedIn(project).includes(name)),
      ),
    ),
  ];
  const isProposed = needApproval.length > 0;
  return (
    <FormDialog
      title={`Review changes to ${before.name}`}
      action={isProposed ? 'Propose changes' : 'Save segment'}
      size="lg"
      sending={sending}
      onClose={onClose}
    >
      {isProposed && (
        <Alert color="blue">
          Changes in {joinAnd(needApproval)} need approval. These will be added to your draft.
        </Alert>
      )}
      {detailChanges(before, after, nameOf).map((change) => (
        <Text size="sm" key={change}>
          {change}
        </Text>
      ))}
      {retargets && (
        <Stack gap="xs">
          <Constraints title="Before" draft={before} />
          <Constraints title="After" draft={after} />
        </Stack>
      )}
      {retargets && error && !uses && (
        <Alert color="red" role="alert" title="Couldn't check usage">
          {error.message}
        </Alert>
      )}
      {retargets && !error && !uses && <Skeleton height={60} aria-busy="true" />}
      {retargets && uses && (
        <Alert
          color={uses.enabledFeatureCount > 0 ? 'yellow' : 'gray'}
          title={`Affects ${usesText(uses)}`}
        >
          <Text size="sm" mb="xs">
            {impactText(uses, isProposed)}
          </Text>
          <UsesList uses={uses} />
        </Alert>
      )}
      {!retargets && (
        <Text size="sm" className="quiet">
          Constraints are unchanged. No users are affected.
        </Text>
      )}
    </FormDialog>
  );
}
