/** PostgreSQL channels on which instances notify each other. `append_events` names the first one too. */

/** Events were appended to the log. */
export const eventsChannel = 'burgee_events';

/** Somebody may do more or less than a moment ago. */
export const accessChannel = 'burgee_access';

/**
 * API tokens were changed or revoked. A channel of its own: after such a notice it is in doubt what SDKs may do while
 * the database is away, and it must not be after each change of a project.
 */
export const tokensChannel = 'burgee_api_tokens';
