import type { Response } from '../api.ts';
import { agree, joinOr, numberText, percent, plural } from '../ui/format.ts';

export type Preview = Response<'POST /api/admin/projects/:projectId/change-requests/:id/preview'>;
export type PreviewedFeature = Preview['features'][number];
export type ChangedDecision = PreviewedFeature['groups'][number];
type Condition = NonNullable<ChangedDecision['where']>[number];

function conditionText({ contextName, operator, values, more }: Condition): string {
  if (operator === 'SET') return `${contextName} is set`;
  if (operator === 'MISSING') return `${contextName} is missing`;
  const all = more > 0 ? [...values, `${numberText(more)} more`] : values;
  if (operator === 'IN') return `${contextName} is ${joinOr(all)}`;
  return `${contextName} is not ${joinOr(all)}`;
}

/** Estimates of the same share differ by so much. */
const maxNoise = 5;

function shareText({ share }: ChangedDecision): string | undefined {
  if (!share) return undefined;
  const { from, to } = share;
  if (to < 1) return 'Less than 1% of users';
  return to - from <= maxNoise
    ? `About ${percent(Math.round((from + to) / 2))} of users`
    : `${percent(from)} to ${percent(to)} of users`;
}

/** Who gets another decision: "Everyone", "About 25% of users whose country is NO". */
export function whoText(group: ChangedDecision): string {
  const { where } = group;
  const share = shareText(group);
  if (!where) return share ? `${share} in some contexts` : 'Users in some contexts';
  if (where.length === 0) return share ?? 'Everyone';
  return `${share ?? 'Users'} whose ${where.map(conditionText).join(' and ')}`;
}

type Decision = ChangedDecision['before'];

const decisionText = ({ enabled, variant }: Decision): string => {
  if (!enabled) return 'Disabled';
  return variant === undefined ? 'Enabled' : `Enabled with variant ${variant}`;
};

/** "Disabled → Enabled with variant blue". */
export function changeText({ before, after, payloadChanged }: ChangedDecision): string {
  if (payloadChanged) return `Different payload for variant ${after.variant ?? ''}`;
  return `${decisionText(before)} → ${decisionText(after)}`;
}

/** "12 of 40 sample contexts get a different result". */
export const countText = ({ contexts, changedContexts }: PreviewedFeature): string =>
  `${numberText(changedContexts)} of ${plural(contexts, 'sample context')} ${agree(changedContexts, 'gets', 'get')} a different result`;

/** The values of an example, without the environment, which the page shows anyway. */
export function exampleOf({ example }: ChangedDecision): Readonly<Record<string, string>> {
  const { environment: _, ...values } = example;
  return values;
}
