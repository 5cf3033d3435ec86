import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import { clientToken } from './tokens.ts';

/** A bucket that starts and stops at the same time. */
const bucketOf = (toggles: object, at: string | number) => ({ start: at, stop: at, toggles });

interface ReportOptions {
  readonly token?: string;
  readonly appName?: string;
  readonly instanceId?: string | null;
  readonly environment?: string;
  readonly at?: string | number;
}

/** Sends the requests of SDKs. */
export const programs = ({ ask }: Pick<TestApp, 'ask'>) => {
  const post = (path: string, payload: object, token = clientToken) =>
    ask(`POST /api/client/${path}`, { payload, headers: { authorization: token } });
  return {
    post,
    metrics: (toggles: object, { token, at, appName = 'shop', ...more }: ReportOptions = {}) =>
      post(
        'metrics',
        { appName, ...more, bucket: bucketOf(toggles, at ?? new Date().toISOString()) },
        token,
      ),
    register: (registration: object = {}, token?: string) =>
      post('register', { appName: 'shop', ...registration }, token),
  };
};

export interface UsedHour {
  readonly appName: string;
  readonly environment: string;
  readonly timestamp: string;
  readonly yes: number;
  readonly no: number;
  readonly variants: Readonly<Record<string, number>>;
}

/** The metrics of a feature by hour, with everything that this instance received. */
export const usageOfFeature = async (
  { ask }: Pick<TestApp, 'ask'>,
  feature: string,
  hoursBack = 48,
): Promise<UsedHour[]> =>
  (await ask(`GET /api/admin/client-metrics/features/${feature}/raw?hoursBack=${hoursBack}`)).json()
    .data;

export const yesOf = (hours: readonly UsedHour[]): number =>
  hours.reduce((sum, { yes }) => sum + yes, 0);

/** A token for SDKs in one environment, limited to these projects. */
export async function tokenFor(
  { ask }: Pick<TestApp, 'ask'>,
  projects: readonly string[],
  environment = 'development',
): Promise<string> {
  const response = await ask('POST /api/admin/api-tokens', {
    payload: {
      tokenName: `for-${environment}-${projects.join('-')}`,
      type: 'client',
      environment,
      projects,
    },
  });
  if (response.statusCode !== 201) throw new Error(response.body);
  return response.json().secret;
}

/** Inserts this many rows. `values` may use n, which counts them. */
export const fill = (
  db: TestApp['db'],
  table: string,
  columns: string,
  values: string,
  rows: number,
) =>
  sql
    .raw(`insert into ${table} (${columns}) select ${values} from generate_series(1, ${rows}) n`)
    .execute(db);
