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
  /** The same over all attempts of one delivery. */
  readonly id: string;
  readonly message: Message;
  readonly outgoing: Outgoing;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Whether an administrator answers for the integration: only then it reaches this machine itself. */
  readonly isAdministrators: () => Promise<boolean>;
}

export interface Attempted {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly target: string | null;
  readonly latencyMs: number;
  /** What went wrong on our side, for the log. */
  readonly fault?: unknown;
}

const excerptLength = 2_000;

/** Of headers so much is kept, names and values together. */
const headersLength = 4_000;

/** Slack may have a channel for each feature: of many requests the first and the latest are kept. */
const maxExchanges = 20;

/** However many requests it takes, one attempt ends well before its lease does. */
const longestMs = 120_000;

const userAgent = 'Burgee (webhooks and integrations)';

/** Headers of ours that tell nobody anything; all others may be somebody's secret. */
const plainHeaders = new Set(['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp']);

const shownHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      plainHeaders.has(name.toLowerCase()) ? value : stars,
    ]),
  );

/** What a receiver sent along, as far as there is room: it may send 2,000 headers. */
function keptHeaders(
  headers: Readonly<Record<string, string>>,
  mask: Mask,
): Record<string, string> {
  const kept: Record<string, string> = {};
  let room = headersLength;
  for (const [name, value] of Object.entries(headers)) {
    const shown = mask(value).slice(0, room).toWellFormed();
    room -= name.length + shown.length;
    if (room < 0) break;
    kept[mask(name)] = shown;
  }
  return kept;
}

/** The error of a defect of ours, for the log: its text may hold an address. */
const maskedFault = (fault: unknown, mask: Mask): Error => {
  const { message, stack } = fault instanceof Error ? fault : new Error(String(fault));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
};

/** What the database takes as text: no NUL, no half of a character. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

const secretsOf = ({ provider, parameters = {} }: OpenIntegration): string[] =>
  provider.parameters.flatMap(({ name, sensitive }) =>
    sensitive && parameters[name] ? [parameters[name]] : [],
  );

/** Made once for an integration as it is: it is asked for with every attempt. */
const masks = new WeakMap<OpenIntegration, Mask>();

function maskOf(integration: OpenIntegration): Mask {
  const known = masks.get(integration);
  if (known) return known;
  const hide = createMask(secretsOf(integration));
  const mask: Mask = (text, length) => storable(hide(text, length));
  masks.set(integration, mask);
  return mask;
}

const unreadable: Verdict = {
  state: 'failed',
  details:
    'The secrets of this integration cannot be read: they were encrypted under a key that is not in ENCRYPTION_KEY. Enter them again.',
};

const broken: Verdict = {
  state: 'failed',
  details: 'A fault of Burgee kept it from being sent; the log of the server says more.',
};

/** Makes one attempt, and notes every request of it. Whatever goes wrong is a verdict, never an error. */
export async function attemptOnce(options: AttemptOptions): Promise<Attempted> {
  const { integration, id, message, outgoing, timeoutMs, clock, signal } = options;
  const { isAdministrators } = options;
  const { provider, parameters } = integration;
  const at = clock();
  const began = performance.now();
  const mask = maskOf(integration);
  const exchanges: Exchange[] = [];

  const note = (request: OutgoingRequest, sentAt: number, rest: Partial<Exchange>) => {
    if (exchanges.length === maxExchanges) exchanges.splice(maxExchanges / 2, 1);
    exchanges.push({
      request: {
        method: request.method,
        url: parameters ? targetOf(request, integration, parameters) : stars,
        headers: shownHeaders(request.headers),
      },
      latencyMs: Math.round(performance.now() - sentAt),
      ...rest,
    });
  };

  const send = async (asked: OutgoingRequest): Promise<OutgoingAnswer> => {
    const request = { ...asked, headers: { 'user-agent': userAgent, ...asked.headers } };
    const sentAt = performance.now();
    try {
      const leftMs = Math.max(1, began + longestMs - sentAt);
      const limits = { timeoutMs: Math.min(timeoutMs, leftMs), ...(signal && { signal }) };
      const answer = await outgoing.send(request, limits).catch(async (error: unknown) => {
        const isThisMachine = error instanceof OutgoingError && error.code === thisMachine;
        if (!isThisMachine || !(await isAdministrators())) throw error;
        return outgoing.send(request, { ...limits, loopback: true });
      });
      const { status, headers, body } = answer;
      const shown = {
        status,
        headers: keptHeaders(headers, mask),
        body: mask(body).slice(0, excerptLength).toWellFormed(),
      };
      note(request, sentAt, { response: shown });
      return answer;
    } catch (error) {
      const text = error instanceof OutgoingError ? error.message : String(error);
      note(request, sentAt, { error: mask(text) });
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

/** As the integration itself shows it; an address that is no parameter has no secret but in its query. */
const targetOf = (
  { url }: OutgoingRequest,
  { provider }: OpenIntegration,
  parameters: Parameters,
): string => provider.target?.(parameters) ?? maskedUrl(url);
