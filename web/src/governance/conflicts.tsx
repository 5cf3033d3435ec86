import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api.ts';
import { UnifiedJsonDiff } from '../ui/json-diff.tsx';
import { tellProblem } from '../ui/notices.tsx';
import type { ChangeRequest } from './change-words.ts';
import classes from './governance.module.css';
import { refreshRequests } from './refresh.ts';

type Conflict = ChangeRequest['conflicts'][number];
type Resolution = Conflict['resolutions'][number];

const resolutionTexts: Readonly<Record<Resolution, string>> = {
  merge: 'Merge',
  reapply: 'Take theirs, reapply mine',
  keep: 'Keep mine',
  drop: 'Remove this change',
};

interface Props {
  readonly request: ChangeRequest;
  readonly canEdit: boolean;
}

function ConflictCard({ request, canEdit, conflict }: Props & { readonly conflict: Conflict }) {
  const resolving = useMutation({
    mutationFn: (resolution: Resolution) =>
      api('POST /api/admin/projects/:projectId/change-requests/:id/changes/:changeId/resolve', {
        params: {
          projectId: request.project,
          id: String(request.id),
          changeId: String(conflict.changeId),
        },
        body: { resolution },
      }),
    onError: (error) => tellProblem('resolve the conflict', error),
    onSettled: refreshRequests,
  });
  return (
    <Alert color="orange" title={conflict.feature ?? 'Segment'}>
      <Stack gap="sm">
        <Text size="sm">{conflict.reason}</Text>
        <div className={classes.sides}>
          <div>
            <Title order={4} size="h6">
              Changed meanwhile
            </Title>
            <UnifiedJsonDiff before={conflict.base} after={conflict.current} />
          </div>
          <div>
            <Title order={4} size="h6">
              Proposed
            </Title>
            <UnifiedJsonDiff before={conflict.base} after={conflict.proposed} />
          </div>
        </div>
        {canEdit && (
          <Group gap="xs">
            {conflict.resolutions.map((resolution) => (
              <Button
                key={resolution}
                size="xs"
                variant="default"
                disabled={resolving.isPending}
                onClick={() => resolving.mutate(resolution)}
              >
                {resolutionTexts[resolution]}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Changes to something that someone else changed since they were proposed, both sides next to each other. */
export const Conflicts = ({ request, canEdit }: Props) => (
  <>
    {request.conflicts.map((conflict) => (
      <ConflictCard key={conflict.changeId} {...{ request, canEdit, conflict }} />
    ))}
  </>
);
