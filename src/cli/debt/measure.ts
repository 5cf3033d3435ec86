import { StartError } from '../../platform/start-error.ts';
import { printable } from '../printable.ts';
import { type FeatureWithReasons, isBudget, isFindings } from './responses.ts';

export interface Server {
  readonly url: URL;
  readonly token: string;
}

/** The reasons that make a feature stale or potentially stale. Other reasons are hints. */
export const decidingReasons = ['markedStale', 'lifetimeOver'] as const;

const timeoutMs = 30_000;
const pageSize = 1_000;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} seconds`;
  const cause = error.cause;
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : error.message;
};

async function refusalOf(response: Response): Promise<string> {
  if (response.status >= 300 && response.status < 400) {
    return `it redirects (${response.status}). Use the server's final URL`;
  }
  if (response.status === 401) {
    return 'the token is not valid (401). Set BURGEE_TOKEN to a token for the admin API';
  }
  const body = await response.json().catch(() => undefined);
  const message = (body as { message?: unknown } | undefined)?.message;
  return `${typeof message === 'string' ? message : 'it is not a Burgee server'} (${response.status})`;
}

/** Sends a request to the server. No message contains the token; text of the server is quoted as it is. */
async function ask<Answer>(
  { url, token }: Server,
  path: string,
  isExpected: (answer: unknown) => answer is Answer,
): Promise<Answer> {
  const fail = (why: string) =>
    new StartError(`The request to ${url.href} failed: ${printable(why)}`);
  let response: Response;
  try {
    response = await fetch(new URL(path, url), {
      headers: { authorization: token, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw fail(reasonOf(error));
  }
  if (response.status !== 200) throw fail(await refusalOf(response));
  let answer: unknown;
  try {
    answer = await response.json();
  } catch {
    throw fail('the response is not JSON');
  }
  if (!isExpected(answer)) throw fail('the response is not from a Burgee server');
  return answer;
}

/** Lists all features of a project that have a deciding reason, by name. */
async function listDebtors(server: Server, path: string): Promise<FeatureWithReasons[]> {
  const debtors = new Map<string, FeatureWithReasons>();
  for (const reason of decidingReasons) {
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const query = `reason=${reason}&sortBy=feature&limit=${pageSize}&offset=${offset}`;
      const page = await ask(server, `${path}/status/findings?${query}`, isFindings);
      total = page.features.length === 0 ? 0 : page.total;
      for (const debtor of page.features) debtors.set(debtor.feature, debtor);
    }
  }
  return [...debtors.values()].sort((a, b) => (a.feature < b.feature ? -1 : 1));
}

/** Returns the status of a project, its limits, and the features that count against them. */
export async function measure(server: Server, project: string) {
  const path = `api/admin/projects/${encodeURIComponent(project)}`;
  const { budget, current } = await ask(server, `${path}/budget`, isBudget);
  return { budget, current, debtors: await listDebtors(server, path) };
}
