import { defineEvent } from '../../events/index.ts';

/** What the log tells of an application. */
export interface ApplicationFacts {
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

export const applicationCreated = defineEvent<ApplicationFacts>({
  type: 'application-created',
  label: 'Application created',
  summary: ({ data, bold }) => `The application ${bold(data.appName)} was seen for the first time`,
});

/** Of the 156, the only type about applications is the nearest. */
export const applicationDescribed = defineEvent<ApplicationFacts>({
  type: 'application-created',
  label: 'Application described',
  summary: ({ user, data, bold }) => `${user} described the application ${bold(data.appName)}`,
});

export const applicationForgotten = defineEvent<ApplicationFacts>({
  type: 'application-created',
  label: 'Application forgotten',
  summary: ({ user, preData, bold }) =>
    `${user} had the application ${bold(preData.appName)} forgotten`,
});
