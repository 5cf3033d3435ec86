import { performance } from 'node:perf_hooks';
import type { Clock } from '../../../platform/clock.ts';
import {
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
  thisMachine,
} from '../../../platform/outgoing/outgoing.ts';
import { stars } from '../configuration/integration-schema.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { maskedUrl } from '../providers/masked-url.ts';
import type { Message, Parameters, Verdict } from '../providers/provider.ts';
import type { Attempt, Exchange } from './attempt-schema.ts';
import { createMask, type Mask } from './masking.ts';

export interface AttemptOptions {
  readonly integration: OpenIntegration;
  /** The same for all attempts of one delivery. */
  readonly id: string;
  readonly message: Message;
  readonly outgoing: Outgoing;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /**
   * Whether the account responsible for the integration is an administrator. Only such an integration may reach this
   * machine.
   */
  readonly isOwnedByAdministrator: () => Promise<boolean>;
}

export interface AttemptResult {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly target: string | null;
  readonly latencyMs: number;
  /** An internal error, for the log. */
  readonly fault?: unknown;
}

const excerptLength = 2_000;

/** The stored length of all response headers, names and values together. */
const headersLength = 4_000;

/**
 * Slack may have a channel for each feature. Of more requests than this, the first and the latest ones are stored.
 */
const maxExchanges = 20;

/** One attempt may take several requests. It must end well before its lease does. */
const longestMs = 120_000;

const userAgent = 'Burgee (webhooks and integrations)';

/** Request headers without secrets. All others may contain one. */
const plainHeaders = new Set(['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp']);

const maskedHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      plainHeaders.has(name.toLowerCase()) ? value : stars,
    ]),
  );

/** Response headers, cut to `headersLength`: a receiver may send 2,000 of them. */
function excerptOfHeaders(
  headers: Readonly<Record<string, string>>,
  mask: Mask,
): Record<string, string> {
  const excerpt: Record<string, string> = {};
  let remaining = headersLength;
  for (const [name, value] of Object.entries(headers)) {
    const masked = mask(value).slice(0, remaining).toWellFormed();
    remaining -= name.length + masked.length;
    if (remaining < 0) break;
    excerpt[mask(name)] = masked;
  }
  return excerpt;
}

/** The error that is logged for a defect of Burgee. Its text may contain a secret URL. */
const maskedFault = (fault: unknown, mask: Mask): Error => {
  const { message, stack } = fault instanceof Error ? fault : new Error(String(fault));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
};

/** Text that PostgreSQL can store: without NUL and without lone surrogates. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

const secretsOf = ({ provider, parameters = {} }: OpenIntegration): string[] =>
  provider.parameters.flatMap(({ name, sensitive }) =>
    sensitive && parameters[name] ? [parameters[name]] : [],
  );

/** One mask for each integration, since every attempt needs it. */
const masks = new WeakMap<OpenIntegration, Mask>();

function maskOf(integration: OpenIntegration): Mask {
  const cached = masks.get(integration);
  if (cached) return cached;
  const hide = createMask(secretsOf(integration));
  const mask: Mask = (text, length) => storable(hide(text, length));
  masks.set(integration, mask);
  return mask;
}

const unreadable: Verdict = {
  state: 'failed',
  details:
    "Couldn't decrypt this integration's secrets: their key isn't in ENCRYPTION_KEY. Enter the secrets again.",
};

const broken: Verdict = {
  state: 'failed',
  details: 'Internal error. See the server log for details.',
};

/** Makes one attempt and records each of its requests. A failure becomes a verdict; this never throws. */
export async function attemptOnce(options: AttemptOptions): Promise<AttemptResult> {
  const { integration, id, message, outgoing, timeoutMs, clock, signal } = options;
  const { isOwnedByAdministrator } = options;
  const { provider, parameters } = integration;
  const at = clock();
  const began = performance.now();
  const mask = maskOf(integration);
  const exchanges: Exchange[] = [];

  const addExchange = (request: OutgoingRequest, sentAt: number, rest: Partial<Exchange>) => {
    if (exchanges.length === maxExchanges) exchanges.splice(maxExchanges / 2, 1);
    exchanges.push({
      request: {
        method: request.method,
        url: parameters ? targetOf(request, integration, parameters) : stars,
        headers: maskedHeaders(request.headers),
      },
      latencyMs: Math.round(performance.now() - sentAt),
      ...rest,
    });
  };

  const send = async (original: OutgoingRequest): Promise<OutgoingAnswer> => {
    const request = { ...original, headers: { 'user-agent': userAgent, ...original.headers } };
    const sentAt = performance.now();
    try {
      const leftMs = Math.max(1, began + longestMs - sentAt);
      const limits = { timeoutMs: Math.min(timeoutMs, leftMs), ...(signal && { signal }) };
      const answer = await outgoing.send(request, limits).catch(async (error: unknown) => {
        const isThisMachine = error instanceof OutgoingError && error.code === thisMachine;
        if (!isThisMachine || !(await isOwnedByAdministrator())) throw error;
        return outgoing.send(request, { ...limits, loopback: true });
      });
      const { status, headers, body } = answer;
      const excerpt = {
        status,
        headers: excerptOfHeaders(headers, mask),
        body: mask(body).slice(0, excerptLength).toWellFormed(),
      };
      addExchange(request, sentAt, { response: excerpt });
      return answer;
    } catch (error) {
      const text = error instanceof OutgoingError ? error.message : String(error);
      addExchange(request, sentAt, { error: mask(text) });
      throw error;
    }
  };

  let fault: unknown;
  const verdict = parameters
    ? await provider.deliver(message, parameters, { id, now: at, send }).catch((error) => {
        fault = maskedFault(error, mask);
        return broken;
      })
    : unreadable;
  const latencyMs = Math.round(performance.now() - began);
  const stateDetails = mask(verdict.details).slice(0, excerptLength).toWellFormed();
  const last = exchanges.at(-1);
  return {
    verdict: { ...verdict, details: stateDetails },
    target: parameters && provider.target ? provider.target(parameters) : null,
    latencyMs,
    ...(fault !== undefined && { fault }),
    attempt: {
      at: at.toISOString(),
      state: verdict.state,
      stateDetails,
      ...(last?.response && { status: last.response.status }),
      ...(last?.error !== undefined && { error: last.error }),
      latencyMs,
      exchanges,
    },
  };
}

/** The target as the integration returns it. A URL that is not a parameter has secrets only in its query. */
const targetOf = (
  { url }: OutgoingRequest,
  { provider }: OpenIntegration,
  parameters: Parameters,
): string => provider.target?.(parameters) ?? maskedUrl(url);
