/** The expected responses, and guards that check them: the URL may belong to another server. */
export interface Limits {
  readonly maxStale: number | null;
  readonly minHealth: number | null;
}

export interface HealthFigures {
  readonly total: number;
  readonly stale: number;
  readonly potentiallyStale: number;
  readonly health: number;
}

interface Reason {
  readonly reason: string;
  readonly since?: string;
  readonly detail: string;
}

export interface FeatureWithReasons {
  readonly feature: string;
  readonly type: string;
  readonly createdAt: string;
  readonly stale: boolean;
  readonly owner?: { readonly type: string; readonly name: string };
  readonly reasons: readonly Reason[];
}

interface Budget {
  readonly budget: Limits;
  readonly current: HealthFigures;
}

interface Findings {
  readonly total: number;
  readonly features: readonly FeatureWithReasons[];
}

type Fields = Readonly<Record<string, unknown>>;
type Is = (value: unknown) => boolean;

const hasAll = (value: unknown, fields: Readonly<Record<string, Is>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fields).every(([name, is]) => is((value as Fields)[name]));

const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);

const isText: Is = (value) => typeof value === 'string';
const isNumber: Is = (value) => typeof value === 'number';
const isLimit: Is = (value) => value === null || isNumber(value);

const isReason: Is = (value) =>
  hasAll(value, {
    reason: isText,
    since: (since) => since === undefined || isText(since),
    detail: isText,
  });

const hasReasons: Is = (value) =>
  hasAll(value, {
    ...{ feature: isText, type: isText, createdAt: isText },
    stale: (stale) => typeof stale === 'boolean',
    owner: (owner) => owner === undefined || hasAll(owner, { type: isText, name: isText }),
    reasons: listOf(isReason),
  });

export const isBudget = (answer: unknown): answer is Budget =>
  hasAll(answer, {
    budget: (value) => hasAll(value, { maxStale: isLimit, minHealth: isLimit }),
    current: (value) =>
      hasAll(value, {
        ...{ total: isNumber, stale: isNumber, potentiallyStale: isNumber, health: isNumber },
      }),
  });

export const isFindings = (answer: unknown): answer is Findings =>
  hasAll(answer, { total: isNumber, features: listOf(hasReasons) });
