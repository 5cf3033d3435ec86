/** An error code of Slack. */
interface SlackError {
  /** What it means and what to do. */
  readonly advice: string;
  /** It does not depend on the channel. */
  readonly everywhere?: true;
}

const badToken: SlackError = {
  advice: "The access token isn't valid. Install the app again and enter its new token.",
  everywhere: true,
};
const archived: SlackError = {
  advice: 'The channel is archived. Choose another channel, or unarchive it.',
};
const restricted: SlackError = {
  advice:
    'Posting in this channel is restricted. Allow the app to post, or choose another channel.',
};
const busy: SlackError = { advice: 'Slack is rate limiting messages.', everywhere: true };
const fault: SlackError = { advice: 'Slack had an internal error.', everywhere: true };
const noHook: SlackError = {
  advice: 'The incoming webhook was removed or disabled. Create a new one and enter its URL.',
  everywhere: true,
};
const badMessage: SlackError = { advice: "Slack couldn't read the message.", everywhere: true };

const words: Readonly<Record<string, SlackError>> = {
  channel_not_found: {
    advice:
      "The channel doesn't exist, or it's private and the app isn't in it. Check the name, or invite the app (/invite in the channel).",
  },
  not_in_channel: {
    advice:
      "The app isn't in this channel. Invite it (/invite in the channel), or give it the scope chat:write.public for public channels.",
  },
  user_not_found: { advice: "The user doesn't exist. Check the name." },
  is_archived: archived,
  channel_is_archived: archived,
  restricted_action: restricted,
  restricted_action_read_only_channel: restricted,
  restricted_action_thread_only_channel: restricted,
  action_prohibited: restricted,
  posting_to_general_channel_denied: restricted,
  missing_scope: {
    advice: 'Give the app the scope chat:write in Slack and install it again.',
    everywhere: true,
  },
  invalid_auth: badToken,
  not_authed: badToken,
  token_revoked: badToken,
  token_expired: badToken,
  account_inactive: badToken,
  ratelimited: busy,
  rate_limited: busy,
  internal_error: fault,
  fatal_error: fault,
  service_unavailable: fault,
  request_timeout: fault,
  rollup_error: fault,
  no_service: noHook,
  no_service_id: noHook,
  no_team: noHook,
  team_disabled: noHook,
  invalid_token: noHook,
  invalid_payload: badMessage,
  invalid_blocks: badMessage,
  msg_blocks_too_long: badMessage,
  msg_too_long: badMessage,
  no_text: badMessage,
};

/** The error code with an explanation. */
export const explainError = (word: string): { why: string; everywhere?: true } => {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  return {
    why: found ? `Slack error: ${word}. ${found.advice}` : `Slack error: ${word}.`,
    ...(found?.everywhere ? { everywhere: true } : {}),
  };
};
