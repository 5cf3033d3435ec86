import { useQuery } from '@tanstack/react-query';
import { fewFeatures, nextStep, stepTitles, useSteps } from './home/steps.ts';
import { featureNamesQuery } from './palette/feature-names.ts';

function Next() {
  const next = nextStep(useSteps());
  return next === undefined ? null : <>Next: {stepTitles[next]}</>;
}

/** The next step of the setup, on every page. The names of features are loaded anyway, and tell if it is worth asking. */
export function NextStep() {
  const names = useQuery({ ...featureNamesQuery, enabled: false }).data?.features;
  return names === undefined || names.length >= fewFeatures ? null : <Next />;
}
