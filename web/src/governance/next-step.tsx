import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { useMay, useRefusal } from '../me.ts';
import { Confirm } from '../ui/confirm.tsx';
import { chosenTimeZone, exactTime } from '../ui/dates.ts';
import { plural } from '../ui/format.ts';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Section } from '../ui/section.tsx';
import { Since } from '../ui/time.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { useApproval } from './approval.ts';
import { type ChangeRequest, countChanges, stateText } from './change-words.ts';
import { EmergencyDialog } from './emergency.tsx';
import { refreshRequests } from './refresh.ts';

type Body = Parameters<
  typeof api<'PUT /api/admin/projects/:projectId/change-requests/:id/state'>
>[1]['body'];

interface Props {
  readonly request: ChangeRequest;
  readonly isOwn: boolean;
}

/** An approval counts while its author may approve. */
const missingApprovals = ({
  minApprovals,
  approvals,
}: Pick<ChangeRequest, 'minApprovals' | 'approvals'>): number =>
  Math.max(0, minApprovals - approvals.filter(({ counts = true }) => counts).length);

/** What an open request waits for. */
function waitingText({ state, minApprovals, approvals, schedule }: ChangeRequest): string {
  const missing = missingApprovals({ minApprovals, approvals });
  const isPending =
    state === 'Approved' || (state === 'Scheduled' && schedule?.status === 'pending');
  if (isPending && missing > 0) {
    return `Needs ${plural(missing, 'more approval')}, because an approver lost the permission to approve.`;
  }
  switch (state) {
    case 'Draft':
      return 'Only you can see this draft until you send it to review.';
    case 'In review':
      return `Needs ${plural(missing, 'more approval')}.`;
    case 'Approved':
      return `${minApprovals === 0 ? 'No approval needed' : 'Approved'}. The changes take effect when the request is applied.`;
    case 'Scheduled':
      return schedule?.status === 'pending'
        ? `Will be applied on ${exactTime(schedule.scheduledAt)}.`
        : "It won't be applied until someone applies it or schedules it again.";
    default:
      return '';
  }
}

function Schedule({ onSchedule }: { readonly onSchedule: (body: Body) => void }) {
  const [at, setAt] = useState('');
  const timeZone = chosenTimeZone();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSchedule({ state: 'Scheduled', scheduledAt: at, timeZone });
      }}
    >
      <TextInput
        type="datetime-local"
        label="Apply at"
        description={timeZone}
        required
        value={at}
        onChange={({ currentTarget }) => setAt(currentTarget.value)}
      />
      <Button type="submit" variant="default" size="xs" mt="xs" disabled={at === ''}>
        Schedule
      </Button>
    </form>
  );
}

const verbs: Readonly<Partial<Record<ChangeRequest['state'], string>>> = {
  'In review': 'send the change request to review',
  Approved: 'approve the change request',
  Rejected: 'reject the change request',
  Scheduled: 'schedule the change request',
  Applied: 'apply the change request',
  Cancelled: 'cancel the change request',
};

/** An approval changes the state only if it is the last one, and can apply the request as well. */
function doneText(after: ChangeRequest, wanted: ChangeRequest['state']): string {
  if (wanted === 'In review') {
    return after.state === 'In review'
      ? 'Change request sent to review'
      : 'No approval needed. The change request can be applied';
  }
  const isShort = after.state !== 'Applied' && missingApprovals(after) > 0;
  // A request that is approved again after it was scheduled stays scheduled.
  if (wanted === 'Approved' && (isShort || after.state === 'Scheduled')) {
    return `Approval added. ${waitingText(after)}`;
  }
  return `Change request ${stateText(after.state).toLowerCase()}`;
}

/** Of a closed request, instead of the next step. */
export const Outcome = ({ request }: Pick<Props, 'request'>) => {
  const { state, stateTimestamps, createdAt } = request;
  return (
    <Section title="Result">
      <Text size="sm">
        {stateText(state)} <Since instant={stateTimestamps[state] ?? createdAt} />
      </Text>
    </Section>
  );
};

/** The next step of the request as one button, and what else can be done. */
export function NextStep({ request, isOwn }: Props) {
  const { project, environment, state } = request;
  const may = useMay();
  const navigate = useNavigate();
  const [comment, setComment] = useState('');
  const params = { projectId: project, id: String(request.id) };
  const moving = useMutation({
    mutationFn: (body: Body) =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params,
        body: {
          ...body,
          hash: request.hash,
          ...(comment.trim() !== '' && { comment: comment.trim() }),
        },
      }),
    onSuccess: (after, body) => {
      setComment('');
      tellDone({ id: `request ${after.id}`, title: doneText(after, body.state) });
    },
    onError: (error, { state: wanted }) =>
      tellProblem(verbs[wanted] ?? 'update the change request', error),
    onSettled: refreshRequests,
  });
  const discard = async () => {
    await api('DELETE /api/admin/projects/:projectId/change-requests/:id', { params });
    await navigate({ to: '/change-requests', search: { list: 'mine' } });
    await refreshRequests();
  };
  const [isDiscarding, setDiscarding] = useState(false);
  const { rules, type, canApprove, refusal } = useApproval(request);
  const [isEmergency, setEmergency] = useState(false);
  const isMissing = missingApprovals(request) > 0;
  const canSkip =
    request.minApprovals > 0 &&
    rules?.emergencyApply === true &&
    (isMissing || state === 'Draft') &&
    may('SKIP_CHANGE_REQUEST', { project, environment });
  const isLastApproval = missingApprovals(request) <= 1;
  const cannotApply = useRefusal('APPLY_CHANGE_REQUEST', { project, environment });
  const canApply = cannotApply === undefined;
  const isWaiting = state === 'Approved' || state === 'Scheduled';
  const canCancel =
    (isOwn || may('ADMIN')) && ['In review', 'Approved', 'Scheduled'].includes(state);
  const isEmpty = countChanges(request) === 0;
  const hasConflicts = request.conflicts.length > 0;
  const isOpen = state === 'In review' || isWaiting;
  return (
    <Section title="Next step">
      <Stack gap="sm">
        <Text size="sm">{waitingText(request)}</Text>
        {request.expiresAt !== undefined && (
          <Text size="sm" className="quiet">
            Expires <Since instant={request.expiresAt} />
          </Text>
        )}
        {state === 'Approved' && request.applyFailure !== undefined && (
          <Alert color="orange" title="Couldn't apply automatically">
            {request.applyFailure}
          </Alert>
        )}
        {isOpen && (canApprove || (isWaiting && canApply)) && (
          <Textarea
            aria-label="Comment on your decision"
            placeholder="Comment (optional)"
            autosize
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
        )}
        {state === 'Draft' && isOwn && (
          <Button
            loading={moving.isPending}
            disabled={isEmpty}
            onClick={() => moving.mutate({ state: 'In review' })}
          >
            Send to review
          </Button>
        )}
        {(state === 'In review' || (isWaiting && isMissing)) && canApprove && (
          <>
            <Button loading={moving.isPending} onClick={() => moving.mutate({ state: 'Approved' })}>
              {rules?.applyAutomatically && isLastApproval ? 'Approve and apply' : 'Approve'}
            </Button>
            <Button
              variant="default"
              disabled={moving.isPending}
              onClick={() => moving.mutate({ state: 'Rejected' })}
            >
              Reject
            </Button>
          </>
        )}
        {state === 'In review' && refusal !== undefined && <Text size="sm">{refusal}</Text>}
        {isWaiting && canApply && (
          <Button
            loading={moving.isPending}
            disabled={hasConflicts || isMissing}
            onClick={() => moving.mutate({ state: 'Applied' })}
          >
            {state === 'Scheduled' ? 'Apply now' : 'Apply changes'}
          </Button>
        )}
        {(isWaiting || canSkip) && hasConflicts && (
          <Text size="sm">Resolve the conflicts first.</Text>
        )}
        {state === 'Approved' && cannotApply !== undefined && (
          <Text size="sm">
            <WithCode text={cannotApply} />
          </Text>
        )}
        {isWaiting && canApply && <Schedule onSchedule={(body) => moving.mutate(body)} />}
        {canSkip && !isEmpty && (isOpen || (state === 'Draft' && isOwn)) && (
          <Button
            variant="outline"
            color="red"
            disabled={hasConflicts}
            onClick={() => setEmergency(true)}
          >
            Apply in an emergency
          </Button>
        )}
        {isEmergency && (
          <EmergencyDialog
            request={request}
            isProduction={type === 'production'}
            onClose={() => setEmergency(false)}
          />
        )}
        {state === 'Draft' && isOwn && (
          <Button variant="subtle" color="red" onClick={() => setDiscarding(true)}>
            Discard draft…
          </Button>
        )}
        {isDiscarding && (
          <Confirm
            title="Discard this draft?"
            action="Discard draft"
            onConfirm={discard}
            onClose={() => setDiscarding(false)}
          >
            <Text size="sm">
              {isEmpty
                ? 'It has no changes.'
                : `${plural(countChanges(request), 'change')} will be lost.`}
            </Text>
          </Confirm>
        )}
        {canCancel && (
          <Button
            variant="subtle"
            color="red"
            disabled={moving.isPending}
            onClick={() => moving.mutate({ state: 'Cancelled' })}
          >
            Cancel request
          </Button>
        )}
      </Stack>
    </Section>
  );
}
