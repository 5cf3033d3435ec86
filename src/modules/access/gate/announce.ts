import type { Tx } from '../../../platform/db/database.ts';
import { recordedTypes } from '../../events/index.ts';

/** Events with these prefixes can change what someone may do. All others cannot. */
const concerning =
  /^(user|role|group|setting|pat|api-token|service-account|project|environment|public-signup)-/;
/**
 * These concern no credential that is in use: no one has a new token, account, role or link yet, and favorites and
 * preferences are personal. Announced, they would end the streams of all accounts.
 */
const harmless = new Set([
  ...['api-token-created', 'pat-created', 'user-created', 'service-account-created'],
  ...['role-created', 'public-signup-token-created'],
  ...['project-favorited', 'project-unfavorited', 'user-preference-updated'],
]);

const announced = new WeakSet<Tx>();

/** For changes of access that record no event: sessions. */
export const markAccessChanged = (tx: Tx): void => {
  announced.add(tx);
};

/** Whether all instances have to drop their cached credentials after the commit. */
export const changesAccess = (tx: Tx): boolean =>
  announced.has(tx) ||
  recordedTypes(tx).some((type) => concerning.test(type) && !harmless.has(type));

/** Whether the commit may end an API token or change what it reaches. */
export const changesTokens = (tx: Tx): boolean =>
  recordedTypes(tx).some((type) => type === 'api-token-updated' || type === 'api-token-deleted');
