import { pathId } from '../../../platform/http/path-id.ts';

export const userInPath = (params: { readonly projectId: string; readonly userId: string }) => ({
  project: params.projectId,
  kind: 'user' as const,
  holder: pathId('user', params.userId),
});

export const groupInPath = (params: { readonly projectId: string; readonly groupId: string }) => ({
  project: params.projectId,
  kind: 'group' as const,
  holder: pathId('group', params.groupId),
});
