import type { ReadSnapshot } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { showOwner, type stages } from '../../../flags/features/index.ts';
import { agingOf } from '../rating/queries.ts';
import { rate } from '../rating/rating.ts';
import { reviewJson } from '../reviews/review-json.ts';
import type { FindingsAnswer, StatusAnswer } from './contract.ts';
import { detailOf } from './detail.ts';
import { findFacts } from './facts.ts';
import { type Finding, type Findings, findFindings } from './findings.ts';
import type { Reason } from './reasons.ts';
import type { FindingSearch } from './search.ts';
import { findSummaryRows } from './summary-queries.ts';

const text = (at: number): string => new Date(at).toISOString();

/** Formats instants for responses, and omits undefined ones. */
const texts = <Name extends string>(instants: Partial<Record<Name, number | undefined>>) =>
  Object.fromEntries(
    Object.entries<number | undefined>(instants).flatMap(([name, at]) =>
      at === undefined ? [] : [[name, text(at)]],
    ),
  ) as Partial<Record<Name, string>>;

const reasonJson = (found: Reason) => {
  const { reason, since, evidence } = found;
  const { createdAt, completedAt, archivedAt, lastScanAt, environments, ...rest } = evidence;
  return {
    reason,
    ...texts({ since }),
    detail: detailOf(found),
    evidence: {
      ...rest,
      ...texts({ createdAt, completedAt, archivedAt, lastScanAt }),
      ...(environments && {
        environments: environments.map(({ lastSeenAt, since: at, ...where }) => ({
          ...where,
          ...texts({ lastSeenAt, since: at }),
        })),
      }),
    },
  };
};

const findingJson = ({ facts, reasons }: Finding, baseUrl: string) => ({
  feature: facts.name,
  type: facts.type,
  createdAt: text(facts.createdAt),
  ...texts({ archivedAt: facts.archivedAt ?? undefined }),
  ...(facts.owner && { owner: showOwner(facts.owner, baseUrl) }),
  stale: facts.stale,
  ...(facts.review && { review: reviewJson(facts.review) }),
  reasons: reasons.map(reasonJson),
});

const findingsJson = (
  { countByReason, snoozedCount, total, page }: Findings,
  { search: { notSeenDays, fullyOnDays }, baseUrl }: Question,
): FindingsAnswer => ({
  notSeenDays,
  fullyOnDays,
  countByReason,
  snoozedCount,
  total,
  features: page.map((finding) => findingJson(finding, baseUrl)),
});

interface Question {
  readonly project: string;
  readonly now: Date;
  readonly search: FindingSearch;
  /** Of avatars. */
  readonly baseUrl: string;
}

type StatusFacts = NonNullable<Awaited<ReturnType<typeof findFacts>>>;

async function answerTo(
  question: Question,
  { features, scans }: StatusFacts,
): Promise<FindingsAnswer> {
  const { now, search } = question;
  const { notSeenDays, fullyOnDays } = search;
  const terms = { now: now.getTime(), notSeenDays, fullyOnDays, scans };
  return findingsJson(await findFindings(features, terms, search), question);
}

/** Returns the features of an active project that are stale or may be, with their reasons. */
export async function getFindings(
  readSnapshot: ReadSnapshot,
  question: Question,
): Promise<FindingsAnswer> {
  const { project } = question;
  const facts = await readSnapshot((db) => findFacts(db, project));
  if (!facts) throw notFound('project', project);
  return answerTo(question, facts);
}

/** Returns the status of an active project, with the first of its features that are stale or may be. */
export async function getStatus(
  readSnapshot: ReadSnapshot,
  question: Question,
): Promise<StatusAnswer> {
  const { project, now } = question;
  const { rows, facts } = await readSnapshot(async (db) => ({
    rows: await findSummaryRows(db, project, now),
    facts: await findFacts(db, project),
  }));
  if (!rows || !facts) throw notFound('project', project);
  const { rating } = rate(agingOf(rows), now.getTime());
  const { health, staleCount: stale, potentiallyStaleCount: potentiallyStale, stats } = rating;
  const standing = new Map(rows.lifecycle.map((row) => [row.stage, row]));
  const stage = (name: (typeof stages)[number]) => ({
    averageDays: standing.get(name)?.averageDays ?? null,
    currentFlags: standing.get(name)?.current ?? 0,
  });
  return {
    activityCountByDate: [...rows.activity],
    health: { current: health },
    technicalDebt: { current: 100 - health },
    resources: {
      connectedEnvironments: rows.connectedEnvironments,
      apiTokens: rows.apiTokens,
      members: rows.joined.length,
      segments: rows.segments,
    },
    staleFlags: { total: stale + potentiallyStale, stale, potentiallyStale },
    lifecycleSummary: {
      initial: stage('initial'),
      preLive: stage('pre-live'),
      live: stage('live'),
      completed: stage('completed'),
      archived: {
        currentFlags: stage('archived').currentFlags,
        last30Days: stats.archivedCurrentWindow,
      },
    },
    findings: await answerTo(question, facts),
  };
}
