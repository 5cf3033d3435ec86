import { Avatar, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { read } from '../queries.ts';
import { plural } from '../ui/format.ts';
import { tellProblem } from '../ui/notices.tsx';
import { Section } from '../ui/section.tsx';
import { Since } from '../ui/time.tsx';
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
  const available = useQuery({
    ...read('GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment', {
      params: { projectId: request.project, environment: request.environment },
    }),
    enabled: canEdit,
  });
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
  const nameOf = ({ id, name, username, email }: (typeof reviewers)[number]) =>
    name ?? username ?? email ?? `User ${id}`;
  const decided = [
    ...request.approvals.map((each) => ({ ...each, word: 'approved' })),
    ...request.rejections.map((each) => ({ ...each, word: 'rejected' })),
  ];
  return (
    <Section title="Reviewers">
      <Stack gap="xs">
        <Text size="sm" className="quiet">
          {request.minApprovals === 0
            ? 'No approval needed'
            : `${request.approvals.filter(({ counts = true }) => counts).length} of ${plural(request.minApprovals, 'required approval')}`}
        </Text>
        {decided.map(({ createdBy, createdAt, word, counts = true }) => (
          <Group key={`${word} ${createdBy.id}`} gap="xs" wrap="nowrap">
            <Avatar size={24} name={createdBy.username} color="gray" alt="" />
            <Text size="sm">
              <b>{createdBy.username}</b> {word} <Since instant={createdAt} />
              {!counts && ' · no longer counts'}
            </Text>
          </Group>
        ))}
        {canEdit ? (
          <MultiSelect
            label="Request a review from"
            data={(available.data?.reviewers ?? []).map((each) => ({
              value: String(each.id),
              label: nameOf(each),
            }))}
            value={reviewers.map(({ id }) => String(id))}
            onChange={(ids) => asking.mutate(ids.map(Number))}
            maxValues={maxReviewers}
            searchable
            nothingFoundMessage="No one else can approve here"
          />
        ) : (
          reviewers.map((each) => (
            <Text key={each.id} size="sm">
              Review requested from {nameOf(each)}
            </Text>
          ))
        )}
      </Stack>
    </Section>
  );
}
