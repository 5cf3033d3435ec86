import type { StateStore } from '../../src/edge/state/state.ts';
import type { BulkBody } from '../../src/edge/usage/bulk.ts';
import { createOutbox, type Outbox } from '../../src/edge/usage/outbox.ts';
import type { Batch } from '../../src/modules/sdk/client-metrics/report/buffer.ts';
import { createLogger } from '../../src/platform/log.ts';

const scope = { environment: 'development', projects: 'all' } as const;
export const dayMs = 86_400_000;
export const thisHourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;

/** What is left on the disk after a kill. */
export function memoryStore(usage?: string) {
  const texts = new Map(usage === undefined ? [] : [['usage', usage]]);
  /** Whatever was left there at some time. */
  const usages: string[] = [];
  const store: StateStore = {
    keepsUsage: true,
    read: async (name) => texts.get(name),
    async write(name, textFrom) {
      const text = textFrom();
      texts.set(name, text);
      if (name === 'usage') usages.push(text);
    },
  };
  return { ...store, usages };
}

interface Tested {
  readonly outbox: Outbox;
  readonly sent: BulkBody[];
  readonly lines: { msg: string; lost?: number; err?: { message: string } }[];
}

const opened: Outbox[] = [];
/** Ends all outboxes that a test opened. */
export function abandonOutboxes(): void {
  for (const outbox of opened.splice(0)) outbox.abandon();
}

/** An outbox whose upstream answers with a status; undefined never answers. */
export async function testedOutbox(
  options: {
    readonly store?: StateStore;
    readonly status?: (body: BulkBody) => number | undefined;
    readonly hasToken?: () => boolean;
    readonly upstreamUrl?: string;
  } = {},
): Promise<Tested> {
  const { status = () => 202, hasToken = () => true } = options;
  const sent: BulkBody[] = [];
  const lines: Tested['lines'] = [];
  const outbox = createOutbox({
    store: options.store,
    upstreamUrl: options.upstreamUrl ?? 'http://upstream',
    upstream: {
      async post(_path, body) {
        const answer = status(body as BulkBody);
        if (answer === undefined) return new Promise(() => undefined);
        if (answer === 202) sent.push(body as BulkBody);
        return { status: answer, headers: {}, body: undefined };
      },
    },
    findToken: () => (hasToken() ? 'token' : undefined),
    mayCount: () => true,
    sender: { appName: 'edge', instanceId: 'tested' },
    log: createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  opened.push(outbox);
  await outbox.restore();
  return { outbox, sent, lines };
}

const counts = { yes: 1, no: 0, variants: undefined, seenMs: 0 };

export const usageOf = (
  features: readonly string[],
  more: { isPublic?: boolean; id?: string } = {},
): Batch => ({
  ...(more.id !== undefined && { id: more.id }),
  instances: [],
  reports: [
    {
      ...{ scope, appName: 'shop', isPublic: more.isPublic ?? false, hourMs: thisHourMs },
      features: new Map(features.map((name) => [name, { ...counts }])),
    },
  ],
  size: features.length,
});

export const registrationOf = (instanceId: string, strategies = ['default']): Batch => ({
  reports: [],
  instances: [
    {
      ...{ scope, appName: 'shop', instanceId, isPublic: false, ip: null, seenMs: Date.now() },
      ...{ sdkVersion: 'sdk:1', sdkType: null, specVersion: null, strategies },
    },
  ],
  size: 1,
});

export const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);
export const sumOf = (sent: readonly BulkBody[]) =>
  sent
    .flatMap(({ metrics }) => metrics as { yes: number }[])
    .reduce((sum, { yes }) => sum + yes, 0);
