import { Button } from '@mantine/core';
import { IconBell, IconBellFilled } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { tellTabs } from '../live.ts';
import { invalidate, read } from '../queries.ts';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

export const followsQuery = read('GET /api/admin/user/follows', {});

/** A project, or a feature in it. */
export interface Followable {
  readonly project: string;
  readonly feature?: string;
  /** The name that is shown. */
  readonly name: string;
}

function saveFollow({ project, feature }: Followable, isFollowed: boolean): Promise<unknown> {
  if (feature === undefined) {
    const params = { projectId: project };
    return isFollowed
      ? api('PUT /api/admin/user/follows/projects/:projectId', { params })
      : api('DELETE /api/admin/user/follows/projects/:projectId', { params });
  }
  const params = { projectId: project, featureName: feature };
  return isFollowed
    ? api('PUT /api/admin/user/follows/projects/:projectId/features/:featureName', { params })
    : api('DELETE /api/admin/user/follows/projects/:projectId/features/:featureName', { params });
}

function readAgain(): Promise<unknown> {
  const reads = [
    'GET /api/admin/user/follows',
    'GET /api/admin/user/follows/changes',
    'GET /api/admin/user/follows/notifications',
    'GET /api/admin/attention',
  ] as const;
  tellTabs(...reads);
  return invalidate(...reads);
}

/** Follows, or stops following, with Undo. */
export function useFollow(what: Followable) {
  return useMutation({
    mutationFn: (isFollowed: boolean) => saveFollow(what, isFollowed),
    onSuccess: (_, isFollowed) =>
      tellDone({
        id: `follow ${what.project} ${what.feature ?? ''}`,
        title: isFollowed
          ? `Following ${what.name}. You'll be notified of changes`
          : `Unfollowed ${what.name}`,
        undo: async () => {
          await saveFollow(what, !isFollowed);
          await readAgain();
        },
      }),
    onError: (error, isFollowed) =>
      tellProblem(`${isFollowed ? 'follow' : 'unfollow'} ${what.name}`, error),
    onSettled: readAgain,
  });
}

/** Follows a project or a feature, or stops following it. */
export function FollowButton(what: Followable) {
  const follows = useQuery(followsQuery).data;
  const isFollowed =
    what.feature === undefined
      ? follows?.projects.some(({ id }) => id === what.project)
      : follows?.features.some(({ name }) => name === what.feature);
  const follow = useFollow(what);
  return (
    <Tooltip
      label={
        isFollowed ? "You're notified of changes. Select to unfollow." : 'Get notified of changes'
      }
    >
      <Button
        variant="default"
        aria-pressed={isFollowed ?? false}
        disabled={follows === undefined}
        loading={follow.isPending}
        leftSection={
          isFollowed ? <IconBellFilled size={16} aria-hidden /> : <IconBell size={16} aria-hidden />
        }
        onClick={() => follow.mutate(!isFollowed)}
      >
        {isFollowed ? 'Following' : 'Follow'}
      </Button>
    </Tooltip>
  );
}
