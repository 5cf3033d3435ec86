import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { isSame } from '../../flags/strategy/differences.ts';
import { Sentence } from '../../flags/strategy/sentence.tsx';
import { type Constraint, constraintPieces } from '../../flags/strategy/strategy-sentence.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UsesList, usesInWords, useUses } from '../uses/uses.tsx';

export interface SegmentDraft {
  readonly name: string;
  readonly description: string;
  /** Empty: every project can use it. */
  readonly project: string;
  readonly constraints: readonly Constraint[];
}

interface Props {
  readonly id: number;
  readonly before: SegmentDraft;
  readonly after: SegmentDraft;
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onClose: () => void;
}

const Conditions = ({ title, draft }: { readonly title: string; readonly draft: SegmentDraft }) => (
  <div>
    <Text size="xs" className="quiet">
      {title}
    </Text>
    {draft.constraints.length === 0 && <Text size="sm">everybody</Text>}
    {draft.constraints.map((constraint, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a condition has nothing but its place
      <Text size="sm" component="div" key={place}>
        {place === 0 ? 'where ' : 'and '}
        <Sentence pieces={constraintPieces(constraint)} />
      </Text>
    ))}
  </div>
);

const place = (project: string) => (project === '' ? 'every project' : `only ${project}`);

/** What a change of a segment does, and to which features, before it is saved. */
export function SegmentReview({ id, before, after, sending, onClose }: Props) {
  const { data: uses } = useUses({ kind: 'segment', id });
  const isAnother = !isSame(before.constraints, after.constraints);
  const isOn = uses?.features.filter(({ environments }) =>
    environments.some(({ enabled }) => enabled),
  ).length;
  return (
    <FormDialog
      title={`Change ${before.name}?`}
      action="Save segment"
      size="lg"
      sending={sending}
      onClose={onClose}
    >
      {before.name !== after.name && (
        <Text size="sm">
          The name becomes <b>{after.name}</b>.
        </Text>
      )}
      {before.description !== after.description && (
        <Text size="sm">The description becomes “{after.description}”.</Text>
      )}
      {before.project !== after.project && (
        <Text size="sm">
          It can be used by {place(after.project)}, and before by {place(before.project)}.
        </Text>
      )}
      {isAnother && (
        <Stack gap="xs">
          <Conditions title="Before" draft={before} />
          <Conditions title="After" draft={after} />
        </Stack>
      )}
      {!uses && <Skeleton height={60} aria-busy="true" />}
      {uses && isAnother && (
        <Alert color={isOn ? 'yellow' : 'gray'} title={`It touches ${usesInWords(uses)}`}>
          <Text size="sm" mb="xs">
            {isOn
              ? `${isOn} of these features are on somewhere, and other people get them as soon as you save.`
              : 'None of them is on, so nobody notices yet.'}
          </Text>
          <UsesList uses={uses} />
        </Alert>
      )}
      {!isAnother && (
        <Text size="sm" className="quiet">
          The conditions stay, so that every feature behaves as before.
        </Text>
      )}
    </FormDialog>
  );
}
