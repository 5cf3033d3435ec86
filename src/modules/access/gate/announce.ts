import type { Tx } from '../../../platform/db/database.ts';
import { recordedTypes } from '../../events/index.ts';

/** Events of these areas can change who may do what; the rest of the log cannot. */
const concerning =
  /^(user|role|group|setting|pat|api-token|service-account|project|environment|public-signup)-/;

const announced = new WeakSet<Tx>();

/** For what changes access and is no event: sessions. */
export const announceAccess = (tx: Tx): void => {
  announced.add(tx);
};

/** Whether instances have to forget what they believe of credentials once this is committed. */
export const concernsAccess = (tx: Tx): boolean =>
  announced.has(tx) || recordedTypes(tx).some((type) => concerning.test(type));

/** Whether an API token may be over, or reach something else, once this is committed. */
export const concernsTokens = (tx: Tx): boolean =>
  recordedTypes(tx).some((type) => type === 'api-token-updated' || type === 'api-token-deleted');
