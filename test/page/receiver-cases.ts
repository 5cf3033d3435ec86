import {
  newSigningSecret,
  signatureHeaders,
} from '../../src/modules/integrations/providers/webhook/signature.ts';
import { verification } from '../../web/src/integrations/verify.ts';

export const codeFor = (language: string) =>
  verification.find((each) => each.language === language)?.code ?? '';

const [secret, previous] = [newSigningSecret(), newSigningSecret()];
const body = '{"type":"feature-created","name":"ä"}';
const id = '019a0000-0000-7000-8000-000000000000';
const headersAt = (now: Date, secrets: readonly string[]) =>
  signatureHeaders({ id, now }, body, secrets);
const fresh = headersAt(new Date(), [secret, previous]);

/** What a receiver may get, and whether it is genuine. */
export const cases = [
  { secret, headers: fresh, body, isOurs: true },
  { secret: previous, headers: fresh, body, isOurs: true },
  { secret: newSigningSecret(), headers: fresh, body, isOurs: false },
  { secret, headers: fresh, body: `${body} `, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-id': 'another' }, body, isOurs: false },
  { secret, headers: headersAt(new Date(), []), body, isOurs: false },
  { secret, headers: headersAt(new Date(Date.now() - 600_000), [secret]), body, isOurs: false },
  // A forgery is rejected and causes no error in the receiver.
  { secret, headers: {}, body, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-timestamp': 'soon' }, body, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-signature': 'v1,ä' }, body, isOurs: false },
];
export const expected = cases.map(({ isOurs }) => isOurs);
