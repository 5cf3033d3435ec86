import { Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { read } from '../queries.ts';
import { Actor } from '../ui/actor.tsx';
import { joinAnd, plural } from '../ui/format.ts';
import { tellProblem } from '../ui/notices.tsx';
import { Section } from '../ui/section.tsx';
import { Since } from '../ui/time.tsx';
import { reviewerName, useReviewers } from './approval.ts';
import type { ChangeRequest } from './change-words.ts';

interface Props {
  readonly request: ChangeRequest;
  readonly canEdit: boolean;
}

const maxReviewers = 10;

/** Who has approved or rejected the request, and who is asked to. */
export function Reviewers({ request, canEdit }: Props) {
  const params = { projectId: request.project, id: String(request.id) };
  const asked = useQuery(
    read('GET /api/admin/projects/:projectId/change-requests/:id/approvers', { params }),
  );
  const isInReview = request.state === 'In review';
  const available = useReviewers(request.project, request.environment, canEdit || isInReview) ?? [];
  const possible = available.filter(({ id }) => !request.contributors.includes(id));
  const isPossible = new Set(possible.map(({ id }) => id));
  const asking = useMutation({
    mutationFn: (reviewers: number[]) =>
      api('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
        params,
        body: { reviewers },
      }),
    onError: (error) => tellProblem('change the reviewers', error),
    onSettled: () => asked.refetch(),
  });
  const reviewers = asked.data?.reviewers ?? [];
  const decided = [
    ...request.approvals.map((each) => ({ ...each, word: 'approved' })),
    ...request.rejections.map((each) => ({ ...each, word: 'rejected' })),
  ];
  return (
    <Section title="Reviewers">
      <Stack gap="xs">
        {/* How many a draft needs is decided when it is sent to review. */}
        {request.state !== 'Draft' && (
          <Text size="sm" className="quiet">
            {request.minApprovals === 0
              ? 'No approval needed'
              : `${request.approvals.filter(({ counts = true }) => counts).length} of ${plural(request.minApprovals, 'required approval')}`}
          </Text>
        )}
        {isInReview && possible.length > 0 && (
          <Text size="sm" className="quiet">
            Can approve: {joinAnd(possible.map(reviewerName), 5)}
          </Text>
        )}
        {decided.map(({ createdBy, createdAt, word, counts = true }) => (
          <Group key={`${word} ${createdBy.id}`} gap="xs" wrap="nowrap">
            <Text size="sm">
              <b>
                <Actor name={createdBy.username} id={createdBy.id} />
              </b>{' '}
              {word} <Since instant={createdAt} />
              {!counts && ' · no longer counts'}
            </Text>
          </Group>
        ))}
        {canEdit ? (
          <MultiSelect
            label="Request a review from"
            data={[...possible, ...reviewers.filter(({ id }) => !isPossible.has(id))].map(
              (each) => ({
                value: String(each.id),
                label: reviewerName(each),
              }),
            )}
            value={reviewers.map(({ id }) => String(id))}
            onChange={(ids) => asking.mutate(ids.map(Number))}
            maxValues={maxReviewers}
            searchable
            nothingFoundMessage={
              possible.length === 0 ? 'No one else can approve here' : 'No matching users'
            }
          />
        ) : (
          reviewers.map((each) => (
            <Text key={each.id} size="sm">
              Review requested from {reviewerName(each)}
            </Text>
          ))
        )}
      </Stack>
    </Section>
  );
}
