import { useRefusals } from '../../me.ts';
import { useFeatureView } from './view.ts';

/** Why something of this feature may not be changed, for one of several environments. */
export function useFeatureRefusals(): (
  permission: string | readonly string[],
  environment?: string,
) => string | undefined {
  const { feature, project } = useFeatureView();
  const refusalOf = useRefusals();
  return (permission, environment) =>
    feature.archived
      ? 'This feature is archived. Revive it to edit it.'
      : refusalOf(permission, { project, ...(environment !== undefined && { environment }) });
}

/** Why something of this feature may not be changed. One of several permissions is enough. */
export const useFeatureRefusal = (
  permission: string | readonly string[],
  environment?: string,
): string | undefined => useFeatureRefusals()(permission, environment);
