/** PostgreSQL channels on which instances notify each other. `append_events` names the first one too. */

/** Events were appended to the log. */
export const eventsChannel = 'burgee_events';

/** Permissions changed. */
export const accessChannel = 'burgee_access';

/**
 * API tokens were changed or revoked. The channel is separate from `burgee_access`: during an outage, such a
 * notification makes the cached permissions of SDKs uncertain, and a change of a project must not do that.
 */
export const tokensChannel = 'burgee_api_tokens';
