import type { EventType } from '../../events/index.ts';
import { createIntegration } from '../../integrations/index.ts';
import { importApplication } from '../../sdk/client-metrics/index.ts';
import { defineImport } from '../events.ts';
import { insertThing } from '../queries.ts';
import { asOf } from '../run/as-of.ts';
import { byName, type KindDefinition, oneByOne } from './kind.ts';

export const application: KindDefinition<'application'> = {
  event: defineImport('application-created', 'application'),
  listIn: ({ applications }) => applications,
  nameOf: byName,
  // An application that reports to Burgee already may have been described there.
  isSame: () => true,
  run: oneByOne((tx, { after }) => {
    const { name, description, usage, features, ...more } = after;
    const annotations = { ...more, description: description ?? '' };
    return importApplication(tx, name, annotations, { usage, features });
  }),
};

/** Whether the source hides the value of a parameter. */
export const isHidden = (value: string): boolean => /^\*+$/.test(value);

export const integration: KindDefinition<'integration'> = {
  event: defineImport('addon-config-updated', 'integration'),
  listIn: ({ integrations }) => integrations,
  nameOf: ({ provider, id }) => `${provider} ${id}`,
  dataOf: ({ parameters, ...facts }) => ({
    ...facts,
    enabled: false,
    parameters: Object.keys(parameters),
  }),
  run: oneByOne(async (tx, { after }, { context, source }) => {
    const { id: theirId, parameters, tags, createdAt, ...settings } = after;
    const readable = Object.entries(parameters).filter(([, value]) => !isHidden(value));
    const { id } = await createIntegration(await asOf(tx, { createdAt }), context, {
      ...settings,
      description: settings.description ?? '',
      enabled: false,
      parameters: Object.fromEntries(readable),
      // They have been checked by the contract of the endpoint.
      events: [...settings.events] as EventType[],
      projects: settings.projects.filter((each) => each !== '*'),
      environments: settings.environments.filter((each) => each !== '*'),
      ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
    });
    await insertThing(tx, source, 'integration', theirId, id);
  }),
};
