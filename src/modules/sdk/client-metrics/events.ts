import { defineEvent } from '../../events/index.ts';

/** An application as events store it. */
export interface ApplicationEventData {
  readonly appName: string;
  readonly description: string;
  readonly strategies: readonly string[];
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const applicationCreated = defineEvent<ApplicationEventData>({
  type: 'application-created',
  summary: ({ data, bold }) => `${bold(data.appName)} connected for the first time`,
});

/** The only one of the 156 types that is about applications. */
export const applicationDescribed = defineEvent<ApplicationEventData>({
  type: 'application-created',
  label: 'Application described',
  summary: ({ user, data, bold }) => `${user} updated application ${bold(data.appName)}`,
});

export const applicationForgotten = defineEvent<ApplicationEventData>({
  type: 'application-created',
  label: 'Application deleted',
  summary: ({ user, preData, bold }) => `${user} deleted application ${bold(preData.appName)}`,
});

interface UnknownName {
  readonly name: string;
}

export const nameIgnored = defineEvent<UnknownName>({
  type: 'application-created',
  label: 'Unknown name ignored',
  summary: ({ user, data, bold }) => `${user} ignored unknown flag ${bold(data.name)}`,
});

export const nameNoticed = defineEvent<UnknownName>({
  type: 'application-created',
  label: 'Unknown name no longer ignored',
  summary: ({ user, preData, bold }) =>
    `${user} stopped ignoring unknown flag ${bold(preData.name)}`,
});
