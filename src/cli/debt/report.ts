import { type Excess, excessesOf } from '../../modules/insights/health-history/index.ts';
import { alignedLines } from '../../platform/aligned.ts';
import { counted } from '../../platform/counted.ts';
import { printable } from '../printable.ts';
import { decidingReasons } from './measure.ts';
import type { FeatureWithReasons, HealthFigures, Limits } from './responses.ts';

/** Where the limits come from. */
type LimitSource = 'command line' | 'project' | 'none';

interface ReportedFeature {
  readonly feature: string;
  readonly state: 'stale' | 'potentiallyStale';
  readonly type: string;
  readonly createdAt: string;
  /** A user or group by name; null if there is none. */
  readonly owner: string | null;
  /** Null if the log no longer contains the event. */
  readonly since: string | null;
  readonly reasons: readonly {
    readonly reason: string;
    readonly since: string | null;
    readonly detail: string;
  }[];
}

/** The result, as written in JSON. */
export interface Report {
  readonly project: string;
  readonly limits: Limits & { readonly from: LimitSource };
  readonly current: HealthFigures;
  readonly withinBudget: boolean;
  readonly exceeded: readonly Excess[];
  readonly features: readonly ReportedFeature[];
}

const isDeciding = (reason: string): boolean =>
  (decidingReasons as readonly string[]).includes(reason);

/** Puts the deciding reason first. */
function reported({
  feature,
  type,
  createdAt,
  stale,
  owner,
  reasons,
}: FeatureWithReasons): ReportedFeature {
  const listed = reasons.map(({ reason, since = null, detail }) => ({ reason, since, detail }));
  const ordered = [
    ...listed.filter(({ reason }) => isDeciding(reason)),
    ...listed.filter(({ reason }) => !isDeciding(reason)),
  ];
  const state = stale ? 'stale' : 'potentiallyStale';
  return {
    ...{ feature, state, type, createdAt, owner: owner?.name ?? null },
    ...{ since: ordered[0]?.since ?? null, reasons: ordered },
  };
}

interface Measured {
  readonly project: string;
  readonly limits: Report['limits'];
  readonly current: HealthFigures;
  readonly debtors: readonly FeatureWithReasons[];
}

export function reportOf({ project, limits, current, debtors }: Measured): Report {
  const exceeded = excessesOf(limits, current);
  const features = debtors.map(reported);
  return { project, limits, current, withinBudget: exceeded.length === 0, exceeded, features };
}

export const sentenceOf = ({ what, limit, actual }: Excess): string =>
  what === 'maxStale'
    ? `${actual} stale or potentially stale ${actual === 1 ? 'feature' : 'features'} (max ${limit})`
    : `health ${actual}% (min ${limit}%)`;

export const jsonOf = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

const alignedText = (rows: readonly (readonly string[])[]): string =>
  alignedLines(rows)
    .map((line) => `${line}\n`)
    .join('');

const dayOf = (instant: string | null): string => instant?.slice(0, 10) ?? 'unknown';

const states = { stale: 'stale', potentiallyStale: 'potentially stale' };

const limitsOf = ({ maxStale, minHealth, from }: Report['limits']): string => {
  const limits = [
    ...(maxStale === null ? [] : [`max ${maxStale} stale or potentially stale`]),
    ...(minHealth === null ? [] : [`min health ${minHealth}%`]),
  ];
  return from === 'none' ? 'No limits' : `Limits (${from}): ${limits.join(', ')}`;
};

export function tableOf(report: Report): string {
  const { project, current, features, exceeded } = report;
  const head = [
    `Project ${printable(project)}: health ${current.health}%, ${counted(current.total, 'feature')}, ${current.stale} stale, ${current.potentiallyStale} potentially stale`,
    limitsOf(report.limits),
  ];
  const hasOwners = features.some(({ owner }) => owner !== null);
  const rows = features.flatMap(({ feature, state, owner, reasons }) =>
    reasons.map(({ since, detail }, position) => [
      position === 0 ? printable(feature) : '',
      position === 0 ? states[state] : '',
      ...(hasOwners ? [position === 0 ? printable(owner ?? '') : ''] : []),
      dayOf(since),
      printable(detail),
    ]),
  );
  const heads = ['FEATURE', 'STATE', ...(hasOwners ? ['OWNER'] : []), 'SINCE', 'WHY'];
  const list = rows.length === 0 ? '' : `\n${alignedText([heads, ...rows])}`;
  const verdict = exceeded.map((excess) => `\nOver the limit: ${sentenceOf(excess)}\n`).join('');
  return `${head.join('\n')}\n${list}${verdict}`;
}
