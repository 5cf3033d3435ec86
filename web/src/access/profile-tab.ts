const tabs = ['following', 'sessions', 'tokens', 'access'] as const;

export type ProfileTab = (typeof tabs)[number];

export function readProfileSearch(raw: Record<string, unknown>): { tab?: ProfileTab } {
  const tab = tabs.find((name) => name === raw.tab);
  return tab === undefined ? {} : { tab };
}
