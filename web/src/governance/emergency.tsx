import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useMe } from '../me.ts';
import { Actor } from '../ui/actor.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { ProductionMark } from '../ui/production-mark.tsx';
import { Since } from '../ui/time.tsx';
import { useApproval } from './approval.ts';
import type { ChangeRequest } from './change-words.ts';
import classes from './governance.module.css';
import { refreshRequests } from './refresh.ts';

interface Props {
  readonly request: ChangeRequest;
}

const paramsOf = ({ project, id }: ChangeRequest) => ({ projectId: project, id: String(id) });

const maxReasonLength = 1000;

interface DialogProps extends Props {
  readonly isProduction: boolean;
  readonly onClose: () => void;
}

/** Asks why a request is applied without approval. */
export function EmergencyDialog({ request, isProduction, onClose }: DialogProps) {
  const { environment } = request;
  const [reason, setReason] = useState('');
  const applying = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: paramsOf(request),
        body: { state: 'Applied', emergency: { reason: reason.trim() } },
      }),
    onSuccess: async () => {
      onClose();
      tellDone({ id: `request ${request.id}`, title: 'Change request applied in an emergency' });
      await refreshRequests();
    },
  });
  return (
    <FormDialog
      title="Apply in an emergency"
      action="Apply without approval"
      color="red.8"
      missing={reason.trim() === '' ? 'Enter a reason' : undefined}
      sending={{
        mutate: () => applying.mutate(),
        isPending: applying.isPending,
        error: applying.error,
      }}
      onClose={onClose}
    >
      <Text size="sm">
        The changes take effect immediately in <b>{environment}</b>
        {isProduction && (
          <>
            {' '}
            <ProductionMark name={environment} />
          </>
        )}
        .
      </Text>
      <Text size="sm">
        Your reason is recorded in the event log, and another approver has to review the request
        afterwards.
      </Text>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={maxReasonLength}
        data-autofocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value.replaceAll('\n', ' '))}
      />
    </FormDialog>
  );
}

/** Says that a request was applied without approval, and by whom it was reviewed. */
export function EmergencyMark({ request }: Props) {
  const { user } = useMe();
  const { canApprove } = useApproval(request);
  const [comment, setComment] = useState('');
  const reviewing = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/change-requests/:id/emergency-review', {
        params: paramsOf(request),
        body: comment.trim() === '' ? {} : { comment: comment.trim() },
      }),
    onSuccess: () => tellDone({ id: `request ${request.id}`, title: 'Marked as reviewed' }),
    onError: (error) => tellProblem('mark the request as reviewed', error),
    onSettled: refreshRequests,
  });
  const { emergency } = request;
  if (!emergency) return null;
  const { reason, createdBy, createdAt, reviewedBy, reviewedAt } = emergency;
  const isReviewed = reviewedBy !== undefined && reviewedAt !== undefined;
  return (
    <Alert
      color={isReviewed ? 'gray' : 'orange'}
      title={isReviewed ? 'Applied in an emergency' : 'Applied in an emergency · not reviewed yet'}
    >
      <Stack gap="sm">
        <Text size="sm" className={classes.comment ?? ''} dir="auto">
          {reason}
        </Text>
        <Text size="sm">
          Applied by <Actor name={createdBy.username} id={createdBy.id} />{' '}
          <Since instant={createdAt} />
          {isReviewed && (
            <>
              {' · reviewed by '}
              <Actor name={reviewedBy.username} id={reviewedBy.id} /> <Since instant={reviewedAt} />
            </>
          )}
        </Text>
        {!isReviewed && canApprove && createdBy.id !== user.id && (
          <>
            <Textarea
              aria-label="Comment on your review"
              placeholder="Comment (optional)"
              autosize
              maxLength={10_000}
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
            <div>
              <Button loading={reviewing.isPending} onClick={() => reviewing.mutate()}>
                Mark as reviewed
              </Button>
            </div>
          </>
        )}
        {!isReviewed && createdBy.id === user.id && (
          <Text size="sm">Someone else has to review it.</Text>
        )}
      </Stack>
    </Alert>
  );
}
