import {
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTeams,
  IconChartLine,
  IconDog,
  IconPlug,
  IconUrgent,
  IconWebhook,
} from '@tabler/icons-react';
import classes from './integrations.module.css';

const icons: Readonly<Record<string, typeof IconPlug>> = {
  webhook: IconWebhook,
  'slack-app': IconBrandSlack,
  slack: IconBrandSlack,
  teams: IconBrandTeams,
  discord: IconBrandDiscord,
  datadog: IconDog,
  'new-relic': IconChartLine,
  pagerduty: IconUrgent,
};

/** The sign of a provider, beside its name. */
export function ProviderIcon({ name }: { readonly name: string }) {
  const Icon = icons[name] ?? IconPlug;
  return (
    <span className={classes.icon} aria-hidden>
      <Icon size={20} stroke={1.6} />
    </span>
  );
}
