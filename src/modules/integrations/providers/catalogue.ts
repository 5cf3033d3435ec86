import { datadog } from './datadog/datadog.ts';
import { discord } from './discord/discord.ts';
import { newRelic } from './new-relic/new-relic.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import type { Provider } from './provider.ts';
import { slack } from './slack/slack.ts';
import { slackApp } from './slack-app/slack-app.ts';
import { teams } from './teams/teams.ts';
import { webhook } from './webhook/webhook.ts';

/** All providers, in the order of the API. */
export const providers: readonly Provider[] = [
  webhook,
  slackApp,
  slack,
  teams,
  discord,
  datadog,
  newRelic,
  pagerduty,
];

export const findProvider = (name: string): Provider | undefined =>
  providers.find((provider) => provider.name === name);
