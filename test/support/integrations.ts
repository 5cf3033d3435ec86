import { onTestFinished } from 'vitest';
import type { TestApp } from './app.ts';

interface IntegrationInput {
  readonly url: string;
  readonly provider?: string;
  readonly events?: readonly string[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

/** Creates a webhook integration for new projects by default. Returns its id and signing secret. */
export async function makeWebhook(
  ask: TestApp['ask'],
  {
    url,
    provider = 'webhook',
    events = ['project-created'],
    parameters,
    ...rest
  }: IntegrationInput,
): Promise<{ id: number; signingSecret: string }> {
  const response = await ask('POST /api/admin/addons', {
    payload: { provider, enabled: true, events, parameters: { url, ...parameters }, ...rest },
  });
  if (response.statusCode !== 201) throw new Error(response.body);
  const { id, generated } = response.json();
  return { id, signingSecret: generated?.signingSecret };
}

/** The same, deleted with the test: for tests that share a server, and cause no deliveries for each other. */
export async function webhookOfTest(
  app: TestApp,
  input: IntegrationInput,
  ask = app.ask,
): ReturnType<typeof makeWebhook> {
  const made = await makeWebhook(ask, input);
  onTestFinished(async () => {
    await app.ask(`DELETE /api/admin/addons/${made.id}`);
  });
  return made;
}

export interface ShownRecord {
  readonly id: string;
  readonly integrationId: number;
  readonly createdAt: string;
  readonly state: string;
  readonly stateDetails: string;
  readonly event: { readonly id: number; readonly type: string; readonly project: string | null };
  readonly details: {
    readonly attempts: readonly {
      readonly at: string;
      readonly state: string;
      readonly status?: number;
      readonly error?: string;
      readonly nextAttemptAt?: string;
      readonly exchanges: readonly unknown[];
    }[];
    readonly [key: string]: unknown;
  };
}

export async function recordsOf(
  ask: TestApp['ask'],
  id: number,
  query = '',
): Promise<ShownRecord[]> {
  const response = await ask(`GET /api/admin/addons/${id}/events${query}`);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json().integrationEvents;
}

/** Creates a project, which records an event visible to everyone. */
export async function createProject(ask: TestApp['ask'], id: string): Promise<void> {
  const response = await ask('POST /api/admin/projects', { payload: { id, name: id } });
  if (response.statusCode !== 201) throw new Error(response.body);
}
