/** More people than this rarely look at one change. */
const maxApprovals = 10;

/** Whether an environment of a project requires approval of changes, and how many approvals. */
export interface ChangeRequestSettings {
  readonly changeRequestsEnabled: boolean;
  readonly requiredApprovals: number | null;
}

/** A number in range; null for none. */
export const limitedApprovals = (wanted: number | null | undefined): number | null =>
  wanted ? Math.min(wanted, maxApprovals) : null;

/** The settings of an environment in a project that gets it: the default of the environment, if it has one. */
export const inheritedSettings = (environment: {
  readonly requiredApprovals?: number | undefined;
}): ChangeRequestSettings => ({
  changeRequestsEnabled: environment.requiredApprovals !== undefined,
  requiredApprovals: environment.requiredApprovals ?? null,
});
