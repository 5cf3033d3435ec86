export const protectedReason = "Protected environments can't be changed";

interface EnvironmentSettings {
  readonly name: string;
  readonly type: string;
  /** Whether new projects get it. */
  readonly enabled: boolean;
}

/** What saving an environment did. */
export function savedText(before: EnvironmentSettings, after: EnvironmentSettings): string {
  const { name } = after;
  const changes = [
    ...(before.type === after.type ? [] : [`${name} type changed to ${after.type}`]),
    ...(before.enabled === after.enabled
      ? []
      : [
          after.enabled
            ? `${name} will be added to new projects`
            : `${name} won't be added to new projects`,
        ]),
  ];
  return changes.length === 1 ? String(changes[0]) : `Environment ${name} saved`;
}
