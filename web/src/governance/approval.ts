import { useQuery } from '@tanstack/react-query';
import type { Response } from '../api.ts';
import { useMay, useMe } from '../me.ts';
import { read } from '../queries.ts';
import type { ChangeRequest } from './change-words.ts';

type Config = Response<'GET /api/admin/projects/:projectId/change-requests/config'>[number];
export type Rules = Config['rules'];

type Reviewer =
  Response<'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment'>['reviewers'][number];

export const reviewerName = ({ id, name, username, email }: Reviewer): string =>
  name ?? username ?? email ?? `User ${id}`;

export const hasApprovers = ({ approvers }: Pick<Rules, 'approvers'>): boolean =>
  Object.values(approvers).some((ids) => ids.length > 0);

/** The change request settings of an environment; undefined until they are loaded. */
const useConfig = (projectId: string, environment: string): Config | undefined =>
  useQuery(
    read('GET /api/admin/projects/:projectId/change-requests/config', { params: { projectId } }),
  ).data?.find((each) => each.environment === environment);

export const useReviewers = (projectId: string, environment: string, isNeeded = true) =>
  useQuery({
    ...read('GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment', {
      params: { projectId, environment },
    }),
    enabled: isNeeded,
  }).data?.reviewers;

interface Approval {
  /** Undefined until they are loaded. */
  readonly rules: Rules | undefined;
  readonly type: string | undefined;
  readonly canApprove: boolean;
  /** Why someone with the permission can't approve. */
  readonly refusal: string | undefined;
}

/** Whether the user can approve a request by the rules of its environment. The server checks again. */
export function useApproval(request: ChangeRequest): Approval {
  const { project, environment, contributors } = request;
  const { user } = useMe();
  const may = useMay();
  const config = useConfig(project, environment);
  const rules = config?.rules;
  const isLimited = rules !== undefined && hasApprovers(rules);
  const reviewers = useReviewers(project, environment, isLimited);
  const isKnown = rules !== undefined && (!isLimited || reviewers !== undefined);
  const hasPermission = may('APPROVE_CHANGE_REQUEST', { project, environment });
  const mayApproveOwn = rules?.selfApproval === 'admins' && may('ADMIN');
  const isListed = !isLimited || reviewers?.some(({ id }) => id === user.id) === true;
  const refusal =
    contributors.includes(user.id) && !mayApproveOwn
      ? 'You contributed to this request. Someone else has to approve it.'
      : isListed
        ? undefined
        : `You aren't an approver for ${environment}.`;
  return {
    rules,
    type: config?.type,
    canApprove: isKnown && hasPermission && refusal === undefined,
    refusal: isKnown && hasPermission ? refusal : undefined,
  };
}
