import { defineEvent } from '../../events/index.ts';
import type { ContextField } from './contract.ts';

export const contextFieldCreated = defineEvent<ContextField>({
  type: 'context-field-created',
  summary: ({ user, data, bold }) => `${user} created context field ${bold(data.name)}`,
});

export const contextFieldUpdated = defineEvent<ContextField>({
  type: 'context-field-updated',
  summary: ({ user, data, bold }) => `${user} updated context field ${bold(data.name)}`,
});

export const contextFieldDeleted = defineEvent<ContextField>({
  type: 'context-field-deleted',
  summary: ({ user, preData, bold }) => `${user} deleted context field ${bold(preData.name)}`,
});
