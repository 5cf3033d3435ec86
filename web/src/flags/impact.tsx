import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';
import { impactHours, impactText } from './impact-words.ts';

/** How many evaluations a change in an environment affects, as far as it is known. */
export function useImpact(feature: string, environment: string | undefined): string | undefined {
  const usage = useQuery({
    ...read('GET /api/admin/client-metrics/features/:featureName/raw', {
      params: { featureName: feature },
      query: { hoursBack: String(impactHours) },
    }),
    enabled: environment !== undefined,
  }).data;
  if (!usage || environment === undefined) return undefined;
  return impactText(usage.data, environment, Date.now());
}

interface Props {
  readonly feature: string;
  readonly environment: string;
  /** Names the environment, if there are several of them. */
  readonly isNamed?: boolean;
}

/** Its line is there before its text, so that the buttons below stay where they are. */
export function Impact({ feature, environment, isNamed = false }: Props) {
  const text = useImpact(feature, environment);
  return (
    <Text size="sm" className="tabular" mih="1.55em">
      {isNamed && text !== undefined && `${environment}: `}
      {text}
    </Text>
  );
}
