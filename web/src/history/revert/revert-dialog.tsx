import { Alert, Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, Proposed } from '../../api.ts';
import { useProtectedEnvironments } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { joinAnd, plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { useNamesInEvents } from '../../use-directory.ts';
import { Plan } from './plan.tsx';
import { environmentsOf, projectsOf, type Plan as RevertPlan, type Selection } from './words.ts';

const operation = 'POST /api/admin/events/revert';

const maxNames = 3;

/** The newest events of the log: those that reverted others are there. */
function tellReverted({ eventIds }: RevertPlan, title: string, open: (id: number) => void): void {
  const [first] = eventIds;
  tellDone({
    id: 'revert',
    title,
    undo: () => api(operation, { query: {}, body: { eventIds } }),
    ...(first !== undefined && { link: { label: 'View event', onClick: () => open(first) } }),
  });
}

/** Why a plan changes nothing: everything conflicts with later changes, or there was nothing to change. */
const nothingText = ({ conflicts }: RevertPlan): string =>
  conflicts.length > 0 ? 'Later changes prevent this revert' : 'There is nothing to revert';

/** Why the plan can't be carried out; undefined if it can. */
function refusalOf(
  plan: RevertPlan,
  { keepsCurrent, isProposed }: { readonly keepsCurrent: boolean; readonly isProposed: boolean },
): string | undefined {
  const { changes, conflicts, missingPermission } = plan;
  if (changes.length === 0) return nothingText(plan);
  if (missingPermission !== null && !isProposed) return `${missingPermission}.`;
  return conflicts.length > 0 && !keepsCurrent ? 'Resolve the conflicts first' : undefined;
}

interface Props {
  readonly selection: Selection;
  /** What is reverted: "Revert event #7". */
  readonly title: string;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Shows what a revert would do, and does it. */
export function RevertDialog({ selection, title, onDone, onClose }: Props) {
  useNamesInEvents();
  const navigate = useNavigate();
  const [comment, setComment] = useState('');
  const [keepsCurrent, setKeepsCurrent] = useState(false);
  const protectedOf = useProtectedEnvironments();
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const productions = new Set(
    environments.filter(({ type }) => type === 'production').map(({ name }) => name),
  );
  const found = useQuery({
    queryKey: [operation, selection, 'plan'],
    queryFn: ({ signal }) => api(operation, { query: { dryRun: 'true' }, body: selection, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const plan = found.data;
  const changed = plan ? environmentsOf(plan) : [];
  const needApproval = plan
    ? changed.filter((name) => projectsOf(plan).some((id) => protectedOf(id).includes(name)))
    : [];
  const inProduction = changed.filter((name) => productions.has(name));
  const isProposed = needApproval.length > 0;
  const reverting = useMutation({
    mutationFn: () =>
      api(operation, {
        query: {},
        body: {
          ...selection,
          conflicts: keepsCurrent ? 'keepCurrent' : 'refuse',
          ...(comment.trim() !== '' && { comment }),
        },
      }),
    onSuccess: (done) => {
      tellReverted(
        done,
        `${plural(done.reverts.length, 'event')} reverted`,
        (event) => void navigate({ to: '/history', search: { event } }),
      );
      void invalidate('GET /api/admin/search/events/reverts');
      onDone?.();
      onClose();
    },
    onError: (error) => {
      if (!(error instanceof Proposed)) return;
      onDone?.();
      onClose();
    },
  });
  const problem = reverting.error instanceof Proposed ? null : (reverting.error ?? found.error);
  const refusal = plan && refusalOf(plan, { keepsCurrent, isProposed });
  return (
    <Modal opened onClose={onClose} title={title} size="lg" transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (plan && refusal === undefined) reverting.mutate();
        }}
      >
        <Stack>
          {found.isPending && <Skeleton height={80} aria-label="Loading the plan" />}
          {plan && plan.changes.length === 0 && <Text size="sm">{nothingText(plan)}.</Text>}
          {isProposed ? (
            <Alert color="blue" icon={<IconShieldLock aria-hidden />}>
              Changes in {joinAnd(needApproval, maxNames)} need approval. The revert will be added
              to your draft.
            </Alert>
          ) : (
            inProduction.length > 0 && (
              <Alert color="orange" icon={<IconShieldLock aria-hidden />}>
                <b>{joinAnd(inProduction, maxNames)}</b>{' '}
                {inProduction.length === 1
                  ? 'is a production environment.'
                  : 'are production environments.'}{' '}
                This takes effect immediately.
              </Alert>
            )
          )}
          {plan && (
            <Plan
              plan={plan}
              productions={productions}
              keepsCurrent={keepsCurrent}
              onKeepsCurrent={setKeepsCurrent}
            />
          )}
          {plan && plan.changes.length > 0 && (
            <TextInput
              label="Comment"
              description="The reason, shown in the event log"
              maxLength={1000}
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
          )}
          {plan?.missingPermission != null && !isProposed && plan.changes.length > 0 && (
            <Alert color="gray">
              <WithCode text={`${plan.missingPermission}.`} />
            </Alert>
          )}
          {problem && (
            <Alert color="red" role="alert">
              {problem.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <GuardedButton
              type="submit"
              loading={reverting.isPending}
              refusal={plan ? refusal : "The plan hasn't loaded"}
            >
              {isProposed ? 'Propose' : 'Revert'}
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
