import { Alert, MultiSelect, Select, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, type Response } from '../api.ts';
import { invalidate, read } from '../queries.ts';
import { joinAnd, plural } from '../ui/format.ts';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Section } from '../ui/section.tsx';
import { hasApprovers, type Rules, reviewerName, useReviewers } from './approval.ts';

const kinds = ['users', 'groups', 'roles'] as const;
type Kind = (typeof kinds)[number];

const kindNames: Readonly<Record<Kind, string>> = {
  users: 'Users',
  groups: 'Groups',
  roles: 'Roles',
};

/** The built-in root role. Project roles come with the project. */
const adminRole = { id: 1, name: 'Admin' };

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Everyone who can be an approver, and those who are one but were deleted. */
function useChoices(projectId: string, { approvers }: Rules, isEditable: boolean) {
  const accounts = useQuery({
    ...read('GET /api/admin/user-admin/access', {}),
    enabled: isEditable,
  }).data;
  const access = useQuery({
    ...read('GET /api/admin/projects/:projectId/access', { params: { projectId } }),
    enabled: isEditable,
  }).data;
  if (!accounts || !access) return undefined;
  const known: Readonly<Record<Kind, readonly { id: number; name: string }[]>> = {
    users: accounts.users
      .filter(({ accountType }) => accountType !== 'Service Account')
      .map((user) => ({
        id: user.id,
        name: user.name || user.username || user.email || `User ${user.id}`,
      })),
    groups: accounts.groups.map(({ id, name }) => ({ id, name })),
    roles: [adminRole, ...access.roles],
  };
  return kinds.map((kind) => {
    const items: Choice[] = known[kind].map(({ id, name }) => ({
      value: `${kind} ${id}`,
      label: name,
    }));
    const isKnown = new Set(known[kind].map(({ id }) => id));
    const deleted = approvers[kind]
      .filter((id) => !isKnown.has(id))
      .map((id) => ({ value: `${kind} ${id}`, label: `Deleted ${kind.slice(0, -1)} ${id}` }));
    return { group: kindNames[kind], items: [...items, ...deleted] };
  });
}

const idsOf = (kind: Kind, chosen: readonly string[]): number[] =>
  chosen.flatMap((each) => (each.startsWith(`${kind} `) ? [Number(each.split(' ')[1])] : []));

const usualDays = [1, 7, 14, 30, 90];

const expiryChoices = (days: number | null): Choice[] => [
  { value: '', label: 'Never' },
  ...[...new Set([...usualDays, ...(days === null ? [] : [days])])]
    .sort((a, b) => a - b)
    .map((each) => ({ value: String(each), label: `After ${plural(each, 'day')}` })),
];

interface Props {
  readonly projectId: string;
  readonly config: Response<'GET /api/admin/projects/:projectId/change-requests/config'>[number];
  /** Why the user can't change them. */
  readonly refusal: string | undefined;
}

/** Who can approve changes in an environment, and what happens before and after that. */
export function EnvironmentRules({ projectId, config, refusal }: Props) {
  const { environment } = config;
  const saving = useMutation({
    mutationFn: (rules: Partial<Rules>) =>
      api('PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
        params: { projectId, environment },
        body: { changeRequestsEnabled: true, rules },
      }),
    onSuccess: () =>
      tellDone({ id: `rules ${environment}`, title: `Rules for ${environment} saved` }),
    onError: (error) => tellProblem(`save the rules for ${environment}`, error),
    onSettled: () =>
      invalidate(
        'GET /api/admin/projects/:projectId/change-requests/config',
        'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment',
      ),
  });
  // What was just chosen is shown until the server has stored it.
  const rules = { ...config.rules, ...(saving.isPending && saving.variables) };
  const choices = useChoices(projectId, rules, refusal === undefined);
  const reviewers = useReviewers(projectId, environment);
  const isDisabled = refusal !== undefined;
  const names = reviewers?.map(reviewerName) ?? [];
  return (
    <Section title={`Rules for ${environment}`}>
      <Stack>
        {choices && (
          <MultiSelect
            label="Approvers"
            description="Only these users, groups, and roles can approve, and only with the permission to approve change requests. This applies to admins, too."
            placeholder={hasApprovers(rules) ? '' : 'Everyone with the permission'}
            searchable
            hidePickedOptions
            limit={50}
            nothingFoundMessage="No matching users, groups, or roles"
            data={choices}
            value={kinds.flatMap((kind) => rules.approvers[kind].map((id) => `${kind} ${id}`))}
            onChange={(chosen) =>
              saving.mutate({
                approvers: {
                  users: idsOf('users', chosen),
                  groups: idsOf('groups', chosen),
                  roles: idsOf('roles', chosen),
                },
              })
            }
          />
        )}
        {reviewers &&
          (names.length > 0 ? (
            <Text size="sm" className="quiet">
              Can approve: {joinAnd(names, 5)}
            </Text>
          ) : (
            <Alert color="orange" title={`No one can approve changes in ${environment}`}>
              {hasApprovers(rules)
                ? 'The selected approvers were deleted or lack the permission to approve change requests.'
                : 'No one has the permission to approve change requests.'}
            </Alert>
          ))}
        <Switch
          label="Admins can approve their own requests"
          description="Requests that they created or edited. Other users can never approve their own."
          checked={rules.selfApproval === 'admins'}
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            saving.mutate({ selfApproval: currentTarget.checked ? 'admins' : 'nobody' })
          }
        />
        <Switch
          label="Apply automatically when approved"
          description="The last required approval applies the request."
          checked={rules.applyAutomatically}
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            saving.mutate({ applyAutomatically: currentTarget.checked })
          }
        />
        <Switch
          label="Allow applying in an emergency"
          description="Users with the permission to skip change requests can apply a request without approval if they give a reason. Another approver reviews it afterwards."
          checked={rules.emergencyApply}
          disabled={isDisabled}
          onChange={({ currentTarget }) => saving.mutate({ emergencyApply: currentTarget.checked })}
        />
        <Select
          label="Expiration"
          description="Requests that are still open this long after they were sent to review are canceled."
          w={260}
          maw="100%"
          allowDeselect={false}
          disabled={isDisabled}
          data={expiryChoices(rules.expiresAfterDays)}
          value={String(rules.expiresAfterDays ?? '')}
          onChange={(days) => saving.mutate({ expiresAfterDays: days ? Number(days) : null })}
        />
      </Stack>
    </Section>
  );
}
