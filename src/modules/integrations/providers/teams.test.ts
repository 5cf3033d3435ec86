import { describe, expect, test } from 'vitest';
import { compose, deliver } from '../../../../test/support/providers/deliver.ts';
import { created, enabled } from '../../../../test/support/providers/sent-events.ts';
import {
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../../../../test/support/receiver.ts';
import { teams } from './teams/teams.ts';

const parameters = (workflow: Receiver) => ({
  url: `${workflow.url}/workflows/1f/triggers/manual/paths/invoke?api-version=1&sig=canary`,
});

const refused = (status: number, code: string, message: string): ReceiverAnswer => ({
  status,
  body: { error: { code, message } },
});

describe('a Teams workflow', () => {
  test.each<[string, ReceiverAnswer]>([
    ['202', { status: 202 }],
    ['200 from a connector', { status: 200, body: '1' }],
    ['200 from a workflow with a response', { status: 200, body: { posted: true } }],
  ])('succeeds with %s', async (_, answer) => {
    const workflow = await startReceiver(answer);
    expect((await deliver(teams, created, parameters(workflow))).state).toBe('success');
  });

  test.each([
    [404, 'WorkflowNotFound', "The workflow '1f' could not be found.", 'Create a new one'],
    [
      400,
      'WorkflowTriggerIsNotEnabled',
      "Could not execute workflow '1f' trigger 'manual' with state 'Disabled': trigger is not enabled.",
      'Enable it',
    ],
    [
      401,
      'DirectApiAuthorizationRequired',
      'The request must be authenticated only by Shared Access scheme.',
      'copy its URL again',
    ],
    [400, 'TriggerInputSchemaMismatch', 'The input body did not match its schema.', 'template'],
  ])('explains an error and what to do: %d %s', async (status, code, message, advice) => {
    const workflow = await startReceiver(refused(status, code, message));
    const verdict = await deliver(teams, created, parameters(workflow));
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toContain(`returned ${status}. Response: ${code}. `);
    expect(verdict.details).toContain(advice);
  });

  test('waits for the time in Retry-After', async () => {
    const workflow = await startReceiver({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { error: { code: 'TooManyRequests', message: 'Rate limit is exceeded.' } },
    });
    expect(await deliver(teams, created, parameters(workflow))).toMatchObject({
      state: 'failed',
      retryAfterMs: 60_000,
    });
  });

  test('fails if a connector reports a failure with status 200', async () => {
    const workflow = await startReceiver({
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0.',
    });
    const verdict = await deliver(teams, created, parameters(workflow));
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toContain('HTTP error 429');
  });

  test.each<[string, ReceiverAnswer]>([
    ['returns 502', { status: 502, body: '<html>' }],
    ['responds with null', { status: 500, body: 'null' }],
    ['resets the connection', 'reset'],
    ['never responds', 'hang'],
  ])('fails if the receiver %s', async (_, answer) => {
    const workflow = await startReceiver(answer);
    const limits = answer === 'hang' ? { timeoutMs: 300 } : {};
    const verdict = await deliver(teams, created, parameters(workflow), limits);
    expect(verdict.state).toBe('failed');
    expect(verdict.details).not.toContain('canary');
  });

  test('omits invalid custom headers and says so', async () => {
    const workflow = await startReceiver({ status: 202 });
    const verdict = await deliver(teams, created, { ...parameters(workflow), customHeaders: '1' });
    expect(verdict.state).toBe('successWithErrors');
    expect(workflow.received).toHaveLength(1);
  });

  test('gets no more text than Teams accepts', () => {
    const summary = `${'**🚢** and '.repeat(80)}${'ü'.repeat(20_000)}`;
    const body = JSON.stringify(compose(teams, { ...created, summary }, {}).body);
    expect(Buffer.byteLength(body)).toBeLessThan(28_000);
  });

  test('shows changes in production in another color', () => {
    const title = (event: typeof created) =>
      JSON.stringify(compose(teams, event, {})).match(/"color":"(\w+)"/)?.[1];
    expect([title(created), title(enabled)]).toEqual(['Good', 'Warning']);
  });

  test('names the author once', () => {
    const text = (event: typeof created) => JSON.stringify(compose(teams, event, {}));
    expect(text(created)).not.toContain('By: ');
    expect(text({ ...created, summary: 'Someone signed up' })).toContain('By: ');
  });

  test('shows its URL without the path, which is the secret', () => {
    const url = 'https://prod-1.westeurope.logic.azure.com:443/workflows/1f?sig=canary';
    expect(teams.target?.({ url })).toBe('https://prod-1.westeurope.logic.azure.com/*****');
  });
});
