import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api.ts';
import { isSame } from '../ui/is-same.ts';
import { UnifiedJsonDiff } from '../ui/json-diff.tsx';
import { tellProblem } from '../ui/notices.tsx';
import { type ChangeRequest, changeSentence, countChanges } from './change-words.ts';
import classes from './governance.module.css';
import { refreshRequests } from './refresh.ts';
import { useSegmentNames } from './segment-names.ts';

type Conflict = ChangeRequest['conflicts'][number];
type Resolution = Conflict['resolutions'][number];

const resolutionTexts: Readonly<Record<Resolution, string>> = {
  merge: 'Merge',
  reapply: 'Use theirs, reapply mine',
  keep: 'Keep mine',
  drop: 'Remove this change',
};

/** With sorted properties, which are in another order in the database and in a proposal. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => [key, inOrder(own)]),
  );
}

const isAboutFeatures =
  (changeId: number) =>
  ({ id, action }: { readonly id: number; readonly action: string }): boolean =>
    id === changeId && action !== 'updateDefaultStrategy';

const changesOf = ({ features, segments, changes }: ChangeRequest) => [
  ...features.flatMap((feature) => feature.changes),
  ...segments,
  ...changes,
];

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
  const names = useSegmentNames();
  const [base, current, proposed] = useMemo(
    () => [conflict.base, conflict.current, conflict.proposed].map(inOrder),
    [conflict],
  );
  const isOnlyOne = countChanges(request) === 1;
  const resolutions = conflict.resolutions.filter((each) => !(isOnlyOne && each === 'drop'));
  const change = changesOf(request).find(({ id }) => id === conflict.changeId) ?? { action: '' };
  // Changes of several features have no properties to compare: the reason names the features. So it does for a segment
  // that a strategy uses, when the strategy itself is as before.
  const hasSides =
    conflict.current !== null &&
    !request.changes.some(isAboutFeatures(conflict.changeId)) &&
    !isSame(base, current);
  return (
    <Alert color="orange" title={`Conflict: ${changeSentence(change, request.environment, names)}`}>
      <Stack gap="sm">
        <Text size="sm">
          {conflict.feature !== undefined && <b>{conflict.feature}: </b>}
          {conflict.reason}.
        </Text>
        {hasSides && (
          <div className={classes.sides}>
            <div>
              <Title order={4} size="h6">
                Changed since
              </Title>
              <UnifiedJsonDiff before={base} after={current} />
            </div>
            <div>
              <Title order={4} size="h6">
                Proposed
              </Title>
              <UnifiedJsonDiff before={base} after={proposed} />
            </div>
          </div>
        )}
        {conflict.unmergeable !== undefined && (
          <Text size="sm">Can't be merged. {conflict.unmergeable}.</Text>
        )}
        {canEdit && isOnlyOne && (
          <Text size="sm">
            This is the only change of the request. To remove it,{' '}
            {request.state === 'Draft' ? 'discard the draft' : 'cancel the request'}.
          </Text>
        )}
        {canEdit && (
          <Group gap="xs">
            {resolutions.map((resolution) => (
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
