import { isDeepStrictEqual } from 'node:util';
import type { ChangeRequestRules } from './contract.ts';

/** More people than this rarely look at one change. */
const maxApprovals = 10;

/** Whether an environment of a project requires approval of changes, how many approvals, and by which rules. */
export interface ChangeRequestSettings {
  readonly changeRequestsEnabled: boolean;
  readonly requiredApprovals: number | null;
  /** Null: the usual ones. */
  readonly rules: ChangeRequestRules | null;
}

export const usualRules: ChangeRequestRules = {
  approvers: { users: [], groups: [], roles: [] },
  selfApproval: 'admins',
  expiresAfterDays: null,
  applyAutomatically: false,
  emergencyApply: true,
};

const inOrder = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

/** The rules after a change, which keeps those that it doesn't mention. */
export function changedRules(
  before: ChangeRequestRules | null,
  change: Partial<ChangeRequestRules> = {},
): ChangeRequestRules | null {
  const { approvers, ...others } = { ...usualRules, ...before, ...change };
  const { users, groups, roles } = approvers;
  const after = {
    approvers: { users: inOrder(users), groups: inOrder(groups), roles: inOrder(roles) },
    ...others,
  };
  return isDeepStrictEqual(after, usualRules) ? null : after;
}

/** What events contain: the rules only if they are not the usual ones. */
export const settingFacts = ({ rules, ...settings }: ChangeRequestSettings) => ({
  ...settings,
  ...(rules && { rules }),
});

/** A number in range; null for none. */
export const limitedApprovals = (wanted: number | null | undefined): number | null =>
  wanted ? Math.min(wanted, maxApprovals) : null;

/** The settings of an environment in a project that gets it: the default of the environment, if it has one. */
export const inheritedSettings = (environment: {
  readonly requiredApprovals?: number | undefined;
}): ChangeRequestSettings => ({
  changeRequestsEnabled: environment.requiredApprovals !== undefined,
  requiredApprovals: environment.requiredApprovals ?? null,
  rules: null,
});
