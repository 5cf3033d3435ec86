import {
  Alert,
  Button,
  Group,
  List,
  Modal,
  Radio,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { complete, keep, type Outcomes, uncomplete, unkeep } from './actions.ts';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  /** Told which features were judged. */
  readonly onDone?: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

const whatOf = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : plural(names.length, 'feature');

interface JudgeProps extends Props {
  readonly title: string;
  readonly action: string;
  /** What to fill in first. */
  readonly missing?: string | undefined;
  readonly judge: () => Promise<Outcomes>;
  /** What was done. */
  readonly result: (names: readonly string[]) => string;
  readonly undo: (names: readonly string[]) => Promise<unknown>;
  readonly children: ReactNode;
}

/** One decision for one or many features. Where some are refused, it stays open and says why. */
function Judge({
  title,
  action,
  missing,
  judge,
  result,
  undo,
  onDone,
  onClose,
  children,
}: JudgeProps) {
  const judging = useMutation({
    mutationFn: judge,
    onSuccess: ({ done, refused }) => {
      if (done.length > 0) {
        tellDone({ id: 'judged features', title: result(done), undo: () => undo(done) });
        onDone?.(done);
      }
      if (refused.length === 0) onClose();
    },
  });
  const refused = judging.data?.refused ?? [];
  return (
    <Modal opened onClose={onClose} title={title} centered transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined) judging.mutate();
        }}
      >
        <Stack>
          {children}
          {refused.length > 0 && (
            <Alert
              color="red"
              role="alert"
              title={`Couldn't update ${whatOf(refused.map(({ name }) => name))}`}
            >
              <List size="sm">
                {refused.map(({ name, why }) => (
                  <List.Item key={name}>
                    {name}: {why}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {refused.length > 0 ? 'Close' : 'Cancel'}
            </Button>
            <GuardedButton type="submit" refusal={missing} loading={judging.isPending}>
              {action}
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const terms = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'permanent', label: 'Permanent' },
];

const labelOf = (term: string) => terms.find(({ value }) => value === term)?.label;

/** Hides features from cleanup for a time, or marks them as permanent. */
export function SnoozeDialog(props: Props) {
  const { projectId, names } = props;
  const [term, setTerm] = useState('90');
  const [reason, setReason] = useState('');
  return (
    <Judge
      {...props}
      title={`Snooze ${whatOf(names)}`}
      action={term === 'permanent' ? 'Mark as permanent' : 'Snooze'}
      missing={reason.trim() === '' ? 'Enter a reason' : undefined}
      judge={() => {
        const until = new Date(Date.now() + Number(term) * 86_400_000);
        return keep(
          projectId,
          names,
          term === 'permanent' ? { reason } : { reason, until: until.toISOString() },
        );
      }}
      result={(done) =>
        term === 'permanent'
          ? `${whatOf(done)} marked as permanent`
          : `${whatOf(done)} snoozed for ${labelOf(term)}`
      }
      undo={(kept) => unkeep(projectId, kept)}
    >
      <Text size="sm">
        {term === 'permanent'
          ? 'Hidden from cleanup permanently.'
          : `Hidden from cleanup for ${labelOf(term)}.`}{' '}
        Features already marked as stale stay stale.
      </Text>
      <Select
        label="Duration"
        data={terms}
        value={term}
        allowDeselect={false}
        onChange={(value) => setTerm(value ?? '90')}
      />
      <Textarea
        label="Reason"
        required
        maxLength={1000}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Judge>
  );
}

/** Records the outcome of features that have done their work. */
export function CompleteDialog(props: Props) {
  const { names } = props;
  const [status, setStatus] = useState<'kept' | 'discarded'>('kept');
  return (
    <Judge
      {...props}
      title={`Mark ${whatOf(names)} as completed`}
      action="Mark as completed"
      judge={() => complete(names, status)}
      result={(completed) => `${whatOf(completed)} marked as completed`}
      undo={uncomplete}
    >
      <Radio.Group
        label="Outcome"
        value={status}
        onChange={(value) => setStatus(value === 'kept' ? 'kept' : 'discarded')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="kept" label="Kept" description="Enabled for everyone" />
          <Radio value="discarded" label="Discarded" description="Disabled for everyone" />
        </Stack>
      </Radio.Group>
    </Judge>
  );
}
